import Files
import Foundation

/// The metrics of `GET /metrics`, in the text format of Prometheus.
///
/// Thread-safe. Only amounts are counted: no ink and no text is stored.
final class WebMetrics: Sendable {
  /// The upper bounds of the histogram of times, in seconds.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private struct State {
    var requests: [String: Int] = [:]
    var errors: [String: Int] = [:]
    var buckets = [Int](repeating: 0, count: bounds.count + 1)
    var seconds = 0.0
    var inks = 0
  }
  private let state = Guarded(State())

  /// Counts a request of the interface with the status of its answer.
  func count(path: String, status: Int) {
    state.withLock { $0.requests["path=\"\(path)\",status=\"\(status)\"", default: 0] += 1 }
  }

  /// Counts an error by its code.
  func count(error code: String) {
    state.withLock { $0.errors["code=\"\(code)\"", default: 0] += 1 }
  }

  /// Counts the time of one request for recognition.
  func count(seconds time: Double, inks count: Int) {
    let bucket = Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.buckets[bucket] += 1
      state.seconds += time
      state.inks += count
    }
  }

  /// Returns all metrics.
  ///
  /// - Parameter load: The number of requests that run or wait.
  func text(load: Int) -> String {
    state.withLock { state in
      var lines: [String] = []
      func family(_ name: String, _ type: String, _ help: String) {
        lines.append("# HELP ductus_\(name) \(help)")
        lines.append("# TYPE ductus_\(name) \(type)")
      }
      family("requests_total", "counter", "Requests by path and status.")
      for (labels, count) in state.requests.sorted(by: { $0.key < $1.key }) {
        lines.append("ductus_requests_total{\(labels)} \(count)")
      }
      family("errors_total", "counter", "Errors in answers by their code.")
      for (labels, count) in state.errors.sorted(by: { $0.key < $1.key }) {
        lines.append("ductus_errors_total{\(labels)} \(count)")
      }
      family("inks_total", "counter", "Inks of all state.requests for recognition.")
      lines.append("ductus_inks_total \(state.inks)")
      family("requests_in_progress", "gauge", "Requests that are read or wait.")
      lines.append("ductus_requests_in_progress \(load)")
      family("recognition_seconds", "histogram", "Time of state.requests for recognition.")
      var total = 0
      for (bound, count) in zip(Self.bounds, state.buckets) {
        total += count
        lines.append("ductus_recognition_seconds_bucket{le=\"\(bound)\"} \(total)")
      }
      total += state.buckets[Self.bounds.count]
      lines.append("ductus_recognition_seconds_bucket{le=\"+Inf\"} \(total)")
      lines.append("ductus_recognition_seconds_sum \(state.seconds)")
      lines.append("ductus_recognition_seconds_count \(total)")
      return lines.joined(separator: "\n") + "\n"
    }
  }
}
