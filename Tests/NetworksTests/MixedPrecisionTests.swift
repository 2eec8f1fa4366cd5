import InkCore
import LinearAlgebra
import Networks
import Testing

@Suite(
  "Mixed precision",
  .enabled(if: BFloat16Unit.isAvailable, "this processor has no products in bfloat16"))
struct MixedPrecisionTests {
  /// Gradients of one batch, of networks with the same parameters and dropout.
  private func angle(_ gradients: (BFloat16Unit?) -> AlignedBuffer) -> Double {
    let (single, mixed) = (gradients(nil).values, gradients(BFloat16Unit()).values)
    func product(_ a: [Float], _ b: [Float]) -> Double {
      zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    #expect(product(single, single) > 0)
    #expect(single != mixed, "the unit was not used")
    return product(single, mixed)
      / (product(single, single) * product(mixed, mixed)).squareRoot()
  }

  /// Starting values of parameters, and room for their gradients.
  private func start(
    _ parameters: [Parameter], _ count: Int, _ generator: inout SeededGenerator
  ) -> (parameters: AlignedBuffer, gradients: AlignedBuffer) {
    let values = AlignedBuffer(count: count)
    parameters.initialize(values, using: &generator)
    return (values, AlignedBuffer(count: count))
  }

  @Test("A line network's gradient has the direction of that in single precision")
  func lines() {
    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(
          channels: 9,
          layers: [
            .convolution(channels: 20, kernel: 5, stride: 1),
            .convolution(channels: 24, kernel: 3, stride: 2), .bidirectionalLSTM(hidden: 24),
            .meanPool(stride: 2), .dropout(rate: 0.2), .bidirectionalLSTM(hidden: 17),
          ], classes: 12))
    let lengths = [40, 33, 33, 20, 7]
    #expect(
      angle { unit in
        var generator = SeededGenerator(seed: 31)
        let (parameters, gradients) = start(
          network.parameters, network.parameterCount, &generator)
        let workspace = network.makeWorkspace(training: true)
        workspace.sequences.set(lengths: lengths)
        let input = workspace.input
        for index in 0..<(workspace.sequences.rows * 9) { input[index] = generator.normal() }
        let context = LayerContext(
          parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
          isTraining: true, seed: 5, unit: unit)
        let output = network.forward(workspace, context: context)
        let scratch = AlignedBuffer(count: 2000)
        for sequence in lengths.indices {
          _ = ConnectionistTemporalClassification.loss(
            output, classes: 12, sequence: sequence, of: workspace.outputSequences,
            labels: [1, 2, 3], scratch: scratch.pointer, scale: 1)
        }
        network.backward(workspace, logitGradient: output, context: context)
        return gradients
      } > 0.999)
  }

  @Test("Weights packed in advance give the same as weights packed in each pass")
  func packedWeights() throws {
    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(
          channels: 9,
          layers: [
            .convolution(channels: 20, kernel: 5, stride: 3), .bidirectionalLSTM(hidden: 24),
            .layerNormalization, .meanPool(stride: 3), .lstm(hidden: 17),
          ], classes: 12))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: 33)
    network.initialize(parameters, using: &generator)
    let packed = try #require(PackedWeights(network, parameters: parameters))
    let lengths: [[Int]] = [[61], [4], [40, 33, 33, 20, 7]]
    for kind in BFloat16Unit.Kind.allCases {
      guard let unit = BFloat16Unit(kind) else { continue }
      for batch in lengths {
        let workspace = network.makeWorkspace()
        workspace.sequences.set(lengths: batch)
        for index in 0..<(workspace.sequences.rows * 9) {
          workspace.input[index] = generator.normal()
        }
        func output(_ packed: PackedWeights?) -> [Float] {
          let values = network.forward(
            workspace,
            context: LayerContext(parameters: parameters.pointer, unit: unit, packed: packed))
          return Array(
            UnsafeBufferPointer(start: values, count: workspace.outputSequences.rows * 12))
        }
        let (before, now) = (output(packed), output(nil))
        #expect(zip(before, now).allSatisfy { abs($0 - $1) < 1e-5 }, "\(kind), \(batch)")
        #expect(before.allSatisfy(\.isFinite) && Set(before).count > batch.count)
      }
    }
  }

  @Test("A glyph network's gradient has the direction of that in single precision")
  func glyphs() {
    let network = GlyphNetwork(
      unchecked:
        GlyphArchitecture(
          sequence: Shape(steps: 24, channels: 8),
          trunk: [
            .convolution(channels: 16, kernel: 5, bias: false, relu: false),
            .batchNormalization(relu: true), .maxPool,
            .convolution(channels: 24, kernel: 3, bias: true, relu: true), .dropout(rate: 0.2),
          ],
          maps: 48, side: [.dense(units: 20, bias: true, relu: true)], globals: 12, context: [],
          head: [
            .dense(units: 30, bias: true, relu: true), .dense(units: 10, bias: true, relu: false),
          ]
        ))
    #expect(
      angle { unit in
        var generator = SeededGenerator(seed: 32)
        let (parameters, gradients) = start(
          network.parameters, network.parameterCount, &generator)
        let input = GlyphInput(network.architecture, batch: 19)
        for (buffer, count) in [
          (input.sequence, 24 * 8), (input.maps, 48), (input.globals, 12),
        ] {
          for index in 0..<(19 * count) { buffer.pointer[index] = generator.normal() }
        }
        let workspace = network.makeWorkspace(batch: 19, training: true)
        let context = LayerContext(
          parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
          isTraining: true, seed: 6, unit: unit)
        let logits = network.forward(input, batch: 19, workspace: workspace, context: context)
        let target = network.logitGradient(workspace)
        for index in 0..<190 { target?[index] = logits[index] - (index % 10 == 3 ? 1 : 0) }
        network.backward(input, batch: 19, workspace: workspace, context: context)
        return gradients
      } > 0.999)
  }
}
