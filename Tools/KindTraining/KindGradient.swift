import Layout

/// The gradient of the loss of a page by the parameters of a ``KindNetwork``.
struct KindGradient {
  private typealias Network = KindNetwork

  /// The matrices, transposed.
  private let transposed: [Float]
  private let network: KindNetwork

  init(_ network: KindNetwork) {
    self.network = network
    var transposed = network.parameters
    for block in KindNetwork.blocks {
      for input in 0..<block.inputs {
        for output in 0..<block.outputs {
          transposed[block.start + output * block.inputs + input] =
            network.parameters[block.start + input * block.outputs + output]
        }
      }
    }
    self.transposed = transposed
  }

  /// Adds the gradient of a page.
  ///
  /// - Parameters:
  ///   - kinds: The true kind of each row of the features.
  ///   - weights: The weight of each kind in the loss.
  /// - Returns: The loss, a sum over the strokes.
  func add(
    _ features: StrokeFeatures, kinds: [Int], weights: [Float], to gradient: inout [Float]
  ) -> Float {
    let values = network.values(features)
    let (count, H, K, M) = (features.count, KindNetwork.H, KindNetwork.K, KindNetwork.M)
    var loss: Float = 0
    var scores = values.probabilities
    for row in 0..<count {
      let weight = weights[kinds[row]]
      loss -= weight * logarithm(max(scores[row * K + kinds[row]], 1e-9))
      scores[row * K + kinds[row]] -= 1
      for k in 0..<K { scores[row * K + k] *= weight }
    }
    let last = values.rounds[KindNetwork.rounds - 1].state
    outer(last, scores, KindNetwork.output, count, &gradient)
    sum(scores, KindNetwork.outputBias, count, &gradient)
    var state = [Float](repeating: 0, count: count * H)
    back(scores, KindNetwork.output, count, &state)

    for index in stride(from: KindNetwork.rounds - 1, through: 0, by: -1) {
      let blocks = KindNetwork.roundBlocks[index]
      let round = values.rounds[index]
      let before = index > 0 ? values.rounds[index - 1].state : values.state
      var added = state
      for place in added.indices where round.added[place] <= 0 { added[place] = 0 }
      outer(before, added, blocks.keep, count, &gradient)
      outer(round.mean, added, blocks.mean, count, &gradient)
      outer(round.most, added, blocks.most, count, &gradient)
      sum(added, blocks.update, count, &gradient)
      var whole = [Float](repeating: 0, count: H)
      for row in 0..<count { for h in 0..<H { whole[h] += added[row * H + h] } }
      outer(round.page, whole, blocks.page, 1, &gradient)
      var page = [Float](repeating: 0, count: H)
      back(whole, blocks.page, 1, &page)
      var mean = [Float](repeating: 0, count: count * H)
      var most = [Float](repeating: 0, count: count * H)
      back(added, blocks.mean, count, &mean)
      back(added, blocks.most, count, &most)
      back(added, blocks.keep, count, &state)
      for row in 0..<count {
        for h in 0..<H { state[row * H + h] += page[h] / Float(count) }
      }
      var messages = [Float](repeating: 0, count: count * M * H)
      var base = [Float](repeating: 0, count: count * H)
      var other = [Float](repeating: 0, count: count * H)
      for row in 0..<count {
        var number = 0
        for place in 0..<M where features.neighbours[row * M + place] >= 0 { number += 1 }
        let share = 1 / Float(max(number, 1))
        for place in 0..<M {
          let neighbour = Int(features.neighbours[row * M + place])
          guard neighbour >= 0 else { continue }
          let start = (row * M + place) * H
          for h in 0..<H where round.messages[start + h] > 0 {
            var value = mean[row * H + h] * share
            if round.messages[start + h] == round.most[row * H + h] { value += most[row * H + h] }
            messages[start + h] = value
            base[row * H + h] += value
            other[neighbour * H + h] += value
          }
        }
      }
      outer(features.edges, messages, blocks.edge, count * M, &gradient)
      outer(before, base, blocks.own, count, &gradient)
      outer(before, other, blocks.other, count, &gradient)
      sum(base, blocks.bias, count, &gradient)
      back(base, blocks.own, count, &state)
      back(other, blocks.other, count, &state)
    }

    for place in state.indices where values.state[place] <= 0 { state[place] = 0 }
    outer(values.hidden, state, KindNetwork.second, count, &gradient)
    sum(state, KindNetwork.secondBias, count, &gradient)
    var hidden = [Float](repeating: 0, count: count * KindNetwork.D)
    back(state, KindNetwork.second, count, &hidden)
    for place in hidden.indices where values.hidden[place] <= 0 { hidden[place] = 0 }
    outer(features.own, hidden, KindNetwork.first, count, &gradient)
    sum(hidden, KindNetwork.firstBias, count, &gradient)
    return loss
  }

  /// Adds the products of inputs and gradients of outputs.
  private func outer(
    _ inputs: [Float], _ outputs: [Float], _ block: KindNetwork.Block, _ rows: Int,
    _ gradient: inout [Float]
  ) {
    let (n, m) = (block.inputs, block.outputs)
    gradient.withUnsafeMutableBufferPointer { gradient in
      inputs.withUnsafeBufferPointer { inputs in
        outputs.withUnsafeBufferPointer { outputs in
          guard let g = gradient.baseAddress, let x = inputs.baseAddress,
            let y = outputs.baseAddress
          else { return }
          for row in 0..<rows {
            for input in 0..<n {
              let value = x[row * n + input]
              if value == 0 { continue }
              let target = g + block.start + input * m
              for output in 0..<m { target[output] += value * y[row * m + output] }
            }
          }
        }
      }
    }
  }

  private func sum(
    _ outputs: [Float], _ block: KindNetwork.Block, _ rows: Int, _ gradient: inout [Float]
  ) {
    for row in 0..<rows {
      for output in 0..<block.outputs {
        gradient[block.start + output] += outputs[row * block.outputs + output]
      }
    }
  }

  /// Adds the gradients of inputs.
  private func back(
    _ outputs: [Float], _ block: KindNetwork.Block, _ rows: Int, _ inputs: inout [Float]
  ) {
    transposed.withUnsafeBufferPointer { matrix in
      guard let base = matrix.baseAddress else { return }
      KindNetwork.multiply(
        outputs, base + block.start, inputs: block.outputs, outputs: block.inputs, into: &inputs,
        rows: rows)
    }
  }
}
