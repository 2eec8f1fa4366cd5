import LinearAlgebra
import Networks

/// The precision of the network's matrix products when ink is read. Sums are in single precision or
/// exact in any case.
public enum ReadingPrecision: String, CaseIterable, Hashable, Codable, Sendable {
  /// Single precision, by BLAS.
  case single
  /// bfloat16 (Micikevicius et al. 2018), on processors that support it.
  case mixed
  /// Weights and activations in 8 bits. All processors and all batches give the same probabilities,
  /// up to the last digits of the final logarithm.
  case eightBits = "8-bit"

  /// The precisions that are of use on this processor, the slower first.
  package static var available: [ReadingPrecision] {
    [.single] + (BFloat16Unit.isAvailable ? [.mixed] : [])
      + (EightBitUnit.isAvailable ? [.eightBits] : [])
  }

  /// The fastest precision of this processor.
  package static var fastest: ReadingPrecision { available.last ?? .single }
}

/// The weights of a line model in the precision that it is read in, packed once for all threads.
enum ReadingWeights: Sendable {
  case single
  case mixed(PackedWeights)
  case eightBits(EightBitWeights)

  /// Packs the weights of a model. O(parameters).
  init(_ model: LineModel, _ precision: ReadingPrecision) {
    switch precision {
    case .single: self = .single
    case .mixed:
      self =
        PackedWeights(model.network, parameters: model.parameters).map { .mixed($0) } ?? .single
    case .eightBits:
      self = .eightBits(EightBitWeights(model.network, parameters: model.parameters))
    }
  }

  /// Makes the unit that one thread computes products on; nil if there is none.
  func makeUnit() -> BFloat16Unit? {
    if case .mixed = self { BFloat16Unit() } else { nil }
  }

  /// The context of a forward pass.
  func context(_ model: LineModel, unit: BFloat16Unit?) -> LayerContext {
    var context = LayerContext(parameters: model.parameters.pointer, unit: unit)
    switch self {
    case .single: break
    case .mixed(let weights): context.packed = weights
    case .eightBits(let weights): context.eightBit = weights
    }
    return context
  }
}
