import Foundation

/// The layers of a ``KindModel``.
///
/// Each stroke's values become a vector (`H`). Twice, each stroke gets messages from its neighbours,
/// of which it keeps the mean and the largest, and the mean of all strokes of the page. A softmax
/// over the kinds follows. Shapes: `N` strokes, `M` neighbours each, `F` values of a stroke, `E` of a
/// neighbour, `D` hidden values, `K` kinds. Matrices are stored by input, so that the inner loops run
/// over contiguous outputs.
package struct KindNetwork: Sendable {
  package static let F = StrokeFeatures.ownCount
  package static let E = StrokeFeatures.edgeCount
  package static let M = StrokeFeatures.neighbourCount
  package static let D = 48
  package static let H = 32
  package static let K = 11
  package static let rounds = 2

  /// A matrix of parameters.
  package struct Block: Sendable {
    package let start: Int
    package let inputs: Int
    package let outputs: Int
    package var count: Int { inputs * outputs }
  }

  /// The matrices of one round of messages.
  package struct Round: Sendable {
    /// From the neighbour, from the stroke itself, from the values of the pair; and the bias.
    package let other: Block
    package let own: Block
    package let edge: Block
    package let bias: Block
    /// From the stroke itself, the mean message, the largest message, and the page; and the bias.
    package let keep: Block
    package let mean: Block
    package let most: Block
    package let page: Block
    package let update: Block
  }

  package static let first = Block(start: 0, inputs: F, outputs: D)
  package static let firstBias = after(first, 1, D)
  package static let second = after(firstBias, D, H)
  package static let secondBias = after(second, 1, H)
  package static let roundBlocks: [Round] = {
    var blocks: [Round] = []
    var last = secondBias
    func next(_ inputs: Int, _ outputs: Int) -> Block {
      last = after(last, inputs, outputs)
      return last
    }
    for _ in 0..<rounds {
      blocks.append(
        Round(
          other: next(H, H), own: next(H, H), edge: next(E, H), bias: next(1, H), keep: next(H, H),
          mean: next(H, H), most: next(H, H), page: next(H, H), update: next(1, H)))
    }
    return blocks
  }()
  package static let output = after(roundBlocks[rounds - 1].update, H, K)
  package static let outputBias = after(output, 1, K)
  /// All matrices in the order in which they are stored.
  package static let blocks: [Block] =
    [first, firstBias, second, secondBias]
    + roundBlocks.flatMap {
      [$0.other, $0.own, $0.edge, $0.bias, $0.keep, $0.mean, $0.most, $0.page, $0.update]
    } + [output, outputBias]
  package static let parameterCount = outputBias.start + outputBias.count

  private static func after(_ block: Block, _ inputs: Int, _ outputs: Int) -> Block {
    Block(start: block.start + block.count, inputs: inputs, outputs: outputs)
  }

  /// All parameters, by ``blocks``.
  package var parameters: [Float]

  /// Makes a network of these parameters, ``parameterCount`` of them.
  package init(parameters: [Float]) { self.parameters = parameters }

  /// The values of one round, as training needs them.
  package struct RoundValues: Sendable {
    /// N x H: the sum that the messages of a stroke share; N x H: the part of the neighbour.
    package var base: [Float]
    package var other: [Float]
    /// N x M x H: the messages.
    package var messages: [Float]
    package var mean: [Float]
    package var most: [Float]
    /// H: the mean of all strokes.
    package var page: [Float]
    /// N x H: what the round adds, and the state after it.
    package var added: [Float]
    package var state: [Float]
  }

  /// All values of a page.
  package struct Values: Sendable {
    /// N x D and N x H.
    package var hidden: [Float]
    package var state: [Float]
    package var rounds: [RoundValues]
    /// N x K: probabilities.
    package var probabilities: [Float]
  }

  /// Computes the probabilities of all strokes. O(strokes).
  package func values(_ features: StrokeFeatures) -> Values {
    let count = features.count
    var hidden = [Float](repeating: 0, count: count * Self.D)
    add(Self.firstBias, to: &hidden, rows: count)
    multiply(features.own, Self.first, into: &hidden, rows: count)
    Self.rectify(&hidden)
    var state = [Float](repeating: 0, count: count * Self.H)
    add(Self.secondBias, to: &state, rows: count)
    multiply(hidden, Self.second, into: &state, rows: count)
    Self.rectify(&state)
    var rounds: [RoundValues] = []
    for blocks in Self.roundBlocks {
      rounds.append(round(blocks, rounds.last?.state ?? state, features))
    }
    var scores = [Float](repeating: 0, count: count * Self.K)
    add(Self.outputBias, to: &scores, rows: count)
    multiply(rounds.last?.state ?? state, Self.output, into: &scores, rows: count)
    Self.normalize(&scores)
    return Values(hidden: hidden, state: state, rounds: rounds, probabilities: scores)
  }

  private func round(
    _ blocks: Round, _ state: [Float], _ features: StrokeFeatures
  ) -> RoundValues {
    let (count, H, M) = (features.count, Self.H, Self.M)
    var base = [Float](repeating: 0, count: count * H)
    add(blocks.bias, to: &base, rows: count)
    multiply(state, blocks.own, into: &base, rows: count)
    var other = [Float](repeating: 0, count: count * H)
    multiply(state, blocks.other, into: &other, rows: count)
    var messages = [Float](repeating: 0, count: count * M * H)
    multiply(features.edges, blocks.edge, into: &messages, rows: count * M)
    var mean = [Float](repeating: 0, count: count * H)
    var most = [Float](repeating: 0, count: count * H)
    messages.withUnsafeMutableBufferPointer { messages in
      mean.withUnsafeMutableBufferPointer { mean in
        most.withUnsafeMutableBufferPointer { most in
          base.withUnsafeBufferPointer { base in
            other.withUnsafeBufferPointer { other in
              for stroke in 0..<count {
                var number = 0
                for place in 0..<M {
                  let row = (stroke * M + place) * H
                  let neighbour = Int(features.neighbours[stroke * M + place])
                  guard neighbour >= 0 else {
                    for h in 0..<H { messages[row + h] = 0 }
                    continue
                  }
                  number += 1
                  for h in 0..<H {
                    let value = max(
                      messages[row + h] + base[stroke * H + h] + other[neighbour * H + h], 0)
                    messages[row + h] = value
                    mean[stroke * H + h] += value
                    most[stroke * H + h] = max(most[stroke * H + h], value)
                  }
                }
                let share = 1 / Float(max(number, 1))
                for h in 0..<H { mean[stroke * H + h] *= share }
              }
            }
          }
        }
      }
    }
    var page = [Float](repeating: 0, count: H)
    for stroke in 0..<count { for h in 0..<H { page[h] += state[stroke * H + h] } }
    for h in 0..<H { page[h] /= Float(max(count, 1)) }
    var ofPage = [Float](repeating: 0, count: H)
    add(blocks.update, to: &ofPage, rows: 1)
    multiply(page, blocks.page, into: &ofPage, rows: 1)
    var added = [Float](repeating: 0, count: count * H)
    for stroke in 0..<count { for h in 0..<H { added[stroke * H + h] = ofPage[h] } }
    multiply(state, blocks.keep, into: &added, rows: count)
    multiply(mean, blocks.mean, into: &added, rows: count)
    multiply(most, blocks.most, into: &added, rows: count)
    Self.rectify(&added)
    var result = state
    for index in result.indices { result[index] += added[index] }
    return RoundValues(
      base: base, other: other, messages: messages, mean: mean, most: most, page: page,
      added: added, state: result)
  }

  // MARK: - Parts

  private func add(_ bias: Block, to values: inout [Float], rows: Int) {
    let width = bias.outputs
    for row in 0..<rows {
      for column in 0..<width { values[row * width + column] += parameters[bias.start + column] }
    }
  }

  /// Adds the product of rows and a matrix.
  private func multiply(
    _ rows: [Float], _ block: Block, into result: inout [Float], rows count: Int
  ) {
    parameters.withUnsafeBufferPointer { parameters in
      guard let base = parameters.baseAddress else { return }
      Self.multiply(
        rows, base + block.start, inputs: block.inputs, outputs: block.outputs, into: &result,
        rows: count)
    }
  }

  /// Adds the product of rows (rows x inputs) and a matrix (inputs x outputs).
  package static func multiply(
    _ rows: [Float], _ matrix: UnsafePointer<Float>, inputs: Int, outputs: Int,
    into result: inout [Float], rows count: Int
  ) {
    rows.withUnsafeBufferPointer { rows in
      result.withUnsafeMutableBufferPointer { result in
        guard let source = rows.baseAddress, let target = result.baseAddress else { return }
        for row in 0..<count {
          let x = source + row * inputs
          let y = target + row * outputs
          var input = 0
          while input + 4 <= inputs {
            let (a, b, c, d) = (x[input], x[input + 1], x[input + 2], x[input + 3])
            let w = matrix + input * outputs
            input += 4
            // Half of all values behind a rectifier are 0.
            if a == 0, b == 0, c == 0, d == 0 { continue }
            for output in 0..<outputs {
              y[output] +=
                a * w[output] + b * w[outputs + output] + c * w[2 * outputs + output] + d
                * w[3 * outputs + output]
            }
          }
          while input < inputs {
            let (a, w) = (x[input], matrix + input * outputs)
            for output in 0..<outputs { y[output] += a * w[output] }
            input += 1
          }
        }
      }
    }
  }

  private static func rectify(_ values: inout [Float]) {
    for index in values.indices { values[index] = max(values[index], 0) }
  }

  /// Turns scores into probabilities.
  private static func normalize(_ scores: inout [Float]) {
    for start in stride(from: 0, to: scores.count, by: K) {
      var most = scores[start]
      for index in start..<(start + K) { most = max(most, scores[index]) }
      var sum: Float = 0
      for index in start..<(start + K) {
        scores[index] = exp(scores[index] - most)
        sum += scores[index]
      }
      for index in start..<(start + K) { scores[index] /= sum }
    }
  }
}
