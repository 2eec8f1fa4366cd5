import AllocationCounter
import Features
import InkCore
import LinearAlgebra
import Networks
import Testing

@Suite("No allocation once warm", .enabled(if: ac_counts(), "no allocations are counted here"))
struct AllocationTests {
  private let seed: UInt64 = 66

  private func allocations(_ body: () -> Void) -> UInt64 {
    ac_start()
    body()
    return ac_stop()
  }

  @Test("The counter counts what an array allocates")
  func counter() {
    var array: [Int] = []
    #expect(allocations { for index in 0..<1000 { array.append(index) } } > 0)
    #expect(allocations { AlignedBuffer(count: 10).clear() } > 0)
    #expect(array.count == 1000)
  }

  @Test("Encoding ink that is not longer than before allocates nothing", arguments: 0..<4)
  func features(pipeline: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let inks = (0..<10).map { randomInk(strokes: 1 + $0 % 4, points: 20 + 5 * $0, &generator) }
    var extractor = FeatureExtractor(pipelines[pipeline])
    let shape = pipelines[pipeline]
    let sequence = AlignedBuffer(count: shape.sequenceSteps * shape.sequenceChannels)
    let maps = AlignedBuffer(count: shape.mapCount)
    let globals = AlignedBuffer(count: shape.globalCount)
    let area = LocalArea(top: -1, height: 2)
    var trajectory = Trajectory()
    var failures = 0
    func encodeAll() {
      for ink in inks {
        do { try trajectory.load(ink) } catch { failures += 1 }
        extractor.extract(
          trajectory, area: area, sequence: sequence.pointer, maps: maps.pointer,
          globals: globals.pointer)
      }
    }
    // Two trajectories take turns: both have seen the longest ink after two passes.
    encodeAll()
    encodeAll()
    #expect(allocations { for _ in 0..<20 { encodeAll() } } == 0)
    #expect(failures == 0)
  }

  @Test("Forward and backward allocate nothing")
  func network() {
    let network = GlyphNetwork(
      unchecked:
        GlyphArchitecture(
          sequence: Shape(steps: 24, channels: 8),
          trunk: [
            .convolution(channels: 16, kernel: 5, bias: false, relu: false),
            .batchNormalization(relu: true), .maxPool,
            .convolution(channels: 8, kernel: 3, bias: true, relu: true), .dropout(rate: 0.2),
          ],
          maps: 32, side: [.dense(units: 8, bias: true, relu: true)], globals: 12, context: [],
          head: [
            .dense(units: 16, bias: false, relu: false), .batchNormalization(relu: true),
            .dense(units: 10, bias: true, relu: false),
          ]))
    let parameters = AlignedBuffer(count: network.parameterCount)
    let gradients = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: seed)
    network.initialize(parameters, using: &generator)
    let input = GlyphInput(network.architecture, batch: 9)
    let workspace = network.makeWorkspace(batch: 9, training: true)
    let training = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, isTraining: true, seed: 1)
    let recognition = LayerContext(parameters: parameters.pointer)
    func run() {
      for batch in [9, 1] {
        let logits = network.forward(
          input, batch: batch, workspace: workspace, context: recognition)
        network.logitGradient(workspace)?.update(from: logits, count: batch * 10)
        _ = network.forward(input, batch: batch, workspace: workspace, context: training)
        network.backward(input, batch: batch, workspace: workspace, context: training)
      }
    }
    run()
    #expect(allocations { for _ in 0..<50 { run() } } == 0)
  }
}
