import Files
import Foundation

/// A change in a download.
public struct DownloadEvent: Hashable, Sendable {
  /// The progress of a download.
  public enum State: Hashable, Sendable {
    /// The download waits until the conditions are met.
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

/// A requested download. It continues even if this value is not kept.
///
/// ``progress`` and ``result`` can be read at any time. As a sequence, it yields the newest event
/// and those that follow. The sequence ends after ``DownloadEvent/State/installed(_:)``, or with a
/// ``ModelStoreError``. The request is withdrawn by ``cancel()``, or when a task that reads the
/// events or waits for the end is cancelled. The download ends when all requests for it are
/// withdrawn.
///
///     for try await event in manager.download("latin-lines") {
///       if case .downloading(let progress) = event.state { print(progress.fraction) }
///     }
public struct ModelDownload: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = DownloadEvent

  let request: DownloadRequest

  /// The requested name.
  public var model: String { request.model }

  /// The bytes that exist now; zero until the catalogue has been read.
  public var progress: DownloadProgress { request.progress }

  /// The newest event, or nil before the first.
  public var latest: DownloadEvent? { request.latest }

  /// The result, or nil while the download continues.
  public var result: Result<InstalledModel, ModelStoreError>? { request.result }

  /// Withdraws the request.
  public func cancel() { request.cancel() }

  /// Reads the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let request: DownloadRequest
    var base: AsyncThrowingStream<DownloadEvent, any Error>.AsyncIterator

    /// Returns the next event, or nil after the last.
    ///
    /// - Throws: ``ModelStoreError``.
    public mutating func next() async throws -> DownloadEvent? {
      guard !Task.isCancelled else {
        request.cancel()
        throw ModelStoreError.cancelled
      }
      guard let event = try await base.next() else {
        // For a cancelled task the stream just ends.
        if Task.isCancelled {
          request.cancel()
          throw ModelStoreError.cancelled
        }
        return nil
      }
      return event
    }
  }

  /// Makes an iterator, which begins with the newest event.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(request: request, base: request.follow().makeAsyncIterator())
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

/// The request of one caller for a model.
final class DownloadRequest: Sendable {
  let model: String
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var newest: DownloadEvent?
    var bytes = DownloadProgress(completedBytes: 0, totalBytes: 0, bytesPerSecond: 0)
    var outcome: Result<InstalledModel, ModelStoreError>?
    var followers: [Int: AsyncThrowingStream<DownloadEvent, any Error>.Continuation] = [:]
    var nextFollower = 0
  }
  private let state = Guarded(State())

  init(model: String) { self.model = model }

  var latest: DownloadEvent? { state.withLock { $0.newest } }
  var result: Result<InstalledModel, ModelStoreError>? { state.withLock { $0.outcome } }

  var progress: DownloadProgress {
    state.withLock { state in
      var result = state.bytes
      // A model that was already installed needed no bytes.
      if case .success = state.outcome, result.totalBytes == 0 {
        (result.completedBytes, result.totalBytes) = (1, 1)
      } else if state.outcome == nil, result.totalBytes == 0 {
        result.totalBytes = 1
      }
      return result
    }
  }

  /// Starts the work. Call it once.
  func start(_ work: @escaping @Sendable (DownloadRequest) async -> Void) {
    let task = Task { await work(self) }
    let isLate = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isLate { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  func follow() -> AsyncThrowingStream<DownloadEvent, any Error> {
    // Only the newest progress matters; the last event is never dropped.
    let (stream, continuation) = AsyncThrowingStream<DownloadEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    state.withLock { state in
      if let newest = state.newest { continuation.yield(newest) }
      switch state.outcome {
      case .success?: continuation.finish()
      case .failure(let error)?: continuation.finish(throwing: error)
      case nil:
        state.nextFollower += 1
        let number = state.nextFollower
        state.followers[number] = continuation
        continuation.onTermination = { [weak self] _ in
          guard let self else { return }
          // In another task, because the stream may end while the lock is held.
          Task { self.state.withLock { $0.followers[number] = nil } }
        }
      }
    }
    return stream
  }

  func send(_ event: DownloadEvent) {
    let all = state.withLock { state in
      state.newest = event
      if case .downloading(let progress) = event.state { state.bytes = progress }
      return Array(state.followers.values)
    }
    for follower in all { follower.yield(event) }
  }

  func finish(_ result: Result<InstalledModel, ModelStoreError>) {
    let all = state.withLock { state in
      state.outcome = result
      if case .success(let model) = result {
        state.newest = DownloadEvent(model: model.identifier, state: .installed(model))
      }
      defer { state.followers = [:] }
      return Array(state.followers.values)
    }
    for follower in all {
      switch result {
      case .success(let model):
        follower.yield(DownloadEvent(model: model.identifier, state: .installed(model)))
        follower.finish()
      case .failure(let error): follower.finish(throwing: error)
      }
    }
  }
}

/// The end of a download, for the readers of ``ModelManager/notices``.
public struct DownloadNotice: Hashable, Sendable {
  /// The result of a download.
  public enum Outcome: Hashable, Sendable {
    /// The newest version is installed. It may have been installed before.
    case succeeded(InstalledModel)
    /// The download failed or was withdrawn.
    case failed(ModelStoreError)
  }

  /// The requested name.
  public var model: String
  /// The result.
  public var outcome: Outcome
}
