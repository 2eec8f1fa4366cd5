import LinearAlgebra

/// The larger of each pair of consecutive time steps; an odd last step is dropped.
struct MaxPool: Layer {
  let input: Shape

  var output: Shape { Shape(steps: max(1, input.steps / 2), channels: input.channels) }

  func scratchCount(batch: Int) -> Int { 0 }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    if input.steps.isMultiple(of: 2) {
      Kernels.maxPoolPairs(
        x, y, rows: batch * output.steps, columns: input.channels)
      return
    }
    for sample in 0..<batch {
      if input.steps == 1 {
        (y + sample * output.count).update(from: x + sample * input.count, count: input.count)
      } else {
        Kernels.maxPoolPairs(
          x + sample * input.count, y + sample * output.count, rows: output.steps,
          columns: input.channels)
      }
    }
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext
  ) {
    guard let dx else { return }
    if input.steps.isMultiple(of: 2) {
      Kernels.maxPoolPairsBackward(
        x, dy, dx, rows: batch * output.steps, columns: input.channels)
      return
    }
    for sample in 0..<batch {
      let target = dx + sample * input.count
      if input.steps == 1 {
        target.update(from: dy + sample * output.count, count: input.count)
        continue
      }
      Kernels.maxPoolPairsBackward(
        x + sample * input.count, dy + sample * output.count, target, rows: output.steps,
        columns: input.channels)
      (target + (input.steps - 1) * input.channels).update(repeating: 0, count: input.channels)
    }
  }
}

/// Zeroes elements at a rate in training and scales the others by 1 / (1 - rate)
/// (Srivastava et al. 2014); the identity otherwise.
struct Dropout: Layer {
  let input: Shape
  let rate: Float

  var output: Shape { input }

  func scratchCount(batch: Int) -> Int { 0 }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    mask(x, y, batch: batch, context)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext
  ) {
    if let dx { mask(dy, dx, batch: batch, context) }
  }

  private func mask(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int, _ context: LayerContext
  ) {
    if context.isTraining {
      Kernels.dropout(x, y, count: batch * input.count, rate: rate, seed: context.seed)
    } else {
      y.update(from: x, count: batch * input.count)
    }
  }
}
