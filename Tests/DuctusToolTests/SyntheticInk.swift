import Foundation
import InkCore
import InkFormats

/// Labelled ink made for tests: four shapes that a network learns in seconds, of twelve writers.
enum SyntheticInk {
  static let labels = ["circle", "line", "vee", "zig \"z\""]

  /// The same inks for the same count, as records in random order.
  static func records(count: Int, seed: UInt64 = 1) -> [LabeledInk] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let label = labels[index % labels.count]
      return LabeledInk(
        ink: ink(label, using: &generator), label: label, writer: "w\(index / labels.count % 12)",
        writingArea: index.isMultiple(of: 3)
          ? nil : try? WritingArea(x: -20, y: -20, width: 400, height: 120))
    }
  }

  /// Writes records as labelled-ink JSON Lines.
  static func write(_ records: [LabeledInk], to path: String) throws {
    let writer = try InkJSONLinesWriter(path: path)
    for record in records { try writer.write(record) }
    try writer.finish()
  }

  private static func ink(_ label: String, using generator: inout SeededGenerator) -> Ink {
    let size = Double(generator.uniform(40...70))
    let corners: [(Double, Double)] =
      switch label {
      case "circle": circle
      case "line": [(0, 1), (1, 0)]
      case "vee": [(0, 0), (0.5, 1), (1, 0)]
      default: [(0, 0), (1, 0), (0, 1), (1, 1)]
      }
    var points: [StrokePoint] = []
    let steps = max(2, 32 / corners.count)
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<steps {
        let part = Double(step) / Double(steps)
        let jitter = Double(generator.uniform(-0.04...0.04))
        let x = from.0 + part * (to.0 - from.0) + jitter
        let y = from.1 + part * (to.1 - from.1) - jitter
        points.append(StrokePoint(x: size * x, y: size * y, t: 8 * Double(points.count)))
      }
    }
    return Ink(strokes: [Stroke(points: points)])
  }

  private static let circle: [(Double, Double)] = (0...16).map { step in
    let angle = Double(step) * .pi / 8
    return (0.5 + 0.5 * sin(angle), 0.5 - 0.5 * cos(angle))
  }
}
