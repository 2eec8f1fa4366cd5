import InkCore

/// Reading of a part of a line whose other parts are of another script.
extension LineRecognizer {
  /// The readings of a part of a line, and how well they are explained.
  struct Run {
    /// The readings, best first; at least one.
    var candidates: [RecognitionCandidate]
    /// The mean probability of the characters by the network alone, 0 ... 1.
    var certainty: Float
    /// ln p of the best reading by the language; 0 without a language model.
    var language: Float
  }

  /// Reads a part of a line; nil if nothing is read.
  ///
  /// - Throws: As ``recognize(_:context:maximumCandidates:)``.
  func readRun(_ ink: Ink, count: Int) throws -> Run? {
    let cleaned = ink.cleaned()
    guard !cleaned.ink.isEmpty else { return nil }
    let context = RecognitionContext(layout: .line)
    let arranged = try arranged(cleaned.ink, context)
    var timings = LineTimings()
    let (output, peaks) = try memories.withMemory { memory in
      let output = try memory.run(model, [arranged.ink], area: nil, &timings)
      let peaks = output.first.map {
        Self.peaks(memory.take($0), steps: memory.steps, classes: model.labels.count + 1)
      }
      return (output.first, peaks)
    }
    guard let peaks, peaks.count > 0 else { return nil }
    var result = try readLine(
      arranged.ink, context, count: count, &timings, known: output)
    result.refer(to: ink, cleaned: cleaned, arranged)
    guard let best = result.candidates.first else { return nil }
    return Run(
      candidates: result.candidates, certainty: peaks.mean,
      language: evidence(for: best.text) ?? 0)
  }
}
