import LinearAlgebra

/// Long short-term memory (Hochreiter and Schmidhuber 1997), forward in time or in both directions
/// (Graves and Schmidhuber 2005). The hidden states of D directions are concatenated: y is [N, DH].
///
/// Gates are in the order input, forget, cell, output. One matrix product computes the input
/// product of all time steps and directions; only h W_h is inside the loop over time. The backward
/// pass overwrites the gates with their gradients and computes the gradients of the weights after
/// the loop.
struct LSTM: PackedLayer {
  /// The direction of time in which a part of the layer runs.
  enum Direction: String, CaseIterable {
    case forward, backward
  }

  let inputChannels: Int
  let hidden: Int
  /// [C, 4DH]
  let inputWeight: Parameter
  /// [H, 4H] for each direction, forward first.
  let recurrentWeights: [Parameter]
  /// [4DH]
  let bias: Parameter

  init(
    inputChannels: Int, hidden: Int, directions: [Direction], allocator: inout ParameterAllocator
  ) {
    self.inputChannels = inputChannels
    self.hidden = hidden
    let gates = 4 * directions.count * hidden
    inputWeight = allocator.allocate(
      "input.weight", [inputChannels, gates], .weight, .normal(fanIn: 2 * inputChannels))
    recurrentWeights = directions.map {
      allocator.allocate(
        "\($0.rawValue).weight", [hidden, 4 * hidden], .weight, .normal(fanIn: 2 * hidden))
    }
    bias = allocator.allocate("bias", [gates], .bias, .gates(hidden: hidden))
  }

  /// D
  private var directions: Int { recurrentWeights.count }

  var outputChannels: Int { stateStride }
  var stride: Int { 1 }
  var multiplyAdds: Int { gateStride * (inputChannels + hidden) }

  private var gateStride: Int { 4 * stateStride }
  private var stateStride: Int { directions * hidden }

  /// The parts of scratch.
  private struct Memory {
    /// One matrix of weights as the right factor of products.
    let factor: UnsafeMutablePointer<Float>
    /// [N, 4DH], activations, then their gradients.
    let gates: UnsafeMutablePointer<Float>
    /// [N, DH]. Without training [2B, DH], for the even and the odd steps.
    let cell: UnsafeMutablePointer<Float>
    /// Like `cell`.
    let cellTanh: UnsafeMutablePointer<Float>
    /// [N, H]: the previous hidden state of each row.
    let before: UnsafeMutablePointer<Float>
    /// [B, H]
    let carry: UnsafeMutablePointer<Float>
    private let isTraining: Bool

    init(
      _ scratch: UnsafeMutablePointer<Float>, _ layer: LSTM, _ layout: PackedSequences,
      isTraining: Bool
    ) {
      self.isTraining = isTraining
      let rows = layout.rows
      let cells = LSTM.cellRows(rows, layout.batch, isTraining: isTraining)
      factor = scratch
      gates = factor + layer.factorCount(isTraining: isTraining)
      cell = gates + rows * layer.gateStride
      cellTanh = cell + cells * layer.stateStride
      before = cellTanh + cells * layer.stateStride
      carry = before + rows * layer.hidden
    }

    /// The first cell row of a time step.
    func cellRow(of step: Int, _ layout: PackedSequences) -> Int {
      isTraining ? Int(layout.starts[step]) : step % 2 * layout.batch
    }
  }

  func scratchCount(_ shape: PackedShape) -> Int {
    let cells = Self.cellRows(shape.inputRows, shape.batch, isTraining: shape.isTraining)
    let states =
      factorCount(isTraining: shape.isTraining) + shape.inputRows * gateStride
      + cells * 2 * stateStride
    guard shape.isTraining else { return max(states, eightBitScratchCount(shape)) }
    return states + shape.inputRows * hidden + shape.batch * hidden
  }

  /// The number of cell rows to keep: all for the backward pass, otherwise those of two time steps.
  private static func cellRows(_ rows: Int, _ batch: Int, isTraining: Bool) -> Int {
    isTraining ? rows : 2 * batch
  }

