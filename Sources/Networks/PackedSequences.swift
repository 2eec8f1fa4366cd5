import LinearAlgebra

// Shapes of sequences of different lengths: B sequences, T the longest, N the sum of all lengths,
// C channels, H hidden units, K classes.

/// The layout of B sequences of different lengths in one matrix of N rows.
///
/// Sequences are sorted, longest first. The rows of time step t are adjacent, one for each sequence
/// that is longer than t. The running sequences are therefore always the first ones, and one matrix
/// product computes a whole time step without padding.
///
/// Not thread-safe. Memory is reused: a layout allocates nothing once it has grown to the longest
/// batch.
package final class PackedSequences {
  /// Steps of each sequence, longest first, all at least 1.
  package private(set) var lengths: [Int] = []
  /// The index of the first row of each time step; a last entry holds N.
  package private(set) var starts: [Int32] = [0]

  /// Makes a layout of no sequences.
  package init() {}

  /// B.
  package var batch: Int { lengths.count }
  /// T; 0 if there are no sequences.
  package var steps: Int { starts.count - 1 }
  /// N.
  package var rows: Int { Int(starts[steps]) }

  /// The number of sequences longer than `step`.
  package func active(at step: Int) -> Int { Int(starts[step + 1] - starts[step]) }

  /// The row of a sequence's time step.
  package func row(sequence: Int, step: Int) -> Int { Int(starts[step]) + sequence }

  /// Lays out sequences of these lengths. O(B + T).
  ///
  /// - Parameter newLengths: Longest first, all at least 1.
  package func set(lengths newLengths: some Sequence<Int>) {
    lengths.removeAll(keepingCapacity: true)
    lengths.append(contentsOf: newLengths)
    layOut()
  }

  /// The output steps of a layer or network for `length` input steps. Output step u covers the input
  /// steps stride u ..< stride (u + 1); the last one may cover fewer.
  package static func outputSteps(_ length: Int, stride: Int) -> Int {
    (length + stride - 1) / stride
  }

  /// Sets the layout of a layer's output from its input. O(B + T).
  package func set(_ other: PackedSequences, stride: Int) {
    lengths.removeAll(keepingCapacity: true)
    for length in other.lengths { lengths.append(Self.outputSteps(length, stride: stride)) }
    layOut()
  }

  private func layOut() {
    assert(zip(lengths, lengths.dropFirst()).allSatisfy { $0 >= $1 }, "lengths must not grow")
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
    var running = lengths.count
    for step in 0..<(lengths.first ?? 0) {
      while lengths[running - 1] <= step { running -= 1 }
      starts.append(starts[step] + Int32(running))
    }
  }
}

/// The weight matrices of a network over sequences, packed once as right factors for products in
/// mixed precision. For one short ink, packing takes as long as the products themselves.
///
/// Takes about 2 bytes per weight, slightly more for odd sizes. Thread-safe: many units can read it
/// at once.
@usableFromInline package final class PackedWeights: Sendable {
  private let memory: AlignedBuffer
  /// The position of each packed matrix, by the index of its tensor among the parameters.
  private let places: [Int: Int]

  /// Packs the current weights; nil if the processor has no products in mixed precision.
  /// O(parameters).
  package convenience init?(_ network: SequenceNetwork, parameters: AlignedBuffer) {
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

  /// The packed matrix of a tensor for products on a unit; nil if the tensor is not packed.
  func factor(_ weight: Parameter, on unit: BFloat16Unit) -> RightFactor? {
    places[weight.offset].map { place in
      RightFactor(
        packed: memory.pointer + place, inner: weight.shape[0], columns: weight.shape[1], on: unit)
    }
  }
}
