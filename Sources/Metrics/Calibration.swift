import Foundation

/// The distance between the confidence of the first candidate and its accuracy.
///
/// Confidences are sorted into bins of equal width. The error is the mean over samples of |accuracy
/// − mean confidence| of their bin (Naeini et al. 2015; Guo et al., On Calibration of Modern Neural
/// Networks, 2017). Bin m of M holds confidences in ((m − 1)/M, m/M]; the first also holds 0. Only
/// sums are kept: memory does not grow with the data.
public struct ExpectedCalibrationError: Hashable, Sendable {
  /// One row of the reliability table.
  package struct Bin: Hashable, Sendable {
    /// Confidences of the bin are above this (the first bin: at least).
    package let lowerBound: Double
    /// Confidences of the bin are at most this.
    package let upperBound: Double
    /// Samples in the bin.
    package let count: Int
    /// The mean confidence of its samples, or nil without samples.
    package let meanConfidence: Double?
    /// The share of its samples that are right, or nil without samples.
    package let accuracy: Double?
  }

  private var counts: [Int]
  private var correct: [Int]
  private var confidences: [Double]

  /// Makes a count with a number of bins; values below 1 count as 1.
  package init(binCount: Int = 15) {
    let binCount = max(1, binCount)
    counts = [Int](repeating: 0, count: binCount)
    correct = [Int](repeating: 0, count: binCount)
    confidences = [Double](repeating: 0, count: binCount)
  }

  /// The number of samples.
  package var count: Int { counts.reduce(0, +) }

  /// Adds a sample. O(1).
  ///
  /// - Parameters:
  ///   - confidence: The probability of the first candidate. Values below 0 and NaN count as 0,
  ///     values above 1 as 1.
  ///   - isCorrect: True if the first candidate was right.
  package mutating func add(confidence: Double, isCorrect: Bool) {
    // NaN compares false and becomes 0.
    let confidence = confidence > 0 ? min(confidence, 1) : 0
    let scaled = (confidence * Double(counts.count)).rounded(.up)
    let bin = min(max(Int(scaled) - 1, 0), counts.count - 1)
    counts[bin] += 1
    correct[bin] += isCorrect ? 1 : 0
    confidences[bin] += confidence
  }

  /// Adds the samples of another count with as many bins, for example of another worker.
  ///
  /// - Precondition: The numbers of bins are equal.
  package mutating func merge(_ other: ExpectedCalibrationError) {
    precondition(other.counts.count == counts.count, "cannot merge different numbers of bins")
    for bin in counts.indices {
      counts[bin] += other.counts[bin]
      correct[bin] += other.correct[bin]
      confidences[bin] += other.confidences[bin]
    }
  }

  /// The error, 0 … 1, or nil without samples. O(bins).
  package var value: Double? {
    let count = count
    guard count > 0 else { return nil }
    let sum = counts.indices.reduce(0) { $0 + abs(Double(correct[$1]) - confidences[$1]) }
    return sum / Double(count)
  }

