import InkCore
import LanguageModels

/// The search for texts in the network's output.
extension LineRecognizer {
  /// Searches for the texts of ``logProbabilities(_:area:)`` in the same way as recognition, with
  /// the language model, the alphabet and the vocabulary of this recogniser. Texts outside of a
  /// closed vocabulary are excluded.
  ///
  /// - Parameters:
  ///   - output: [T, K]; an incomplete last row is ignored.
  ///   - preContext: The text before the ink.
  ///   - contextLength: The number of its last characters to use, at most ``preContextLength``.
  ///   - count: The most texts, at least 1.
  /// - Returns: Texts with their scores before calibration, best first; none ends with a space.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func decode(
    _ output: [Float], preContext: String = "", contextLength: Int = preContextLength, count: Int
  ) throws -> [(text: String, score: Float)] {
    let classes = model.labels.count + 1
    return try output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return try memories.withMemory { memory in
        var search = Search(
          output: base, steps: output.count / classes, preContext: preContext,
          contextLength: min(max(0, contextLength), Self.preContextLength), scorer: scorer,
          configuration: configuration, count: max(count, configuration.beam))
        var readings = listed(try readings(of: search, memory))
        if closedLexicon != nil, nearestWords(readings) == nil {
          search.configuration = configuration.widened(classes: classes)
          readings = listed(try self.readings(of: search, memory))
        }
        return trimmed(readings).prefix(max(1, count)).map { (text($0.labels), $0.score) }
      }
    }
  }

  /// One search in an output.
  package struct Search {
    /// [T, K].
    var output: UnsafePointer<Float>
    var steps: Int
    var preContext: String
    var contextLength = LineRecognizer.preContextLength
    var scorer: TextScorer
    var configuration: DecoderConfiguration
    var count: Int

    package init(
      output: UnsafePointer<Float>, steps: Int, preContext: String,
      contextLength: Int = LineRecognizer.preContextLength, scorer: TextScorer,
      configuration: DecoderConfiguration, count: Int
    ) {
      self.output = output
      self.steps = steps
      self.preContext = preContext
      self.contextLength = contextLength
      self.scorer = scorer
      self.configuration = configuration
      self.count = count
    }
  }

  /// The readings for candidates. With a closed vocabulary, also readings outside of it that may
  /// have been written instead. None ends with a space.
  ///
  /// If the words of a closed vocabulary score so much lower than free text that the search may
  /// have missed the nearest of them, a wider search is made.
  func candidateReadings(
    of output: UnsafePointer<Float>, preContext: String, _ memory: LineReadingMemory, count: Int
  ) throws -> [BeamDecoder.Reading] {
    var search = Search(
      output: output, steps: memory.steps, preContext: preContext, scorer: scorer,
      configuration: configuration, count: count)
    var listed = listed(try readings(of: search, memory))
    guard let unlistedScorer else { return trimmed(listed) }
    search.scorer = unlistedScorer
    let others = try readings(of: search, memory)
    let farthest = (others.first?.score ?? 0) - configuration.margin
    if nearestWords(listed).map({ $0 < farthest }) ?? true {
      search.scorer = scorer
      search.configuration = configuration.widened(classes: model.labels.count + 1)
      listed = self.listed(try readings(of: search, memory))
    }
    return trimmed(listed).joined(by: trimmed(others))
  }

  /// The score of the best reading with a word of the closed vocabulary; nil if there is none.
  private func nearestWords(_ readings: [BeamDecoder.Reading]) -> Float? {
    readings.first { !$0.labels.isEmpty }?.score
  }

  private var closedLexicon: Lexicon? {
    if case .closed(let lexicon)? = vocabulary { lexicon } else { nil }
  }

  /// The readings with words of a closed vocabulary, and the empty one. Signs between words are a
  /// text only if the vocabulary contains them.
  private func listed(_ readings: [BeamDecoder.Reading]) -> [BeamDecoder.Reading] {
    guard let closedLexicon else { return readings }
    return readings.filter { reading in
      reading.labels.isEmpty || reading.labels.contains(where: scorer.isInWords)
        || text(reading.labels).split(separator: " ").contains {
          closedLexicon.contains(String($0))
        }
    }
  }

  private func trimmed(_ readings: [BeamDecoder.Reading]) -> [BeamDecoder.Reading] {
    guard let space = model.labels.firstIndex(of: " ") else { return merged(readings) }
    return merged(readings.trimmed(of: Int32(space + 1)))
  }

  /// Merges readings that the language writes in the same way. The first one keeps its classes.
  private func merged(_ readings: [BeamDecoder.Reading]) -> [BeamDecoder.Reading] {
    guard let rules, !rules.changesNothing else { return readings }
    return readings.merged(by: text)
  }

  /// The readings of a search, in the order after both passes.
  package func readings(of search: Search, _ memory: LineReadingMemory) throws -> [BeamDecoder
    .Reading]
  {
    let start = start(search.preContext, search.contextLength, search.scorer)
    var first = search
    if rescoring != nil { first.count = max(search.count, search.configuration.beam) }
    let readings = try firstPass(first, start, memory)
    guard let rescoring else { return readings }
    let rescored = try evidence(
      for: readings, start, search.preContext, search.contextLength, memory
    ).map {
      BeamDecoder.Reading(
        labels: $0.labels, score: configuration.score(of: $0, with: rescoring))
    }
    return Array(rescored.bestFirst().prefix(search.count))
  }

  /// The readings of the beam search.
  private func firstPass(
    _ search: Search, _ start: DecodingStart, _ memory: LineReadingMemory
  ) throws -> [BeamDecoder.Reading] {
    try memory.decoder.decode(
      memory.corrected(search.output, steps: search.steps, by: corrections), steps: search.steps,
      classes: model.labels.count + 1, allowed: allowed, start: start, scorer: search.scorer,
      configuration: search.configuration, count: search.count)
  }

  /// The configuration of the second pass; nil if there is none.
  private var rescoring: DecoderConfiguration.Rescoring? {
    languageModel == nil || recurrentModel == nil ? nil : configuration.rescoring
  }

  /// The scores of readings by the language models.
  private func evidence(
    for readings: [BeamDecoder.Reading], _ start: DecodingStart, _ preContext: String,
    _ contextLength: Int, _ memory: LineReadingMemory
  ) throws -> [ReadingEvidence] {
    let context = Self.end(of: preContext, contextLength)
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

  /// The evidence for the best texts of ``logProbabilities(_:area:)`` before the second pass.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func evidence(
    _ output: [Float], preContext: String = ""
  ) throws -> [(text: String, evidence: ReadingEvidence)] {
    let classes = model.labels.count + 1
    return try output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return try memories.withMemory { memory in
        let start = start(preContext, Self.preContextLength, scorer)
        let search = Search(
          output: base, steps: output.count / classes, preContext: preContext, scorer: scorer,
          configuration: configuration, count: configuration.beam)
        let readings = try firstPass(search, start, memory)
        return try evidence(for: readings, start, preContext, Self.preContextLength, memory).map {
          (text($0.labels), $0)
        }
      }
    }
  }

  /// The opinion of the glyph model on characters that stand apart, and the readings with those
  /// that it adds; nil and the same readings if it is not consulted.
  func separatedCharacters(
    _ readings: [BeamDecoder.Reading], _ output: UnsafePointer<Float>,
    _ memory: LineReadingMemory, _ ink: Ink, _ context: RecognitionContext
  ) throws -> (SeparatedCharacters?, [BeamDecoder.Reading]) {
    guard let characterOpinion, vocabulary?.isClosed != true,
      model.pipeline.direction == .leftToRight,
      ink.strokes.count <= SeparatedCharacters.mostStrokes
    else { return (nil, readings) }
    let groups = ink.separatedGroups()
    guard
      SeparatedCharacters.applies(
        to: readings, count: groups.count, space: characterOpinion.space,
        temperature: configuration.temperature),
      let separated = try SeparatedCharacters(
        in: groups, characterOpinion, context, mayRead: { allowed[$0] })
    else { return (nil, readings) }
    guard separated.fit(readings) else { return (nil, readings) }
    let start = start(context.preContext, Self.preContextLength, scorer)
    let classes = model.labels.count + 1
    let corrected = memory.corrected(output, steps: memory.steps, by: corrections)
    let known = Set(readings.map(\.labels))
    let added = separated.readings(beside: readings).filter { !known.contains($0) }.compactMap {
      labels in
      BeamDecoder.score(
        of: labels, corrected, steps: memory.steps, classes: classes, start: start.state, scorer
      ).map { BeamDecoder.Reading(labels: labels, score: $0) }
    }
    return (separated, (readings + added).bestFirst())
  }

  /// The most scalars of the text before the ink: a character may have any number of marks.
  private static let longestContext = 1000

  /// The last characters of a text.
  private static func end(of text: String, _ length: Int) -> String {
    String(String(text.unicodeScalars.suffix(longestContext)).suffix(length))
  }

  /// The word, or the beginning of one, at the end of a text, which the ink may continue: the
  /// longest one in the vocabulary, including its other signs.
  private func begunWord(_ preContext: String, _ scorer: TextScorer) -> String {
    guard let words = scorer.words else { return "" }
    func isOfWords(_ character: Character) -> Bool {
      character.unicodeScalars.allSatisfy(WordCharacters.contains)
    }
    let text = Array(Self.end(of: preContext, Self.longestWord))
    let starts = text.indices.lazy.filter { $0 == 0 || !isOfWords(text[$0 - 1]) }
      .map { String(text[$0...]) }
    return starts.first { words.state(after: $0) != nil } ?? ""
  }

  /// The start of a search after the last `length` characters of a text. O(`longestWord`), and its
  /// square with a vocabulary.
  private func start(
    _ preContext: String, _ length: Int, _ scorer: TextScorer
  ) -> DecodingStart {
    let context = Self.end(of: preContext, length)
    let state = scorer.state(
      after: context,
      // A context of full length may have been cut, here or by an app: it may begin anywhere in its
      // text.
      isWhole: context.count < length, begun: begunWord(preContext, scorer))
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

/// The start of a search: the knowledge from the text before the ink.
struct DecodingStart {
  /// The state after the text.
  var state: TextState
  /// The class of the space if a reading may begin with one without ink, otherwise nil.
  var space: Int?
  /// The bonus of such a reading.
  var spaceBonus: Float
}

/// The evidence for a reading of the search, for rescoring with a recurrent language model.
package struct ReadingEvidence: Sendable {
  /// The classes of the reading.
  var labels: [Int32]
  /// Its score in the search.
  var score: Float
  /// ln p by the language model of the search.
  var languageModel: Float
  /// ln p by the recurrent language model.
  var recurrent: Float
  /// The number of characters, including spaces.
  var characters: Int
  var spaces: Int

  package init(
    labels: [Int32], score: Float, languageModel: Float, recurrent: Float, characters: Int,
    spaces: Int
  ) {
    self.labels = labels
    self.score = score
    self.languageModel = languageModel
    self.recurrent = recurrent
    self.characters = characters
    self.spaces = spaces
  }
}

extension DecoderConfiguration {
  /// The score of a reading after the second pass: the scores of the language in the search are
  /// replaced by new ones.
  package func score(of reading: ReadingEvidence, with rescoring: Rescoring) -> Float {
    reading.score + rescoring.recurrentWeight * reading.recurrent
      + (rescoring.languageModelWeight - languageModelWeight) * reading.languageModel
      + (rescoring.characterBonus - characterBonus) * Float(reading.characters)
      + (rescoring.wordBonus - wordBonus) * Float(reading.spaces)
  }
}
