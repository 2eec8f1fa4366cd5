import LinearAlgebra

/// The states of a network that only looks back, all at one time step, each on from one of the step
/// before: for texts that share their beginnings, which are then computed once.
///
/// The input of a time step is one-hot: a class. A state holds what the network remembers and the
/// natural logarithms of the probabilities [K] of the class that comes next. Not thread-safe; keeps
/// its memory, which grows to the largest number of states at one time step.
public final class RecurrentStates {
  /// A state that another one is to follow.
  public struct Step: Hashable, Sendable {
    /// The index of the state before.
    public var state: Int
    /// The class of the input.
    public var input: Int

    /// Names a state and an input.
    public init(state: Int, input: Int) {
      self.state = state
      self.input = input
    }
  }

  /// What is remembered of one layer: rows of [H] for all states.
  private struct Rows {
    var hidden = AlignedBuffer(count: 0)
    var cell = AlignedBuffer(count: 0)
  }

  private let layers: [LSTM]
  private let output: PackedConvolution
  private let parameters: AlignedBuffer
  private let context: LayerContext
  private var rows: [Rows]
  private var probabilities = AlignedBuffer(count: 0)
  private var scratch = AlignedBuffer(count: 0)
  /// The number of states.
  public private(set) var count = 0

  /// Makes room for the states of a network; nil where it does not look back only.
  public init?(_ network: SequenceNetwork, parameters: AlignedBuffer) {
    guard let (layers, output) = network.recurrentParts else { return nil }
    self.layers = layers
    self.output = output
    self.parameters = parameters
    context = LayerContext(parameters: UnsafePointer(parameters.pointer))
    rows = layers.map { _ in Rows() }
  }

  /// Forgets all states for one that was given a class and nothing before.
  public func begin(with input: Int) {
    advance([Step(state: 0, input: input)], continues: false)
  }

  /// Puts a state behind each of some in the place of all: the one of step k has index k.
  ///
  /// - Parameter steps: At least one, from states below ``count``.
  public func advance(_ steps: [Step]) {
    precondition(!steps.isEmpty && steps.allSatisfy { (0..<count).contains($0.state) })
    advance(steps, continues: true)
  }

  /// The natural logarithms of the probabilities [K] of what comes behind a state; valid until the
  /// next call.
  public func logProbabilities(_ state: Int) -> UnsafePointer<Float> {
    precondition((0..<count).contains(state), "no such state")
    return UnsafePointer(probabilities.pointer + state * output.outputChannels)
  }

  private func advance(_ steps: [Step], continues: Bool) {
    let widest = layers.reduce(0) { max($0, $1.hidden) }
    Self.grow(&scratch, to: steps.count * LSTM.stepScratch * widest)
    count = steps.count
    for (index, layer) in layers.enumerated() {
      let memory = LSTM.StepMemory(scratch.pointer, rows: count, hidden: layer.hidden)
      if index == 0 {
        layer.lookUp(steps.map(\.input), into: memory.gates, context)
      } else {
        let below = Matrix(
          rows[index - 1].hidden.pointer, rows: count, columns: layers[index - 1].hidden)
        layer.project(below, into: memory.gates, context)
      }
      if continues {
        let before = rows[index]
        memory.gather(steps.map(\.state), before.hidden.pointer, before.cell.pointer)
      }
      Self.grow(&rows[index].hidden, to: count * layer.hidden)
      Self.grow(&rows[index].cell, to: count * layer.hidden)
      layer.step(
        memory, continues: continues, hidden: rows[index].hidden.pointer,
        cell: rows[index].cell.pointer, context)
    }
    predict()
  }

  /// The probabilities behind all states.
  private func predict() {
    let (units, classes) = (output.inputChannels, output.outputChannels)
    Self.grow(&probabilities, to: count * classes)
    let target = probabilities.pointer
    Matrix(target, rows: count, columns: classes).multiply(
      Matrix(rows[layers.count - 1].hidden.pointer, rows: count, columns: units),
      Matrix(reading: context.parameters + output.weight.offset, rows: units, columns: classes))
    Kernels.addBias(
      target, context.parameters + output.bias.offset, target, rows: count, columns: classes,
      relu: false)
    Kernels.logSoftmax(target, rows: count, columns: classes)
  }

  /// Makes room; what was there need not stay.
  private static func grow(_ buffer: inout AlignedBuffer, to count: Int) {
    if buffer.count < count { buffer = AlignedBuffer(count: max(count, 2 * buffer.count)) }
  }
}

extension SequenceNetwork {
  /// Whether it is made of layers that remember what was before, and a dense one at the end: what
  /// ``RecurrentStates`` can run step by step.
  public var looksBackOnly: Bool { recurrentParts != nil }

  /// Dropout, which does nothing behind training, is left out.
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
  /// Floats of scratch for each row and unit: those of ``StepMemory``.
  fileprivate static let stepScratch = 7

  /// The parts of scratch of one time step of B rows.
  fileprivate struct StepMemory {
    let rows: Int
    let hidden: Int
    /// [B, 4H]
    let gates: UnsafeMutablePointer<Float>
    /// [B, H]
    let cellTanh: UnsafeMutablePointer<Float>
    /// The states before: [B, H] each.
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

    /// Copies the states that the rows go on from.
    func gather(
      _ states: [Int], _ hiddenRows: UnsafePointer<Float>, _ cellRows: UnsafePointer<Float>
    ) {
      for (row, state) in states.enumerated() {
        (hiddenBefore + row * hidden).update(from: hiddenRows + state * hidden, count: hidden)
        (cellBefore + row * hidden).update(from: cellRows + state * hidden, count: hidden)
      }
    }
  }

  /// Whether it needs nothing that comes later.
  fileprivate var looksBackOnly: Bool { recurrentWeights.count == 1 }

  /// Gates [B, 4H] without bias and without what is remembered, of one-hot inputs.
  fileprivate func lookUp(
    _ inputs: [Int], into gates: UnsafeMutablePointer<Float>, _ context: LayerContext
  ) {
    let width = 4 * hidden
    for (row, input) in inputs.enumerated() {
      (gates + row * width).update(
        from: context.parameters + inputWeight.offset + input * width, count: width)
    }
  }

  /// The same of any inputs [B, C].
  fileprivate func project(
    _ inputs: Matrix, into gates: UnsafeMutablePointer<Float>, _ context: LayerContext
  ) {
    Matrix(gates, rows: inputs.rows, columns: 4 * hidden).multiply(
      inputs,
      Matrix(
        reading: context.parameters + inputWeight.offset, rows: inputChannels, columns: 4 * hidden))
  }

  /// One time step: from gates and, where something goes before, the states before to new ones.
  fileprivate func step(
    _ memory: StepMemory, continues: Bool, hidden states: UnsafeMutablePointer<Float>,
    cell: UnsafeMutablePointer<Float>, _ context: LayerContext
  ) {
    if continues {
      Matrix(memory.gates, rows: memory.rows, columns: 4 * hidden).multiply(
        Matrix(memory.hiddenBefore, rows: memory.rows, columns: hidden),
        Matrix(
          reading: context.parameters + recurrentWeights[0].offset, rows: hidden,
          columns: 4 * hidden), beta: 1)
    }
    Kernels.lstmForward(
      memory.gates, gateStride: 4 * hidden, bias: context.parameters + bias.offset,
      previous: memory.cellBefore, cell: cell, cellTanh: memory.cellTanh, output: states,
      stateStride: hidden, rows: memory.rows, continued: continues ? memory.rows : 0,
      hidden: hidden)
  }
}
