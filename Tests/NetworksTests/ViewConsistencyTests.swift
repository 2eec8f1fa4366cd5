import Foundation
import InkCore
import LinearAlgebra
import Testing

@testable import Networks

@Suite struct ViewConsistencyTests {
  /// Half the sum of both divergences, each with its first distribution held fixed.
  private func divergence(
    _ logits: [[Double]], _ other: [[Double]], fixed: ([[Double]], [[Double]])
  ) -> Double {
    func logSoftmax(_ row: [Double]) -> [Double] {
      let sum = log(row.reduce(0) { $0 + exp($1) })
      return row.map { $0 - sum }
    }
    func divergence(_ targets: [[Double]], _ logits: [[Double]]) -> Double {
      zip(targets, logits).reduce(0) { sum, pair in
        let (target, found) = (logSoftmax(pair.0), logSoftmax(pair.1))
        return sum + zip(target, found).reduce(0) { $0 + exp($1.0) * ($1.0 - $1.1) }
      }
    }
    return (divergence(fixed.1, logits) + divergence(fixed.0, other)) / 2
  }

  @Test func theGradientIsThatOfTheDivergence() {
    let (classes, lengths) = (5, [7, 4, 4, 2])
    let layout = PackedSequences()
    layout.set(lengths: lengths)
    var generator = SeededGenerator(seed: 3)
    let logits = (0..<(layout.rows * classes)).map { _ in Double(generator.normal()) }
    func view(_ sequence: Int, _ values: [Double]) -> [[Double]] {
      (0..<lengths[sequence]).map { step in
        let row = layout.row(sequence: sequence, step: step) * classes
        return Array(values[row..<(row + classes)])
      }
    }
    var logProbabilities = logits.map(Float.init)
    var gradients = [Float](repeating: 1, count: logits.count)
    var consistency = ViewConsistency()
    logProbabilities.withUnsafeMutableBufferPointer { buffer in
      guard let pointer = buffer.baseAddress else { return }
      Kernels.logSoftmax(pointer, rows: layout.rows, columns: classes)
      consistency.load(pointer, classes: classes, first: 1, of: layout, scale: 3)
    }
    gradients.withUnsafeMutableBufferPointer { buffer in
      guard let pointer = buffer.baseAddress else { return }
      consistency.addGradients(to: pointer, classes: classes, first: 1, of: layout)
    }
    let fixed = (view(1, logits), view(2, logits))
    let step = 1e-5
    for index in logits.indices {
      var (more, less) = (logits, logits)
      more[index] += step
      less[index] -= step
      let slope =
        (divergence(view(1, more), view(2, more), fixed: fixed)
          - divergence(view(1, less), view(2, less), fixed: fixed)) / (2 * step)
      // The other sequences have no part in it.
      #expect(abs(Double(gradients[index]) - 1 - 3 * slope) < 1e-5, "seed 3, element \(index)")
    }
  }
}
