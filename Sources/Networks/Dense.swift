import LinearAlgebra

/// y = x W + b, optionally followed by ReLU, over the flattened [T, C] of each sample.
///
/// W is [T·C, units].
struct Dense: Layer {
  let input: Shape
  let output: Shape
  let relu: Bool
  let weight: Parameter
  let bias: Parameter?

  init(input: Shape, units: Int, bias: Bool, relu: Bool, allocator: inout ParameterAllocator) {
    self.input = input
    self.relu = relu
    output = Shape(steps: 1, channels: units)
    weight = allocator.allocate(
      "weight", [input.count, units], .weight, .normal(fanIn: input.count))
    self.bias = bias ? allocator.allocate("bias", [units], .bias, .constant(0)) : nil
  }

  func scratchCount(batch: Int) -> Int { batch * (input.count + output.channels) }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let w = Matrix(
      reading: context.parameters + weight.offset, rows: input.count, columns: output.channels)
    Matrix(y, rows: batch, columns: output.channels)
      .multiply(Matrix(reading: x, rows: batch, columns: input.count), w, on: context.unit)
    addBias(bias, relu: relu, to: y, rows: batch, columns: output.channels, context)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext
  ) {
    guard let gradients = context.gradients else { return }
    if relu { Kernels.reluBackward(y, dy, count: batch * output.count) }
    let g = Matrix(dy, rows: batch, columns: output.channels)
    Matrix(gradients + weight.offset, rows: input.count, columns: output.channels)
      .multiply(
        Matrix(reading: x, rows: batch, columns: input.count).transposed, g,
        accumulates: context.accumulates, on: context.unit)
    if let bias, let sums = context.sums(of: bias) {
      Kernels.addColumnSums(dy, to: sums, rows: batch, columns: output.channels)
    }
    if let dx {
      let w = Matrix(
        reading: context.parameters + weight.offset, rows: input.count, columns: output.channels)
      Matrix(dx, rows: batch, columns: input.count)
        .multiply(g, w.transposed, scratch: scratch, on: context.unit)
    }
  }
}

/// Adds b and, if asked for, applies ReLU, in place.
func addBias(
  _ bias: Parameter?, relu: Bool, to y: UnsafeMutablePointer<Float>, rows: Int, columns: Int,
  _ context: LayerContext
) {
  guard let bias else {
    assert(!relu, "ReLU without a bias is not a specification in use")
    return
  }
  Kernels.addBias(
    y, context.parameters + bias.offset, y, rows: rows, columns: columns, relu: relu)
}
