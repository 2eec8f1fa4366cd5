import Foundation
import InkCore

/// A page of letter-like strokes whose lines are known.
struct WrittenPage {
  private(set) var ink = Ink()
  /// For each stroke the line it was written for, or nil for drawing.
  private(set) var lines: [Int?] = []
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Writes words of loops and bars from (x, y), y being the middle of the letters.
  mutating func write(
    words: [Int], x: Double, y: Double, height: Double = 20, slope: Double = 0, line: Int
  ) {
    var pen = x
    for letters in words {
      for _ in 0..<letters {
        let tall = Double.random(in: 0.55...1, using: &generator) * height
        let width = height * Double.random(in: 0.35...0.6, using: &generator)
        let base = y + slope * (pen - x) + height * 0.4
        let points = (0...12).map { step in
          let part = Double(step) / 12 * 2 * Double.pi
          return StrokePoint(
            x: pen + width / 2 - width / 2 * cos(part), y: base - tall / 2 + tall / 2 * sin(part))
        }
        add(points, line: line)
        pen += width + height * 0.12
      }
      pen += height * 0.7
    }
  }

  /// Adds a stroke.
  mutating func add(_ points: [StrokePoint], line: Int?) {
    ink.strokes.append(Stroke(points: points))
    lines.append(line)
  }

  /// Draws a rectangle.
  mutating func drawRectangle(x: Double, y: Double, width: Double, height: Double) {
    let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    var points: [StrokePoint] = []
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<10 {
        let part = Double(step) / 10
        points.append(
          StrokePoint(x: from.0 + (to.0 - from.0) * part, y: from.1 + (to.1 - from.1) * part))
      }
    }
    points.append(StrokePoint(x: x, y: y))
    add(points, line: nil)
  }

  /// The strokes of each line, in the order of writing.
  func strokes(of line: Int) -> [Int] {
    lines.indices.filter { lines[$0] == line }
  }
}
