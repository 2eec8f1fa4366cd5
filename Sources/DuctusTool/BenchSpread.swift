/// Median, lowest and highest of repeated measurements.
struct BenchSpread: Codable, Equatable {
  var median: Double
  var low: Double
  var high: Double

  /// The spread of at least one value; all NaN where there is none.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    low = sorted.first ?? .nan
    high = sorted.last ?? .nan
    let middle = sorted.count / 2
    median =
      sorted.isEmpty
      ? .nan
      : sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
