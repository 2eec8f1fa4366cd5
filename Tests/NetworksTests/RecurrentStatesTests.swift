import InkCore
import LinearAlgebra
import Networks
import Testing

@Suite("States of recurrent networks, step by step")
struct RecurrentStatesTests {
  private static func network(_ layers: [PackedLayerSpecification]) -> (
    SequenceNetwork, AlignedBuffer
  ) {
    let network = SequenceNetwork(
      unchecked: SequenceArchitecture(channels: 5, layers: layers, classes: 5))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 4)
    network.initialize(parameters, using: &generator)
    for index in 0..<parameters.count { parameters.pointer[index] += 0.3 * generator.normal() }
    return (network, parameters)
  }

  /// The log-probabilities behind each class of a sequence, as the network gives them for the whole.
  private func whole(
    _ inputs: [Int], _ network: SequenceNetwork, _ parameters: AlignedBuffer
  ) -> [[Float]] {
    let workspace = network.makeWorkspace()
    workspace.sequences.set(lengths: [inputs.count])
    let target = workspace.input
    target.update(repeating: 0, count: inputs.count * 5)
    for (step, input) in inputs.enumerated() { target[step * 5 + input] = 1 }
    let output = network.forward(workspace, context: LayerContext(parameters: parameters.pointer))
    return withExtendedLifetime(workspace) {
      inputs.indices.map { step in (0..<5).map { output[step * 5 + $0] } }
    }
  }

  @Test(
    "Branching texts give the same as the network gives for each whole text",
    arguments: [
      [.lstm(hidden: 7)], [.lstm(hidden: 7), .dropout(rate: 0.5), .lstm(hidden: 4)],
    ] as [[PackedLayerSpecification]])
  func branches(layers: [PackedLayerSpecification]) throws {
    let (network, parameters) = Self.network(layers)
    let states = try #require(RecurrentStates(network, parameters: parameters, unit: nil))
    // Twice, because previous states must not matter.
    for _ in 0..<2 {
      states.begin(with: 1)
      var texts = [[1]]
      for step in 0..<6 {
        try check(states, texts, network, parameters)
        // The last three states go on in two ways each, and no others do.
        let steps = (max(0, states.count - 3)..<states.count).flatMap { end in
          [(step + 2) % 5, step % 5].map { RecurrentStates.Step(state: end, input: $0) }
        }
        states.advance(steps)
        #expect(states.count == steps.count)
        texts = steps.map { texts[$0.state] + [$0.input] }
      }
      try check(states, texts, network, parameters)
    }
  }

  @Test("Mixed precision gives nearly the same", .enabled(if: BFloat16Unit.isAvailable))
  func mixedPrecision() throws {
    let (network, parameters) = Self.network([.lstm(hidden: 7), .lstm(hidden: 4)])
    let states = try #require(RecurrentStates(network, parameters: parameters))
    states.begin(with: 1)
    var text = [1]
    for input in [3, 0, 2, 2, 4] {
      states.advance([.init(state: 0, input: input)])
      text.append(input)
      // Eight bits of a factor's fraction, through up to six steps of two layers.
      try check(states, [text], network, parameters, tolerance: 0.03)
    }
  }

  private func check(
    _ states: RecurrentStates, _ texts: [[Int]], _ network: SequenceNetwork,
    _ parameters: AlignedBuffer, tolerance: Float = 1e-5
  ) throws {
    for (state, text) in texts.enumerated() {
      let expected = try #require(whole(text, network, parameters).last)
      let found = (0..<5).map { states.logProbabilities(state)[$0] }
      let worst = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
      #expect(worst < tolerance, "\(text)")
    }
  }

  @Test("Networks that need later steps, and those without memory, have no such states")
  func refusals() {
    for layers in [
      [.bidirectionalLSTM(hidden: 3)], [.convolution(channels: 3, kernel: 3, stride: 1)], [],
      [.lstm(hidden: 3), .dense(units: 4)], [.lstm(hidden: 3), .meanPool(stride: 2)],
    ] as [[PackedLayerSpecification]] {
      let (network, parameters) = Self.network(layers)
      #expect(!network.looksBackOnly)
      #expect(RecurrentStates(network, parameters: parameters) == nil)
    }
  }
}
