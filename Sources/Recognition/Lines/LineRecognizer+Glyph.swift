import Foundation
import InkCore

/// Reading of an ink that is one character.
extension LineRecognizer {
  /// So many readings of the line are looked through for those of one character.
  private static let widest = 50

  /// Keeps the readings of one character; their probabilities add up to 1 less what other readings of
  /// one character have.
  func readGlyph(
    _ ink: Ink, _ context: RecognitionContext, count: Int, _ timings: inout LineTimings,
    _ choice: LanguageChoice? = nil
  ) throws -> RecognitionResult {
    var result = try readLine(
      ink, context, count: max(Self.widest, count), &timings, choice)
    var kept = result.candidates.filter { $0.text.drop { $0 == " " }.count == 1 }
    let sum = kept.reduce(0) { $0 + exp($1.score) }
    for index in kept.indices where sum > 0 {
      kept[index].score = min(0, kept[index].score - log(sum))
    }
    result.candidates = Array(kept.prefix(count))
    return result
  }
}
