import Foundation
import ModelFormat

extension ModelManager {
  private final class Shared: @unchecked Sendable {
    // Unchecked because the lock guards the manager.
    let lock = NSLock()
    var manager: ModelManager?
  }

  private static let sharedHolder = Shared()

  /// The manager that the process shares: all its users see the same downloads.
  ///
  /// It is made at the first use, for the default store and without a catalogue, unless
  /// ``setShared(_:)`` was called before.
  ///
  /// - Throws: ``ModelStoreError`` if the default store cannot be created.
  public static var shared: ModelManager {
    get throws(ModelStoreError) {
      sharedHolder.lock.lock()
      defer { sharedHolder.lock.unlock() }
      if let manager = sharedHolder.manager { return manager }
      let manager = try ModelManager()
      sharedHolder.manager = manager
      return manager
    }
  }

  /// Makes a manager the shared one. Call it when the app starts.
  public static func setShared(_ manager: ModelManager) {
    sharedHolder.lock.withLock { sharedHolder.manager = manager }
  }

  /// A stream of the ends of all downloads from now on, whichever code requested them. Each call
  /// returns a new stream.
  public var notices: AsyncStream<DownloadNotice> {
    let (stream, continuation) = AsyncStream.makeStream(of: DownloadNotice.self)
    let number = lock.withLock {
      nextListener += 1
      listeners[nextListener] = continuation
      return nextListener
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.lock.withLock { self.listeners[number] = nil }
    }
    return stream
  }

  func tell(_ notice: DownloadNotice) {
    for listener in lock.withLock({ Array(listeners.values) }) { listener.yield(notice) }
  }

  /// Deletes an installed model, off the calling actor; see ``deleteNow(_:)``.
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` if it is not installed.
  public func delete(_ name: String) async throws {
    try await Task.detached { try self.deleteNow(name) }.value
  }
}
