import Foundation
import Metrics
import Testing

@Suite("Monotone fit")
struct MonotoneFitTests {
  @Test("follows the curve that outcomes were drawn from, and never falls")
  func recovers() {
    let seed: UInt64 = 11
    var state = seed
    func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    // Flat beyond 2: what is certain is right nine times in ten.
    func probability(_ x: Double) -> Double { min(0.9, max(0.1, 0.5 + 0.2 * x)) }
    let samples = (0..<60_000).map { _ in
      let x = 12 * uniform() - 4
      return (x: x, isTrue: uniform() < probability(x))
    }
    let fit = MonotoneFit(samples)
    #expect((6...12).contains(fit.x.count) && fit.y.count == fit.x.count)
    #expect(zip(fit.x, fit.x.dropFirst()).allSatisfy(<))
    #expect(zip(fit.y, fit.y.dropFirst()).allSatisfy(<))
    for (x, y) in zip(fit.x, fit.y) {
      #expect(abs(y - probability(x)) < 0.05, "seed \(seed): \(y) at \(x)")
    }
  }

  @Test("few samples, equal numbers and one outcome give probabilities inside 0 and 1")
  func degenerate() {
    #expect(MonotoneFit([]).x.isEmpty)
    let same = MonotoneFit((0..<100).map { (x: 9.2, isTrue: $0 % 4 != 0) })
    #expect(same.x.count == 1 && abs(same.y[0] - 0.75) < 0.02)
    for samples in [
      [(x: 3.0, isTrue: true)], [(-2, true), (2, false)], [(-2, false), (2, true)],
    ] {
      let fit = MonotoneFit(samples)
      #expect(fit.y.allSatisfy { $0 > 0 && $0 < 1 })
      #expect(zip(fit.y, fit.y.dropFirst()).allSatisfy(<=))
    }
  }
}
