import Foundation
import InkCore
import LinearAlgebra
import Networks
import Testing

/// A line network written again in Double with plain loops, one sequence at a time.
private struct ReferenceSequenceNetwork {
  let network: SequenceNetwork
  var parameters: [Double]

  subscript(_ name: String, _ index: Int) -> Double {
    guard let tensor = network.parameters.first(where: { $0.name == name }) else { return .nan }
    return parameters[tensor.offset + index]
  }

  /// The logits [T', K] of x [T, C].
  func logits(_ x: [[Double]]) -> [[Double]] {
    var current = x
    let layers = network.architecture.layers + [.dense(units: network.architecture.classes)]
    for (index, layer) in layers.enumerated() {
      let name = "layers.\(index)."
      switch layer {
      case .convolution(let channels, let kernel, let stride):
        current = convolution(current, name, channels, kernel, stride).map { $0.map { max(0, $0) } }
      case .dense(let units):
        current = convolution(current, name, units, 1, 1)
      case .bidirectionalLSTM(let hidden):
        let forward = lstm(current, name, 0, of: 2, hidden)
        let backward = Array(lstm(current.reversed(), name, 1, of: 2, hidden).reversed())
        current = zip(forward, backward).map { $0 + $1 }
      case .lstm(let hidden):
        current = lstm(current, name, 0, of: 1, hidden)
      case .layerNormalization:
        current = current.map { normalization($0, name) }
      case .meanPool(let stride):
        current = means(current, of: stride)
      case .dropout:
        break
      }
    }
    return current
  }

  /// The means of each `stride` steps, the last one of those that are left.
  private func means(_ x: [[Double]], of stride: Int) -> [[Double]] {
    Swift.stride(from: 0, to: x.count, by: stride).map { first in
      let window = x[first..<min(first + stride, x.count)]
      return x[0].indices.map { channel in
        window.reduce(0) { $0 + $1[channel] } / Double(window.count)
      }
    }
  }

  private func normalization(_ x: [Double], _ name: String) -> [Double] {
    let mean = x.reduce(0, +) / Double(x.count)
    let variance = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.count)
    return x.enumerated().map { channel, value in
      (value - mean) / (variance + 1e-5).squareRoot() * self[name + "scale", channel]
        + self[name + "shift", channel]
    }
  }

  private func convolution(
    _ x: [[Double]], _ name: String, _ channels: Int, _ kernel: Int, _ stride: Int
  ) -> [[Double]] {
    Swift.stride(from: 0, to: x.count, by: stride).map { center in
      (0..<channels).map { out in
        var sum = self[name + "bias", out]
        for tap in 0..<kernel where x.indices.contains(center + tap - kernel / 2) {
          for (c, value) in x[center + tap - kernel / 2].enumerated() {
            sum += value * self[name + "weight", (tap * x[0].count + c) * channels + out]
          }
        }
        return sum
      }
    }
  }

  private func lstm(
    _ x: [[Double]], _ name: String, _ direction: Int, of directions: Int, _ hidden: Int
  ) -> [[Double]] {
    var h = [Double](repeating: 0, count: hidden)
    var cell = h
    let recurrent = name + (direction == 0 ? "forward" : "backward") + ".weight"
    return x.map { input in
      let gates = (0..<(4 * hidden)).map { gate in
        var sum = self[name + "bias", direction * 4 * hidden + gate]
        for (c, value) in input.enumerated() {
          let column = (c * directions + direction) * 4 * hidden + gate
          sum += value * self[name + "input.weight", column]
        }
        for (k, value) in h.enumerated() {
          sum += value * self[recurrent, k * 4 * hidden + gate]
        }
        return sum
      }
      for k in 0..<hidden {
        cell[k] =
          sigmoid(gates[hidden + k]) * cell[k] + sigmoid(gates[k]) * tanh(gates[2 * hidden + k])
        h[k] = sigmoid(gates[3 * hidden + k]) * tanh(cell[k])
      }
      return h
    }
  }

  private func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
}

