import Histogram

/// One column of a latency histogram.
public struct LatencyBin: Hashable, Sendable {
  /// Calls took at least so many milliseconds …
  public let lower: Double
  /// … and less than this; the last bin holds all slower ones too.
  public let upper: Double
  /// Calls.
  public let count: Int
}

extension GlyphEvaluation {
  /// The latencies in bins of equal width from 0 to one and a half times the 99th percentile; the
  /// last bin holds all slower calls. Empty without samples.
  ///
  /// - Complexity: O(distinct latencies): some thousands, whatever the number of samples.
  public func latencyBins(count: Int = 40) -> [LatencyBin] {
    guard samples > 0, count > 0, let p99 = latencyMilliseconds(at: 99), p99 > 0 else { return [] }
    let width = 1.5 * p99 / Double(count)
    var counts = [Int](repeating: 0, count: count)
    for value in latency.recordedValues() {
      let bin = min(Int(Double(value.value) / 1e6 / width), count - 1)
      counts[bin] += Int(value.count)
    }
    return counts.enumerated().map { index, count in
      LatencyBin(
        lower: Double(index) * width, upper: Double(index + 1) * width, count: count)
    }
  }
}