  /// The reliability table, one row per bin, ascending. O(bins).
  package var bins: [Bin] {
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

/// Calibration by one number: logits are divided by a temperature before the softmax (Guo et al.,
/// On Calibration of Modern Neural Networks, 2017). The order of candidates does not change.
package enum TemperatureScaling {
  /// The range of fitted temperatures. An end of it means that the data does not determine the
  /// value.
  package static let range: ClosedRange<Double> = 0.05...20

  /// Finds the temperature with the smallest mean negative log-likelihood.
  ///
  /// The likelihood is convex in 1/T. Newton's method finds the zero of its derivative, within a
  /// bracket that shrinks at every step, so that the same input gives the same bits and every input
  /// converges. Rows with a logit that is not finite, or a label out of range, are left out.
  ///
  /// - Parameters:
  ///   - logits: N rows of `classCount` numbers, row-major; a last incomplete row is left out.
  ///   - classCount: K, the number of classes.
  ///   - labels: The index of the true class of each row, N.
  /// - Returns: The temperature, in ``range``. It is an end of the range if all rows are right (or
  ///   wrong) by any margin, and 1 if no row is usable or no temperature changes anything.
  /// - Complexity: O(N K) for each of about ten steps; 8 bytes of memory per row.
  package static func temperature(logits: [Float], classCount: Int, labels: [Int]) -> Double {
    let rows = usableRows(logits, classCount, labels)
    guard !rows.isEmpty else { return 1 }
    func slope(_ inverse: Double) -> (first: Double, second: Double) {
      derivatives(logits, classCount, labels, rows, inverse: inverse)
    }
    var low = 1 / range.upperBound
    var high = 1 / range.lowerBound
    let (lowest, highest) = (slope(low).first, slope(high).first)
    if lowest == 0, highest == 0 { return 1 }
    if lowest >= 0 { return range.upperBound }
    if highest <= 0 { return range.lowerBound }
    var inverse = 1.0
    for _ in 0..<100 {
      let (first, second) = slope(inverse)
      if first == 0 { break }
      if first < 0 { low = inverse } else { high = inverse }
      var next = inverse - first / second
      // NaN counts as outside.
      if !(next > low && next < high) { next = (low * high).squareRoot() }
      let change = abs(next - inverse)
      inverse = next
      if change <= 1e-12 * inverse { break }
    }
    return min(max(1 / inverse, range.lowerBound), range.upperBound)
  }

  /// The mean negative log-likelihood of the true classes in nats, at a temperature above 0; nil if
  /// no row is usable. O(N K).
  package static func negativeLogLikelihood(
    logits: [Float], classCount: Int, labels: [Int], temperature: Double
  ) -> Double? {
    let rows = usableRows(logits, classCount, labels)
    guard !rows.isEmpty else { return nil }
    var sum = 0.0
    for row in rows {
      let start = row * classCount
      let maximum = largest(logits, start, classCount)
      var total = 0.0
      for index in start..<(start + classCount) {
        total += exp((Double(logits[index]) - maximum) / temperature)
      }
      sum += log(total) - (Double(logits[start + labels[row]]) - maximum) / temperature
    }
    return sum / Double(rows.count)
  }

  private static func usableRows(
    _ logits: [Float], _ classCount: Int, _ labels: [Int]
  ) -> [Int] {
    guard classCount > 0 else { return [] }
    return (0..<min(labels.count, logits.count / classCount)).filter { row in
      labels[row] >= 0 && labels[row] < classCount
        && logits[(row * classCount)..<((row + 1) * classCount)].allSatisfy(\.isFinite)
    }
  }

  private static func largest(_ logits: [Float], _ start: Int, _ classCount: Int) -> Double {
    var maximum = logits[start]
    for index in start..<(start + classCount) { maximum = max(maximum, logits[index]) }
    return Double(maximum)
  }

  /// The first and second derivative of the mean negative log-likelihood by 1/T: the mean of
  /// E[z] − z(label), and of the variance of z, z distributed by the softmax.
  private static func derivatives(
    _ logits: [Float], _ classCount: Int, _ labels: [Int], _ rows: [Int], inverse: Double
  ) -> (first: Double, second: Double) {
    var first = 0.0
    var second = 0.0
    for row in rows {
      let start = row * classCount
      let maximum = largest(logits, start, classCount)
      var (total, sum, squares) = (0.0, 0.0, 0.0)
      for index in start..<(start + classCount) {
        let logit = Double(logits[index]) - maximum
        let weight = exp(logit * inverse)
        total += weight
        sum += weight * logit
        squares += weight * logit * logit
      }
      let mean = sum / total
      first += mean - (Double(logits[start + labels[row]]) - maximum)
      second += squares / total - mean * mean
    }
    return (first / Double(rows.count), second / Double(rows.count))
  }
}
