import InkCore

/// The measure of how well the characters and the language of a ``CharacterLineRecognizer`` explain an
/// ink.
struct CharacterEvidence {
  private var sum: Float = 0
  private(set) var characters = 0

  /// A character of thousands says more than a letter: so much of its ln p counts, so that texts are
  /// compared with those of alphabets. 0.5 and 0.45 were tried on rows of virtual writers, whose text has
  /// a mean ln p of -3.3 by the language model.
  private static let share: Float = 0.45

  /// Adds the characters of a line.
  mutating func add(_ reading: CharacterSearch.Reading, _ language: LabelSymbols) {
    var state = language.state(after: "")
    for (label, group) in reading.characters {
      let step = language.advance(state, label)
      state = step.state
      let shape = group.options.first { $0.label == label }?.score ?? 0
      sum += step.logProbability + shape
      characters += 1
    }
  }

  /// The mean ln p of a character, comparable with that of ``ExplainedResult``.
  var mean: Double {
    characters > 0 ? Double(Self.share * sum / Float(characters)) : -.infinity
  }
}

extension CharacterLineRecognizer: ScriptReader {
  package func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> ExplainedResult {
    var evidence = CharacterEvidence()
    let result = try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, evidence: &evidence)
    return ExplainedResult(
      result: result, mean: evidence.mean, characters: evidence.characters)
  }
}
