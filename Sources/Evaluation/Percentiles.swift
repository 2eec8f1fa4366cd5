import Foundation
import Histogram

/// Three percentiles of a measurement, in the unit of the values.
package struct Percentiles: Codable, Hashable, Sendable {
  /// The median.
  package var p50: Double
  /// 95 % of the values are at most this.
  package var p95: Double
  /// 99 % of the values are at most this.
  package var p99: Double

  /// Makes a value of known percentiles.
  package init(p50: Double, p95: Double, p99: Double) {
    (self.p50, self.p95, self.p99) = (p50, p95, p99)
  }

  /// Computes the percentiles; nil if nothing was measured.
  package init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    func percentile(_ share: Double) -> Double {
      sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    (p50, p95, p99) = (percentile(0.5), percentile(0.95), percentile(0.99))
  }

  /// The percentiles of a histogram, divided by the number of its units in one of the result.
  package init<Count>(of histogram: Histogram<Count>, unit: Double) {
    func percentile(_ percent: Double) -> Double {
      Double(histogram.valueAtPercentile(percent)) / unit
    }
    (p50, p95, p99) = (percentile(50), percentile(95), percentile(99))
  }
}

/// Median, lowest and highest of repeated measurements.
package struct Spread: Codable, Equatable, Sendable {
  /// The median.
  package var median: Double
  /// The lowest value.
  package var low: Double
  /// The highest value.
  package var high: Double

  /// The spread of the values; all NaN if there are none.
  package init(_ values: [Double]) {
    let sorted = values.sorted()
    low = sorted.first ?? .nan
    high = sorted.last ?? .nan
    let middle = sorted.count / 2
    median =
      sorted.isEmpty
      ? .nan
      : sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The median with the lowest and the highest value.
  package func text(digits: Int) -> String {
    String(
      format: "%8.\(digits)f (%.\(digits)f ... %.\(digits)f)", median, low, high)
  }
}
