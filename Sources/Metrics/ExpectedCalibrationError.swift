/// How far the confidence of the first candidate is from its accuracy.
///
/// Confidences fall into bins of equal width; the error is the mean over samples of
/// |accuracy − mean confidence| of their bin (Naeini et al. 2015; Guo et al., On Calibration of
/// Modern Neural Networks, 2017). Bin m of M holds confidences in ((m − 1)/M, m/M]; the first holds
/// 0, too. Accumulates sums: memory does not grow with the data.
public struct ExpectedCalibrationError: Hashable, Sendable {
  /// One row of the reliability table.
  public struct Bin: Hashable, Sendable {
    /// Confidences of the bin are above this (the first bin: at least).
    public let lowerBound: Double
    /// Confidences of the bin are at most this.
    public let upperBound: Double
    /// Samples in the bin.
    public let count: Int
    /// The mean confidence of its samples, or nil without samples.
    public let meanConfidence: Double?
    /// The share of its samples that were right, or nil without samples.
    public let accuracy: Double?
  }

  private var counts: [Int]
  private var correct: [Int]
  private var confidences: [Double]

  /// Begins a count with a number of bins; less than 1 is taken as 1.
  public init(binCount: Int = 15) {
    let binCount = max(1, binCount)
    counts = [Int](repeating: 0, count: binCount)
    correct = [Int](repeating: 0, count: binCount)
    confidences = [Double](repeating: 0, count: binCount)
  }

  /// Samples added.
  public var count: Int { counts.reduce(0, +) }

  /// Adds a sample. O(1).
  ///
  /// - Parameters:
  ///   - confidence: The probability of the first candidate. Below 0 and NaN are taken as 0, above
  ///     1 as 1.
  ///   - isCorrect: Whether the first candidate was right.
  public mutating func add(confidence: Double, isCorrect: Bool) {
    // Written so that NaN compares false and becomes 0.
    let confidence = confidence > 0 ? min(confidence, 1) : 0
    let scaled = (confidence * Double(counts.count)).rounded(.up)
    let bin = min(max(Int(scaled) - 1, 0), counts.count - 1)
    counts[bin] += 1
    correct[bin] += isCorrect ? 1 : 0
    confidences[bin] += confidence
  }

  /// Adds the samples of another count with as many bins, as workers do.
  ///
  /// - Precondition: The numbers of bins are equal.
  public mutating func merge(_ other: ExpectedCalibrationError) {
    precondition(other.counts.count == counts.count, "cannot merge different numbers of bins")
    for bin in counts.indices {
      counts[bin] += other.counts[bin]
      correct[bin] += other.correct[bin]
      confidences[bin] += other.confidences[bin]
    }
  }

  /// The error, 0 … 1, or nil without samples. O(bins).
  public var value: Double? {
    let count = count
    guard count > 0 else { return nil }
    let sum = counts.indices.reduce(0) { $0 + abs(Double(correct[$1]) - confidences[$1]) }
    return sum / Double(count)
  }

  /// The reliability table, one row per bin, ascending. O(bins).
  public var bins: [Bin] {
    let width = 1 / Double(counts.count)
    return counts.indices.map { bin in
      let samples = counts[bin]
      return Bin(
        lowerBound: Double(bin) * width, upperBound: Double(bin + 1) * width, count: samples,
        meanConfidence: samples > 0 ? confidences[bin] / Double(samples) : nil,
        accuracy: samples > 0 ? Double(correct[bin]) / Double(samples) : nil)
    }
  }
}
