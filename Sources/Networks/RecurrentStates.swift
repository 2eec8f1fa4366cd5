import LinearAlgebra

/// The states of a network that only looks back, each one time step on from another: for texts that
/// share their beginnings, which are then computed once.
///
/// The input of a time step is one-hot: a class. A state holds what the network remembers and the
/// natural logarithms of the probabilities [K] of the class that comes next. Not thread-safe; keeps
/// its memory.
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
  /// The number of states so far.
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

  /// Forgets all states and begins anew with one that was given a class.
  public func begin(with input: Int) {
    count = 0
    advance([Step(state: -1, input: input)], continues: false)
  }

  /// Adds a state behind each of some; the first of them has the index that ``count`` was before.
  public func append(_ steps: [Step]) {
    guard !steps.isEmpty else { return }
    advance(steps, continues: true)
  }

  /// The natural logarithms of the probabilities [K] of what comes behind a state; valid until the
  /// next call.
  public func logProbabilities(_ state: Int) -> UnsafePointer<Float> {
    precondition((0..<count).contains(state), "no such state")
    return UnsafePointer(probabilities.pointer + state * output.outputChannels)
  }

  private func advance(_ steps: [Step], continues: Bool) {
    let first = count
    count += steps.count
    reserve(steps.count)
    for (index, layer) in layers.enumerated() {
      let gates = scratch.pointer
      if index == 0 {
        layer.lookUp(steps.map(\.input), into: gates, context)
      } else {
        let below = layers[index - 1].hidden
        layer.project(
          Matrix(
            rows[index - 1].hidden.pointer + first * below, rows: steps.count, columns: below),
          into: gates, context)
      }
      let before = gates + steps.count * 6 * layer.hidden
      layer.step(
        gates, from: steps.map(\.state), continues: continues, first: first,
        hidden: rows[index].hidden.pointer, cell: rows[index].cell.pointer, before: before, context)
    }
    let (units, classes) = (output.inputChannels, output.outputChannels)
    let target = probabilities.pointer + first * classes
    let last = rows[layers.count - 1].hidden.pointer + first * units
    Matrix(target, rows: steps.count, columns: classes).multiply(
      Matrix(last, rows: steps.count, columns: units),
      Matrix(reading: context.parameters + output.weight.offset, rows: units, columns: classes))
    Kernels.addBias(
      target, context.parameters + output.bias.offset, target, rows: steps.count, columns: classes,
      relu: false)
    Kernels.logSoftmax(target, rows: steps.count, columns: classes)
  }

  /// Room for ``count`` states, and for a step of so many of them.
  private func reserve(_ stepCount: Int) {
    for (index, layer) in layers.enumerated() {
      Self.grow(&rows[index].hidden, to: count * layer.hidden)
      Self.grow(&rows[index].cell, to: count * layer.hidden)
    }
    Self.grow(&probabilities, to: count * output.outputChannels)
    let widest = layers.reduce(0) { max($0, $1.hidden) }
    // Gates, the hyperbolic tangent of the cell, and the states before.
    Self.grow(&scratch, to: stepCount * 8 * widest)
  }

  private static func grow(_ buffer: inout AlignedBuffer, to count: Int) {
    if buffer.count < count { buffer = buffer.grown(to: max(count, 2 * buffer.count)) }
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

  /// One time step of B states, which become the rows from `first` on of `hidden` and `cell`.
  ///
  /// - Parameters:
  ///   - gates: [B, 4H], destroyed; behind it room for [B, 2H].
  ///   - states: The rows that they follow, where something goes before.
  ///   - before: Room for [B, 2H].
  fileprivate func step(
    _ gates: UnsafeMutablePointer<Float>, from states: [Int], continues: Bool, first: Int,
    hidden rows: UnsafeMutablePointer<Float>, cell cells: UnsafeMutablePointer<Float>,
    before: UnsafeMutablePointer<Float>, _ context: LayerContext
  ) {
    let count = states.count
    let beforeCells = before + count * hidden
    if continues {
      for (row, state) in states.enumerated() {
        (before + row * hidden).update(from: rows + state * hidden, count: hidden)
        (beforeCells + row * hidden).update(from: cells + state * hidden, count: hidden)
      }
      Matrix(gates, rows: count, columns: 4 * hidden).multiply(
        Matrix(before, rows: count, columns: hidden),
        Matrix(
          reading: context.parameters + recurrentWeights[0].offset, rows: hidden,
          columns: 4 * hidden), beta: 1)
    }
    Kernels.lstmForward(
      gates, gateStride: 4 * hidden, bias: context.parameters + bias.offset, previous: beforeCells,
      cell: cells + first * hidden, cellTanh: gates + count * 4 * hidden,
      output: rows + first * hidden, stateStride: hidden, rows: count,
      continued: continues ? count : 0, hidden: hidden)
  }
}
