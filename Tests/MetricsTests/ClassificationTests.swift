import InkCore
import Metrics
import Testing

@Suite("TopKAccuracy")
struct TopKAccuracyTests {
  @Test("Ranks are counted for each k, and a refusal is an error")
  func ranks() {
    var accuracy = TopKAccuracy(ks: [5, 1, 3, 0, 3])
    #expect(accuracy.ks == [1, 3, 5])
    #expect(accuracy.accuracy(at: 1) == nil)
    for rank in [0, 0, 2, 4, nil] { accuracy.add(rank: rank) }
    accuracy.add(rank: 5)
    accuracy.add(rank: 0)
    accuracy.add(rank: 1)
    #expect(accuracy.count == 8)
    #expect(accuracy.accuracy(at: 1) == 3.0 / 8)
    #expect(accuracy.accuracy(at: 3) == 5.0 / 8)
    #expect(accuracy.accuracy(at: 5) == 6.0 / 8)
    #expect(accuracy.accuracy(at: 2) == nil)
  }

  @Test("Equal scores are ordered by index, and NaN is a miss")
  func scores() {
    #expect(TopKAccuracy.rank(of: 1, in: [0.1, 0.7, 0.2]) == 0)
    #expect(TopKAccuracy.rank(of: 0, in: [0.5, 0.5]) == 0)
    #expect(TopKAccuracy.rank(of: 1, in: [0.5, 0.5]) == 1)
    #expect(TopKAccuracy.rank(of: 1, in: [.nan, 0.5]) == 0)
    #expect(TopKAccuracy.rank(of: 0, in: [.nan, 0.5]) == nil)
    #expect(TopKAccuracy.rank(of: 2, in: [0, 1]) == nil)
    #expect(TopKAccuracy.rank(of: -1, in: [0, 1]) == nil)
    #expect(TopKAccuracy.rank(of: 1, in: [9, 3, 5][1...]) == 0)
  }

  @Test("Counts merged are counts of all")
  func merge() {
    var (all, left, right) = (TopKAccuracy(), TopKAccuracy(), TopKAccuracy())
    for rank in 0..<6 {
      all.add(rank: rank)
      if rank < 2 { left.add(rank: rank) } else { right.add(rank: rank) }
    }
    left.merge(right)
    #expect(left == all)
  }
}

@Suite("ExpectedCalibrationError")
struct ExpectedCalibrationErrorTests {
  @Test("The error is the mean distance of accuracy and confidence, weighted by samples")
  func byHand() {
    var error = ExpectedCalibrationError(binCount: 4)
    #expect(error.value == nil)
    // Bin (0.5, 0.75]: mean 0.625, accuracy 0.5. Bin (0.75, 1]: mean 1, accuracy 0.75.
    for (confidence, isCorrect) in [(0.75, true), (0.5625, false), (0.625, true), (0.5625, false)] {
      error.add(confidence: confidence, isCorrect: isCorrect)
    }
    for isCorrect in [true, true, true, false] { error.add(confidence: 1, isCorrect: isCorrect) }
    #expect(error.value == (0.125 + 0.25) / 2)
    #expect(error.bins.map(\.count) == [0, 0, 4, 4])
    #expect(error.bins[2].meanConfidence == 0.625)
    #expect(error.bins[2].accuracy == 0.5)
    #expect(error.bins[2].lowerBound == 0.5)
    #expect(error.bins[2].upperBound == 0.75)
    #expect(error.bins[0].accuracy == nil)
  }

  @Test("A bin holds its upper bound, the first holds 0, and values out of range the end bins")
  func edges() {
    var error = ExpectedCalibrationError(binCount: 2)
    for confidence in [0, 0.5, -1, .nan, -.infinity] {
      error.add(confidence: confidence, isCorrect: true)
    }
    for confidence in [0.5000001, 1, 1.0000001, .infinity] {
      error.add(confidence: confidence, isCorrect: true)
    }
    #expect(error.bins.map(\.count) == [5, 4])
    #expect(ExpectedCalibrationError(binCount: 0).bins.count == 1)
    #expect(ExpectedCalibrationError().bins.count == 15)
  }

  @Test("A model that is right as often as it says has almost no error")
  func calibrated() throws {
    let seed: UInt64 = 9
    var generator = SeededGenerator(seed: seed)
    var error = ExpectedCalibrationError()
    for _ in 0..<50_000 {
      let confidence = Double(generator.uniform())
      error.add(confidence: confidence, isCorrect: Double(generator.uniform()) < confidence)
    }
    // The standard error of a bin of 3,333 samples is at most 0.0087.
    let value = try #require(error.value)
    #expect(value < 0.0087, "seed \(seed)")
  }

  @Test("Counts merged are counts of all")
  func merge() {
    var (all, left, right) = (
      ExpectedCalibrationError(), ExpectedCalibrationError(), ExpectedCalibrationError()
    )
    for step in 0...8 {
      let confidence = Double(step) / 8
      all.add(confidence: confidence, isCorrect: step > 4)
      if step < 4 {
        left.add(confidence: confidence, isCorrect: step > 4)
      } else {
        right.add(confidence: confidence, isCorrect: step > 4)
      }
    }
    left.merge(right)
    #expect(left == all)
  }
}

