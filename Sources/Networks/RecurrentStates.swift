import LinearAlgebra

/// The states of a unidirectional recurrent network at one time step, each continued from a state
/// of the previous step. Texts with a common beginning share its computation.
///
/// The input of a time step is one-hot: a class. A state holds the memory of the network and ln p
/// [K] of the next class. These are computed in mixed precision if the processor has products in
/// bfloat16, and are then accurate to a few hundredths for a line of text. Not thread-safe. Keeps
/// its memory: the packed weights, and as many states as the largest time step had.
@usableFromInline package final class RecurrentStates {
  /// A state and the input that continues it.
  @usableFromInline package struct Step: Hashable, Sendable {
    /// The index of the previous state.
    package var state: Int
    /// The class of the input.
    package var input: Int

    /// Names a state and an input.
    @usableFromInline package init(state: Int, input: Int) {
      self.state = state
      self.input = input
    }
  }

  /// A layer, its weights, and its memory: rows of [H] for all states.
  private struct Layer {
    let lstm: LSTM
    /// nil for the first layer, whose input is one-hot.
    let input: RightFactor?
    let recurrent: RightFactor
    var hidden = AlignedBuffer(count: 0)
    var cell = AlignedBuffer(count: 0)
  }

  private var layers: [Layer]
  private let output: PackedConvolution
  private let outputFactor: RightFactor
  private let parameters: AlignedBuffer
  /// The memory of the factors; nil if they are the parameters themselves.
  private let packed: PackedWeights?
  private var probabilities = AlignedBuffer(count: 0)
  private var scratch = AlignedBuffer(count: 0)
  /// The number of states.
  package private(set) var count = 0

  /// Allocates the states of a network; nil if the network is not unidirectional.
  ///
  /// - Parameter unit: The unit for products; nil for BLAS.
  @usableFromInline package init?(
    _ network: SequenceNetwork, parameters: AlignedBuffer, unit: BFloat16Unit? = BFloat16Unit()
  ) {
    guard let (layers, output) = network.recurrentParts else { return nil }
    let matrices =
      layers.dropFirst().map(\.inputWeight) + layers.map { $0.recurrentWeights[0] }
      + [output.weight]
    let packed = unit.flatMap { _ in PackedWeights(matrices, of: parameters) }
    let context = LayerContext(parameters: parameters.pointer, unit: unit, packed: packed)
    func factor(_ weight: Parameter) -> RightFactor {
      context.packedFactor(weight) ?? RightFactor(weight.matrix(of: parameters.pointer))
    }
    self.layers = layers.enumerated().map { index, lstm in
      Layer(
        lstm: lstm, input: index == 0 ? nil : factor(lstm.inputWeight),
        recurrent: factor(lstm.recurrentWeights[0]))
    }
    self.output = output
    outputFactor = factor(output.weight)
    self.parameters = parameters
    self.packed = packed
  }

  /// Replaces all states by the state after one class as the first input.
  package func begin(with input: Int) {
    advance([Step(state: 0, input: input)], continues: false)
  }

  /// Replaces all states by the results of some steps: step k gives state k.
  ///
  /// - Parameter steps: At least one step, from states below ``count``.
  package func advance(_ steps: [Step]) {
    precondition(!steps.isEmpty && steps.allSatisfy { (0..<count).contains($0.state) })
    advance(steps, continues: true)
  }

  /// ln p [K] of the class after a state; valid until the next call.
  package func logProbabilities(_ state: Int) -> UnsafePointer<Float> {
    precondition((0..<count).contains(state), "no such state")
    return UnsafePointer(probabilities.pointer + state * output.outputChannels)
  }

  private func advance(_ steps: [Step], continues: Bool) {
    let widest = layers.reduce(0) { max($0, $1.lstm.hidden) }
    Self.grow(&scratch, to: steps.count * LSTM.stepScratch * widest)
    count = steps.count
    for index in layers.indices {
      let lstm = layers[index].lstm
      let memory = LSTM.StepMemory(scratch.pointer, rows: count, hidden: lstm.hidden)
      if let input = layers[index].input {
        memory.gateRows.multiply(hiddenRows(index - 1), input)
      } else {
        lstm.lookUp(steps.map(\.input), into: memory.gates, parameters)
      }
      if continues {
        memory.gather(
          steps.map(\.state), layers[index].hidden.pointer, layers[index].cell.pointer)
        memory.gateRows.multiply(
          memory.beforeRows, layers[index].recurrent, accumulates: true)
      }
      Self.grow(&layers[index].hidden, to: count * lstm.hidden)
      Self.grow(&layers[index].cell, to: count * lstm.hidden)
      lstm.step(
        memory, continues: continues, hidden: layers[index].hidden.pointer,
        cell: layers[index].cell.pointer, parameters)
    }
    predict()
  }

  /// The hidden states of a layer [B, H].
  private func hiddenRows(_ index: Int) -> Matrix {
    Matrix(layers[index].hidden.pointer, rows: count, columns: layers[index].lstm.hidden)
  }

  /// Computes the probabilities after all states.
  private func predict() {
    let classes = output.outputChannels
    Self.grow(&probabilities, to: count * classes)
    let target = probabilities.pointer
    Matrix(target, rows: count, columns: classes)
      .multiply(hiddenRows(layers.count - 1), outputFactor)
    Kernels.addBias(
      target, parameters.pointer + output.bias.offset, target, rows: count, columns: classes,
      relu: false)
    Kernels.logSoftmax(target, rows: count, columns: classes)
  }

  /// Grows a buffer; its content may be lost.
  private static func grow(_ buffer: inout AlignedBuffer, to count: Int) {
    if buffer.count < count { buffer = AlignedBuffer(count: max(count, 2 * buffer.count)) }
  }
}

