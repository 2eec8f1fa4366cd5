import Evaluation
import Foundation

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