@Suite("AccuracyCoverageCurve")
struct AccuracyCoverageCurveTests {
  static func curve(_ samples: [(Double, Bool)]) -> AccuracyCoverageCurve {
    var curve = AccuracyCoverageCurve()
    for (confidence, isCorrect) in samples {
      curve.add(confidence: confidence, isCorrect: isCorrect)
    }
    return curve
  }

  @Test("Each threshold has its coverage and accuracy, equal confidences together")
  func byHand() {
    let curve = Self.curve([(0.5, false), (1, true), (0.5, true), (0.75, true)])
    #expect(
      curve.points() == [
        .init(threshold: 1, coverage: 0.25, accuracy: 1),
        .init(threshold: 0.75, coverage: 0.5, accuracy: 1),
        .init(threshold: 0.5, coverage: 1, accuracy: 0.75),
      ])
    #expect(curve.coverage(atAccuracy: 1) == 0.5)
    #expect(curve.coverage(atAccuracy: 0.75) == 1)
    #expect(curve.point(atAccuracy: 0.9)?.threshold == 0.75)
  }

  @Test("The coverage is 0 for an accuracy that no threshold reaches, and nil without samples")
  func unreachable() {
    let curve = Self.curve([(1, false), (0.5, true)])
    #expect(curve.coverage(atAccuracy: 0.9) == 0)
    #expect(curve.point(atAccuracy: 0.9) == nil)
    #expect(AccuracyCoverageCurve().coverage(atAccuracy: 0.9) == nil)
    #expect(AccuracyCoverageCurve().points(sampleCount: 4).isEmpty)
  }

  @Test("A curve that falls and rises again is covered up to its last rise")
  func notMonotone() {
    let curve = Self.curve([(4, false), (3, true), (2, true), (1, true)])
    #expect(curve.coverage(atAccuracy: 0.75) == 1)
  }

  @Test("Sampling gives the first point of at least each coverage")
  func sampled() {
    let curve = Self.curve((0..<10).map { (Double($0), $0 >= 5) })
    let sampled = curve.points(sampleCount: 5)
    #expect(sampled.map(\.coverage) == [0.2, 0.4, 0.6, 0.8, 1])
    #expect(sampled.map(\.accuracy) == [1, 1, 5.0 / 6, 5.0 / 8, 0.5])
    #expect(curve.points(sampleCount: 0).isEmpty)
    #expect(curve.points(sampleCount: 3).last?.coverage == 1)
  }

  @Test("NaN is the lowest confidence")
  func notANumber() {
    let curve = Self.curve([(.nan, false), (0, true)])
    #expect(curve.points().map(\.accuracy) == [1, 0.5])
  }
}

@Suite("ConfusionMatrix")
struct ConfusionMatrixTests {
  @Test("Recall, precision and confused pairs are counted; refusals lower recall")
  func byHand() {
    var matrix = ConfusionMatrix()
    for (label, predicted, count) in [
      ("o", "o", 3), ("o", "0", 2), ("0", "0", 4), ("0", "o", 1), ("l", "1", 2), ("o", nil, 1),
    ] as [(String, String?, Int)] {
      for _ in 0..<count { matrix.add(label: label, predicted: predicted) }
    }
    let statistics = matrix.labelStatistics()
    #expect(statistics.map(\.label) == ["0", "1", "l", "o"])
    #expect(statistics.map(\.recall) == [0.8, nil, 0, 0.5])
    #expect(statistics.map(\.precision) == [4.0 / 6, 0, nil, 0.75])
    #expect(matrix.mostConfused(limit: 2).map(\.label) == ["l", "o"])
    #expect(
      matrix.mostConfused() == [
        .init(label: "l", predicted: "1", count: 2), .init(label: "o", predicted: "0", count: 2),
        .init(label: "0", predicted: "o", count: 1),
      ])
    #expect(matrix.count == 13)
    #expect(matrix.refusedCount == 1)
    #expect(matrix.count(of: "o", predictedAs: nil) == 1)
    #expect(matrix.meanRecall() == (0.8 + 0 + 0.5) / 3)
    #expect(matrix.mostConfused(limit: -1).isEmpty)
    #expect(ConfusionMatrix().meanRecall() == nil)
  }

  @Test("Merged matrices equal the matrix of all samples")
  func merge() {
    var (all, left, right) = (ConfusionMatrix(), ConfusionMatrix(), ConfusionMatrix())
    for index in 0..<20 {
      let (label, predicted) = ("\(index % 3)", "\(index % 4)")
      all.add(label: label, predicted: predicted)
      if index % 2 == 0 {
        left.add(label: label, predicted: predicted)
      } else {
        right.add(label: label, predicted: predicted)
      }
    }
    left.merge(right)
    #expect(left == all)
  }
}
