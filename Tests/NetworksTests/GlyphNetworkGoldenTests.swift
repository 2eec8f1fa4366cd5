import CKernels
import LinearAlgebra
import Networks
import Testing
import Training

// A whole network against PyTorch 2.15 in double, by `network()` in
// scripts/golden/layers_golden.py.

@Suite("GlyphNetwork against PyTorch")
struct GlyphNetworkGoldenTests {
  /// Gradients in Float through four layers, two of them normalisations that divide by 0.1 to 1.
  private let gradientTolerance: Float = 5e-6
  /// Adam divides by the gradient's own size, at least 1e-3 here, so that the rounding of
  /// gradients counts up to 1e-4 of steps of 0.05, ten times.
  private let parameterTolerance: Float = 5e-5

  private let batch = 5
  private let network = GlyphNetwork(
    unchecked:
      GlyphArchitecture(
        sequence: Shape(steps: 4, channels: 2),
        trunk: [
          .convolution(channels: 3, kernel: 3, bias: false, relu: false),
          .batchNormalization(relu: true), .maxPool,
        ],
        maps: 3,
        side: [.dense(units: 2, bias: false, relu: false), .batchNormalization(relu: true)],
        globals: 2,
        context: [.dense(units: 2, bias: false, relu: false), .batchNormalization(relu: true)],
        head: [
          .dense(units: 3, bias: false, relu: false), .batchNormalization(relu: true),
          .dense(units: 3, bias: true, relu: false),
        ]))

  // t = self.tensors  # pattern(shape, index in `parameters`); scales 1 + half, shifts half of it
  // norm = lambda x, scale, shift: F.relu(
  //     F.batch_norm(x, None, None, scale, shift, training=True, eps=1e-5))
  // x = F.conv1d(sequence.transpose(1, 2), t[0].permute(2, 1, 0), padding=1)
  // x = F.max_pool1d(norm(x, t[1], t[2]), 2).transpose(1, 2).flatten(1)
  // side = norm(maps @ t[3], t[4], t[5])
  // context = norm(globals_ @ t[6], t[7], t[8])
  // joined = torch.cat([x, side, context], dim=1)
  // logits = norm(joined @ t[9], t[10], t[11]) @ t[12] + t[13]
  // inputs = pattern([5, 4, 2], 31), pattern([5, 3], 32), pattern([5, 2], 33)
  // loss = F.cross_entropy(logits, torch.tensor([0, 1, 2, 1, 0]), label_smoothing=0.05)
  // loss.backward()
  @Test("The loss and every parameter's gradient equal PyTorch's")
  func gradients() {
    let gradients: [Float] = [
      -0.03096844, -0.2890672, -0.1224042, -0.005794604, 0.2608945, -0.008615601, 0.07546226,
      -0.002239346, 0.01272169, -0.02245012, -0.355104, -0.09366799, -0.003459664, 0.2181489,
      -0.02872967, 0.07943749, -0.07599547, 0.1035085, -0.01165586, 0.06056286, -0.09463201,
      0.004901323, -0.0353325, 0, -0.01981537, 0.0048053, -0.004684436, -0.01264551, -0.004684436,
      -0.01264551, 0.008085385, 8.033311e-05, -3.512685e-05, 0.01139448, -0.03121959, 0.005211171,
      -0.01593155, 0.004092132, -0.02821455, 0.04473367, -0.03993251, 0.02244939, -0.04511236,
      0.02755637, 0.1094755, 0.02758224, -0.04873355, 0.2141888, 0.001673469, -0.02801098,
      -0.1037119, 0.004101244, 0.07345781, 0.004738452, 0.04154869, 0.06197325, 0.02570087,
      0.01190737, -0.03550118, 0.01987698, 0.0289343, 0.0171742, 0.004048853, 0.04784764,
      -0.01316578, 0.0006245278, -0.05190765, 0.009610147, 0.04673027, 0.08675374, 0.002534653,
      -0.001323079, 0.06900971, -0.07217084, 0.01838322, 0.04062856, -0.04139508, 0.007648767,
      0.1102363, 0.03076103, -0.1409974, -0.06329024, -0.05390243, 0.1171927, -0.07793096,
      -0.08112872, 0.1590597, -0.2001313, 0.05744853, 0.1426827,
    ]
    let run = Run(network, batch: batch)
    let buffer = startingParameters()
    #expect(abs(run.step(buffer) - 1.19268728) < Double(gradientTolerance))
    #expect(largestDifference(learned(run.gradients), gradients) < gradientTolerance)
  }

