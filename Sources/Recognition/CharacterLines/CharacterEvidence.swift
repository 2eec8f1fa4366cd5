import InkCore

/// The measure of how well the characters and the language of a ``CharacterLineRecognizer`` explain an
/// ink.
struct CharacterEvidence {
  private var sum: Float = 0
  private(set) var characters = 0
  /// The same of Latin words, whose ln p is that of their own language.
  private var (words, letters): (Float, Int) = (0, 0)

  /// A character of thousands says more than a letter: so much of its ln p counts, so that texts are
  /// compared with those of alphabets. 0.5 and 0.45 were tried on rows of virtual writers, whose text has
  /// a mean ln p of -3.3 by the language model.
  private static let share: Float = 0.45

  /// A line of Latin words alone is better explained by a reader of such lines: so much of ln p is taken off
  /// each letter here.
  private static let letterLoss: Float = 0.3

  /// Adds the characters and the Latin words of a line.
  mutating func add(_ reading: CharacterSearch.Reading, _ language: LabelSymbols) {
    var state = language.state(after: "")
    for (label, group, _) in reading.characters {
      let option = group.options.first { $0.label == label }
      if let word = option?.word {
        words += word.language - Self.letterLoss * Float(word.candidate.text.count)
        letters += word.candidate.text.count
        state = language.state(state, after: word.candidate.text)
        continue
      }
      let step = language.advance(state, label)
      state = step.state
      sum += step.logProbability + (option?.score ?? 0)
      characters += 1
    }
  }

  /// The mean ln p of a character or letter, comparable with that of ``ExplainedResult``; -infinity without
  /// characters.
  var mean: Double {
    characters > 0
      ? Double((Self.share * sum + words) / Float(characters + letters)) : -.infinity
  }
}

extension CharacterLineRecognizer: ScriptReader {
  package func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, leastCharacters: Int
  ) throws -> ExplainedResult {
    // There is one language, so no other one is opened.
    var evidence = CharacterEvidence()
    let result = try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, evidence: &evidence)
    return ExplainedResult(
      result: result, mean: evidence.mean, characters: evidence.characters)
  }
}
