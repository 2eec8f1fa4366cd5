import Foundation

/// One download with any number of followers.
final class DownloadJob: @unchecked Sendable {
  // Unchecked because the lock guards all mutable members.

  typealias Continuation = AsyncThrowingStream<DownloadEvent, any Error>.Continuation

  private let lock = NSLock()
  private var followers: [Int: (conditions: DownloadConditions, continuation: Continuation)] = [:]
  private var nextFollower = 0
  private var latest: DownloadEvent?
  private var isClosed = false
  private var status = NetworkStatus()
  private var ticks: [AsyncStream<Void>.Continuation] = []
  private var task: Task<Void, Never>?

  /// Starts the work. Call it once.
  func start(_ work: @escaping @Sendable (DownloadJob) async throws -> InstalledModel) {
    let task = Task {
      let outcome: Result<DownloadEvent, any Error>
      do {
        let model = try await work(self)
        outcome = .success(DownloadEvent(model: model.identifier, state: .installed(model)))
      } catch {
        outcome = .failure(error is CancellationError ? ModelStoreError.cancelled : error)
      }
      self.finish(outcome)
    }
    let isAbandoned = lock.withLock {
      self.task = task
      return isClosed && followers.isEmpty
    }
    if isAbandoned { task.cancel() }
  }

  /// Follows the download; returns nil if it has ended.
  func follow(_ conditions: DownloadConditions) -> AsyncThrowingStream<DownloadEvent, any Error>? {
    // Only the newest progress matters; the last event is never dropped.
    let (stream, continuation) = AsyncThrowingStream<DownloadEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    let number: Int? = lock.withLock {
      guard !isClosed else { return nil }
      nextFollower += 1
      followers[nextFollower] = (conditions, continuation)
      if let latest { continuation.yield(latest) }
      return nextFollower
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] reason in
      if case .cancelled = reason { self?.leave(number) }
    }
    return stream
  }

  private func leave(_ number: Int) {
    let abandoned = lock.withLock { () -> Task<Void, Never>? in
      followers[number] = nil
      guard followers.isEmpty, !isClosed else { return nil }
      isClosed = true
      return task
    }
    abandoned?.cancel()
    for tick in lock.withLock({ ticks }) { tick.yield() }
  }

  /// A stream that yields when a follower has left.
  var changesOfFollowers: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lock.withLock { ticks = [continuation] }
    return stream
  }

  /// Ends the download for all followers. A later request for the model starts another download.
  func cancel() {
    let task = lock.withLock {
      isClosed = true
      return self.task
    }
    task?.cancel()
  }

  /// Records the state of the network.
  ///
  /// - Returns: true if this state blocks the download for every follower.
  func isObstructed(by status: NetworkStatus) -> Bool {
    lock.withLock { self.status = status }
    return obstacle(in: status) != nil
  }

  /// True if the last known state of the network blocks the download for every follower.
  var isObstructedNow: Bool { obstacle(in: lock.withLock { status }) != nil }

  func send(_ event: DownloadEvent) {
    let all = lock.withLock {
      latest = event
      return Array(followers.values)
    }
    for follower in all { follower.continuation.yield(event) }
  }

  private func finish(_ outcome: Result<DownloadEvent, any Error>) {
    let all = lock.withLock {
      isClosed = true
      defer { followers = [:] }
      return Array(followers.values)
    }
    for follower in all {
      switch outcome {
      case .success(let event):
        follower.continuation.yield(event)
        follower.continuation.finish()
      case .failure(let error): follower.continuation.finish(throwing: error)
      }
    }
  }

  /// The conditions of a request: everything that any follower allows.
  var conditions: DownloadConditions {
    let all = lock.withLock { followers.values.map(\.conditions) }
    return DownloadConditions(
      allowsCellularAccess: all.contains(where: \.allowsCellularAccess),
      allowsExpensiveNetwork: all.contains(where: \.allowsExpensiveNetwork),
      allowsBackgroundDownloading: all.contains(where: \.allowsBackgroundDownloading),
      waitsForNetwork: all.contains(where: \.waitsForNetwork))
  }

  /// The obstacle that prevents every follower's download, or nil.
  func obstacle(in status: NetworkStatus) -> NetworkObstacle? {
    let all = lock.withLock { followers.values.map(\.conditions) }
    let obstacles = all.map { $0.obstacle(in: status) }
    return obstacles.contains(nil) ? nil : obstacles.first.flatMap { $0 }
  }
}
