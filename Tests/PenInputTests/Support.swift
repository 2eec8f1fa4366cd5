import Foundation
import InkCore
import PenInput

/// The path of a dataset, or nil if it is not unpacked.
func dataset(_ name: String) -> String? {
  let environment = ProcessInfo.processInfo.environment
  let root =
    environment["INK_DATASETS"]
    ?? FileManager.default.homeDirectoryForCurrentUser
    .appendingPathComponent(".cache/ink-datasets").path
  let path = root + "/" + name
  return FileManager.default.fileExists(atPath: path) ? path : nil
}

/// A sample at (x, y) whose force is estimated, with an update promised for `key`.
func guessed(_ x: Double, _ y: Double = 0, t: Double = 0, key: Int) -> PenSample {
  PenSample(
    point: StrokePoint(x: x, y: y, t: t, force: 1.0 / 3), estimated: .force,
    expectingUpdates: .force, updateIndex: key)
}

/// A sample without estimated properties.
func certain(_ x: Double, _ y: Double = 0, t: Double = 0) -> PenSample {
  PenSample(point: StrokePoint(x: x, y: y, t: t, force: 0.5))
}

/// An ink of one to four wandering strokes with force, without times.
func wanderingInk(seed: UInt64) -> Ink {
  var generator = SeededGenerator(seed: seed, 3)
  return Ink(
    strokes: (0...generator.index(below: 4)).map { _ in
      var x = Double(generator.uniform(0...100))
      var y = Double(generator.uniform(0...100))
      return Stroke(
        points: (0...generator.index(below: 60)).map { _ in
          x += Double(generator.uniform(-5...9))
          y += Double(generator.uniform(-9...9))
          return StrokePoint(x: x, y: y, force: Double(generator.uniform(0.1...2)))
        })
    })
}
