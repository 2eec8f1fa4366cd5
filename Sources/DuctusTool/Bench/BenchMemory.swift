import Evaluation
import Files
import Foundation
import InkCore
import Recognition

/// The memory of reading with one line model, without the program and the language models, whose
/// n-grams are mapped.
enum BenchMemory {
  /// Reads a line, a stroke of a minute and an ink of 10,000 strokes.
  ///
  /// - Parameter open: Opens the model.
  /// - Returns: The opened model and the figures; nil if memory cannot be measured.
  /// - Throws: The errors of opening the model.
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

  /// Cursive writing of one minute at 200 points per second: loops to the right.
  private static let strokeOfAMinute: Ink = {
    let points = (0..<12_000).map { index -> StrokePoint in
      let turn = Double(index) / 4
      return StrokePoint(
        x: Double(index) + 30 * cos(turn), y: 40 * sin(turn), t: Double(5 * index))
    }
    return Ink(strokes: [Stroke(points: points)])
  }()

  /// 10,000 strokes of ten points, next to each other.
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

/// Samples ``ProcessMemory/anonymousBytes`` on its own thread, every millisecond.
///
/// Thread-safe.
final class MemoryWatch: Sendable {
  private struct State {
    var most = 0
    var isStopped = false
  }
  private let state = Guarded(State())

  /// Starts sampling.
  init() {
    Thread.detachNewThread { [weak self] in
      while let self, !self.look() { usleep(1000) }
    }
  }

  /// The maximum so far, or nil if it cannot be measured.
  var peakBytes: Int? {
    _ = look()
    return state.withLock { $0.most > 0 ? $0.most : nil }
  }

  /// Ends the thread.
  func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// Takes a sample; returns true once sampling has been stopped.
  private func look() -> Bool {
    let bytes = ProcessMemory.anonymousBytes
    return state.withLock { state in
      state.most = max(state.most, bytes ?? 0)
      return state.isStopped || bytes == nil
    }
  }
}
