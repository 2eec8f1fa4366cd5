import Foundation
import InkCore
import LinearAlgebra
import Testing

@Suite("Products in 8 bits")
struct EightBitUnitTests {
  private let seed: UInt64 = 71

  /// Units to compare with the plain version.
  private static let others = EightBitUnit.available.filter { $0 != .plain }

  /// The values of a matrix.
  enum Values: CaseIterable {
    /// Numbers of -1 ... 1.
    case usual
    /// The largest products that there are: all integers are 127 or -127.
    case extreme
    /// Infinities, NaN, zeros and the smallest numbers.
    case strange

    func next(_ generator: inout SeededGenerator) -> Float {
      switch self {
      case .usual: 2 * generator.uniform() - 1
      case .extreme: generator.uniform() < 0.5 ? 1e30 : -1e30
      case .strange:
        [.infinity, -.infinity, .nan, 0, Float(bitPattern: 700), .leastNonzeroMagnitude, 1, -3][
          generator.index(below: 8)]
      }
    }
  }

  /// Rows, columns and inner size: less than a vector, whole ones, parts of them, one more.
  private static let sizes = [
    (1, 1, 1), (2, 3, 2), (3, 15, 5), (4, 16, 16), (5, 17, 17), (7, 33, 64), (2, 64, 96),
    (9, 65, 127), (3, 100, 240), (1, 393, 256), (6, 128, 129), (2, 48, 1001),
  ]

  private func buffer(
    _ count: Int, _ values: Values, _ generator: inout SeededGenerator
  ) -> AlignedBuffer {
    AlignedBuffer((0..<count).map { _ in values.next(&generator) })
  }

