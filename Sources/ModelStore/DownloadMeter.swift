import Files
import Foundation

/// Adds up the bytes of the parts of one model, and reports the sum at most every 20 ms. The last
/// bytes before a pause are also reported, 20 ms late.
final class DownloadMeter: Sendable {
  private static let pause = Duration.milliseconds(20)

  private let model: String
  private let total: Int
  private let send: @Sendable (DownloadEvent) -> Void
  private struct State {
    var counts: [String: Int] = [:]
    var fromNetwork = 0
    var lastSent: ContinuousClock.Instant?
    var lateReport: Task<Void, Never>?
    var isStopped = false
  }
  private let state = Guarded(State())
  private let started = ContinuousClock.now

  /// - Parameter send: Called under the lock of the meter, so that reports stay in order.
  init(model: String, total: Int, send: @escaping @Sendable (DownloadEvent) -> Void) {
    self.model = model
    self.total = total
    self.send = send
  }

  /// Records the number of bytes that exist of a part.
  func note(_ part: String, _ count: Int, isNew: Bool) {
    state.withLock { state in
      if isNew { state.fromNetwork += max(0, count - (state.counts[part] ?? 0)) }
      state.counts[part] = count
      guard let lastSent = state.lastSent, .now - lastSent < Self.pause else {
        return report(&state)
      }
      guard state.lateReport == nil else { return }
      state.lateReport = Task { [weak self] in
        try? await Task.sleep(for: Self.pause)
        self?.reportLate()
      }
    }
  }

  /// Reports the end.
  func finish() {
    state.withLock { report(&$0) }
    stop()
  }

  /// Stops reporting.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.lateReport?.cancel()
    }
  }

  private func reportLate() {
    state.withLock { state in
      state.lateReport = nil
      report(&state)
    }
  }

  private func report(_ state: inout State) {
    guard !state.isStopped else { return }
    let now = ContinuousClock.now
    state.lastSent = now
    let seconds = max((now - started) / .seconds(1), 1e-6)
    send(
      DownloadEvent(
        model: model,
        state: .downloading(
          DownloadProgress(
            completedBytes: min(total, state.counts.values.reduce(0, +)), totalBytes: total,
            bytesPerSecond: Double(state.fromNetwork) / seconds))))
  }
}
