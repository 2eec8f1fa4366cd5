import LinearAlgebra

/// Long short-term memory (Hochreiter and Schmidhuber 1997) in both directions (Graves and
/// Schmidhuber 2005), their hidden states joined: y is [N, 2H].
///
/// Gates are in the order input, forget, cell, output. The input product of all time steps and
/// both directions is one matrix product; only h W_h is inside the loop over time. Backward keeps
/// the gates' gradients where the gates were, and computes the weights' gradients after the loop.
struct BidirectionalLSTM: PackedLayer {
  let inputChannels: Int
  let hidden: Int
  /// [C, 8H], both directions.
  let inputWeight: Parameter
  /// [H, 4H] each.
  let recurrentWeights: [Parameter]
  /// [8H]
  let bias: Parameter

  init(inputChannels: Int, hidden: Int, allocator: inout ParameterAllocator) {
    self.inputChannels = inputChannels
    self.hidden = hidden
    inputWeight = allocator.allocate(
      "input.weight", [inputChannels, 8 * hidden], .weight, .normal(fanIn: 2 * inputChannels))
    recurrentWeights = ["forward", "backward"].map {
      allocator.allocate(
        "\($0).weight", [hidden, 4 * hidden], .weight, .normal(fanIn: 2 * hidden))
    }
    bias = allocator.allocate("bias", [8 * hidden], .bias, .gates(hidden: hidden))
  }

  var outputChannels: Int { 2 * hidden }
  var stride: Int { 1 }
  var multiplyAdds: Int { 8 * hidden * (inputChannels + hidden) }

  private var gateStride: Int { 8 * hidden }
  private var stateStride: Int { 2 * hidden }

  /// The parts of scratch.
  private struct Memory {
    /// [N, 8H], activations, then their gradients.
    let gates: UnsafeMutablePointer<Float>
    /// [N, 2H]
    let cell: UnsafeMutablePointer<Float>
    /// [N, 2H]
    let cellTanh: UnsafeMutablePointer<Float>
    /// [N, H]: the hidden state before each row.
    let before: UnsafeMutablePointer<Float>
    /// [B, H]
    let carry: UnsafeMutablePointer<Float>
    /// [4H, H], or the transposed input weights [8H, C].
    let transposed: UnsafeMutablePointer<Float>

    init(_ scratch: UnsafeMutablePointer<Float>, _ layer: BidirectionalLSTM, rows: Int, batch: Int)
    {
      gates = scratch
      cell = gates + rows * 8 * layer.hidden
      cellTanh = cell + rows * 2 * layer.hidden
      before = cellTanh + rows * 2 * layer.hidden
      carry = before + rows * layer.hidden
      transposed = carry + batch * layer.hidden
    }
  }

