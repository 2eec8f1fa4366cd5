import Foundation

/// Adds up the bytes of the parts of one model, and reports the sum at most every 20 ms. The last
/// bytes before a pause are also reported, 20 ms late.
final class DownloadMeter: @unchecked Sendable {
  // Unchecked because the lock guards all mutable members.

  private static let pause = Duration.milliseconds(20)

  private let model: String
  private let total: Int
  private let send: @Sendable (DownloadEvent) -> Void
  private let lock = NSLock()
  private let started = ContinuousClock.now
  private var counts: [String: Int] = [:]
  private var fromNetwork = 0
  private var lastSent: ContinuousClock.Instant?
  private var lateReport: Task<Void, Never>?
  private var isStopped = false

  /// - Parameter send: Called under the lock of the meter, so that reports stay in order.
  init(model: String, total: Int, send: @escaping @Sendable (DownloadEvent) -> Void) {
    self.model = model
    self.total = total
    self.send = send
  }

  /// Records the number of bytes that exist of a part.
  func note(_ part: String, _ count: Int, isNew: Bool) {
    lock.withLock {
      if isNew { fromNetwork += max(0, count - (counts[part] ?? 0)) }
      counts[part] = count
      guard let lastSent, .now - lastSent < Self.pause else { return report() }
      guard lateReport == nil else { return }
      lateReport = Task { [weak self] in
        try? await Task.sleep(for: Self.pause)
        self?.reportLate()
      }
    }
  }

  /// Reports the end.
  func finish() {
    lock.withLock { report() }
    stop()
  }

  /// Stops reporting.
  func stop() {
    lock.withLock {
      isStopped = true
      lateReport?.cancel()
    }
  }

  private func reportLate() {
    lock.withLock {
      lateReport = nil
      report()
    }
  }

  private func report() {
    guard !isStopped else { return }
    let now = ContinuousClock.now
    lastSent = now
    let seconds = max((now - started) / .seconds(1), 1e-6)
    send(
      DownloadEvent(
        model: model,
        state: .downloading(
          DownloadProgress(
            completedBytes: min(total, counts.values.reduce(0, +)), totalBytes: total,
            bytesPerSecond: Double(fromNetwork) / seconds))))
  }
}
