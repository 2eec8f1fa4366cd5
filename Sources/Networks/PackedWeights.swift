import LinearAlgebra

/// The matrices of weights of a network over sequences as the right factors of products in mixed
/// precision, packed once for many forward passes: of one short ink, packing takes as long as the
/// products.
///
/// Takes 2 bytes for each weight, a little more where sizes are odd. Thread-safe: many units can read it at once.
public final class PackedWeights: Sendable {
  private let memory: AlignedBuffer
  /// Where the matrix of a tensor is, by the tensor's place among the parameters.
  private let places: [Int: Int]

  /// Packs the weights as they are now; nil where the processor has no products in mixed precision.
  /// O(parameters).
  public convenience init?(_ network: SequenceNetwork, parameters: AlignedBuffer) {
    self.init(network.parameters.filter { $0.shape.count == 2 }, of: parameters)
  }

  /// Packs some matrices.
  init?(_ matrices: [Parameter], of parameters: AlignedBuffer) {
    guard BFloat16Unit.isAvailable else { return nil }
    var (places, count) = ([Int: Int](), 0)
    for matrix in matrices {
      places[matrix.offset] = count
      count += RightFactor.packedCount(inner: matrix.shape[0], columns: matrix.shape[1])
    }
    self.places = places
    memory = AlignedBuffer(count: count)
    for matrix in matrices {
      guard let place = places[matrix.offset] else { continue }
      RightFactor.pack(matrix.matrix(of: parameters.pointer), in: memory.pointer + place)
    }
  }

  /// A matrix of weights for products on a unit; nil where it is none of the network's.
  func factor(_ weight: Parameter, on unit: BFloat16Unit) -> RightFactor? {
    places[weight.offset].map { place in
      RightFactor(
        packed: memory.pointer + place, inner: weight.shape[0], columns: weight.shape[1], on: unit)
    }
  }
}
