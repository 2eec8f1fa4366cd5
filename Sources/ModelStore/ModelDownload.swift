/// What happens to a download.
public struct DownloadEvent: Hashable, Sendable {
  /// How far a download is.
  public enum State: Hashable, Sendable {
    /// It waits until the conditions are met.
    case waiting(NetworkObstacle)
    /// Bytes of the model that are there, what was there before included.
    case downloading(DownloadProgress)
    /// The model is installed: the last event.
    case installed(InstalledModel)
  }

  /// The identifier of the model.
  public var model: String
  /// How far the download is.
  public var state: State
}

/// The bytes of a download.
public struct DownloadProgress: Hashable, Sendable {
  /// Bytes that are there.
  public var completedBytes: Int
  /// Bytes of the whole model.
  public var totalBytes: Int
  /// The speed since the download began, what was there before left out.
  public var bytesPerSecond: Double

  /// 0 ... 1.
  public var fraction: Double {
    totalBytes == 0 ? 1 : Double(completedBytes) / Double(totalBytes)
  }
}

/// The events of a download, as they happen. It ends after ``DownloadEvent/State/installed(_:)``, or
/// with a ``ModelStoreError``.
///
/// The download runs whether or not the events are read. It is cancelled when nobody is left who
/// asked for it: when the task that reads is cancelled, or this value and its iterators are gone.
public struct ModelDownload: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = DownloadEvent

  let stream: AsyncThrowingStream<DownloadEvent, any Error>

  /// Reads the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<DownloadEvent, any Error>.AsyncIterator

    /// The next event, or nil after the last.
    ///
    /// - Throws: ``ModelStoreError``.
    public mutating func next() async throws -> DownloadEvent? {
      guard let event = try await base.next() else {
        // A cancelled task sees the end, which is none.
        if Task.isCancelled { throw ModelStoreError.cancelled }
        return nil
      }
      return event
    }
  }

  /// Makes an iterator; one sequence is read once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator())
  }

  /// Waits for the end.
  ///
  /// - Throws: ``ModelStoreError``.
  @discardableResult
  public func installed() async throws -> InstalledModel {
    for try await event in self {
      if case .installed(let model) = event.state { return model }
    }
    throw ModelStoreError.cancelled
  }
}
