import InkCore
import Metrics
import Recognition

/// Cuts words and lines whose texts are known into characters: writers of words become writers of
/// characters.
///
/// A line model finds the ink of each character of the text (``LineRecognizer``); the characters
/// that are made of whole strokes of their own are kept. Cursive writing has few of them.
public struct CharacterCutter: Sendable {
  private let recognizer: LineRecognizer

  /// A stroke belongs to the character that this share of its points were aligned with; so much of
  /// a character must lie on its strokes.
  private static let share = 0.85
  /// Edits per character between what is read and the label, above which the label is not believed.
  private static let mostErrors = 1.0 / 3

  /// Makes a cutter that aligns with a recogniser's model.
  public init(recognizer: LineRecognizer) {
    self.recognizer = recognizer
  }

  /// The characters of an ink that are whole strokes, in the order of the text, with its writer,
  /// writing area and quality. None where the model reads another text than the label.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  public func characters(of labeled: LabeledInk) throws -> [LabeledInk] {
    let text = labeled.label
    let read = try recognizer.readGreedily(labeled.ink, area: labeled.writingArea)
    guard let rate = EditDistance(reference: text, hypothesis: read).rate, rate <= Self.mostErrors,
      let alignment = try recognizer.align(text, with: labeled.ink, area: labeled.writingArea)
    else { return [] }
    var owners = [Int?](repeating: nil, count: labeled.ink.strokes.count)
    /// What share of each character's points lie on strokes of its own.
    var shares = [Double](repeating: 0, count: alignment.count)
    for (index, character) in alignment.enumerated() {
      var own = 0
      for part in character.parts {
        let total = labeled.ink.strokes[part.stroke].points.count
        guard Double(part.points.count) >= Self.share * Double(total) else { continue }
        owners[part.stroke] = index
        own += part.points.count
      }
      let all = character.parts.reduce(0) { $0 + $1.points.count }
      shares[index] = Double(own) / Double(max(1, all))
    }
    return zip(text, alignment.indices).compactMap { character, index in
      let strokes = owners.indices.filter { owners[$0] == index }.map { labeled.ink.strokes[$0] }
      guard character != " ", shares[index] >= Self.share, !strokes.isEmpty else { return nil }
      return LabeledInk(
        ink: Ink(strokes: strokes), label: String(character), writer: labeled.writer,
        writingArea: labeled.writingArea, quality: labeled.quality)
    }
  }
}