private func logSoftmax(_ row: [Double]) -> [Double] {
  let largest = row.max() ?? 0
  let sum = row.reduce(0) { $0 + exp($1 - largest) }
  return row.map { $0 - largest - log(sum) }
}

/// -log of the summed probability of every alignment that reads as the labels.
private func bruteForceLoss(_ logits: [[Double]], _ labels: [Int32]) -> Double {
  let probabilities = logits.map { logSoftmax($0).map { exp($0) } }
  var total = 0.0
  func extend(_ step: Int, _ last: Int, _ read: [Int32], _ probability: Double) {
    guard step < probabilities.count else {
      if read == labels { total += probability }
      return
    }
    for (label, share) in probabilities[step].enumerated() {
      let adds = label != 0 && label != last
      extend(step + 1, label, adds ? read + [Int32(label)] : read, probability * share)
    }
  }
  extend(0, 0, [], 1)
  return -log(total)
}

/// Runs the loss kernel on one sequence: the loss and its gradient.
private func loss(_ logits: [[Double]], _ labels: [Int32]) -> (Double, [Float]) {
  let classes = logits[0].count
  let layout = PackedSequences()
  layout.set(lengths: [logits.count])
  let buffer = AlignedBuffer(logits.flatMap { $0.map(Float.init) })
  Kernels.logSoftmax(buffer.pointer, rows: logits.count, columns: classes)
  let scratch = AlignedBuffer(
    count: ConnectionistTemporalClassification.scratchCount(
      steps: logits.count, labels: labels.count))
  let value = ConnectionistTemporalClassification.loss(
    buffer.pointer, classes: classes, sequence: 0, of: layout, labels: labels,
    scratch: scratch.pointer, scale: 1)
  return (value, buffer.values)
}

private func randomLogits(_ steps: Int, _ classes: Int, _ generator: inout SeededGenerator)
  -> [[Double]]
{
  (0..<steps).map { _ in (0..<classes).map { _ in Double(3 * generator.normal()) } }
}

@Suite struct SequenceNetworkTests {
  @Test(arguments: [[], [1], [2, 1], [1, 1], [2, 2, 1], [1, 2, 1, 2], [1, 1, 1]] as [[Int32]])
  func theLossIsThatOfAllAlignmentsTogether(labels: [Int32]) {
    var generator = SeededGenerator(seed: 5, UInt64(labels.count))
    for steps in 1...6 {
      let logits = randomLogits(steps, 3, &generator)
      let expected = bruteForceLoss(logits, labels)
      let (found, _) = loss(logits, labels)
      if expected.isFinite {
        // Single precision in log space over at most six steps.
        #expect(abs(found - expected) < 2e-5 * max(1, expected), "\(steps) steps, \(labels)")
      } else {
        #expect(found == .infinity, "\(steps) steps, \(labels)")
      }
    }
  }

  @Test func theGradientOfTheLossIsItsSlope() {
    var generator = SeededGenerator(seed: 6)
    let labels: [Int32] = [2, 2, 1]
    let logits = randomLogits(6, 4, &generator)
    let (_, gradient) = loss(logits, labels)
    for step in 0..<6 {
      for label in 0..<4 {
        func shifted(_ by: Double) -> Double {
          var moved = logits
          moved[step][label] += by
          return bruteForceLoss(moved, labels)
        }
        let slope = (shifted(1e-5) - shifted(-1e-5)) / 2e-5
        #expect(abs(Double(gradient[step * 4 + label]) - slope) < 1e-4, "\(step), \(label)")
      }
    }
  }

  @Test func aLineTooShortForItsTextHasNoGradient() {
    var generator = SeededGenerator(seed: 7)
    let (value, gradient) = loss(randomLogits(3, 3, &generator), [1, 1, 2])
    #expect(value == .infinity)
    #expect(gradient.allSatisfy { $0 == 0 })
  }

  @Test func aLongLineKeepsItsPrecision() {
    var generator = SeededGenerator(seed: 8)
    let steps = 4000
    let labels = (0..<900).map { Int32(1 + $0 % 7) }
    let (value, gradient) = loss(randomLogits(steps, 8, &generator), labels)
    #expect(value.isFinite && value > 0)
    // Softmax and posterior both sum to 1 at every step.
    for step in 0..<steps {
      let sum = gradient[(step * 8)..<(step * 8 + 8)].reduce(0, +)
      #expect(abs(sum) < 1e-4, "step \(step)")
    }
  }

