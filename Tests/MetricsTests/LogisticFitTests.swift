import Foundation
import Metrics
import Testing

@Suite("Logistic fit")
struct LogisticFitTests {
  @Test("finds the line that outcomes were drawn from")
  func recovers() {
    let seed: UInt64 = 11
    var state = seed
    func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    let samples = (0..<40_000).map { _ in
      let x = 12 * uniform() - 4
      return (x: x, isTrue: uniform() < 1 / (1 + exp(-(0.6 * x - 0.5))))
    }
    let fit = LogisticFit(samples)
    #expect(abs(fit.scale - 0.6) < 0.03, "seed \(seed): \(fit)")
    #expect(abs(fit.bias + 0.5) < 0.06, "seed \(seed): \(fit)")
  }

  @Test("stays finite without samples, with one outcome only, and where outcomes can be told apart")
  func degenerate() {
    #expect(LogisticFit([]).scale == 1 && LogisticFit([]).bias == 0)
    for samples in [
      [(x: 3.0, isTrue: true)], [(3, true), (4, true)], [(-2, false), (2, true)],
      [(0, true), (0, false)], [(9.2, true), (9.2, true), (9.2, false)],
    ] {
      let fit = LogisticFit(samples)
      #expect(fit.scale.isFinite && fit.bias.isFinite, "\(samples): \(fit)")
    }
    let same = LogisticFit([(9.2, true), (9.2, true), (9.2, true), (9.2, false)])
    #expect(abs(1 / (1 + exp(-(same.scale * 9.2 + same.bias))) - 0.75) < 0.01)
  }
}
