import InkCore
import LinearAlgebra
import Networks
import Testing

@Suite("Folding")
struct FoldingTests {
  /// Two orders of the same float products through four layers: logits of about 1.
  private let tolerance: Float = 2e-5
  private let seed: UInt64 = 31

  @Test("Normalisation after a convolution or a dense layer is folded without changing the logits")
  func folded() {
    let network = network(
      trunk: [
        .convolution(channels: 4, kernel: 3, bias: false, relu: false),
        .batchNormalization(relu: true), .maxPool,
        .convolution(channels: 3, kernel: 3, bias: true, relu: false), .dropout(rate: 0.5),
        .batchNormalization(relu: false), .batchNormalization(relu: true),
      ],
      head: [
        .dropout(rate: 0.3), .dense(units: 5, bias: false, relu: false),
        .batchNormalization(relu: true), .dense(units: 4, bias: true, relu: false),
      ])
    let result = expectSameLogits(network)
    #expect(
      result.architecture.trunk == [
        .convolution(channels: 4, kernel: 3, bias: true, relu: true), .maxPool,
        .convolution(channels: 3, kernel: 3, bias: true, relu: true),
      ])
    #expect(
      result.architecture.head == [
        .dense(units: 5, bias: true, relu: true), .dense(units: 4, bias: true, relu: false),
      ])
  }

  @Test("Normalisation after a ReLU, after pooling or at the start is kept; the logits stay equal")
  func kept() {
    let trunk: [LayerSpecification] = [
      .batchNormalization(relu: false),
      .convolution(channels: 4, kernel: 3, bias: true, relu: true),
      .batchNormalization(relu: false), .maxPool, .batchNormalization(relu: true),
    ]
    let head: [LayerSpecification] = [
      .dense(units: 5, bias: true, relu: true), .batchNormalization(relu: false),
      .dense(units: 4, bias: true, relu: false),
    ]
    let result = expectSameLogits(network(trunk: trunk, head: head))
    #expect(result.architecture.trunk == trunk)
    #expect(result.architecture.head == head)
  }

  @Test("A network takes the weights of a folded one, and computes the same in training, too")
  func unfolded() throws {
    let network = network(
      trunk: [
        .convolution(channels: 4, kernel: 3, bias: false, relu: false),
        .batchNormalization(relu: true), .maxPool,
        .convolution(channels: 3, kernel: 3, bias: true, relu: true),
        .convolution(channels: 3, kernel: 3, bias: true, relu: false), .dropout(rate: 0),
        .batchNormalization(relu: true), .batchNormalization(relu: false),
      ],
      head: [
        .dense(units: 5, bias: false, relu: false), .batchNormalization(relu: true),
        .dense(units: 4, bias: true, relu: false),
      ])
    var generator = SeededGenerator(seed: seed)
    let parameters = randomParameters(of: network, &generator)
    let (folded, foldedParameters) = network.folded(parameters)
    let input = randomInput(of: network, &generator)
    let expected = logits(network, parameters, input)
    let target = AlignedBuffer(count: network.parameterCount)
    network.initialize(target, using: &generator)
    // One class is new, and two have changed their places.
    #expect(network.unfold(folded, foldedParameters, into: target, classes: [2, nil, 0, 3]))
    let inferred = logits(network, target, input)
    for row in 0..<5 {
      for (column, known) in [2, nil, 0, 3].enumerated() {
        guard let known else { continue }
        #expect(abs(inferred[row * 4 + column] - expected[row * 4 + known]) < tolerance)
      }
    }
    let gradients = AlignedBuffer(count: network.parameterCount)
    let workspace = network.makeWorkspace(batch: 5, training: true)
    var trained: [Float] = []
    for _ in 0...network.normalizations {
      let context = LayerContext(
        parameters: target.pointer, gradients: gradients.pointer, accumulates: false,
        isTraining: true, seed: 0, unit: nil)
      let result = network.forward(input, batch: 5, workspace: workspace, context: context)
      trained = Array(UnsafeBufferPointer(start: result, count: 5 * network.classes))
      network.absorb(gradients, into: target)
    }
    #expect(largestDifference(trained, inferred) < 20 * tolerance)
    #expect(largestDifference(logits(network, target, input), inferred) < 20 * tolerance)
    let other = self.network(
      trunk: [.convolution(channels: 4, kernel: 5, bias: true, relu: true)],
      head: [.dense(units: 4, bias: true, relu: false)])
    #expect(!other.unfold(folded, foldedParameters, into: target, classes: [0, 1, 2, 3]))
  }

  private func network(
    trunk: [LayerSpecification], head: [LayerSpecification]
  ) -> GlyphNetwork {
    GlyphNetwork(
      unchecked:
        GlyphArchitecture(
          sequence: Shape(steps: 6, channels: 3), trunk: trunk, maps: 7,
          side: [.dense(units: 3, bias: false, relu: false), .batchNormalization(relu: true)],
          globals: 4,
          context: [.dense(units: 2, bias: false, relu: false), .batchNormalization(relu: true)],
          head: head))
  }

  /// Folds random parameters and statistics and compares the logits of five random inputs.
  private func expectSameLogits(_ network: GlyphNetwork) -> GlyphNetwork {
    var generator = SeededGenerator(seed: seed)
    let parameters = randomParameters(of: network, &generator)
    let (folded, foldedParameters) = network.folded(parameters)
    let input = randomInput(of: network, &generator)
    let expected = logits(network, parameters, input)
    #expect(largestDifference(logits(folded, foldedParameters, input), expected) < tolerance)
    #expect(Set(expected).count > 10, "seed \(seed): the logits do not depend on the input")
    return folded
  }

  private func randomInput(
    of network: GlyphNetwork, _ generator: inout SeededGenerator
  ) -> GlyphInput {
    let input = GlyphInput(network.architecture, batch: 5)
    for buffer in [input.sequence, input.maps, input.globals] {
      buffer.copy(from: AlignedBuffer(randomFloats(buffer.count, &generator)))
    }
    return input
  }

  private func randomParameters(
    of network: GlyphNetwork, _ generator: inout SeededGenerator
  ) -> AlignedBuffer {
    let parameters = AlignedBuffer(count: network.parameterCount)
    network.initialize(parameters, using: &generator)
    for tensor in network.parameters where tensor.role != .weight {
      for index in tensor.offset..<(tensor.offset + tensor.count) {
        // Scales and variances are in 0.5 ... 1.5, shifts and means in -0.5 ... 0.5.
        let isPositive = tensor.name.hasSuffix("scale") || tensor.name.hasSuffix("variance")
        parameters.pointer[index] = generator.uniform() + (isPositive ? 0.5 : -0.5)
      }
    }
    return parameters
  }

  private func logits(
    _ network: GlyphNetwork, _ parameters: AlignedBuffer, _ input: GlyphInput
  ) -> [Float] {
    let workspace = network.makeWorkspace(batch: 5)
    let result = network.forward(
      input, batch: 5, workspace: workspace, context: LayerContext(parameters: parameters.pointer))
    return Array(UnsafeBufferPointer(start: result, count: 5 * network.classes))
  }
}
