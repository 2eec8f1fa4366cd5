import LanguageModels

/// The search for texts in the network's output.
extension LineRecognizer {
  /// Searches for the texts of ``logProbabilities(_:area:)`` as recognition does: with the language
  /// model, the alphabet and the vocabulary of this recogniser.
  ///
  /// - Parameters:
  ///   - output: [T, K]; what is left behind the last whole row is ignored.
  ///   - preContext: The text before the ink.
  ///   - contextLength: The last characters of it that count, at most ``preContextLength``.
  ///   - count: The most texts; at least 1 is taken.
  /// - Returns: Texts with their scores before calibration, best first.
  /// - Throws: `CancellationError` where the task is cancelled.
  public func decode(
    _ output: [Float], preContext: String = "", contextLength: Int = preContextLength, count: Int
  ) throws -> [(text: String, score: Float)] {
    let classes = model.labels.count + 1
    return try output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return try memories.withMemory { memory in
        try search(
          base, steps: output.count / classes, preContext: preContext,
          contextLength: min(max(0, contextLength), Self.preContextLength), memory,
          count: max(1, count)
        ).map { (text($0.labels), $0.score) }
      }
    }
  }

  /// The readings of an output, in the order of both passes.
  func search(
    _ output: UnsafePointer<Float>, steps: Int, preContext: String,
    contextLength: Int = preContextLength, _ memory: LineReadingMemory, count: Int
  ) throws -> [BeamDecoder.Reading] {
    let start = start(preContext, contextLength)
    let readings = try firstPass(
      output, steps: steps, start, memory,
      count: rescoring == nil ? count : max(count, configuration.beam))
    guard let rescoring else { return readings }
    let rescored = try evidence(for: readings, start, preContext, contextLength, memory).map {
      BeamDecoder.Reading(
        labels: $0.labels, score: configuration.score(of: $0, with: rescoring))
    }
    return Array(rescored.bestFirst().prefix(count))
  }

  /// The readings of the search.
  private func firstPass(
    _ output: UnsafePointer<Float>, steps: Int, _ start: DecodingStart, _ memory: LineReadingMemory,
    count: Int
  ) throws -> [BeamDecoder.Reading] {
    try memory.decoder.decode(
      memory.corrected(output, steps: steps, by: corrections), steps: steps,
      classes: model.labels.count + 1, allowed: allowed, start: start, scorer: scorer,
      configuration: configuration, count: count)
  }

  /// The numbers of the second pass; nil where there is none.
  private var rescoring: DecoderConfiguration.Rescoring? {
    languageModel == nil || recurrentModel == nil ? nil : configuration.rescoring
  }

  /// What the language models say of readings.
  private func evidence(
    for readings: [BeamDecoder.Reading], _ start: DecodingStart, _ preContext: String,
    _ contextLength: Int, _ memory: LineReadingMemory
  ) throws -> [ReadingEvidence] {
    let context = String(preContext.suffix(contextLength))
    let texts = readings.map { text($0.labels) }
    let recurrent =
      try memory.recurrent?.logProbabilities(
        of: texts, after: context, isWhole: context.count < contextLength)
      ?? texts.map { _ in 0 }
    return readings.indices.map { index in
      ReadingEvidence(
        labels: readings[index].labels, score: readings[index].score,
        languageModel: scorer.languageScore(of: readings[index].labels, from: start.state),
        recurrent: recurrent[index], characters: readings[index].labels.count,
        spaces: texts[index].count { $0 == " " })
    }
  }

  /// What speaks for the best texts of ``logProbabilities(_:area:)`` before the second pass.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  package func evidence(
    _ output: [Float], preContext: String = ""
  ) throws -> [(text: String, evidence: ReadingEvidence)] {
    let classes = model.labels.count + 1
    return try output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return try memories.withMemory { memory in
        let start = start(preContext, Self.preContextLength)
        let readings = try firstPass(
          base, steps: output.count / classes, start, memory, count: configuration.beam)
        return try evidence(for: readings, start, preContext, Self.preContextLength, memory).map {
          (text($0.labels), $0)
        }
      }
    }
  }

  /// Where the search begins behind the last `length` characters of a text. O(`longestWord`).
  private func start(_ preContext: String, _ length: Int) -> DecodingStart {
    let context = String(preContext.suffix(length))
    let begun = preContext.suffix(Self.longestWord).reversed()
      .prefix { $0.unicodeScalars.allSatisfy(WordCharacters.contains) }
    let state = scorer.state(
      after: context,
      // A context that fills its length was cut, here or by an app: it may begin anywhere in its text.
      isWhole: context.count < length, begun: String(begun.reversed()))
    guard let last = context.last else {
      return DecodingStart(state: state, space: nil, spaceBonus: 0)
    }
    let space = model.labels.firstIndex(of: " ")
    let mayBegin = languageModel != nil && !last.isWhitespace
    return DecodingStart(
      state: state, space: mayBegin ? space.flatMap { allowed[$0 + 1] ? $0 + 1 : nil } : nil,
      spaceBonus: configuration.spaceBonus)
  }
}
