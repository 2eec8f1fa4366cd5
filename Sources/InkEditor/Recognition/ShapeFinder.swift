import Foundation
import InkCore
import Recognition

/// The context, in addition to form, that decides whether ink is a shape.
package struct ShapeContext: Sendable {
  /// The height of letters in millimetres.
  var letterHeight: Double
  /// The number of ends of the ink that are at closed shapes: 0, 1 or 2.
  var ends = 0
  /// True if text is inside the box of the ink.
  var enclosesText = false

  package init(letterHeight: Double, ends: Int = 0, enclosesText: Bool = false) {
    self.letterHeight = letterHeight
    self.ends = ends
    self.enclosesText = enclosesText
  }
}

/// Decides whether ink is a shape: by the shape model, by the fit of the ideal form, and by the
/// size relative to text.
package struct ShapeFinder: Sendable {
  /// The label of ink that is not a shape.
  static let reject = "other"
  // The numbers below were chosen by hand on flow charts and notes of evaluate --through editor.
  /// The least probability of any shape; less likely ink is not a shape.
  private static let leastShapeProbability = 0.1
  /// The largest number of strokes of one shape.
  static let mostStrokes = 6
  /// The greatest gap between strokes of one shape, as a share of the larger one's size.
  private static let nearness = 0.25
  /// The least probability of a shape with an ideal form.
  private static let leastProbability = 0.6
  /// The least probability of a shape without an ideal form.
  private static let freeProbability = 0.8
  /// The largest mean distance from the ideal form, divided by the size.
  private static let closedDeviation = 0.1
  /// The same for a line.
  private static let lineDeviation = 0.07
  /// The same for a short arrow between shapes, whose head is a large part of it.
  private static let arrowDeviation = 0.15
  /// The largest mean distance of a stroke from the ideal form of a closed shape, divided by the
  /// smaller side.
  private static let strokeDeviation = 0.12
  /// The least size of a shape, in heights of letters.
  private static let size = 2.0
  /// The least size of ink that ends at a closed shape, as a share of the least size.
  private static let connectingSize = 0.5
  /// The least probability of ink that ends at a closed shape.
  private static let connectingProbability = 0.3
  /// Ink at least this share of the sides inside a closed shape is its content.
  private static let contentInset = 0.12
  /// The smallest side of a closed shape, in heights of letters.
  private static let closedSize = 1.2
  /// The smallest height, in heights of letters, of shapes without an ideal form.
  private static let freeSize = 2.6
  /// Path length over diagonal.
  private static let freeWinding = 3.0
  /// Limits for a connection with bends: its greatest winding, and its least length in heights of
  /// letters.
  private static let bentWinding = 2.0
  /// Heights of letters.
  private static let bentSize = 3.0
  /// Limits for a line with heads: the number of its strokes, and the gap between them in heights
  /// of letters.
  private static let mostParts = 5
  /// Heights of letters.
  private static let endReach = 0.7
  /// The greatest gap between the ends of a closed stroke, as a share of its extent.
  private static let closedGap = 0.4
  /// The largest closed head of a line, as a share of the line. A larger one is a shape of its own,
  /// at which the line ends.
  private static let closedHead = 0.3

  /// Returns the strokes that may form a shape: the last one, the last two, and so on, as long as
  /// they are near each other.
  package static func groups(_ strokes: [InkStroke]) -> [[InkStroke]] {
    let strokes = strokes.suffix(mostStrokes)
    return strokes.indices.reversed().map { Array(strokes[$0...]) }.filter(isTogether)
  }

  /// Returns whether all strokes are connected, in any order, to the last of them.
  private static func isTogether(_ strokes: [InkStroke]) -> Bool {
    guard var box = strokes.last?.box else { return false }
    var others = strokes.dropLast().map(\.box)
    while let next = others.firstIndex(where: { isNear($0, box) }) {
      box.formUnion(others.remove(at: next))
    }
    return others.isEmpty
  }

  private static func isNear(_ a: BoundingBox, _ b: BoundingBox) -> Bool {
    let reach = nearness * max(a.width, a.height, b.width, b.height)
    return a.gapX(to: b) <= reach && a.gapY(to: b) <= reach
  }

  /// Returns whether the box of ink is large enough for a shape, or size does not matter.
  static func mayBeShape(_ box: BoundingBox, _ context: ShapeContext) -> Bool {
    let share = context.ends > 0 ? connectingSize : 1
    return context.enclosesText
      || max(box.width, box.height) >= share * size * context.letterHeight
  }

  /// Returns the shape of some ink, or nil.
  ///
  /// - Parameter isForced: If true, returns the best shape even if it fits badly.
  package static func shape(
    _ ink: Ink, _ context: ShapeContext, isForced: Bool = false, recognizer: any Recognizer
  ) throws -> RecognizedShape? {
    guard let box = ink.boundingBox, isForced || mayBeShape(box, context),
      let fit = ShapeFit(ink)
    else { return nil }
    let candidates = try recognizer.recognize(
      ink, context: RecognitionContext(), maximumCandidates: 5
    ).candidates.map { TextCandidate(text: $0.text, probability: exp($0.score)) }
    // Ink that looks most like writing may still fit the shape.
    guard let best = candidates.first(where: { $0.text != reject }) ?? candidates.first else {
      return nil
    }
    var (form, deviation) = fit.form(of: best.text)
    if context.ends > 0, case .line = form, deviation >= lineDeviation, fit.winding < bentWinding {
      // The ink may be a connection with bends.
      (form, deviation) = fit.form(of: "polyline")
    }
    let shape = RecognizedShape(
      label: best.text, candidates: candidates, form: form, deviation: deviation)
    if isForced { return shape }
    guard isShape(shape, box, fit, context) else { return nil }
    return (shape.isEdge ? isConnected(ink, context) : !hasContent(ink, box)) ? shape : nil
  }

  /// Returns whether each stroke except the longest is plain and touches an end of the others: the
  /// heads of an arrow, the parts of a bent line.
  private static func isConnected(_ ink: Ink, _ context: ShapeContext) -> Bool {
    guard ink.strokes.count > 1 else { return true }
    guard ink.strokes.count <= mostParts else { return false }
    let strokes = ink.strokes.enumerated().map {
      InkStroke(id: $0.offset, pointer: .pen, points: $0.element.points)
    }
    let reach = endReach * context.letterHeight
    guard let longest = strokes.max(by: { $0.extent < $1.extent }) else { return false }
    return strokes.allSatisfy { stroke in
      stroke.id == longest.id
        || stroke.isPlain && !(isClosed(stroke) && stroke.extent > closedHead * longest.extent)
          && strokes.contains { other in
            other.id != stroke.id && other.extent >= stroke.extent
              && [other.points[0], other.points[other.points.count - 1]].contains {
                stroke.distance(to: $0) <= reach
              }
          }
    }
  }

  /// Returns whether a stroke ends where it began, after a way around.
  private static func isClosed(_ stroke: InkStroke) -> Bool {
    guard let first = stroke.points.first, let last = stroke.points.last else { return false }
    let (dx, dy) = (last.x - first.x, last.y - first.y)
    return (dx * dx + dy * dy).squareRoot() < closedGap * stroke.extent
      && stroke.length > 2 * stroke.extent
  }

  /// Returns whether a stroke is inside the others: text in a closed shape is not part of it.
  private static func hasContent(_ ink: Ink, _ box: BoundingBox) -> Bool {
    let (insetX, insetY) = (contentInset * box.width, contentInset * box.height)
    return ink.strokes.count > 1
      && ink.strokes.contains { stroke in
        guard let own = Ink(strokes: [stroke]).boundingBox else { return false }
        return own.minX > box.minX + insetX && own.maxX < box.maxX - insetX
          && own.minY > box.minY + insetY && own.maxY < box.maxY - insetY
      }
  }

  private static func isShape(
    _ shape: RecognizedShape, _ box: BoundingBox, _ fit: ShapeFit, _ context: ShapeContext
  ) -> Bool {
    let height = context.letterHeight
    let probability = shape.candidates.first { $0.text == shape.label }?.probability ?? 0
    let other = shape.candidates.first { $0.text == reject }?.probability ?? 0
    let isClosed =
      !shape.isEdge && shape.deviation > 0 && shape.deviation < closedDeviation
      && fit.farthestStroke(from: shape.form) < strokeDeviation
    if isClosed, context.enclosesText { return true }
    // Text in the box does not matter for lines, and ends do not matter for closed shapes.
    let own = ShapeContext(letterHeight: height, ends: shape.isEdge ? context.ends : 0)
    guard 1 - other > leastShapeProbability, mayBeShape(box, own) else { return false }
    switch shape.form {
    case .line(_, _, false, false):
      return shape.deviation < (context.ends > 1 ? closedDeviation : lineDeviation)
    case .line:
      return shape.deviation < (context.ends > 0 ? arrowDeviation : lineDeviation)
        && probability > (context.ends > 1 ? connectingProbability : leastProbability)
    case .polyline where context.ends > 0 && fit.winding < bentWinding:
      return 1 - other > leastProbability && max(box.width, box.height) > bentSize * height
    case _ where shape.deviation > 0:
      return isClosed && min(box.width, box.height) > closedSize * height
    default:
      return probability > freeProbability && box.height > freeSize * height
        && fit.winding < freeWinding + Double(fit.isClosedFree(shape.label) ? 2 : 0)
    }
  }
}

extension RecognizedShape {
  /// True if several strokes may form the shape; separate lines are not one polyline.
  var mayHaveManyStrokes: Bool {
    switch form {
    case .polyline: label == "cross" || label.hasSuffix("arrow")
    case .line(_, _, let start, let end): start || end
    case .rectangle, .circle, .ellipse, .polygon: true
    }
  }
}

extension ShapeFit {
  /// Returns whether a shape without an ideal form is closed, and so is longer than an open one of
  /// its size.
  func isClosedFree(_ label: String) -> Bool {
    ["star", "cloud"].contains(label)
  }
}
