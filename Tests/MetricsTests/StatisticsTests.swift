import Foundation
import InkCore
import Metrics
import Testing

@Suite("BootstrapInterval")
struct BootstrapIntervalTests {
  @Test("Quantiles are linear between neighbours")
  func quantiles() {
    #expect(BootstrapInterval.quantile(0, of: [1, 2, 4]) == 1)
    #expect(BootstrapInterval.quantile(1, of: [1, 2, 4]) == 4)
    #expect(BootstrapInterval.quantile(0.5, of: [1, 2, 4]) == 2)
    #expect(BootstrapInterval.quantile(0.75, of: [1, 2, 4]) == 3)
    #expect(BootstrapInterval.quantile(0.3, of: [7]) == 7)
  }

  @Test("The same seed gives the same interval, for any order of the samples")
  func reproducible() throws {
    let samples = (0..<300).map { ("w\($0 % 17)", Double(($0 * 7919) % 11 < 3 ? 1 : 0)) }
    func interval(_ samples: [(String, Double)], seed: UInt64) throws -> BootstrapInterval {
      var rate = ClusteredRate()
      for (writer, error) in samples { rate.add(writer: writer, numerator: error) }
      var generator = SeededGenerator(seed: seed)
      return try #require(rate.interval(resamples: 200, using: &generator))
    }
    let first = try interval(samples, seed: 1)
    #expect(try interval(samples.reversed(), seed: 1) == first)
    #expect(try interval(samples, seed: 2) != first)
    #expect(first.lower < first.estimate && first.estimate < first.upper)
    #expect(first.resamples == 200)
    #expect(first.confidence == 0.95)
  }

  @Test("One writer, or identical writers, give an interval of zero width")
  func degenerate() throws {
    var one = ClusteredRate()
    one.add(writer: "a", numerator: 1, denominator: 4)
    var generator = SeededGenerator(seed: 1)
    let interval = try #require(one.interval(using: &generator))
    #expect([interval.lower, interval.estimate, interval.upper] == [0.25, 0.25, 0.25])
    #expect(ClusteredRate().interval(using: &generator) == nil)
    #expect(ClusteredRate().rate == nil)
    var empty = ClusteredRate()
    empty.add(writer: "a", numerator: 0, denominator: 0)
    #expect(empty.interval(using: &generator) == nil)
  }

  @Test("Pages of unknown writers are clusters, separate from writers of the same name")
  func pages() {
    var rate = ClusteredRate()
    for (writer, page) in [
      ("a", "p"), ("a", "q"), (nil, "p"), (nil, "p"), (nil, "a"), (nil, nil), (nil, nil),
    ] as [(String?, String?)] {
      rate.add(writer: writer, page: page, numerator: 1, denominator: 2)
    }
    // The writer a; the pages p and a; two inks alone.
    #expect(rate.clusterCount == 5)
    #expect(rate.byWriter.keys.sorted() == ["a"])
    #expect(rate.byWriter["a"]?.denominator == 4)
    #expect(rate.rate == 0.5)
  }

  @Test("Writers that differ widen the interval beyond that of independent samples")
  func clusters() throws {
    var (byWriter, byInk) = (ClusteredRate(), ClusteredRate())
    for writer in 0..<20 {
      for _ in 0..<50 {
        let error: Double = writer % 4 == 0 ? 1 : 0
        byWriter.add(writer: "\(writer)", numerator: error)
        byInk.add(writer: nil, numerator: error)
      }
    }
    #expect(byWriter.clusterCount == 20)
    #expect(byInk.clusterCount == 1000)
    var generator = SeededGenerator(seed: 4)
    let wide = try #require(byWriter.interval(using: &generator))
    let narrow = try #require(byInk.interval(using: &generator))
    // The standard errors are sqrt(0.25 * 0.75 / 20) and sqrt(0.25 * 0.75 / 1000): a ratio of 7.
    #expect(wide.upper - wide.lower > 5 * (narrow.upper - narrow.lower), "seed 4")
  }

  @Test("A 90 % interval of a mean holds the truth in about 90 % of experiments")
  func covers() throws {
    let seed: UInt64 = 6
    var generator = SeededGenerator(seed: seed)
    var held = 0
    for _ in 0..<200 {
      let clusters = (0..<40).map { _ in Double(generator.normal()) }
      let interval = try #require(
        BootstrapInterval(
          clusters: clusters, resamples: 300, confidence: 0.9, using: &generator
        ) { $0.reduce(0, +) / Double($0.count) })
      if interval.lower <= 0 && interval.upper >= 0 { held += 1 }
    }
    // Binomial: 180 ± 3 x 4.2, and percentile intervals of 40 clusters are slightly narrow.
    #expect((164...193).contains(held), "seed \(seed), \(held)")
  }

  @Test("Samples without a finite figure are left out")
  func nonFinite() throws {
    var generator = SeededGenerator(seed: 8)
    let interval = try #require(
      BootstrapInterval(clusters: [0.0, 1.0], resamples: 100, using: &generator) { drawn in
        drawn.reduce(0, +) == 0 ? .nan : 1
      })
    #expect(interval.resamples < 100 && interval.resamples > 50)
  }
}

