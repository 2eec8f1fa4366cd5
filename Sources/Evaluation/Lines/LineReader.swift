import InkCore
import LanguageModels
import Recognition

/// The reader of the lines of an evaluation: a line model, or an outside program.
package struct LineReader: Sendable {
  /// The line model with a network of lines; nil for others and for a program.
  let model: LineRecognizer?
  private let recognizer: any Recognizer
  /// The division of the inks among ranks; nil if this process reads all.
  package var sharing: AnswerSharing?

  /// Makes the reader of a line model.
  package init(_ model: LineRecognizer) {
    self.model = model
    recognizer = model
    symbols = Set(model.model.labels)
  }

  /// Makes the reader of a program, or of another recogniser that reads texts. It has neither greedy
  /// decoding nor stages.
  ///
  /// - Parameter symbols: The symbols that can be read; nil if they are not known.
  package init(program: any Recognizer, symbols: Set<String>? = nil) {
    model = nil
    recognizer = program
    self.symbols = symbols
  }

  /// The symbols that can be read; nil if they are not known.
  let symbols: Set<String>?

  /// The rules of the language, which change references and readings in the same way; nil for none.
  var rules: LanguageRules? { model?.rules }

  /// Reads one ink; nil if it is refused.
  ///
  /// - Throws: `RecognizerFault` if the program answers no other ink.
  func read(
    _ labeled: LabeledInk, _ context: RecognitionContext, _ reading: LineEvaluation.Reading,
    candidates: Int = 10, place: @autoclosure () -> String, _ timings: inout LineTimings
  ) throws -> RecognitionResult? {
    guard let sharing else {
      return try readHere(
        labeled, context, reading, candidates: candidates, place: place(), &timings)
    }
    return try sharing.answer(&timings) { timings in
      try readHere(labeled, context, reading, candidates: candidates, place: place(), &timings)
    }
  }

  private func readHere(
    _ labeled: LabeledInk, _ context: RecognitionContext, _ reading: LineEvaluation.Reading,
    candidates: Int, place: @autoclosure () -> String, _ timings: inout LineTimings
  ) throws -> RecognitionResult? {
    guard let model else {
      return try recognizer.answer(
        labeled.ink, context: context, maximumCandidates: candidates, place: place())
    }
    switch reading {
    case .greedy:
      return (try? model.readGreedily(labeled.ink, context: context)).map {
        RecognitionResult(candidates: [RecognitionCandidate(text: $0, score: 0)])
      }
    case .beam:
      return try? model.recognize(
        labeled.ink, context: context, maximumCandidates: candidates, timings: &timings)
    }
  }
}
