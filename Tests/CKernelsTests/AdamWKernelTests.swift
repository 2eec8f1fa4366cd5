import CKernels
import Foundation
import InkCore
import Testing

func exponential(_ x: Double) -> Double { exp(x) }
func logarithm(_ x: Double) -> Double { log(x) }

@Suite("AdamW kernel")
struct AdamWKernelTests {
  /// Weights of about 1 after seven steps of about 0.01.
  private let tolerance = 2e-6
  private let seed: UInt64 = 43

  @Test("Seven steps give the weights, moments and average of the paper's algorithm")
  func steps() {
    var generator = SeededGenerator(seed: seed)
    let count = 37
    let (beta1, beta2, rate, decay, epsilon) = (0.9, 0.99, 0.01, 0.1, 1e-8)
    let (clip, averaging) = (0.5, 0.75)
    var w = randomFloats(count, &generator)
    var m = [Float](repeating: 0, count: count)
    var v = m
    var average = w
    var reference = w.map { Reference(weight: Double($0), average: Double($0)) }
    for step in 1...7 {
      let g = randomFloats(count, &generator)
      let correction1 = 1 - pow(beta1, Double(step))
      let correction2 = (1 - pow(beta2, Double(step))).squareRoot()
      ck_adamw(
        &w, g, &m, &v, &average, count, Float(clip), Float(beta1), Float(beta2),
        Float(rate * correction2 / correction1), Float(epsilon * correction2),
        Float(1 - rate * decay), Float(averaging))
      for index in 0..<count {
        // Loshchilov and Hutter 2019, algorithm 2, with the decay scaled by the learning rate.
        let gradient = Double(g[index]) * clip
        reference[index].m = beta1 * reference[index].m + (1 - beta1) * gradient
        reference[index].v = beta2 * reference[index].v + (1 - beta2) * gradient * gradient
        let first = reference[index].m / correction1
        let second = reference[index].v / (correction2 * correction2)
        reference[index].weight -=
          rate * first / (second.squareRoot() + epsilon) + rate * decay * reference[index].weight
        reference[index].average =
          averaging * reference[index].average + (1 - averaging) * reference[index].weight
      }
    }
    #expect(largestError(w, reference.map(\.weight)) < tolerance, "seed \(seed)")
    #expect(largestError(m, reference.map(\.m)) < tolerance, "seed \(seed)")
    #expect(largestError(v, reference.map(\.v)) < tolerance, "seed \(seed)")
    #expect(largestError(average, reference.map(\.average)) < tolerance, "seed \(seed)")
  }

  @Test("A weight without gradient and decay stays the same")
  func nothing() {
    var (w, m, v, average): ([Float], [Float], [Float], [Float]) = ([2], [0], [0], [4])
    ck_adamw(&w, [0], &m, &v, &average, 1, 1, 0.9, 0.99, 0.1, 1e-8, 1, 0.5)
    #expect(w == [2])
    #expect(average == [3])
  }

  private struct Reference {
    var weight: Double
    var average: Double
    var m = 0.0
    var v = 0.0
  }
}
