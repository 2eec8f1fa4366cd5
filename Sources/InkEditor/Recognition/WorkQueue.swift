import Dispatch
import Foundation

/// Runs work off the caller's thread, at most so many pieces at a time, first come first served.
final class WorkQueue: @unchecked Sendable {
  // Unchecked because the lock guards all members.
  private let lock = NSLock()
  private var waiting: [@Sendable () -> Void] = []
  private var running = 0
  private var limit = 1
  private let queue = DispatchQueue(
    label: "ductus.editor.recognition", qos: .userInitiated, attributes: .concurrent)

  /// Changes how many pieces run at a time, from now on.
  func setLimit(_ limit: Int) {
    lock.withLock { self.limit = max(1, limit) }
    startMore()
  }

  /// Adds a piece of work.
  func run(_ work: @escaping @Sendable () -> Void) {
    lock.withLock { waiting.append(work) }
    startMore()
  }

  /// Runs something after a delay, not counted among the pieces.
  func after(milliseconds: Double, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + milliseconds / 1000, execute: work)
  }

  private func startMore() {
    while let work = next() {
      queue.async {
        work()
        self.lock.withLock { self.running -= 1 }
        self.startMore()
      }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    lock.withLock {
      guard running < limit, !waiting.isEmpty else { return nil }
      running += 1
      return waiting.removeFirst()
    }
  }
}
