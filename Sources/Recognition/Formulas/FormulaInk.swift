import Formulas
import InkCore

/// The strokes of a formula with what the reader measures on them once.
package struct FormulaInk {
  /// The most strokes of a formula. The longest of the public sets have about 100.
  package static let mostStrokes = 400
  /// The most points of a stroke that are kept.
  private static let mostPoints = 48

  /// The strokes, each of at most 48 points without times.
  package let strokes: [Stroke]
  /// Their boxes.
  package let boxes: [BoundingBox]
  /// The typical size of a stroke: the median of the larger sides of the boxes, above 0.
  package let unit: Double
  /// The labels of strokes that are known to be a symbol each.
  package let known: [Int: String]

  /// Measures an ink.
  ///
  /// - Parameters:
  ///   - known: The labels of strokes that are known to be a symbol each.
  ///   - unit: The typical size of a stroke, above 0; nil for that of this ink.
  /// - Throws: ``FormulaError/tooManyStrokes(found:limit:)`` or
  ///   ``FormulaError/nonFiniteCoordinate(stroke:)``.
  package init(
    _ ink: Ink, known: [Int: String] = [:], unit: Double? = nil
  ) throws(FormulaError) {
    guard ink.strokes.count <= Self.mostStrokes else {
      throw .tooManyStrokes(found: ink.strokes.count, limit: Self.mostStrokes)
    }
    var strokes: [Stroke] = []
    var boxes: [BoundingBox] = []
    for (index, stroke) in ink.strokes.enumerated() {
      guard stroke.points.allSatisfy({ abs($0.x) < 1e9 && abs($0.y) < 1e9 }) else {
        throw .nonFiniteCoordinate(stroke: index)
      }
      let thin = Self.thinned(stroke)
      strokes.append(thin)
      let first = thin.points.first
      var box = BoundingBox(
        minX: first?.x ?? 0, minY: first?.y ?? 0, maxX: first?.x ?? 0, maxY: first?.y ?? 0)
      for point in thin.points { box.formUnion(x: point.x, y: point.y) }
      boxes.append(box)
    }
    self.strokes = strokes
    self.boxes = boxes
    let sizes = boxes.map { max($0.width, $0.height) }.sorted()
    self.known = known
    self.unit = max(unit ?? (sizes.isEmpty ? 1 : sizes[sizes.count / 2]), 1e-3)
  }

  /// A stroke of at most ``mostPoints`` points that have places alone: the ink of formulas to train on
  /// has no times, and features of timed ink differ.
  private static func thinned(_ stroke: Stroke) -> Stroke {
    let count = stroke.points.count
    let kept = min(count, mostPoints)
    return Stroke(
      points: (0..<kept).map { place in
        let point =
          kept == count
          ? stroke.points[place]
          : stroke.points[Int((Double(place * (count - 1)) / Double(kept - 1)).rounded())]
        return StrokePoint(x: point.x, y: point.y)
      })
  }

  /// The box of some strokes.
  package func box(of group: [Int]) -> BoundingBox {
    var box = boxes[group[0]]
    for index in group.dropFirst() { box.formUnion(boxes[index]) }
    return box
  }

  /// The ink of some strokes.
  package func ink(of group: [Int]) -> Ink { Ink(strokes: group.map { strokes[$0] }) }

  /// Measures some strokes as a formula of their own.
  ///
  /// - Parameters:
  ///   - others: Strokes that are put behind them, each a known symbol.
  ///   - label: The label of these symbols.
  /// - Throws: As ``init(_:known:unit:)``.
  package func part(
    _ group: [Int], with others: [Stroke] = [], label: String = ""
  ) throws(FormulaError) -> FormulaInk {
    var known: [Int: String] = [:]
    for (index, stroke) in group.enumerated() { known[index] = self.known[stroke] }
    for index in others.indices { known[group.count + index] = label }
    return try FormulaInk(Ink(strokes: group.map { strokes[$0] } + others), known: known)
  }

  /// The distance of two strokes' boxes: the larger of the gaps in x and y.
  package func distance(_ first: Int, _ second: Int) -> Double {
    boxes[first].largerGap(to: boxes[second])
  }

  /// The least distance between points of two strokes.
  package func pointDistance(_ first: Int, _ second: Int) -> Double {
    var least = Double.infinity
    for a in strokes[first].points {
      for b in strokes[second].points {
        least = min(least, (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y))
      }
    }
    return least.squareRoot()
  }
}

extension BoundingBox {
  /// The larger of the gaps in x and y; 0 for boxes that overlap.
  func largerGap(to other: BoundingBox) -> Double {
    max(gapX(to: other), gapY(to: other))
  }

  /// The gap in x; 0 if the boxes overlap in x.
  func gapX(to other: BoundingBox) -> Double {
    max(0, minX - other.maxX, other.minX - maxX)
  }

  /// The gap in y; 0 if the boxes overlap in y.
  func gapY(to other: BoundingBox) -> Double {
    max(0, minY - other.maxY, other.minY - maxY)
  }
}