  private static let architecture = SequenceArchitecture(
    channels: 3,
    layers: [
      .convolution(channels: 5, kernel: 3, stride: 2), .bidirectionalLSTM(hidden: 4),
      .layerNormalization, .bidirectionalLSTM(hidden: 3),
    ], classes: 4)
  private static let forwardOnly = SequenceArchitecture(
    channels: 3, layers: [.convolution(channels: 5, kernel: 3, stride: 2), .lstm(hidden: 4)],
    classes: 4)
  /// Means of two and of three steps: the last ones of each sequence are of fewer.
  private static let pooled = SequenceArchitecture(
    channels: 3,
    layers: [
      .bidirectionalLSTM(hidden: 4), .layerNormalization, .meanPool(stride: 2),
      .bidirectionalLSTM(hidden: 3),
    ], classes: 4)
  private static let pooledMore = SequenceArchitecture(
    channels: 3, layers: [.dense(units: 4), .meanPool(stride: 3), .lstm(hidden: 3)], classes: 4)
  private static let architectures = [architecture, forwardOnly, pooled, pooledMore]
  private static let labels: [[Int32]] = [[1, 3, 3], [2], [3, 1]]

  /// A network with random parameters and three sequences of 13, 6 and 5 steps.
  private static func problem(
    _ architecture: SequenceArchitecture, seed: UInt64
  ) -> (SequenceNetwork, AlignedBuffer, [[[Double]]]) {
    var generator = SeededGenerator(seed: seed)
    let network = SequenceNetwork(unchecked: architecture)
    let parameters = AlignedBuffer(count: network.parameterCount)
    network.initialize(parameters, using: &generator)
    for index in 0..<parameters.count {
      parameters.pointer[index] += 0.2 * generator.normal()
    }
    let inputs = [13, 6, 5].map { randomLogits($0, 3, &generator).map { $0.map { $0 / 3 } } }
    return (network, parameters, inputs)
  }

  private static func load(_ inputs: [[[Double]]], into workspace: SequenceNetwork.Workspace) {
    workspace.sequences.set(lengths: inputs.map(\.count))
    let target = workspace.input
    for (sequence, input) in inputs.enumerated() {
      for (step, values) in input.enumerated() {
        let row = workspace.sequences.row(sequence: sequence, step: step)
        for (channel, value) in values.enumerated() {
          target[row * values.count + channel] = Float(value)
        }
      }
    }
  }

  @Test(arguments: architectures)
  func aPackedBatchGivesWhatPlainLoopsGiveEachSequence(architecture: SequenceArchitecture) {
    let (network, parameters, inputs) = Self.problem(architecture, seed: 11)
    let workspace = network.makeWorkspace()
    Self.load(inputs, into: workspace)
    let output = network.forward(workspace, context: LayerContext(parameters: parameters.pointer))
    let reference = ReferenceSequenceNetwork(
      network: network, parameters: parameters.values.map(Double.init))
    let layout = workspace.outputSequences
    #expect(layout.lengths == (network.stride == 3 ? [5, 2, 2] : [7, 3, 3]))
    #expect(layout.lengths == inputs.map { network.outputSteps($0.count) })
    for (sequence, input) in inputs.enumerated() {
      let logits = reference.logits(input)
      #expect(logits.count == layout.lengths[sequence])
      for (step, logits) in logits.enumerated() {
        let row = layout.row(sequence: sequence, step: step) * 4
        for (label, expected) in logSoftmax(logits).enumerated() {
          #expect(abs(Double(output[row + label]) - expected) < 1e-5, "\(sequence), \(step)")
        }
      }
    }
  }

