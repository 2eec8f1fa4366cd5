import Foundation
import InkCore
import Recognition

/// Decides whether ink is a shape: by the model of shapes, by how well the ideal form fits, and by
/// its size against that of the text.
struct ShapeFinder: Sendable {
  /// Strokes of one shape, at most.
  static let mostStrokes = 6
  private static let leastProbability = 0.6
  private static let freeProbability = 0.8
  /// Largest mean distance from the ideal form over the size, by how sure the form is.
  private static let closedDeviation = 0.06
  private static let lineDeviation = 0.03
  /// A shape is larger than this many heights of letters.
  private static let size = 2.2
  /// Smallest side of a closed shape, in heights of letters.
  private static let closedSize = 1.2
  /// Smallest height, in heights of letters, of shapes that have no form to fit.
  private static let freeSize = 2.6
  private static let freeWinding = 3.0
  /// Millimetres, before any text.
  private static let sizeWithoutText = 8.0

  /// The strokes that may be a shape together: the last one, the last two, and so on while they
  /// are near each other.
  static func groups(_ strokes: [InkStroke]) -> [[InkStroke]] {
    var result: [[InkStroke]] = []
    var group: [InkStroke] = []
    var box: BoundingBox?
    for stroke in strokes.suffix(mostStrokes).reversed() {
      if let whole = box {
        let reach = 0.25 * max(whole.width, whole.height, stroke.box.width, stroke.box.height)
        guard whole.gapX(to: stroke.box) <= reach, whole.gapY(to: stroke.box) <= reach else {
          break
        }
        box?.formUnion(stroke.box)
      } else {
        box = stroke.box
      }
      group.insert(stroke, at: 0)
      result.append(group)
    }
    return result
  }

  /// Whether ink of a box is large enough for a shape.
  static func mayBeShape(_ box: BoundingBox, height: Double?) -> Bool {
    max(box.width, box.height) >= (height.map { size * $0 } ?? sizeWithoutText)
  }

  /// The shape that ink is, or nil.
  ///
  /// - Parameters:
  ///   - height: The height of letters in millimetres, or nil before any text.
  ///   - isForced: Whether the best shape is the answer, however bad it is.
  static func shape(
    _ ink: Ink, height: Double?, isForced: Bool = false, recognizer: any Recognizer
  ) throws -> RecognizedShape? {
    guard let box = ink.boundingBox, isForced || mayBeShape(box, height: height),
      let fit = ShapeFit(ink)
    else { return nil }
    let candidates = try recognizer.recognize(
      ink, context: RecognitionContext(), maximumCandidates: 5
    ).candidates.map { TextCandidate(text: $0.text, probability: exp($0.score)) }
    guard let best = candidates.first else { return nil }
    let (form, deviation) = fit.form(of: best.text)
    let shape = RecognizedShape(
      label: best.text, candidates: candidates, form: form, deviation: deviation)
    if isForced { return shape }
    return isShape(shape, box, fit, height: height ?? sizeWithoutText / size) ? shape : nil
  }

  private static func isShape(
    _ shape: RecognizedShape, _ box: BoundingBox, _ fit: ShapeFit, height: Double
  ) -> Bool {
    guard let probability = shape.candidates.first?.probability else { return false }
    switch shape.form {
    case .rectangle, .circle, .ellipse:
      return shape.deviation < closedDeviation && min(box.width, box.height) > closedSize * height
    case .polygon(let kind, _) where kind != "polygon":
      return shape.deviation < closedDeviation && min(box.width, box.height) > closedSize * height
    case .polygon(_, _) where shape.deviation > 0:
      return shape.deviation < closedDeviation && min(box.width, box.height) > closedSize * height
    case .line(_, _, let start, let end):
      guard shape.deviation < lineDeviation else { return false }
      return start || end ? probability > leastProbability : true
    case .polygon, .polyline:
      return probability > freeProbability && box.height > freeSize * height
        && fit.winding < freeWinding + Double(fit.isClosedFree(shape.label) ? 2 : 0)
    }
  }
}

extension RecognizedShape {
  /// Whether several strokes may make the shape; separate lines are not one polyline.
  var mayHaveManyStrokes: Bool {
    switch form {
    case .polyline: label == "cross"
    case .line(_, _, let start, let end): start || end
    case .rectangle, .circle, .ellipse, .polygon: true
    }
  }
}

extension ShapeFit {
  /// Whether a free shape goes around, and so is longer than an open one of its size.
  func isClosedFree(_ label: String) -> Bool {
    ["star", "cloud"].contains(label)
  }
}
