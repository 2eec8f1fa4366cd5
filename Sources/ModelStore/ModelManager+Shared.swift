import Files
import Foundation
import ModelFormat

extension ModelManager {
  private static let sharedManager = Guarded<ModelManager?>(nil)

  /// The manager that the process shares: all its users see the same downloads.
  ///
  /// It is made at the first use, for the default store and without a catalogue, unless
  /// ``setShared(_:)`` was called before.
  ///
  /// - Throws: ``ModelStoreError`` if the default store cannot be created.
  public static var shared: ModelManager {
    get throws(ModelStoreError) {
      try sharedManager.withLock { (shared) throws(ModelStoreError) in
        if let manager = shared { return manager }
        let manager = try ModelManager()
        shared = manager
        return manager
      }
    }
  }

  /// Makes a manager the shared one. Call it when the app starts.
  public static func setShared(_ manager: ModelManager) {
    sharedManager.withLock { $0 = manager }
  }

  /// A stream of the ends of all downloads from now on, whichever code requested them. Each call
  /// returns a new stream.
  public var notices: AsyncStream<DownloadNotice> {
    let (stream, continuation) = AsyncStream.makeStream(of: DownloadNotice.self)
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  func tell(_ notice: DownloadNotice) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(notice) }
  }

  /// Deletes an installed model, off the calling actor; see ``deleteNow(_:)``.
  ///
  /// - Throws: ``ModelStoreError/notFound(_:)`` if it is not installed.
  public func delete(_ name: String) async throws {
    try await Task.detached { try self.deleteNow(name) }.value
  }
}
