import Foundation
import InkEditor

/// Records the time of the last change of content.
package final class Stopwatch: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the time.
  private let lock = NSLock()
  private var time: ContinuousClock.Instant?

  /// Makes a watch without a time.
  package init() {}

  /// The time of the last change; nil before the first.
  package var last: ContinuousClock.Instant? { lock.withLock { time } }

  /// Notes the time.
  package func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .contentChanged = event else { return }
    lock.withLock { time = .now }
  }
}