  /// True if both have the same bits; every NaN is like every other.
  private func areSame(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN }
  }

  @Test("All units give the bits of the plain version", arguments: Values.allCases)
  func products(_ values: Values) {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns, inner) in Self.sizes {
      let a = buffer(rows * inner, values, &generator)
      // A NaN among the weights counts as 0, so that sums stay within their limits.
      let b = buffer(inner * columns, values, &generator)
      let bias = buffer(columns, .usual, &generator)
      let memory = AlignedBuffer(count: EightBitFactor.count(inner: inner, columns: columns))
      let factor = EightBitFactor(
        Matrix(b.pointer, rows: inner, columns: columns), bias: UnsafePointer(bias.pointer),
        in: memory.pointer)
      let scratch = AlignedBuffer(
        count: EightBitFactor.activationCount(rows: rows, columns: inner))
      for relu in [false, true] {
        func result(_ unit: EightBitUnit) -> [Float] {
          let c = AlignedBuffer([Float](repeating: 7, count: rows * columns))
          factor.multiply(
            Matrix(a.pointer, rows: rows, columns: inner), into: c.pointer, relu: relu,
            scratch: scratch.pointer, on: unit)
          return c.values
        }
        let plain = result(.plain)
        for unit in Self.others {
          #expect(
            areSame(plain, result(unit)), "\(unit), \(rows) x \(inner) x \(columns), \(seed)")
        }
      }
    }
  }

  @Test("A product differs from that in double precision by the rounding of its factors")
  func accuracy() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns, inner) in Self.sizes {
      let a = buffer(rows * inner, .usual, &generator)
      let b = buffer(inner * columns, .usual, &generator)
      let bias = buffer(columns, .usual, &generator)
      let memory = AlignedBuffer(count: EightBitFactor.count(inner: inner, columns: columns))
      let factor = EightBitFactor(
        Matrix(b.pointer, rows: inner, columns: columns), bias: UnsafePointer(bias.pointer),
        in: memory.pointer)
      let scratch = AlignedBuffer(
        count: EightBitFactor.activationCount(rows: rows, columns: inner))
      let c = AlignedBuffer(count: rows * columns)
      factor.multiply(
        Matrix(a.pointer, rows: rows, columns: inner), into: c.pointer, scratch: scratch.pointer,
        on: .fastest)
      // An activation of 1 is rounded by up to 1 / 254. The scale of a weight is that of a sum of two
      // of up to 2, so that it is rounded by up to 1 / 127. Rounding errors add up like the square
      // root; 0.01 for each product is twice the deviation of both.
      let tolerance = 0.01 * Double(inner).squareRoot() + 0.01
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = Double(bias.pointer[column])
          for k in 0..<inner {
            sum += Double(a.pointer[row * inner + k]) * Double(b.pointer[k * columns + column])
          }
          let error = abs(sum - Double(c.pointer[row * columns + column]))
          #expect(error < tolerance, "\(rows) x \(inner) x \(columns): \(error), seed \(seed)")
        }
      }
    }
  }

  @Test("Small integers are exact")
  func integers() {
    // The largest sum of a pair of weights is 127, and the largest activation of each row.
    let a = AlignedBuffer([127, -3, 5, -127, 0, 64])
    let b = AlignedBuffer([100, -27, 7, 0, 27, 100, -8, 127, 1, 0, -127, 1])
    let memory = AlignedBuffer(count: EightBitFactor.count(inner: 3, columns: 4))
    let factor = EightBitFactor(
      Matrix(b.pointer, rows: 3, columns: 4), bias: nil, in: memory.pointer)
    let scratch = AlignedBuffer(count: EightBitFactor.activationCount(rows: 2, columns: 3))
    for unit in EightBitUnit.available {
      let c = AlignedBuffer(count: 8)
      factor.multiply(
        Matrix(a.pointer, rows: 2, columns: 3), into: c.pointer, scratch: scratch.pointer, on: unit)
      // Column 2: pairs of 7 - 8 and -127; its scale is 1, as that of all columns.
      let first: [Float] = [
        127 * 100 - 3 * 27 + 5, -127 * 27 - 3 * 100, 127 * 7 + 3 * 8 - 5 * 127, -3 * 127 + 5,
      ]
      let second: [Float] = [-127 * 100 + 64, 127 * 27, -127 * 7 - 64 * 127, 64]
      #expect(c.values == first + second, "\(unit)")
    }
  }

  @Test("Products in single precision have the bits of the plain version, and are near the sums")
  func single() {
    var generator = SeededGenerator(seed: seed)
    for (rows, columns, inner) in Self.sizes {
      let a = buffer(rows * inner, .usual, &generator)
      let b = buffer(inner * columns, .usual, &generator)
      let bias = buffer(columns, .usual, &generator)
      for relu in [false, true] {
        func result(_ unit: EightBitUnit) -> [Float] {
          let c = AlignedBuffer([Float](repeating: 7, count: rows * columns))
          unit.multiply(
            Matrix(a.pointer, rows: rows, columns: inner),
            Matrix(b.pointer, rows: inner, columns: columns), bias: bias.pointer, into: c.pointer,
            relu: relu)
          return c.values
        }
        let plain = result(.plain)
        for unit in Self.others {
          #expect(
            areSame(plain, result(unit)), "\(unit), \(rows) x \(inner) x \(columns), \(seed)")
        }
        for column in 0..<columns {
          let sum = (0..<inner).reduce(Double(bias.pointer[column])) {
            $0 + Double(a.pointer[$1]) * Double(b.pointer[$1 * columns + column])
          }
          // A thousand sums of numbers below 100 in single precision.
          #expect(abs(Double(plain[column]) - (relu ? max(0, sum) : sum)) < 1e-3)
        }
      }
    }
  }

  // MARK: - LSTM

  /// The rows of each step: sequences of at most seven steps.
  private func starts(_ batch: Int) -> [Int32] {
    let lengths = (0..<batch).map { 7 - $0 / 2 }
    return (0..<7).reduce(into: [0]) { starts, step in
      starts.append(starts[step] + Int32(lengths.count { $0 > step }))
    }
  }

  /// The output of a layer with these values as gates and as weights.
  private func output(
    hidden: Int, directions: Int, batch: Int, _ values: Values, weight: Float, seed: UInt64,
    on unit: EightBitUnit
  ) -> (output: [Float], gates: [Float]) {
    var generator = SeededGenerator(seed: seed)
    let size = EightBitFactor.count(inner: hidden, columns: 4 * hidden, hidden: hidden)
    let memory = AlignedBuffer(count: size * directions)
    let factors = (0..<directions).map { direction in
      let weights = AlignedBuffer(
        (0..<4 * hidden * hidden).map { _ in weight * (2 * generator.uniform() - 1) })
      return EightBitFactor(
        Matrix(weights.pointer, rows: hidden, columns: 4 * hidden), bias: nil, hidden: hidden,
        isRecurrent: true, in: memory.pointer + size * direction)
    }
    let starts = starts(batch)
    let rows = Int(starts[starts.count - 1])
    let gates = buffer(rows * directions * factors[0].packedColumns, values, &generator)
    // The layer overwrites them.
    let before = gates.values
    let output = AlignedBuffer(count: rows * directions * hidden)
    let scratch = AlignedBuffer(
      count: EightBitLayer.scratchCount(hidden: hidden, directions: directions, batch: batch))
    EightBitLayer(factors).run(
      gates.pointer, into: output.pointer, starts: starts, batch: batch, scratch: scratch.pointer,
      on: unit)
    withExtendedLifetime(memory) {}
    return (output.values, before)
  }

  @Test("All units give the hidden states of the plain version", arguments: Values.allCases)
  func layers(_ values: Values) {
    for (index, hidden) in [1, 5, 15, 16, 17, 24, 33, 64, 128, 129, 200].enumerated() {
      for directions in 1...2 {
        let batch = 1 + index % 5
        let weight: Float = values == .usual ? 0.3 : 5
        func result(_ unit: EightBitUnit) -> [Float] {
          output(
            hidden: hidden, directions: directions, batch: batch, values, weight: weight,
            seed: seed, on: unit
          ).output
        }
        let plain = result(.plain)
        #expect(values == .strange || plain.allSatisfy { abs($0) <= 1 })
        #expect(values != .usual || Set(plain).count > hidden)
        for unit in Self.others {
          #expect(areSame(plain, result(unit)), "\(unit), \(hidden) units, \(seed)")
        }
      }
    }
  }

  @Test("Without recurrent weights, each step is a formula of its gates and cells")
  func formula() {
    let hidden = 17
    let (output, gates) = output(
      hidden: hidden, directions: 1, batch: 1, .usual, weight: 0, seed: seed, on: .fastest)
    func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
    let columns = gates.count / 7
    for unit in 0..<hidden {
      var cell = 0.0
      for step in 0..<7 {
        // The gates of 16 units are adjacent. Arguments of sigmoids are halved.
        func gate(_ index: Int) -> Double {
          Double(gates[step * columns + unit / 16 * 64 + index * 16 + unit % 16])
        }
        cell = sigmoid(2 * gate(1)) * cell + sigmoid(2 * gate(0)) * tanh(gate(2))
        let expected = sigmoid(2 * gate(3)) * tanh(cell)
        // The error of tanh, in four places and several steps.
        #expect(abs(Double(output[step * hidden + unit]) - expected) < 5e-5, "seed \(seed)")
      }
    }
  }
}
