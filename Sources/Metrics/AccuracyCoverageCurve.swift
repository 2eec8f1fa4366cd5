/// The accuracy of a model on the inks with its highest confidences.
///
/// Accepting only answers of at least some confidence covers a share of the inks; the curve gives
/// the accuracy on that share (El-Yaniv and Wiener 2010). Answers of equal confidence are accepted
/// together, because no threshold separates them. Uses 8 bytes per sample.
package struct AccuracyCoverageCurve: Hashable, Sendable {
  /// The result of one threshold.
  package struct Point: Hashable, Sendable {
    /// Answers of at least this confidence are accepted.
    package let threshold: Double
    /// The share of samples accepted, above 0, at most 1.
    package let coverage: Double
    /// The share of the accepted samples that are right.
    package let accuracy: Double

    /// Makes a point.
    package init(threshold: Double, coverage: Double, accuracy: Double) {
      self.threshold = threshold
      self.coverage = coverage
      self.accuracy = accuracy
    }
  }

  private struct Sample: Hashable {
    var confidence: Float
    var isCorrect: Bool
  }

  private var samples: [Sample] = []

  /// Makes a curve without samples.
  package init() {}

  /// The number of samples.
  package var count: Int { samples.count }

  /// Adds a sample; a confidence of NaN counts as the lowest. Kept as `Float`. O(1) amortised.
  package mutating func add(confidence: Double, isCorrect: Bool) {
    let value = confidence.isNaN ? -Float.infinity : Float(confidence)
    samples.append(Sample(confidence: value, isCorrect: isCorrect))
  }

  /// Adds the samples of another curve, for example of another worker. The order does not change
  /// the curve.
  package mutating func merge(_ other: AccuracyCoverageCurve) {
    samples += other.samples
  }

  /// The curve, one point per distinct confidence, coverage ascending. O(n log n).
  package func points() -> [Point] {
    let sorted = samples.sorted { $0.confidence > $1.confidence }
    var points: [Point] = []
    var correct = 0
    for (index, sample) in sorted.enumerated() {
      correct += sample.isCorrect ? 1 : 0
      let next = index + 1
      if next < sorted.count, sorted[next].confidence == sample.confidence { continue }
      points.append(
        Point(
          threshold: Double(sample.confidence), coverage: Double(next) / Double(sorted.count),
          accuracy: Double(correct) / Double(next)))
    }
    return points
  }

  /// The curve at `sampleCount` coverages 1/n, 2/n … 1: for each coverage, the first point that
  /// reaches it. Empty without samples. O(n log n).
  package func points(sampleCount: Int) -> [Point] {
    let all = points()
    guard !all.isEmpty, sampleCount > 0 else { return [] }
    var index = 0
    return (1...sampleCount).map { step in
      let coverage = Double(step) / Double(sampleCount)
      while index < all.count - 1, all[index].coverage < coverage { index += 1 }
      return all[index]
    }
  }

  /// The point of the greatest coverage whose accuracy is at least `accuracy`; nil if no
  /// threshold reaches it. O(n log n).
  package func point(atAccuracy accuracy: Double) -> Point? {
    points().last { $0.accuracy >= accuracy }
  }

  /// The greatest coverage whose accuracy is at least `accuracy`, 0 if no threshold reaches it;
  /// nil without samples. O(n log n).
  package func coverage(atAccuracy accuracy: Double) -> Double? {
    samples.isEmpty ? nil : point(atAccuracy: accuracy)?.coverage ?? 0
  }
}
