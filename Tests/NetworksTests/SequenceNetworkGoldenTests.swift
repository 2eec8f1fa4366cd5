import LinearAlgebra
import Networks
import Testing

// Golden numbers of PyTorch 2.15 in double, by scripts/golden/lines_golden.py: torch.lstm_cell over
// each sequence and its reverse, a dense layer, log_softmax and ctc_loss(reduction="sum").

@Suite("Line networks against PyTorch")
struct SequenceNetworkGoldenTests {
  /// Single precision over five recurrent steps, and activations within 5e-7 of the exact ones.
  private let tolerance: Float = 2e-5

  @Test("A bidirectional LSTM with CTC gives PyTorch's losses and gradients")
  func bidirectionalLSTM() {
    let losses: [Float] = [
      8.137637, 1.307086,
    ]
    let inputWeight: [Float] = [
      0.01125252, -0.06385276, 0.01216553, 0.0003091643, 0.01142321, 0.0008855633, -0.05806772,
      0.1138965, -0.06112765, 0.007375551, -0.007991624, 0.01146458, -0.03867742, 0.009125644,
      0.002838437, 0.04709399, 0.003676701, -0.00309973, 0.2844788, -0.01702242, -0.04156527,
      -0.0005975046, 0.04418877, -0.003986684, -0.01057655, 0.1200765, -0.005894981, 0.004251802,
      -0.02656899, 0.01255028, 0.03729893, 0.005667698, 0.1094188, -0.004089105, 0.04365398,
      0.03226828, 0.1249237, 0.04285642, 0.0126835, -0.04722285, -0.005648424, 0.0009769259,
      0.05751426, -0.05353968, 0.1691424, 0.07159217, -0.01422106, 0.01288417,
    ]
    let forwardWeight: [Float] = [
      -0.0002035738, -0.003931164, -0.001080804, 2.342056e-05, -0.002116, -0.000626714,
      0.001487745, -0.03038334, 0.0008272999, -4.716457e-05, -0.001552918, -0.001390189,
      -0.002401042, -0.01008099, -0.002588555, -0.001027256, 0.01112374, -0.0007388511, 0.01107215,
      0.04623592, 0.005333194, -0.002375617, -0.001817962, -0.008734657, -0.001269667, -0.02664627,
      -0.005842943, -0.0003696971, -0.007349496, -0.004757908, 0.01805135, -0.1512116, 0.005707882,
      -0.0008082265, -0.01550844, -0.01635462,
    ]
    let backwardWeight: [Float] = [
      0.01032948, 0.009196468, -0.006759813, 0.02449936, 0.01118034, -0.002916391, 0.1381991,
      -0.02993989, 0.02670172, 0.01802057, 0.05109753, -0.005980507, -0.02422489, -0.008509275,
      0.007030979, -0.02521439, -0.01180439, 0.002179743, -0.1298479, 0.02419876, -0.02778173,
      -0.02517033, -0.04395855, 0.004689276, -0.001832644, -0.0008579315, 0.000326131,
      0.0005656958, -0.001915799, 0.0006624356, 0.0144099, 0.001496344, -0.007741208, -0.002724849,
      -0.01068238, 0.0005455345,
    ]
    let bias: [Float] = [
      0.01313313, 0.09899359, 0.04135746, 0.002044146, 0.02512487, 0.02252246, -0.173153,
      0.8274805, -0.1694617, 0.01087942, 0.05708572, 0.1036613, 0.2165549, 0.07211009, -0.01109896,
      0.1545439, 0.05087935, -0.008830119, 0.947551, -0.09034934, 0.1377228, 0.1999154, 0.2079163,
      -0.006951507,
    ]
    let outputWeight: [Float] = [
      0.02499419, -0.00162244, -0.05589434, 0.0325226, -0.03334289, 0.1465613, 0.172106,
      -0.2853244, 0.2657663, -0.1251365, -0.4099557, 0.2693259, -0.08107487, -0.0581485, 0.4307834,
      -0.29156, 0.2257981, 0.05395904, -0.4908349, 0.2110778, 0.005378508, 0.04477978, -0.05354734,
      0.003389048,
    ]
    let outputBias: [Float] = [
      -1.051378, 0.235986, 2.01819, -1.202798,
    ]

    let network = SequenceNetwork(
      unchecked:
        SequenceArchitecture(channels: 2, layers: [.bidirectionalLSTM(hidden: 3)], classes: 4))
    let parameters = AlignedBuffer(count: network.parameterCount)
    for (salt, tensor) in zip(1..., network.parameters) {
      // In the order input, forward, backward, bias, then the dense layer's.
      for (index, value) in pattern(tensor.count, salt).enumerated() {
        parameters.pointer[tensor.offset + index] = value
      }
    }
    let x = pattern(2 * 5 * 2, 7)
    let workspace = network.makeWorkspace(training: true)
    workspace.sequences.set(lengths: [5, 3])
    let input = workspace.input
    for (sequence, length) in [5, 3].enumerated() {
      for step in 0..<length {
        let row = workspace.sequences.row(sequence: sequence, step: step)
        for channel in 0..<2 { input[row * 2 + channel] = x[(sequence * 5 + step) * 2 + channel] }
      }
    }
    let gradients = AlignedBuffer(count: network.parameterCount)
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true)
    let output = network.forward(workspace, context: context)
    let scratch = AlignedBuffer(count: 200)
    for (sequence, labels) in ([[1, 3, 3], [2]] as [[Int32]]).enumerated() {
      let loss = ConnectionistTemporalClassification.loss(
        output, classes: 4, sequence: sequence, of: workspace.outputSequences, labels: labels,
        scratch: scratch.pointer, scale: 1)
      #expect(abs(Float(loss) - losses[sequence]) < tolerance * losses[sequence])
    }
    network.backward(workspace, logitGradient: output, context: context)
    let expected = [inputWeight, forwardWeight, backwardWeight, bias, outputWeight, outputBias]
    #expect(network.parameters.count == expected.count)
    for (tensor, values) in zip(network.parameters, expected) {
      let found = (0..<tensor.count).map { gradients.pointer[tensor.offset + $0] }
      #expect(largestDifference(found, values) < tolerance, "\(tensor.name)")
    }
  }

  @Test("Layer normalisation gives PyTorch's numbers and gradients")
  func layerNormalization() {
    let normalized: [Float] = [
      -0.6991971, -0.0955735, 0.6567264, -0.4958728, -0.04053326, -0.7927655, -0.1827084,
      -0.1599433, 1.171924, 0.7829489, 0.2721218, 0.9231897, -0.6503234, 0.8105619, -0.5340266,
      -0.5026979, 0.8579008, -0.234375, -0.3713873, -0.7572546, 0.1899736,
    ]
    let input: [Float] = [
      -0.1627331, 0.3270189, -0.4529801, 0.1811486, -0.03207569, -0.4952491, 0.6348704, -0.1331302,
      -0.02964009, 0.3083638, -0.09985283, -0.1399689, 0.05442874, 0.03979955, 0.6933058,
      0.6307256, 0.1161108, -0.9403045, 0.2771301, 0.2238942, -1.000862,
    ]
    let scale: [Float] = [
      -0.7917561, -1.139954, -0.1095084, -0.393209, -1.201638, -0.686893, -0.2834698,
    ]
    let shift: [Float] = [
      0.828125, -0.59375, -0.4375, -0.28125, -0.125, 0.03125, 0.1875,
    ]

    var allocator = ParameterAllocator()
    let layer = PackedLayerNormalization(inputChannels: 7, allocator: &allocator)
    let parameters = AlignedBuffer(count: allocator.count)
    for (tensor, salt) in [(layer.scale, 9), (layer.shift, 10)] {
      for (index, value) in pattern(7, salt).enumerated() {
        parameters.pointer[tensor.offset + index] = value
      }
    }
    let sequences = PackedSequences()
    sequences.set(lengths: [3])
    let pair = PackedPair(input: sequences, output: sequences)
    let gradients = AlignedBuffer(count: allocator.count)
    let scratch = AlignedBuffer(count: 6)
    let context = LayerContext(
      parameters: parameters.pointer, gradients: gradients.pointer, accumulates: false,
      isTraining: true)
    let x = pattern(21, 8)
    var y = [Float](repeating: .nan, count: 21)
    layer.forward(x, &y, pair, scratch: scratch.pointer, context: context)
    #expect(largestDifference(y, normalized) < tolerance)
    // dx may be dy.
    let dy = AlignedBuffer(pattern(21, 11))
    layer.backward(
      x, y, dy.pointer, dy.pointer, pair, scratch: scratch.pointer, context: context)
    #expect(largestDifference(dy.values, input) < tolerance)
    for (tensor, values) in [(layer.scale, scale), (layer.shift, shift)] {
      let found = (0..<7).map { gradients.pointer[tensor.offset + $0] }
      #expect(largestDifference(found, values) < tolerance, "\(tensor.name)")
    }
  }
}
