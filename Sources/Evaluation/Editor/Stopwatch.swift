import Files
import Foundation
import InkEditor

/// Records the time of the last change of content.
package final class Stopwatch: EditorDelegate, Sendable {
  private let time = Guarded<ContinuousClock.Instant?>(nil)

  /// Makes a watch without a time.
  package init() {}

  /// The time of the last change; nil before the first.
  package var last: ContinuousClock.Instant? { time.withLock { $0 } }

  /// Notes the time.
  package func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .contentChanged = event else { return }
    time.withLock { $0 = .now }
  }
}
