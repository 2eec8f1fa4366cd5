import LinearAlgebra

/// Convolution over time with stride 1 and zero padding, which keeps T; optionally with ReLU.
///
/// W is [K·C, C'], kernel step outermost. The input is unrolled ("im2col") one panel of rows at a
/// time, so that the rows are still in the second-level cache for the matrix product. The backward
/// pass unrolls again, which is faster than loading the rows from memory. The gradient of the input
/// is the convolution of dy with the kernel reversed in time and transposed.
struct Convolution: Layer {
  let input: Shape
  let output: Shape
  let kernel: Int
  let relu: Bool
  let weight: Parameter
  let bias: Parameter?

  /// Floats of unrolled rows that one panel may take: 128 KiB.
  private static let panelFloats = 32 * 1024

  init(
    input: Shape, channels: Int, kernel: Int, bias: Bool, relu: Bool,
    allocator: inout ParameterAllocator
  ) {
    self.input = input
    self.kernel = kernel
    self.relu = relu
    output = Shape(steps: input.steps, channels: channels)
    let fanIn = kernel * input.channels
    weight = allocator.allocate("weight", [fanIn, channels], .weight, .normal(fanIn: fanIn))
    self.bias = bias ? allocator.allocate("bias", [channels], .bias, .constant(0)) : nil
  }

  private var columns: Int { kernel * input.channels }
  private var reversedColumns: Int { kernel * output.channels }

  private func panelRows(_ columns: Int, rows: Int) -> Int {
    min(rows, max(1, Self.panelFloats / columns))
  }

  func scratchCount(batch: Int) -> Int {
    let rows = batch * input.steps
    return factorCount
      + max(
        panelRows(columns, rows: rows) * columns,
        panelRows(reversedColumns, rows: rows) * reversedColumns + weight.count)
  }

  /// Floats for the weights as the right factor of products.
  private var factorCount: Int {
    max(
      RightFactor.count(inner: columns, columns: output.channels),
      RightFactor.count(inner: reversedColumns, columns: input.channels))
  }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let rows = batch * input.steps
    let w = RightFactor(
      Matrix(reading: context.parameters + weight.offset, rows: columns, columns: output.channels),
      in: scratch, on: context.unit)
    forEachPanel(x, input.channels, rows: rows, scratch + factorCount) { unrolled, first in
      Matrix(y + first * output.channels, rows: unrolled.rows, columns: output.channels)
        .multiply(unrolled, w)
    }
    addBias(bias, relu: relu, to: y, rows: rows, columns: output.channels, context)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext
  ) {
    guard let gradients = context.gradients else { return }
    let rows = batch * input.steps
    if relu { Kernels.reluBackward(y, dy, count: batch * output.count) }
    let dw = Matrix(gradients + weight.offset, rows: columns, columns: output.channels)
    let panels = scratch + factorCount
    forEachPanel(x, input.channels, rows: rows, panels) { unrolled, first in
      let g = Matrix(
        dy + first * output.channels, rows: unrolled.rows, columns: output.channels)
      dw.multiply(
        unrolled.transposed, g, accumulates: first > 0 || context.accumulates, on: context.unit)
    }
    if let bias, let sums = context.sums(of: bias) {
      Kernels.addColumnSums(dy, to: sums, rows: rows, columns: output.channels)
    }
    if let dx {
      let reversed = RightFactor(
        reversedKernel(context.parameters + weight.offset, into: panels), in: scratch,
        on: context.unit)
      forEachPanel(dy, output.channels, rows: rows, panels + weight.count) { unrolled, first in
        Matrix(dx + first * input.channels, rows: unrolled.rows, columns: input.channels)
          .multiply(unrolled, reversed)
      }
    }
  }

  /// [K·C', C]: W reversed in time and transposed at each kernel step.
  private func reversedKernel(
    _ w: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>
  ) -> Matrix {
    let block = input.channels * output.channels
    for step in 0..<kernel {
      Kernels.transpose(
        w + (kernel - 1 - step) * block, into: target + step * block, rows: input.channels,
        columns: output.channels)
    }
    return Matrix(target, rows: reversedColumns, columns: input.channels)
  }

  /// Calls `body` with each panel of unrolled rows of x [rows, channels] and the index of its first
  /// row. A kernel of one step needs no unrolling.
  private func forEachPanel(
    _ x: UnsafePointer<Float>, _ channels: Int, rows: Int, _ scratch: UnsafeMutablePointer<Float>,
    _ body: (_ unrolled: Matrix, _ first: Int) -> Void
  ) {
    if kernel == 1 { return body(Matrix(reading: x, rows: rows, columns: channels), 0) }
    let size = panelRows(kernel * channels, rows: rows)
    var first = 0
    while first < rows {
      let part = first..<min(first + size, rows)
      unroll(x, channels, part, into: scratch)
      body(Matrix(scratch, rows: part.count, columns: kernel * channels), first)
      first = part.upperBound
    }
  }

  /// Unrolls a sample: row t becomes its rows t - K/2 ... t + K/2, with zeros outside the sample.
  private func unroll(
    _ x: UnsafePointer<Float>, _ channels: Int, _ rows: Range<Int>,
    into scratch: UnsafeMutablePointer<Float>
  ) {
    let reach = kernel / 2
    let width = kernel * channels
    var target = scratch
    var step = rows.lowerBound % input.steps
    for row in rows {
      let missingBefore = max(0, reach - step)
      let missingAfter = max(0, step + reach + 1 - input.steps)
      let lead = missingBefore * channels
      let copied = width - lead - missingAfter * channels
      if lead > 0 { target.update(repeating: 0, count: lead) }
      (target + lead).update(from: x + (row - reach + missingBefore) * channels, count: copied)
      if lead + copied < width {
        (target + lead + copied).update(repeating: 0, count: width - lead - copied)
      }
      target += width
      step = step + 1 == input.steps ? 0 : step + 1
    }
  }
}
