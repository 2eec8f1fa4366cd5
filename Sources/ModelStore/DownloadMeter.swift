import Foundation

/// Adds up what comes of the parts of one model, and reports it not too often.
final class DownloadMeter: @unchecked Sendable {
  // Unchecked because the lock guards all members that change.

  private let model: String
  private let total: Int
  private let send: (DownloadEvent) -> Void
  private let lock = NSLock()
  private let started = ContinuousClock.now
  private var counts: [String: Int] = [:]
  private var fromNetwork = 0
  private var lastSent: ContinuousClock.Instant?

  init(model: String, total: Int, send: @escaping (DownloadEvent) -> Void) {
    self.model = model
    self.total = total
    self.send = send
  }

  /// Notes how many bytes of a part are there.
  func note(_ part: String, _ count: Int, isNew: Bool) {
    let event = lock.withLock { () -> DownloadEvent? in
      if isNew { fromNetwork += max(0, count - (counts[part] ?? 0)) }
      counts[part] = count
      let now = ContinuousClock.now
      if let lastSent, now - lastSent < .milliseconds(20) { return nil }
      lastSent = now
      return self.event(now)
    }
    if let event { send(event) }
  }

  /// Reports the end.
  func finish() {
    send(lock.withLock { self.event(.now) })
  }

  private func event(_ now: ContinuousClock.Instant) -> DownloadEvent {
    let seconds = max((now - started) / .seconds(1), 1e-6)
    return DownloadEvent(
      model: model,
      state: .downloading(
        DownloadProgress(
          completedBytes: min(total, counts.values.reduce(0, +)), totalBytes: total,
          bytesPerSecond: Double(fromNetwork) / seconds)))
  }
}
