import Foundation
import InkEditor

/// Records the time of the last change of content.
final class Stopwatch: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the time.
  private let lock = NSLock()
  private var time: ContinuousClock.Instant?

  var last: ContinuousClock.Instant? { lock.withLock { time } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .contentChanged = event else { return }
    lock.withLock { time = .now }
  }
}
