import InkCore
import LinearAlgebra
import Networks
import Testing

@Suite("Networks in 8 bits")
struct EightBitWeightsTests {
  private static let channels = 9
  private static let classes = 12

  private let network = SequenceNetwork(
    unchecked:
      SequenceArchitecture(
        channels: channels,
        layers: [
          .convolution(channels: 20, kernel: 5, stride: 1),
          .convolution(channels: 24, kernel: 3, stride: 3), .bidirectionalLSTM(hidden: 24),
          .meanPool(stride: 2), .dropout(rate: 0.2), .layerNormalization, .lstm(hidden: 17),
          .dense(units: 30),
        ], classes: classes))

  /// ln p [T, K] of each sequence.
  private func read(
    _ inks: [[Float]], _ parameters: AlignedBuffer, _ weights: EightBitWeights?
  ) -> [[Float]] {
    let workspace = network.makeWorkspace()
    let order = inks.indices.sorted { inks[$0].count > inks[$1].count }
    workspace.sequences.set(lengths: order.map { inks[$0].count / Self.channels })
    let input = workspace.input
    for (sequence, ink) in order.enumerated() {
      for step in 0..<inks[ink].count / Self.channels {
        let row = workspace.sequences.row(sequence: sequence, step: step)
        for channel in 0..<Self.channels {
          input[row * Self.channels + channel] = inks[ink][step * Self.channels + channel]
        }
      }
    }
    var context = LayerContext(parameters: parameters.pointer)
    context.eightBit = weights
    let output = network.forward(workspace, context: context)
    let layout = workspace.outputSequences
    var result = inks.map { _ in [Float]() }
    for (sequence, ink) in order.enumerated() {
      for step in 0..<layout.lengths[sequence] {
        let row = layout.row(sequence: sequence, step: step) * Self.classes
        result[ink] += (0..<Self.classes).map { output[row + $0] }
      }
    }
    return result
  }

  private func samples() -> (parameters: AlignedBuffer, inks: [[Float]]) {
    var generator = SeededGenerator(seed: 81)
    let parameters = AlignedBuffer(count: network.parameterCount)
    network.initialize(parameters, using: &generator)
    let inks = [7, 40, 1, 33, 61].map { steps in
      (0..<steps * Self.channels).map { _ in generator.normal() }
    }
    return (parameters, inks)
  }

  @Test("Probabilities are near those in single precision")
  func nearness() {
    let (parameters, inks) = samples()
    let single = read(inks, parameters, nil)
    let rounded = read(inks, parameters, EightBitWeights(network, parameters: parameters))
    #expect(single != rounded, "the weights in 8 bits were not used")
    var sum = 0.0
    for (a, b) in zip(single.joined(), rounded.joined()) {
      // Six layers of rounding errors of about a hundredth.
      #expect(abs(a - b) < 0.3)
      sum += Double(abs(a - b))
    }
    #expect(sum / Double(single.joined().count) < 0.05)
  }

  @Test("A sequence has the same probabilities alone and in a batch")
  func batches() {
    let (parameters, inks) = samples()
    let weights = EightBitWeights(network, parameters: parameters)
    let together = read(inks, parameters, weights)
    for index in inks.indices {
      #expect(read([inks[index]], parameters, weights)[0] == together[index], "\(index)")
    }
  }

  @Test("All units give the same probabilities")
  func units() {
    let (parameters, inks) = samples()
    let all = EightBitUnit.available.map {
      read(inks, parameters, EightBitWeights(network, parameters: parameters, unit: $0))
    }
    for other in all.dropFirst() { #expect(other == all[0]) }
  }
}