  // optimizer = torch.optim.AdamW(
  //     [{"params": weights, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}],
  //     lr=0.05, betas=(0.9, 0.99), eps=1e-3)
  // schedule = torch.optim.lr_scheduler.OneCycleLR(
  //     optimizer, max_lr=0.05, total_steps=10, pct_start=0.3, div_factor=25,
  //     final_div_factor=400, cycle_momentum=False)
  // ten times: the loss as above, loss.backward(),
  //     torch.nn.utils.clip_grad_norm_(model.parameters(), 0.6), optimizer.step(),
  //     schedule.step()
  @Test("Ten steps of AdamW with clipping on the one-cycle schedule end like PyTorch's")
  func tenSteps() {
    let losses: [Float] = [
      1.192687, 1.183045, 1.071388, 0.9179965, 0.8278038, 0.7665229, 0.7201753, 0.6906205,
      0.6759445, 0.6717442,
    ]
    let norms: [Float] = [
      0.8217343, 0.8220084, 0.695444, 0.8395289, 0.5251815, 0.5007357, 0.482256, 0.4709577,
      0.4644766, 0.5071674,
    ]
    let parameters: [Float] = [
      -0.7052017, -0.01205323, 0.5673353, -0.5466088, -0.2404187, 0.5521298, -0.5507363, 0.0763068,
      0.5269746, -0.2960241, 0.4462717, -0.5780722, -0.2171709, 0.233942, -0.5210842, -0.1054883,
      0.7021388, -0.5232063, 1.208567, 1.126239, 0.9748899, -0.3495881, 0.1179911, 0.2614787,
      0.2370174, 0.7926328, -0.1970186, 0.331631, -0.6093652, -0.08071572, 0.5628826, 0.8934121,
      0.02641466, -0.5238503, -0.2145899, 0.1825293, 0.9077106, -0.232752, 1.328296, 0.6682344,
      -0.06884031, 0.06128726, 0.7679722, -0.4693694, 0.03763298, 0.5178949, -0.2313709, 0.1486765,
      -0.6275935, 0.06370966, 0.6066533, -0.6088833, -0.03390329, 0.7111105, -0.5648831,
      0.03661941, -0.8363099, -0.3678017, 0.5377449, -0.7562288, -0.2559063, 0.3479143, -0.3703037,
      -0.106519, 0.656184, -0.2120521, 0.4800038, -0.6773284, -0.3189572, 0.1937421, -0.7023753,
      0.1605031, 0.7789543, 1.431566, 0.8235658, 0.1366472, -0.0385864, 0.195383, -0.214114,
      0.4735888, -0.2214537, 0.1742498, 0.9363714, -0.4614072, 0.5221781, -0.6068518, -0.331593,
      -0.5245796, -0.3841513, 0.1801897,
    ]
    let run = Run(network, batch: batch)
    let optimizer = AdamW(network.parameters, count: network.parameterCount)
    optimizer.parameters.copy(from: startingParameters())
    let schedule = OneCycleSchedule(peak: 0.05, steps: 10)
    for step in 0..<10 {
      let loss = run.step(optimizer.parameters)
      let squares = learned(run.gradients).reduce(0.0) { $0 + Double($1) * Double($1) }
      let norm = Float(squares.squareRoot())
      #expect(abs(Float(loss) - losses[step]) < parameterTolerance, "step \(step)")
      #expect(abs(norm - norms[step]) < 10 * parameterTolerance, "step \(step)")
      optimizer.update(
        0..<network.parameterCount, gradients: run.gradients.pointer,
        AdamW.Step(
          rate: schedule.rate(at: step), weightDecay: 0.1, gradientScale: min(1, 0.6 / norm),
          averageDecay: 0.9, number: step + 1, epsilon: 1e-3))
    }
    #expect(largestDifference(learned(optimizer.parameters), parameters) < parameterTolerance)
  }

  private func startingParameters() -> AlignedBuffer {
    let buffer = AlignedBuffer(count: network.parameterCount)
    for (salt, parameter) in network.parameters.enumerated() where parameter.role != .statistic {
      for (index, value) in pattern(parameter.count, salt).enumerated() {
        let isScale = parameter.name.hasSuffix("scale")
        let isShift = parameter.name.hasSuffix("shift")
        buffer.pointer[parameter.offset + index] =
          isScale ? 1 + value / 2 : isShift ? value / 2 : value
      }
    }
    return buffer
  }

  /// The tensors that are learned, one after another.
  private func learned(_ buffer: AlignedBuffer) -> [Float] {
    network.parameters.filter { $0.role != .statistic }.flatMap { parameter in
      (0..<parameter.count).map { buffer.pointer[parameter.offset + $0] }
    }
  }
}

/// Forward, loss and backward on the inputs of the golden script.
private final class Run {
  let gradients: AlignedBuffer
  private let network: GlyphNetwork
  private let batch: Int
  private let input: GlyphInput
  private let workspace: GlyphNetwork.Workspace

  init(_ network: GlyphNetwork, batch: Int) {
    self.network = network
    self.batch = batch
    gradients = AlignedBuffer(count: network.parameterCount)
    input = GlyphInput(network.architecture, batch: batch)
    workspace = network.makeWorkspace(batch: batch, training: true)
    for (buffer, salt) in [(input.sequence, 31), (input.maps, 32), (input.globals, 33)] {
      buffer.copy(from: AlignedBuffer(pattern(buffer.count, salt)))
    }
  }

  /// The mean loss; gradients are in `gradients`.
  func step(_ parameters: AlignedBuffer) -> Double {
    gradients.clear()
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, isTraining: true)
    let logits = network.forward(input, batch: batch, workspace: workspace, context: context)
    guard let target = network.logitGradient(workspace) else { return .nan }
    target.update(from: logits, count: batch * network.classes)
    var loss = 0.0
    var correct = 0
    ck_softmax_cross_entropy(
      target, [0, 1, 2, 1, 0], batch, network.classes, 0.05, 1 / Float(batch), &loss, &correct)
    network.backward(input, batch: batch, workspace: workspace, context: context)
    return loss / Double(batch)
  }
}
