import InkCore
import Networks

/// Readings by the network alone.
extension LineRecognizer {
  /// The most likely text by the network alone, from the best class of each time step.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  public func readGreedily(_ ink: Ink, area: WritingArea? = nil) throws -> String {
    guard !ink.isEmpty else {
      try ink.validate()
      return ""
    }
    return try memories.withMemory { memory in
      greedyText(try memory.run(model, ink, area: area), memory)
    }
  }

  /// The most likely text of ``logProbabilities(_:area:)``.
  package func readGreedily(from output: [Float]) -> String {
    let classes = model.labels.count + 1
    let sequence = PackedSequences()
    sequence.set(lengths: CollectionOfOne(output.count / classes))
    var labels: [Int32] = []
    output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress, !output.isEmpty else { return }
      GreedyDecoding.labels(base, classes: classes, sequence: 0, of: sequence, into: &labels)
    }
    return text(labels)
  }

  /// The most likely text of the last output of a memory.
  func greedyText(_ output: UnsafePointer<Float>, _ memory: LineReadingMemory) -> String {
    var labels: [Int32] = []
    GreedyDecoding.labels(
      output, classes: model.labels.count + 1, sequence: 0, of: memory.layout, into: &labels)
    return text(labels)
  }

  /// The text of the best path, and how certain the network is of its characters.
  func heard(
    _ output: UnsafePointer<Float>, _ memory: LineReadingMemory
  ) -> (text: String, peaks: NetworkPeaks) {
    (
      greedyText(output, memory),
      Self.peaks(output, steps: memory.steps, classes: model.labels.count + 1)
    )
  }

  /// The probability of each character of a text by the network alone: the largest within the time
  /// steps of the character.
  ///
  /// - Parameters:
  ///   - text: A reading of the output. A space at its beginning, which has no ink, has probability
  ///     1.
  ///   - output: ``logProbabilities(_:area:)``.
  /// - Returns: One probability for each character; empty if the text does not fit the output.
  package func certainties(of text: String, in output: [Float]) -> [Float] {
    guard let labels = classes(of: text) else { return [] }
    let unwritten = text.first == " " ? 1 : 0
    let written = Array(labels.dropFirst(unwritten))
    return output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return memories.withMemory { memory in
        guard
          let found = memory.certainties(
            of: written, base, steps: output.count / (model.labels.count + 1), model)
        else { return [] }
        var aligned = AlignedSymbols(
          ink: [], certainties: [Float](repeating: 1, count: unwritten) + found)
        aligned.gather(labels.map { model.labels[Int($0) - 1] }, in: text)
        return aligned.certainties
      }
    }
  }

  /// The classes of the characters of a text; nil if the model does not have one of them.
  private func classes(of text: String) -> [Int32]? {
    let classes = model.symbols.classes(of: text)
    return classes.contains(0) ? nil : classes
  }

  /// The ink of each character of a known text; nil if the model cannot have read the text.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  package func align(
    _ text: String, with ink: Ink, area: WritingArea? = nil
  ) throws -> [CharacterInk]? {
    guard !ink.isEmpty, let labels = classes(of: text) else { return nil }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: area)
      var aligned = memory.align(labels, output, model, memory.strokes(of: ink))
      aligned.gather(labels.map { model.labels[Int($0) - 1] }, in: text)
      let characters = aligned.ink
      return characters.allSatisfy { $0.parts.isEmpty } ? nil : characters
    }
  }

  /// The number of the network's input steps for an ink.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  package func inputSteps(of ink: Ink, area: WritingArea? = nil) throws -> Int {
    guard !ink.isEmpty else { return 0 }
    var line = EncodedLine(model.pipeline)
    try line.encode(ink, area: area)
    return line.encoder.steps
  }

  /// The network's output: ln p [T, K] of the blank, class 0, and of the model's symbols at each
  /// time step; empty for ink without points.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  public func logProbabilities(_ ink: Ink, area: WritingArea? = nil) throws -> [Float] {
    guard !ink.isEmpty else { return [] }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: area)
      return Array(
        UnsafeBufferPointer(start: output, count: memory.steps * (model.labels.count + 1)))
    }
  }
}
