import InkCore
import LinearAlgebra
import Networks

/// The numbers of `pattern` in scripts/golden/layers_golden.py: exact in Float.
func pattern(_ count: Int, _ salt: Int) -> [Float] {
  (0..<count).map { Float(($0 * 37 + salt * 53) % 101 - 50) / 64 }
}

/// Numbers in -1 ..< 1.
func randomFloats(_ count: Int, _ generator: inout SeededGenerator) -> [Float] {
  (0..<count).map { _ in 2 * generator.uniform() - 1 }
}

/// The largest difference of two lists; infinity if their counts differ or one has a NaN.
func largestDifference(_ left: [Float], _ right: [Float]) -> Float {
  guard left.count == right.count else { return .infinity }
  return zip(left, right).reduce(0) { largest, pair in
    let difference = abs(pair.0 - pair.1)
    return difference <= largest ? largest : difference.isNaN ? .infinity : difference
  }
}

/// One layer with memory of its own, whose forward and backward take and give arrays.
final class LayerProbe {
  let layer: any Layer
  let tensors: [Parameter]
  let parameters: AlignedBuffer
  let gradients: AlignedBuffer
  private var scratch = AlignedBuffer(count: 0)

  /// Makes the layer; tensors are filled as they start, weights with 0.
  init(_ specification: LayerSpecification, input: Shape) {
    var allocator = ParameterAllocator()
    layer = specification.makeLayer(input: input, allocator: &allocator)
    tensors = allocator.parameters
    parameters = AlignedBuffer(count: allocator.count)
    gradients = AlignedBuffer(count: allocator.count)
    for tensor in tensors {
      if case .constant(let value) = tensor.initialization {
        self[tensor.name] = [Float](repeating: value, count: tensor.count)
      }
    }
  }

  /// The values of a tensor, by the end of its name.
  subscript(name: String) -> [Float] {
    get { read(parameters, name) }
    set {
      for tensor in tensors where tensor.name.hasSuffix(name) {
        for index in 0..<tensor.count {
          parameters.pointer[tensor.offset + index] = newValue[index]
        }
      }
    }
  }

  /// The gradient of a tensor, or the batch's statistic.
  func gradient(_ name: String) -> [Float] { read(gradients, name) }

  private func read(_ buffer: AlignedBuffer, _ name: String) -> [Float] {
    for tensor in tensors where tensor.name.hasSuffix(name) {
      return (0..<tensor.count).map { buffer.pointer[tensor.offset + $0] }
    }
    return []
  }

  func forward(_ x: [Float], batch: Int, training: Bool = true, seed: UInt64 = 0) -> [Float] {
    scratch = AlignedBuffer(count: layer.scratchCount(batch: batch))
    var y = [Float](repeating: .nan, count: batch * layer.output.count)
    layer.forward(
      x, &y, batch: batch, scratch: scratch.pointer, context: context(training, seed))
    return y
  }

  /// After `forward` with the same x: dx. Gradients are added to what is there, or replace it.
  func backward(
    _ x: [Float], _ y: [Float], _ dy: [Float], batch: Int, seed: UInt64 = 0,
    accumulates: Bool = true
  ) -> [Float] {
    var dy = dy
    var dx = [Float](repeating: .nan, count: x.count)
    layer.backward(
      x, y, &dy, &dx, batch: batch, scratch: scratch.pointer,
      context: context(true, seed, accumulates: accumulates))
    return dx
  }

  private func context(
    _ training: Bool, _ seed: UInt64, accumulates: Bool = true
  ) -> LayerContext {
    LayerContext(
      parameters: parameters.pointer, gradients: training ? gradients.pointer : nil,
      accumulates: accumulates, isTraining: training, seed: seed)
  }
}
