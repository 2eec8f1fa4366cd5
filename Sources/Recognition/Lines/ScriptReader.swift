import InkCore

/// A recogniser of texts in one script that says how well its language explains them.
package protocol ScriptReader: AnyObject, Recognizer {
  /// Reads one ink; see ``LineRecognizer/recognize(_:context:maximumCandidates:)``.
  ///
  /// - Parameter leastCharacters: A result of fewer characters is of no use: other languages of the
  ///   script are not opened for it.
  func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, leastCharacters: Int
  ) throws -> ExplainedResult
}

extension ScriptReader {
  /// Reads one ink, however few characters it has.
  package func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> ExplainedResult {
    try explained(
      ink, context: context, maximumCandidates: maximumCandidates, leastCharacters: 0)
  }
}

/// A result, and how well a language explains what the network alone has read.
package struct ExplainedResult: Sendable {
  /// The readings.
  package var result: RecognitionResult
  /// The mean natural logarithm of the probability of a character. A text in its language is above
  /// -2.4 as a rule; one of another script, read as letters of this one, is below -3.
  package var mean: Double
  /// The number of characters; 0 if there are no words or no language model.
  package var characters: Int
  /// The mean probability of the characters by the network alone, 0 ... 1; nil if it is not known.
  package var certainty: Float?

  package init(
    result: RecognitionResult, mean: Double, characters: Int, certainty: Float? = nil
  ) {
    (self.result, self.mean) = (result, mean)
    (self.characters, self.certainty) = (characters, certainty)
  }
}

extension LineRecognizer: ScriptReader {
  package func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, leastCharacters: Int
  ) throws -> ExplainedResult {
    try explained(
      ink, context: context, maximumCandidates: maximumCandidates,
      leastCharacters: leastCharacters, others: { [] })
  }

  /// Reads one ink in the best of this and other languages.
  func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, leastCharacters: Int,
    others: @escaping () throws -> [LanguageOption]
  ) throws -> ExplainedResult {
    var timings = LineTimings()
    let choice = try LanguageChoice(
      self, others: others, preContext: context.preContext, leastCharacters: leastCharacters)
    let result = try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, timings: &timings,
      choice: choice)
    let explanation = choice.explanation
    return ExplainedResult(
      result: result, mean: explanation?.mean ?? -.infinity,
      characters: explanation?.characters ?? 0, certainty: choice.peaks.mean)
  }
}
