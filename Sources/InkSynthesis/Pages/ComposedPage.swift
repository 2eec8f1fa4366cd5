import InkCore
import Layout

/// A page that was composed, with the truth about it.
package struct ComposedPage: Hashable, Sendable {
  /// The strokes.
  package var ink: Ink
  /// The kind of each stroke.
  package var kinds: [StrokeKind]
  /// The line of text of each stroke, from 0, or nil for strokes of no line. Marks of a line, such
  /// as underlines, are of no line.
  package var lines: [Int?]
  /// The words of each line in reading order, without formulas.
  package var labels: [String]

  /// Returns the page with its strokes in another order.
  ///
  /// - Parameter order: The index of each new stroke's old one.
  package func reordered(_ order: [Int]) -> ComposedPage {
    ComposedPage(
      ink: Ink(strokes: order.map { ink.strokes[$0] }), kinds: order.map { kinds[$0] },
      lines: order.map { lines[$0] }, labels: labels)
  }
}
