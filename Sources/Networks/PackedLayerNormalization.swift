import LinearAlgebra

/// Layer normalisation (Ba et al. 2016): each step's channels are brought to mean 0 and variance 1,
/// then scaled and shifted by learned numbers.
struct PackedLayerNormalization: PackedLayer {
  let inputChannels: Int
  let scale: Parameter
  let shift: Parameter

  init(inputChannels: Int, allocator: inout ParameterAllocator) {
    self.inputChannels = inputChannels
    scale = allocator.allocate("scale", [inputChannels], .bias, .constant(1))
    shift = allocator.allocate("shift", [inputChannels], .bias, .constant(0))
  }

  var outputChannels: Int { inputChannels }
  var stride: Int { 1 }
  var multiplyAdds: Int { 0 }

  /// Mean and inverse standard deviation of each row.
  func scratchCount(_ shape: PackedShape) -> Int { 2 * shape.inputRows }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let rows = sequences.input.rows
    Kernels.layerNormalization(
      x, scale: context.parameters + scale.offset, shift: context.parameters + shift.offset, y,
      mean: scratch, inverse: scratch + rows, rows: rows, columns: inputChannels)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, _ sequences: PackedPair,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    guard let scaleSums = context.sums(of: scale), let shiftSums = context.sums(of: shift) else {
      return
    }
    let rows = sequences.input.rows
    Kernels.layerNormalizationBackward(
      x, dy, scale: context.parameters + scale.offset, mean: scratch, inverse: scratch + rows,
      scaleGradient: scaleSums, shiftGradient: shiftSums, dx, rows: rows, columns: inputChannels)
  }
}