  func scratchCount(_ shape: PackedShape) -> Int {
    let states = shape.inputRows * 12 * hidden
    guard shape.isTraining else { return states }
    return states + shape.inputRows * hidden + shape.batch * hidden
      + 4 * hidden * max(hidden, 2 * inputChannels)
  }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let layout = sequences.input
    let memory = Memory(scratch, self, rows: layout.rows, batch: layout.batch)
    Matrix(memory.gates, rows: layout.rows, columns: gateStride).multiply(
      Matrix(reading: x, rows: layout.rows, columns: inputChannels),
      Matrix(
        reading: context.parameters + inputWeight.offset, rows: inputChannels, columns: gateStride))
    Kernels.addBias(
      memory.gates, context.parameters + bias.offset, memory.gates, rows: layout.rows,
      columns: gateStride, relu: false)
    for step in 0..<layout.steps { advance(0, step, from: step - 1, y, layout, memory, context) }
    for step in (0..<layout.steps).reversed() {
      advance(1, step, from: step + 1, y, layout, memory, context)
    }
  }

  /// One time step of one direction, from the states of the step `before`.
  private func advance(
    _ direction: Int, _ step: Int, from before: Int, _ y: UnsafeMutablePointer<Float>,
    _ layout: PackedSequences, _ memory: Memory, _ context: LayerContext
  ) {
    let rows = layout.active(at: step)
    let first = Int(layout.starts[step])
    let continued = self.continued(from: before, layout, rows)
    let previous = continued > 0 ? Int(layout.starts[before]) : first
    let gates = memory.gates + first * gateStride + direction * 4 * hidden
    let column = direction * hidden
    if continued > 0 {
      Matrix(gates, rows: continued, columns: 4 * hidden, stride: gateStride).multiply(
        Matrix(
          y + previous * stateStride + column, rows: continued, columns: hidden,
          stride: stateStride),
        recurrentWeight(direction, context), beta: 1)
    }
    Kernels.lstmForward(
      gates, gateStride: gateStride, previous: memory.cell + previous * stateStride + column,
      cell: memory.cell + first * stateStride + column,
      cellTanh: memory.cellTanh + first * stateStride + column,
      output: y + first * stateStride + column, stateStride: stateStride, rows: rows,
      continued: continued, hidden: hidden)
  }

  /// How many of the rows of a step have a state at the step `other`.
  private func continued(from other: Int, _ layout: PackedSequences, _ rows: Int) -> Int {
    (0..<layout.steps).contains(other) ? min(rows, layout.active(at: other)) : 0
  }

  private func recurrentWeight(_ direction: Int, _ context: LayerContext) -> Matrix {
    Matrix(
      reading: context.parameters + recurrentWeights[direction].offset, rows: hidden,
      columns: 4 * hidden)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    guard let gradients = context.gradients else { return }
    let layout = sequences.input
    let memory = Memory(scratch, self, rows: layout.rows, batch: layout.batch)
    let beta: Float = context.accumulates ? 1 : 0
    for direction in 0..<2 {
      Kernels.transpose(
        context.parameters + recurrentWeights[direction].offset, into: memory.transposed,
        rows: hidden, columns: 4 * hidden)
      if direction == 0 {
        for step in (0..<layout.steps).reversed() {
          retreat(0, step, from: step + 1, to: step - 1, dy, layout, memory)
        }
      } else {
        for step in 0..<layout.steps {
          retreat(1, step, from: step - 1, to: step + 1, dy, layout, memory)
        }
      }
      gatherStates(before: direction, y, layout, memory)
      let weight = recurrentWeights[direction]
      Matrix(gradients + weight.offset, rows: hidden, columns: 4 * hidden).multiply(
        Matrix(memory.before, rows: layout.rows, columns: hidden).transposed,
        Matrix(
          memory.gates + direction * 4 * hidden, rows: layout.rows, columns: 4 * hidden,
          stride: gateStride), beta: beta)
    }
    let gates = Matrix(memory.gates, rows: layout.rows, columns: gateStride)
    Matrix(gradients + inputWeight.offset, rows: inputChannels, columns: gateStride).multiply(
      Matrix(reading: x, rows: layout.rows, columns: inputChannels).transposed, gates, beta: beta)
    if let sums = context.sums(of: bias) {
      Kernels.addColumnSums(memory.gates, to: sums, rows: layout.rows, columns: gateStride)
    }
    guard let dx else { return }
    Kernels.transpose(
      context.parameters + inputWeight.offset, into: memory.transposed, rows: inputChannels,
      columns: gateStride)
    Matrix(dx, rows: layout.rows, columns: inputChannels)
      .multiply(gates, Matrix(memory.transposed, rows: gateStride, columns: inputChannels))
  }

  /// The gradient through one time step of one direction: `later` is the step computed after it in
  /// forward, `before` the one whose state it used.
  private func retreat(
    _ direction: Int, _ step: Int, from later: Int, to before: Int,
    _ dy: UnsafeMutablePointer<Float>, _ layout: PackedSequences, _ memory: Memory
  ) {
    let rows = layout.active(at: step)
    let first = Int(layout.starts[step])
    let carried = continued(from: later, layout, rows)
    let column = direction * hidden
    let gradient = dy + first * stateStride + column
    if carried > 0 {
      Matrix(gradient, rows: carried, columns: hidden, stride: stateStride).multiply(
        Matrix(
          memory.gates + Int(layout.starts[later]) * gateStride + direction * 4 * hidden,
          rows: carried, columns: 4 * hidden, stride: gateStride),
        Matrix(memory.transposed, rows: 4 * hidden, columns: hidden), beta: 1)
    }
    let continued = self.continued(from: before, layout, rows)
    let previous = continued > 0 ? Int(layout.starts[before]) : first
    Kernels.lstmBackward(
      memory.gates + first * gateStride + direction * 4 * hidden, gateStride: gateStride,
      previous: memory.cell + previous * stateStride + column,
      cellTanh: memory.cellTanh + first * stateStride + column, outputGradient: gradient,
      stateStride: stateStride, carry: memory.carry, rows: rows, continued: continued,
      carried: carried, hidden: hidden)
  }

  /// Copies the hidden state that each row started from; 0 where a sequence began.
  private func gatherStates(
    before direction: Int, _ y: UnsafePointer<Float>, _ layout: PackedSequences, _ memory: Memory
  ) {
    for step in 0..<layout.steps {
      let rows = layout.active(at: step)
      let other = direction == 0 ? step - 1 : step + 1
      let continued = self.continued(from: other, layout, rows)
      var target = memory.before + Int(layout.starts[step]) * hidden
      for row in 0..<continued {
        let source = (Int(layout.starts[other]) + row) * stateStride + direction * hidden
        target.update(from: y + source, count: hidden)
        target += hidden
      }
      target.update(repeating: 0, count: (rows - continued) * hidden)
    }
  }
}
