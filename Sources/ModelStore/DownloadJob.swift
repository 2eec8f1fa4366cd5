import Files
import Foundation

/// One download with any number of followers.
final class DownloadJob: Sendable {
  typealias Continuation = AsyncThrowingStream<DownloadEvent, any Error>.Continuation

  private struct State {
    var followers: [Int: (conditions: DownloadConditions, continuation: Continuation)] = [:]
    var nextFollower = 0
    var latest: DownloadEvent?
    var isClosed = false
    var status = NetworkStatus()
    var ticks: [AsyncStream<Void>.Continuation] = []
    var task: Task<Void, Never>?
  }
  private let state = Guarded(State())

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
    let isAbandoned = state.withLock { state in
      state.task = task
      return state.isClosed && state.followers.isEmpty
    }
    if isAbandoned { task.cancel() }
  }

  /// Follows the download; returns nil if it has ended.
  func follow(_ conditions: DownloadConditions) -> AsyncThrowingStream<DownloadEvent, any Error>? {
    // Only the newest progress matters; the last event is never dropped.
    let (stream, continuation) = AsyncThrowingStream<DownloadEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    let number: Int? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.nextFollower += 1
      state.followers[state.nextFollower] = (conditions, continuation)
      if let latest = state.latest { continuation.yield(latest) }
      return state.nextFollower
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] reason in
      if case .cancelled = reason { self?.leave(number) }
    }
    return stream
  }

  private func leave(_ number: Int) {
    let abandoned = state.withLock { (state) -> Task<Void, Never>? in
      state.followers[number] = nil
      guard state.followers.isEmpty, !state.isClosed else { return nil }
      state.isClosed = true
      return state.task
    }
    abandoned?.cancel()
    for tick in state.withLock({ $0.ticks }) { tick.yield() }
  }

  /// A stream that yields when a follower has left.
  var changesOfFollowers: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.ticks = [continuation] }
    return stream
  }

  /// Ends the download for all followers. A later request for the model starts another download.
  func cancel() {
    let task = state.withLock { state in
      state.isClosed = true
      return state.task
    }
    task?.cancel()
  }

  /// Records the state of the network.
  ///
  /// - Returns: true if this state blocks the download for every follower.
  func isObstructed(by status: NetworkStatus) -> Bool {
    state.withLock { $0.status = status }
    return obstacle(in: status) != nil
  }

  /// True if the last known state of the network blocks the download for every follower.
  var isObstructedNow: Bool { obstacle(in: state.withLock { $0.status }) != nil }

  func send(_ event: DownloadEvent) {
    let all = state.withLock { state in
      state.latest = event
      return Array(state.followers.values)
    }
    for follower in all { follower.continuation.yield(event) }
  }

  private func finish(_ outcome: Result<DownloadEvent, any Error>) {
    let all = state.withLock { state in
      state.isClosed = true
      defer { state.followers = [:] }
      return Array(state.followers.values)
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
    let all = state.withLock { $0.followers.values.map(\.conditions) }
    return DownloadConditions(
      allowsCellularAccess: all.contains(where: \.allowsCellularAccess),
      allowsExpensiveNetwork: all.contains(where: \.allowsExpensiveNetwork),
      allowsBackgroundDownloading: all.contains(where: \.allowsBackgroundDownloading),
      waitsForNetwork: all.contains(where: \.waitsForNetwork))
  }

  /// The obstacle that prevents every follower's download, or nil.
  func obstacle(in status: NetworkStatus) -> NetworkObstacle? {
    let all = state.withLock { $0.followers.values.map(\.conditions) }
    let obstacles = all.map { $0.obstacle(in: status) }
    return obstacles.contains(nil) ? nil : obstacles.first.flatMap { $0 }
  }
}