  /// Floats for the largest factor.
  private func factorCount(isTraining: Bool) -> Int {
    let forward = RightFactor.count(inner: hidden, columns: 4 * hidden)
    guard isTraining else { return forward }
    return max(
      forward, RightFactor.count(inner: 4 * hidden, columns: hidden),
      RightFactor.count(inner: gateStride, columns: inputChannels))
  }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let layout = sequences.input
    if let weights = context.eightBit,
      forward(x, y, layout, scratch: scratch, eightBit: weights)
    {
      return
    }
    let memory = Memory(scratch, self, layout, isTraining: context.isTraining)
    let gates = Matrix(memory.gates, rows: layout.rows, columns: gateStride)
    let input = Matrix(reading: x, rows: layout.rows, columns: inputChannels)
    if let packed = context.packedFactor(inputWeight) {
      gates.multiply(input, packed)
    } else {
      gates.multiply(input, inputWeight.matrix(of: context.parameters), on: context.unit)
    }
    for (direction, parameter) in recurrentWeights.enumerated() {
      let weight =
        context.packedFactor(parameter)
        ?? RightFactor(
          parameter.matrix(of: context.parameters), in: memory.factor, on: context.unit,
          rows: .few)
      let bias = context.parameters + self.bias.offset + direction * 4 * hidden
      for step in steps(direction, layout) {
        advance(direction, step, weight, bias, y, layout, memory)
      }
    }
  }

  /// The time steps in the order in which a direction visits them.
  private func steps(_ direction: Int, _ layout: PackedSequences) -> StrideTo<Int> {
    direction == 0
      ? Swift.stride(from: 0, to: layout.steps, by: 1)
      : Swift.stride(from: layout.steps - 1, to: -1, by: -1)
  }

  /// Computes one time step of one direction from the states of its previous step.
  private func advance(
    _ direction: Int, _ step: Int, _ weight: RightFactor, _ bias: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>, _ layout: PackedSequences, _ memory: Memory
  ) {
    let before = direction == 0 ? step - 1 : step + 1
    let rows = layout.active(at: step)
    let first = Int(layout.starts[step])
    let continued = self.continued(from: before, layout, rows)
    let previous = continued > 0 ? Int(layout.starts[before]) : first
    let gates = memory.gates + first * gateStride + direction * 4 * hidden
    let column = direction * hidden
    let cells = memory.cellRow(of: step, layout) * stateStride + column
    let previousCells =
      continued > 0 ? memory.cellRow(of: before, layout) * stateStride + column : cells
    if continued > 0 {
      Matrix(gates, rows: continued, columns: 4 * hidden, stride: gateStride).multiply(
        Matrix(
          y + previous * stateStride + column, rows: continued, columns: hidden,
          stride: stateStride), weight, accumulates: true)
    }
    Kernels.lstmForward(
      gates, gateStride: gateStride, bias: bias,
      previous: memory.cell + previousCells, cell: memory.cell + cells,
      cellTanh: memory.cellTanh + cells,
      output: y + first * stateStride + column, stateStride: stateStride, rows: rows,
      continued: continued, hidden: hidden)
  }

  /// The number of rows of a step that have a state at the step `other`.
  private func continued(from other: Int, _ layout: PackedSequences, _ rows: Int) -> Int {
    (0..<layout.steps).contains(other) ? min(rows, layout.active(at: other)) : 0
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    guard let gradients = context.gradients else { return }
    let layout = sequences.input
    let memory = Memory(scratch, self, layout, isTraining: true)
    for direction in 0..<directions {
      let weight = recurrentWeights[direction]
      let transposed = RightFactor(
        weight.matrix(of: context.parameters).transposed, in: memory.factor, on: context.unit,
        rows: .few)
      for step in steps(1 - direction, layout) {
        retreat(direction, step, transposed, dy, layout, memory)
      }
      gatherStates(before: direction, y, layout, memory)
      Matrix(gradients + weight.offset, rows: hidden, columns: 4 * hidden).multiply(
        Matrix(memory.before, rows: layout.rows, columns: hidden).transposed,
        Matrix(
          memory.gates + direction * 4 * hidden, rows: layout.rows, columns: 4 * hidden,
          stride: gateStride), accumulates: context.accumulates, on: context.unit)
    }
    let gates = Matrix(memory.gates, rows: layout.rows, columns: gateStride)
    Matrix(gradients + inputWeight.offset, rows: inputChannels, columns: gateStride).multiply(
      Matrix(reading: x, rows: layout.rows, columns: inputChannels).transposed, gates,
      accumulates: context.accumulates, on: context.unit)
    if let sums = context.sums(of: bias) {
      Kernels.addColumnSums(memory.gates, to: sums, rows: layout.rows, columns: gateStride)
    }
    guard let dx else { return }
    let weight = inputWeight.matrix(of: context.parameters).transposed
    Matrix(dx, rows: layout.rows, columns: inputChannels)
      .multiply(gates, RightFactor(weight, in: memory.factor, on: context.unit))
  }

  /// Computes the gradient through one time step of one direction.
  private func retreat(
    _ direction: Int, _ step: Int, _ transposed: RightFactor, _ dy: UnsafeMutablePointer<Float>,
    _ layout: PackedSequences, _ memory: Memory
  ) {
    // The step that used this step's state, and the step whose state this one used.
    let (later, before) = direction == 0 ? (step + 1, step - 1) : (step - 1, step + 1)
    let rows = layout.active(at: step)
    let first = Int(layout.starts[step])
    let carried = continued(from: later, layout, rows)
    let column = direction * hidden
    let gradient = dy + first * stateStride + column
    if carried > 0 {
      Matrix(gradient, rows: carried, columns: hidden, stride: stateStride).multiply(
        Matrix(
          memory.gates + Int(layout.starts[later]) * gateStride + direction * 4 * hidden,
          rows: carried, columns: 4 * hidden, stride: gateStride), transposed, accumulates: true)
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

  /// Copies the previous hidden state of each row; 0 at the start of a sequence.
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
