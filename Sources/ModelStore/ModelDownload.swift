/// An event of a download.
public struct DownloadEvent: Hashable, Sendable {
  /// The progress of a download.
  public enum State: Hashable, Sendable {
    /// It waits until the conditions are met.
    case waiting(NetworkObstacle)
    /// The bytes of the model so far, including those of earlier downloads.
    case downloading(DownloadProgress)
    /// The model is installed: the last event.
    case installed(InstalledModel)
  }

  /// The identifier of the model.
  public var model: String
  /// The progress of the download.
  public var state: State
}

/// The bytes of a download.
public struct DownloadProgress: Hashable, Sendable {
  /// Bytes downloaded so far.
  public var completedBytes: Int
  /// Bytes of the complete model.
  public var totalBytes: Int
  /// The speed since the download began, without earlier bytes.
  public var bytesPerSecond: Double

  /// The completed share, 0 ... 1.
  public var fraction: Double {
    totalBytes == 0 ? 1 : Double(completedBytes) / Double(totalBytes)
  }
}

/// The events of a download, as they happen. It ends after ``DownloadEvent/State/installed(_:)``, or
/// with a ``ModelStoreError``.
///
/// The download runs whether or not the events are read. It is cancelled when nobody follows it any
/// more: when the reading task is cancelled, or this value and its iterators are released.
///
///     for try await event in manager.download("latin-lines") {
///       if case .downloading(let progress) = event.state { print(progress.fraction) }
///     }
public struct ModelDownload: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = DownloadEvent

  let stream: AsyncThrowingStream<DownloadEvent, any Error>

  /// Reads the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<DownloadEvent, any Error>.AsyncIterator

    /// Returns the next event, or nil after the last.
    ///
    /// - Throws: ``ModelStoreError``.
    public mutating func next() async throws -> DownloadEvent? {
      guard let event = try await base.next() else {
        // A cancelled task gets nil, which must not look like the end.
        if Task.isCancelled { throw ModelStoreError.cancelled }
        return nil
      }
      return event
    }
  }

  /// Makes an iterator. A sequence can be read once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator())
  }

  /// Waits for the end of the download.
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