  @Test(arguments: [false, true], architectures)
  func everyGradientIsTheSlopeOfTheLoss(accumulates: Bool, architecture: SequenceArchitecture) {
    let (network, parameters, inputs) = Self.problem(architecture, seed: 12)
    let gradients = AlignedBuffer(count: network.parameterCount)
    let workspace = network.makeWorkspace(training: true)
    Self.load(inputs, into: workspace)
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: accumulates,
      isTraining: true)
    let output = network.forward(workspace, context: context)
    let scratch = AlignedBuffer(count: 1000)
    for (sequence, labels) in Self.labels.enumerated() {
      _ = ConnectionistTemporalClassification.loss(
        output, classes: 4, sequence: sequence, of: workspace.outputSequences, labels: labels,
        scratch: scratch.pointer, scale: 1)
    }
    network.backward(workspace, logitGradient: output, context: context)

    var reference = ReferenceSequenceNetwork(
      network: network, parameters: parameters.values.map(Double.init))
    func total() -> Double {
      zip(inputs, Self.labels).reduce(0) { $0 + bruteForceLoss(reference.logits($1.0), $1.1) }
    }
    for tensor in network.parameters {
      for index in tensor.offset..<(tensor.offset + tensor.count) {
        let value = reference.parameters[index]
        reference.parameters[index] = value + 1e-5
        let above = total()
        reference.parameters[index] = value - 1e-5
        let slope = (above - total()) / 2e-5
        reference.parameters[index] = value
        #expect(
          abs(Double(gradients.pointer[index]) - slope) < 2e-4 * max(1, abs(slope)),
          "\(tensor.name) [\(index - tensor.offset)]")
      }
    }
  }

  @Test func dropoutMasksAreTheSameBackwardAsForward() {
    // The slope of the loss in the weights below a dropout: with another mask backward, units that
    // were dropped get a gradient and others lose theirs.
    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(
          channels: 3, layers: [.dense(units: 8), .dropout(rate: 0.5)], classes: 4))
    var generator = SeededGenerator(seed: 21)
    let parameters = AlignedBuffer(count: network.parameterCount)
    network.initialize(parameters, using: &generator)
    let workspace = network.makeWorkspace(training: true)
    Self.load([[[1, -0.75, 0.5]]], into: workspace)
    let gradients = AlignedBuffer(count: network.parameterCount)
    var droppedUnits = 0
    for seed in 0..<8 as Range<UInt64> {
      let context = LayerContext(
        parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
        isTraining: true, seed: seed)
      /// Minus the log-probability of class 1.
      func loss() -> Double { -Double(network.forward(workspace, context: context)[1]) }
      let output = network.forward(workspace, context: context)
      for label in 0..<4 { output[label] = exp(output[label]) - (label == 1 ? 1 : 0) }
      network.backward(workspace, logitGradient: output, context: context)
      for tensor in network.parameters {
        for index in tensor.offset..<(tensor.offset + tensor.count) {
          let value = parameters.pointer[index]
          parameters.pointer[index] = value + Self.slopeStep
          let above = loss()
          parameters.pointer[index] = value - Self.slopeStep
          let slope = (above - loss()) / Double(2 * Self.slopeStep)
          parameters.pointer[index] = value
          #expect(
            abs(Double(gradients.pointer[index]) - slope) < Self.slopeTolerance,
            "seed \(seed), \(tensor.name) [\(index - tensor.offset)]")
        }
      }
      droppedUnits += Self.biasGradients(network, gradients).count { $0 == 0 }
    }
    // About half of the 64 units are dropped; none or all would prove nothing.
    #expect((16...48).contains(droppedUnits))
  }

  /// Wide enough that the rounding of a loss in single precision does not count.
  private static let slopeStep: Float = 1.0 / 64
  /// The third derivative of the loss, below 1 here, times the step's square, and the rounding of
  /// two losses over the step.
  private static let slopeTolerance = 1e-3

  /// The gradients of the biases of the first layer.
  private static func biasGradients(
    _ network: SequenceNetwork, _ gradients: AlignedBuffer
  ) -> [Float] {
    network.parameters.filter { $0.name == "layers.0.bias" }.flatMap { tensor in
      (0..<tensor.count).map { gradients.pointer[tensor.offset + $0] }
    }
  }
}
