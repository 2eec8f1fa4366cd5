import LinearAlgebra

/// The weight matrices of a network over sequences in 8 bits, with a scale for each column, for
/// reading. Activations are rounded to 8 bits too, with a scale for each row; sums are exact.
///
/// The first layer keeps single precision: it has few weights, and its input is the ink itself.
/// Results do not depend on the batch: a sequence has the same output alone and with others. Takes
/// about 1 byte per weight. Thread-safe.
package final class EightBitWeights: Sendable {
  /// A matrix of a layer with its bias.
  struct Part {
    let weight: Parameter
    /// nil for none.
    let bias: Parameter?
    /// The units of an LSTM layer; 0 for other layers.
    var hidden = 0
    /// True for weights of hidden states.
    var isRecurrent = false
  }

  /// The instructions in use.
  let unit: EightBitUnit
  private let memory: AlignedBuffer
  /// The packed matrices, by the index of their tensors among the parameters.
  private let factors: [Int: EightBitFactor]

  /// Rounds and packs the current weights. O(parameters).
  ///
  /// - Parameter unit: An available unit.
  package init(
    _ network: SequenceNetwork, parameters: AlignedBuffer, unit: EightBitUnit = .fastest
  ) {
    self.unit = unit
    let parts = network.layers.dropFirst().map(\.eightBitParts)
      .filter { $0.allSatisfy { EightBitFactor.canPack(inner: $0.weight.shape[0]) } }
      .flatMap { $0 }
    var count = 0
    let places = parts.map { part in
      defer {
        count += EightBitFactor.count(
          inner: part.weight.shape[0], columns: part.weight.shape[1], hidden: part.hidden)
      }
      return count
    }
    let memory = AlignedBuffer(count: count)
    self.memory = memory
    factors = Dictionary(
      uniqueKeysWithValues: zip(parts, places).map { part, place in
        (
          part.weight.offset,
          EightBitFactor(
            part.weight.matrix(of: parameters.pointer),
            bias: part.bias.map { parameters.pointer + $0.offset }, hidden: part.hidden,
            isRecurrent: part.isRecurrent, in: memory.pointer + place)
        )
      })
  }

  /// The packed matrix of a tensor; nil if it keeps its precision.
  func factor(_ weight: Parameter) -> EightBitFactor? { factors[weight.offset] }
}

extension PackedLayer {
  /// The layer has no matrices.
  var eightBitParts: [EightBitWeights.Part] { [] }
}

extension LSTM {
  var eightBitParts: [EightBitWeights.Part] {
    [EightBitWeights.Part(weight: inputWeight, bias: bias, hidden: hidden)]
      + recurrentWeights.map {
        EightBitWeights.Part(weight: $0, bias: nil, hidden: hidden, isRecurrent: true)
      }
  }

  /// Floats of scratch memory for ``forward(_:_:_:scratch:eightBit:)``.
  func eightBitScratchCount(_ shape: PackedShape) -> Int {
    let columns = 4 * recurrentWeights.count * ((hidden + 15) / 16 * 16)
    return shape.inputRows * columns
      + max(
        EightBitFactor.activationCount(rows: shape.inputRows, columns: inputChannels),
        EightBitLayer.scratchCount(
          hidden: hidden, directions: recurrentWeights.count, batch: shape.batch))
  }

  /// The forward pass in 8 bits: one product for the input of all gates, time steps and directions,
  /// then the time steps of both directions. Returns false if the weights are not packed.
  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ layout: PackedSequences,
    scratch: UnsafeMutablePointer<Float>, eightBit weights: EightBitWeights
  ) -> Bool {
    guard let input = weights.factor(inputWeight) else { return false }
    let recurrent = recurrentWeights.compactMap { weights.factor($0) }
    guard recurrent.count == recurrentWeights.count else { return false }
    let gates = scratch
    // First the rounded input, then the states.
    let rest = scratch + layout.rows * input.packedColumns
    input.multiply(
      Matrix(reading: x, rows: layout.rows, columns: inputChannels), into: gates, scratch: rest,
      on: weights.unit)
    EightBitLayer(recurrent).run(
      gates, into: y, starts: layout.starts, batch: layout.batch, scratch: rest, on: weights.unit)
    return true
  }
}

extension PackedConvolution {
  var eightBitParts: [EightBitWeights.Part] {
    [EightBitWeights.Part(weight: weight, bias: bias)]
  }
}