@Suite("TemperatureScaling")
struct TemperatureScalingTests {
  /// The bracket ends at a relative change of 1e-12; this leaves room for the sums' rounding.
  static let tolerance = 1e-9

  @Test("Two classes have the temperature that follows from the accuracy")
  func byHand() {
    // Logit difference 1, right 3 times of 4: sigmoid(1/T) = 3/4, T = 1/ln 3.
    let temperature = TemperatureScaling.temperature(
      logits: [1, 0, 1, 0, 1, 0, 1, 0], classCount: 2, labels: [0, 0, 1, 0])
    #expect(abs(temperature - 1 / log(3)) < Self.tolerance)
  }

  @Test("Logits multiplied by a number multiply the temperature by it")
  func scales() {
    let seed: UInt64 = 12
    var generator = SeededGenerator(seed: seed)
    let (logits, labels) = Self.sampled(&generator, rows: 2000, classCount: 5)
    let base = TemperatureScaling.temperature(logits: logits, classCount: 5, labels: labels)
    // The labels are drawn from the softmax itself; the standard error is about 0.03.
    #expect(abs(base - 1) < 0.1, "seed \(seed), \(base)")
    for factor in [Float(0.25), 4] {
      let scaled = TemperatureScaling.temperature(
        logits: logits.map { $0 * factor }, classCount: 5, labels: labels)
      #expect(abs(scaled / (base * Double(factor)) - 1) < Self.tolerance, "seed \(seed)")
    }
  }

  @Test("Temperatures on both sides of the fitted one are less likely")
  func isMinimum() throws {
    let seed: UInt64 = 13
    var generator = SeededGenerator(seed: seed)
    let (logits, labels) = Self.sampled(&generator, rows: 300, classCount: 7)
    func loss(_ temperature: Double) throws -> Double {
      try #require(
        TemperatureScaling.negativeLogLikelihood(
          logits: logits, classCount: 7, labels: labels, temperature: temperature))
    }
    let fitted = TemperatureScaling.temperature(logits: logits, classCount: 7, labels: labels)
    for factor in [0.5, 0.99, 1.01, 2] {
      #expect(try loss(fitted) < loss(fitted * factor), "seed \(seed)")
    }
  }

  @Test("Rows that are all right or all wrong give an end of the range")
  func separable() {
    #expect(
      TemperatureScaling.temperature(logits: [1, 0, 0, 2], classCount: 2, labels: [0, 1])
        == TemperatureScaling.range.lowerBound)
    #expect(
      TemperatureScaling.temperature(logits: [1, 0, 0, 2], classCount: 2, labels: [1, 0])
        == TemperatureScaling.range.upperBound)
  }

  @Test("Without usable rows the temperature is 1")
  func degenerate() {
    func fit(_ logits: [Float], _ classCount: Int, _ labels: [Int]) -> Double {
      TemperatureScaling.temperature(logits: logits, classCount: classCount, labels: labels)
    }
    #expect(fit([], 2, []) == 1)
    #expect(fit([1, 2], 0, [0]) == 1)
    #expect(fit([3, 3, 3, 3], 2, [0, 1]) == 1)
    #expect(fit([5, 6], 1, [0, 0]) == 1)
    #expect(fit([.nan, 1, .infinity, 0], 2, [0, 0]) == 1)
    #expect(fit([1, 0, 1, 0], 2, [2, -1]) == 1)
    #expect(fit([1], 2, [0]) == 1)
  }

  @Test("Unusable rows change nothing")
  func mixed() {
    let clean = TemperatureScaling.temperature(
      logits: [1, 0, 1, 0, 1, 0, 1, 0], classCount: 2, labels: [0, 0, 1, 0])
    let mixed = TemperatureScaling.temperature(
      logits: [1, 0, .nan, 0, 1, 0, 1, 0, 1, 0, 9, 0, 7], classCount: 2,
      labels: [0, 0, 0, 1, 0, 5, 0])
    #expect(mixed == clean)
  }

  @Test("Logits as large as Float allows neither trap nor give NaN")
  func extreme() {
    let big = Float.greatestFiniteMagnitude
    let temperature = TemperatureScaling.temperature(
      logits: [big, -big, big, -big, 1, 0], classCount: 2, labels: [0, 1, 0])
    #expect(TemperatureScaling.range.contains(temperature))
  }

  private static func sampled(
    _ generator: inout SeededGenerator, rows: Int, classCount: Int
  ) -> (logits: [Float], labels: [Int]) {
    var logits: [Float] = []
    var labels: [Int] = []
    for _ in 0..<rows {
      let row = (0..<classCount).map { _ in 2 * generator.normal() }
      let weights = row.map { exp(Double($0)) }
      var rest = Double(generator.uniform()) * weights.reduce(0, +)
      var label = 0
      while label < classCount - 1, rest >= weights[label] {
        rest -= weights[label]
        label += 1
      }
      logits += row
      labels.append(label)
    }
    return (logits, labels)
  }
}
