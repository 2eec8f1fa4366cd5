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

extension GlyphEvaluation {
  /// The latencies in bins whose edges grow by one factor, ten to the power of 1/`perDecade`,
  /// because a few calls of a busy machine take a hundred times the median. Empty without samples.
  ///
  /// - Complexity: O(distinct latencies): some thousands, whatever the number of samples.
  public func latencyBins(perDecade: Int = 20) -> [LatencyBin] {
    guard samples > 0, perDecade > 0 else { return [] }
    var counts: [Int: Int] = [:]
    for value in latency.recordedValues() where value.count > 0 {
      let milliseconds = Double(max(value.value, 1)) / 1e6
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
