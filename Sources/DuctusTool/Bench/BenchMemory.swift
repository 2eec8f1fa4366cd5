import Evaluation
import Foundation
import InkCore
import Recognition

/// The memory that reading with one line model takes: besides the program, and the language models that
/// it reads with, of which n-grams are mapped.
enum BenchMemory {
  /// Reads a line, a stroke of a minute and an ink of 10,000 strokes.
  ///
  /// - Parameter open: Opens the model.
  /// - Returns: What was opened, and the figures; nil where memory cannot be told.
  /// - Throws: What opening the model throws.
  static func measured(
    line: Ink, _ open: () throws -> LineRecognizer
  ) throws -> (recognizer: LineRecognizer, memory: BenchReport.Memory?) {
    guard let before = ProcessMemory.anonymousBytes else { return (try open(), nil) }
    let watch = MemoryWatch()
    defer { watch.stop() }
    func more() -> Int { max(0, (watch.peakBytes ?? before) - before) }
    let recognizer = try open()
    let opened = more()
    let read = try [line, strokeOfAMinute, manyStrokes].map { ink in
      _ = try recognizer.recognize(ink)
      return more()
    }
    return (
      recognizer,
      BenchReport.Memory(
        opened: opened, line: read[0], strokeOfAMinute: read[1], manyStrokes: read[2])
    )
  }

  /// Joined writing of a minute at 200 points a second: loops that go to the right.
  private static let strokeOfAMinute: Ink = {
    let points = (0..<12_000).map { index -> StrokePoint in
      let turn = Double(index) / 4
      return StrokePoint(
        x: Double(index) + 30 * cos(turn), y: 40 * sin(turn), t: Double(5 * index))
    }
    return Ink(strokes: [Stroke(points: points)])
  }()

  /// 10,000 strokes of ten points, one beside the other.
  private static let manyStrokes: Ink = {
    let strokes = (0..<10_000).map { stroke in
      let points = (0..<10).map { index -> StrokePoint in
        let (right, down) = (20 * stroke + index, 5 * index)
        return StrokePoint(x: Double(right), y: Double(down), t: Double(200 * stroke + 8 * index))
      }
      return Stroke(points: points)
    }
    return Ink(strokes: strokes)
  }()
}

/// Watches ``ProcessMemory/anonymousBytes`` from a thread of its own, each millisecond.
///
/// Thread-safe: the lock guards all that changes.
final class MemoryWatch: @unchecked Sendable {
  private let lock = NSLock()
  private var most = 0
  private var isStopped = false

  /// Begins to watch.
  init() {
    Thread.detachNewThread { [weak self] in
      while let self, !self.look() { usleep(1000) }
    }
  }

  /// The most so far, or nil where it cannot be told.
  var peakBytes: Int? {
    _ = look()
    return lock.withLock { most > 0 ? most : nil }
  }

  /// Ends the thread.
  func stop() {
    lock.withLock { isStopped = true }
  }

  /// Returns whether there is nothing more to look at.
  private func look() -> Bool {
    let bytes = ProcessMemory.anonymousBytes
    return lock.withLock {
      most = max(most, bytes ?? 0)
      return isStopped || bytes == nil
    }
  }
}
