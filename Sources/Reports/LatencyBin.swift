import Evaluation
import Foundation
import Histogram

/// One column of a latency histogram.
public struct LatencyBin: Hashable, Sendable {
  /// Calls took at least so many milliseconds, above 0 …
  public let lower: Double
  /// … and less than this.
  public let upper: Double
  /// Calls.
  public let count: Int
}

extension Histogram<UInt64> {
  /// Latencies in nanoseconds in bins whose edges grow by one factor, ten to the power of 1/`perDecade`,
  /// because a few calls of a busy machine take a hundred times the median. Empty without samples.
  ///
  /// - Complexity: O(distinct latencies): some thousands, whatever the number of samples.
  func latencyBins(perDecade: Int = 20) -> [LatencyBin] {
    guard perDecade > 0 else { return [] }
    var counts: [Int: Int] = [:]
    for value in recordedValues() where value.count > 0 {
      let milliseconds = Double(Swift.max(value.value, 1)) / 1e6
      counts[Int((log10(milliseconds) * Double(perDecade)).rounded(.down)), default: 0] +=
        Int(value.count)
    }
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
    func edge(_ index: Int) -> Double { pow(10, Double(index) / Double(perDecade)) }
    return (first...last).map {
      LatencyBin(lower: edge($0), upper: edge($0 + 1), count: counts[$0] ?? 0)
    }
  }
}

extension GlyphEvaluation {
  /// The latencies in bins; empty without samples.
  public func latencyBins() -> [LatencyBin] { latency.latencyBins() }
}

extension LineEvaluation {
  /// The latencies in bins; empty without samples.
  public func latencyBins() -> [LatencyBin] { latency.latencyBins() }
}
