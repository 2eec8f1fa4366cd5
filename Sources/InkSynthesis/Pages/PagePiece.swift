import Foundation
import InkCore
import Layout

/// A point of a page that is composed. The height of larger letters is 1, and y grows downward.
package typealias PagePoint = SIMD2<Double>

/// A stroke of a page that is composed.
struct PageStroke {
  var points: [PagePoint]
  var kind: StrokeKind
  /// The line of text it belongs to, or nil.
  var line: Int?
}

/// Strokes that are placed together. Writing has the middle of its small letters at y = 0.
struct PagePiece {
  var strokes: [PageStroke] = []

  init() {}

  /// Makes a piece of one kind.
  init(_ strokes: [[PagePoint]], kind: StrokeKind, line: Int? = nil) {
    self.strokes = strokes.filter { !$0.isEmpty }.map {
      PageStroke(points: $0, kind: kind, line: line)
    }
  }

  /// The box of all points; a point at the origin if there are none. O(points).
  var box: BoundingBox {
    var box: BoundingBox?
    for stroke in strokes {
      for point in stroke.points {
        if box == nil {
          box = BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        }
        box?.formUnion(x: point.x, y: point.y)
      }
    }
    return box ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
  }

  /// Applies a function to each point. O(points).
  func mapped(_ transform: (PagePoint) -> PagePoint) -> PagePiece {
    var result = self
    for index in strokes.indices {
      result.strokes[index].points = strokes[index].points.map(transform)
    }
    return result
  }

  func moved(_ x: Double, _ y: Double) -> PagePiece { mapped { $0 + PagePoint(x, y) } }

  func scaled(_ factor: Double) -> PagePiece { mapped { $0 * factor } }

  /// Turns the piece about a point.
  func turned(_ angle: Double, about centre: PagePoint = .zero) -> PagePiece {
    let (sine, cosine) = (sin(angle), cos(angle))
    return mapped {
      let offset = $0 - centre
      return centre
        + PagePoint(cosine * offset.x - sine * offset.y, sine * offset.x + cosine * offset.y)
    }
  }

  mutating func add(_ other: PagePiece) { strokes += other.strokes }

  mutating func add(_ points: [[PagePoint]], _ kind: StrokeKind) {
    add(PagePiece(points, kind: kind))
  }
}

extension BoundingBox {
  /// The box with a margin on each side.
  func grown(_ x: Double, _ y: Double) -> BoundingBox {
    BoundingBox(minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y)
  }

  /// Returns true if two boxes share a point.
  func meets(_ other: BoundingBox) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }
}