extension SequenceNetwork {
  /// True if the network consists of unidirectional recurrent layers and a final dense layer, so
  /// that ``RecurrentStates`` can run it step by step.
  package var looksBackOnly: Bool { recurrentParts != nil }

  /// Dropout is left out, because it has no effect outside of training.
  fileprivate var recurrentParts: (memories: [LSTM], output: PackedConvolution)? {
    let inner = layers.dropLast().filter { !($0 is PackedDropout) }
    let memories = inner.compactMap { $0 as? LSTM }.filter(\.looksBackOnly)
    guard memories.count == inner.count, !memories.isEmpty,
      let output = layers.last as? PackedConvolution
    else { return nil }
    return (memories, output)
  }
}

extension LSTM {
  /// Floats of scratch memory per row and unit, for ``StepMemory``.
  fileprivate static let stepScratch = 7

  /// The parts of the scratch memory of one time step of B rows.
  fileprivate struct StepMemory {
    let rows: Int
    let hidden: Int
    /// [B, 4H]
    let gates: UnsafeMutablePointer<Float>
    /// [B, H]
    let cellTanh: UnsafeMutablePointer<Float>
    /// The previous states: [B, H] each.
    let hiddenBefore: UnsafeMutablePointer<Float>
    let cellBefore: UnsafeMutablePointer<Float>

    init(_ scratch: UnsafeMutablePointer<Float>, rows: Int, hidden: Int) {
      self.rows = rows
      self.hidden = hidden
      gates = scratch
      cellTanh = gates + 4 * rows * hidden
      hiddenBefore = cellTanh + rows * hidden
      cellBefore = hiddenBefore + rows * hidden
    }

    var gateRows: Matrix { Matrix(gates, rows: rows, columns: 4 * hidden) }
    var beforeRows: Matrix { Matrix(hiddenBefore, rows: rows, columns: hidden) }

    /// Copies the states that the rows continue.
    func gather(
      _ states: [Int], _ hiddenRows: UnsafePointer<Float>, _ cellRows: UnsafePointer<Float>
    ) {
      for (row, state) in states.enumerated() {
        (hiddenBefore + row * hidden).update(from: hiddenRows + state * hidden, count: hidden)
        (cellBefore + row * hidden).update(from: cellRows + state * hidden, count: hidden)
      }
    }
  }

  /// True if no later step is needed.
  fileprivate var looksBackOnly: Bool { recurrentWeights.count == 1 }

  /// Looks up the gates [B, 4H] of one-hot inputs, without bias and recurrent part.
  fileprivate func lookUp(
    _ inputs: [Int], into gates: UnsafeMutablePointer<Float>, _ parameters: AlignedBuffer
  ) {
    let width = 4 * hidden
    for (row, input) in inputs.enumerated() {
      (gates + row * width).update(
        from: parameters.pointer + inputWeight.offset + input * width, count: width)
    }
  }

  /// Computes one time step from gates without bias and, unless it is the first, the previous
  /// cells.
  fileprivate func step(
    _ memory: StepMemory, continues: Bool, hidden states: UnsafeMutablePointer<Float>,
    cell: UnsafeMutablePointer<Float>, _ parameters: AlignedBuffer
  ) {
    Kernels.lstmForward(
      memory.gates, gateStride: 4 * hidden, bias: parameters.pointer + bias.offset,
      previous: memory.cellBefore, cell: cell, cellTanh: memory.cellTanh, output: states,
      stateStride: hidden, rows: memory.rows, continued: continues ? memory.rows : 0,
      hidden: hidden)
  }
}
