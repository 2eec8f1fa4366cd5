import Networks

// The parameters keep the names and the layout that they have in a bundle, so that a file can be read
// back. Nodes turn them into the layout of the operators; runtimes fold these nodes when they load a
// model.
//
// B samples, T time steps, C channels, K kernel steps, H hidden, D directions.

extension OnnxGraph {
  /// Applies an operator of images to x [B, T, C], which it takes as [B, C, T].
  private mutating func overTime(
    _ x: String, _ apply: (inout OnnxGraph, String) -> String
  ) -> String {
    let turned = node("Transpose", [x], [("perm", .integers([0, 2, 1]))])
    let y = apply(&self, turned)
    return node("Transpose", [y], [("perm", .integers([0, 2, 1]))])
  }

  /// Convolution over time of x [B, T, C], zero outside. The weights are [K·C, C'].
  private mutating func convolution(
    _ x: String, _ prefix: String, input: Int, output: Int, kernel: Int, stride: Int,
    hasBias: Bool
  ) -> String {
    let shape = constant([kernel, input, output])
    let parts = node("Reshape", [prefix + "weight", shape])
    let weight = node("Transpose", [parts], [("perm", .integers([2, 1, 0]))])
    return overTime(x) { graph, turned in
      graph.node(
        "Conv", [turned, weight] + (hasBias ? [prefix + "bias"] : []),
        [
          ("kernel_shape", .integers([kernel])), ("strides", .integers([stride])),
          ("pads", .integers([kernel / 2, kernel / 2])),
        ])
    }
  }

  /// y = x W + b at each step of x [B, T, C].
  private mutating func product(_ x: String, _ prefix: String, hasBias: Bool) -> String {
    let y = node("MatMul", [x, prefix + "weight"])
    return hasBias ? node("Add", [y, prefix + "bias"]) : y
  }

  // MARK: - Glyph networks

  /// Applies layers to x [B, T, C], and returns the output with its shape.
  mutating func layers(
    _ layers: [LayerSpecification], named name: String, of x: String, _ input: Shape
  ) -> (output: String, shape: Shape) {
    var (x, shape) = (x, input)
    for (index, layer) in layers.enumerated() {
      let prefix = "\(name).\(index)."
      switch layer {
      case .convolution(let channels, let kernel, let bias, let relu):
        x = convolution(
          x, prefix, input: shape.channels, output: channels, kernel: kernel, stride: 1,
          hasBias: bias)
        if relu { x = node("Relu", [x]) }
        shape.channels = channels
      case .dense(let units, let bias, let relu):
        let flat = constant([-1, 1, shape.count])
        x = product(node("Reshape", [x, flat]), prefix, hasBias: bias)
        if relu { x = node("Relu", [x]) }
        shape = Shape(steps: 1, channels: units)
      case .batchNormalization(let relu):
        x = overTime(x) { graph, turned in
          graph.node(
            "BatchNormalization",
            [turned] + ["scale", "shift", "mean", "variance"].map { prefix + $0 },
            [("epsilon", .float(Self.epsilon))])
        }
        if relu { x = node("Relu", [x]) }
      case .maxPool:
        // A single step does not change.
        guard shape.steps > 1 else { continue }
        x = overTime(x) { graph, turned in
          graph.node(
            "MaxPool", [turned],
            [("kernel_shape", .integers([2])), ("strides", .integers([2]))])
        }
        shape.steps /= 2
      case .dropout: break
      }
    }
    return (x, shape)
  }

  /// The number that batch and layer normalisation add to the variance.
  private static let epsilon: Float = 1e-5

  // MARK: - Sequence networks

  /// Applies layers to x [1, T, C], and returns the output with its channels.
  mutating func layers(
    _ layers: [PackedLayerSpecification], of x: String, channels: Int
  ) -> (output: String, channels: Int) {
    var (x, channels) = (x, channels)
    for (index, layer) in layers.enumerated() {
      let prefix = "layers.\(index)."
      switch layer {
      case .convolution(let outputs, let kernel, let stride):
        x = convolution(
          x, prefix, input: channels, output: outputs, kernel: kernel, stride: stride,
          hasBias: true)
        x = node("Relu", [x])
        channels = outputs
      case .bidirectionalLSTM(let hidden):
        x = memory(x, prefix, channels, hidden, ["forward", "backward"])
        channels = 2 * hidden
      case .lstm(let hidden):
        x = memory(x, prefix, channels, hidden, ["forward"])
        channels = hidden
      case .dense(let units):
        x = product(x, prefix, hasBias: true)
        channels = units
      case .layerNormalization:
        x = node(
          "LayerNormalization", [x, prefix + "scale", prefix + "shift"],
          [("axis", .integer(-1)), ("epsilon", .float(Self.epsilon))])
      case .meanPool(let stride):
        // Rounded up: the last mean may be of fewer steps.
        x = overTime(x) { graph, turned in
          graph.node(
            "AveragePool", [turned],
            [
              ("kernel_shape", .integers([stride])), ("strides", .integers([stride])),
              ("ceil_mode", .integer(1)),
            ])
        }
      case .dropout: break
      }
    }
    return (x, channels)
  }

  /// The place of each gate of ONNX (input, output, forget, cell) among ours (input, forget, cell,
  /// output).
  private static let gates = [0, 3, 1, 2]

  /// Long short-term memory over x [1, T, C].
  private mutating func memory(
    _ x: String, _ prefix: String, _ channels: Int, _ hidden: Int, _ directions: [String]
  ) -> String {
    let order = constant(Self.gates)
    let count = directions.count
    // [C, D, 4, H] to [D, 4H, C]
    var weight = node(
      "Reshape", [prefix + "input.weight", constant([channels, count, 4, hidden])])
    weight = node("Gather", [weight, order], [("axis", .integer(2))])
    weight = node("Transpose", [weight], [("perm", .integers([1, 2, 3, 0]))])
    weight = node("Reshape", [weight, constant([count, 4 * hidden, channels])])
    // [H, 4, H] of each direction to [D, 4H, H]
    let parts = directions.map { direction in
      var part = node("Reshape", [prefix + direction + ".weight", constant([hidden, 4, hidden])])
      part = node("Gather", [part, order], [("axis", .integer(1))])
      part = node("Transpose", [part], [("perm", .integers([1, 2, 0]))])
      return node("Reshape", [part, constant([1, 4 * hidden, hidden])])
    }
    let recurrent = node("Concat", parts, [("axis", .integer(0))])
    // [D, 4, H] to [D, 8H]: ours has no second bias.
    var bias = node("Reshape", [prefix + "bias", constant([count, 4, hidden])])
    bias = node("Gather", [bias, order], [("axis", .integer(1))])
    bias = node("Reshape", [bias, constant([count, 4 * hidden])])
    let none = constant(
      [Float](repeating: 0, count: count * 4 * hidden), shape: [count, 4 * hidden])
    bias = node("Concat", [bias, none], [("axis", .integer(1))])
    // [T, B, C] to [T, D, B, H] to [B, T, D·H]
    let turned = node("Transpose", [x], [("perm", .integers([1, 0, 2]))])
    let states = node(
      "LSTM", [turned, weight, recurrent, bias],
      [
        ("hidden_size", .integer(hidden)),
        ("direction", .text(count == 2 ? "bidirectional" : "forward")),
      ])
    let joined = node("Transpose", [states], [("perm", .integers([2, 0, 1, 3]))])
    return node("Reshape", [joined, constant([0, 0, count * hidden])])
  }
}
