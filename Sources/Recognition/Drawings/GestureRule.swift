import Foundation
import InkCore

/// Decides whether ink is an editing gesture or writing, by what is below it.
///
/// Many gestures look like letters: a vertical bar is an `l`, a caret is a `v`. Over text the
/// gesture is meant, over empty space the letter.
///
///     let result = try gestures.recognize(ink)
///     if let gesture = GestureRule.gesture(in: result, of: ink, over: wordBoxes) { … }
public enum GestureRule {
  /// The label of ink that is no gesture.
  public static let writing = "writing"
  /// The least probability of a gesture over text.
  ///
  /// A gesture is preferred over text unless the model is nearly sure that it is writing.
  public static let leastProbability = 0.1
  /// The reach of text above and below its box, as a share of its height: underlines, carets and
  /// arches are drawn next to the text that they belong to.
  public static let reach = 0.5

  /// Returns the gesture to apply, or nil if the ink is writing.
  ///
  /// - Parameters:
  ///   - result: The candidates of a model of gestures for the ink.
  ///   - ink: The ink.
  ///   - text: The boxes of the words that are there, in the units of the ink.
  /// - Complexity: O(points + boxes).
  public static func gesture(
    in result: RecognitionResult, of ink: Ink, over text: [BoundingBox]
  ) -> String? {
    guard let box = ink.boundingBox, isOverText(box, text),
      let best = result.candidates.first(where: { $0.text != writing }),
      exp(best.score) >= leastProbability
    else { return nil }
    return best.text
  }

  /// Returns whether a box is above, on or below a word, or in the gap between two words of a line.
  /// The place after the last word of a line is empty space: that is where people go on writing.
  private static func isOverText(_ box: BoundingBox, _ text: [BoundingBox]) -> Bool {
    let line = text.filter { word in
      let margin = reach * word.height
      return box.maxY >= word.minY - margin && box.minY <= word.maxY + margin
    }
    return line.contains { box.maxX >= $0.minX && box.minX <= $0.maxX }
      || line.contains { $0.maxX < box.minX } && line.contains { $0.minX > box.maxX }
  }
}
