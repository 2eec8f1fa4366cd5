import Foundation
import InkCore
import TestSamples

/// Strokes of gestures in millimetres. They are made of simple formulas that share no code with the
/// synthesiser of the training data.
enum GestureInk {
  /// A straight line.
  static func line(
    from: (x: Double, y: Double), to: (x: Double, y: Double), points: Int = 20
  ) -> [StrokePoint] {
    (0..<points).map { index in
      let part = Double(index) / Double(points - 1)
      return StrokePoint(
        x: from.x + part * (to.x - from.x),
        y: from.y + part * (to.y - from.y) + 0.05 * sin(part * 7)
      )
    }
  }

  /// A zigzag over a box.
  static func zigzag(_ box: BoundingBox, ways: Int = 7) -> [StrokePoint] {
    (0...ways).flatMap { way -> [StrokePoint] in
      guard way < ways else { return [] }
      let (left, right) = way.isMultiple(of: 2) ? (box.minX, box.maxX) : (box.maxX, box.minX)
      let (top, bottom) = (
        box.minY + box.height * Double(way) / Double(ways),
        box.minY + box.height * Double(way + 1) / Double(ways)
      )
      return line(from: (left, top), to: (right, bottom), points: 8)
    }
  }

  /// A closed loop around a box.
  static func loop(_ box: BoundingBox, points: Int = 40) -> [StrokePoint] {
    (0...points).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(points)
      return StrokePoint(
        x: box.midX + box.width * 0.75 * cos(angle), y: box.midY + box.height * 0.9 * sin(angle))
    }
  }
}
