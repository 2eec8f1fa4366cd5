import CKernels
import LinearAlgebra

/// Convolution over time with stride 1 and zero padding, so that T stays; optionally with ReLU.
///
/// W is [K·C, C'], kernel step outermost. The input is unrolled ("im2col") a few samples at a
/// time, so that the unrolled rows stay in the second-level cache between their making and the
/// matrix product; backward unrolls again, which costs less than fetching them from memory.
struct Convolution: Layer {
  let input: Shape
  let output: Shape
  let kernel: Int
  let relu: Bool
  let weight: Parameter
  let bias: Parameter?

  /// Floats of unrolled input that one panel may take: 384 KiB.
  private static let panelFloats = 96 * 1024

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

  private func panel(batch: Int) -> Int {
    min(batch, max(1, Self.panelFloats / (input.steps * columns)))
  }

  func scratchCount(batch: Int) -> Int { panel(batch: batch) * input.steps * columns }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let w = Matrix(
      reading: context.parameters + weight.offset, rows: columns, columns: output.channels)
    forEachPanel(batch: batch) { first, count in
      let rows = count * input.steps
      let unrolled = unroll(x + first * input.count, samples: count, into: scratch)
      Matrix(y + first * output.count, rows: rows, columns: output.channels).multiply(unrolled, w)
    }
    addBias(
      bias, relu: relu, to: y, rows: batch * input.steps, columns: output.channels, context)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext
  ) {
    guard let gradients = context.gradients else { return }
    if relu { ck_relu_backward(y, dy, batch * output.count) }
    let w = Matrix(
      reading: context.parameters + weight.offset, rows: columns, columns: output.channels)
    let dw = Matrix(gradients + weight.offset, rows: columns, columns: output.channels)
    forEachPanel(batch: batch) { first, count in
      let g = Matrix(
        dy + first * output.count, rows: count * input.steps, columns: output.channels)
      let unrolled = unroll(x + first * input.count, samples: count, into: scratch)
      dw.multiply(unrolled.transposed, g, beta: 1)
      if let dx {
        unrolled.multiply(g, w.transposed)
        rollUp(unrolled, samples: count, into: dx + first * input.count)
      }
    }
    if let bias {
      ck_column_sums(dy, gradients + bias.offset, batch * input.steps, output.channels)
    }
  }

  private func forEachPanel(batch: Int, _ body: (_ first: Int, _ count: Int) -> Void) {
    let size = panel(batch: batch)
    var first = 0
    while first < batch {
      let count = min(size, batch - first)
      body(first, count)
      first += count
    }
  }

  /// Row t of the result holds the input's rows t - K/2 ... t + K/2, zeros outside the sample.
  private func unroll(
    _ x: UnsafePointer<Float>, samples: Int, into scratch: UnsafeMutablePointer<Float>
  ) -> Matrix {
    let channels = input.channels
    let reach = kernel / 2
    for sample in 0..<samples {
      let source = x + sample * input.count
      for step in 0..<input.steps {
        let row = scratch + (sample * input.steps + step) * columns
        let from = max(0, step - reach)
        let to = min(input.steps, step + reach + 1)
        let lead = (from - (step - reach)) * channels
        let copied = (to - from) * channels
        if lead > 0 { row.update(repeating: 0, count: lead) }
        (row + lead).update(from: source + from * channels, count: copied)
        if lead + copied < columns {
          (row + lead + copied).update(repeating: 0, count: columns - lead - copied)
        }
      }
    }
    return Matrix(scratch, rows: samples * input.steps, columns: columns)
  }

  /// The adjoint of `unroll`: dx[t] = sum over the rows that hold a copy of x[t].
  private func rollUp(_ unrolled: Matrix, samples: Int, into dx: UnsafeMutablePointer<Float>) {
    let channels = input.channels
    let reach = kernel / 2
    for sample in 0..<samples {
      let target = dx + sample * input.count
      target.update(repeating: 0, count: input.count)
      for step in 0..<input.steps {
        let row = unrolled.pointer + (sample * input.steps + step) * columns
        let from = max(0, step - reach)
        let to = min(input.steps, step + reach + 1)
        let lead = (from - (step - reach)) * channels
        ck_accumulate(row + lead, target + from * channels, (to - from) * channels)
      }
    }
  }
}
