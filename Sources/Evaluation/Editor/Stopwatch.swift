import Files
import Foundation
import InkEditor

/// Records the time of the last change of content.
final class Stopwatch: EditorDelegate, Sendable {
  private let time = Guarded<ContinuousClock.Instant?>(nil)

  var last: ContinuousClock.Instant? { time.withLock { $0 } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .contentChanged = event else { return }
    time.withLock { $0 = .now }
  }
}
