import LinearAlgebra

/// Batch normalisation of each channel over batch and time (Ioffe and Szegedy 2015), optionally
/// followed by ReLU.
///
/// Training uses the biased variance of the batch. It writes mean and variance into the gradient
/// buffer, in the places of the running statistics; the trainer folds them in. Scratch holds mean,
/// 1/σ and two reductions.
struct BatchNormalization: Layer {
  let input: Shape
  let relu: Bool
  let scale: Parameter
  let shift: Parameter
  let mean: Parameter
  let variance: Parameter

  static let epsilon: Float = 1e-5

  init(input: Shape, relu: Bool, allocator: inout ParameterAllocator) {
    self.input = input
    self.relu = relu
    let shape = [input.channels]
    scale = allocator.allocate("scale", shape, .bias, .constant(1))
    shift = allocator.allocate("shift", shape, .bias, .constant(0))
    mean = allocator.allocate("mean", shape, .statistic, .constant(0))
    variance = allocator.allocate("variance", shape, .statistic, .constant(1))
  }

  var output: Shape { input }

  private var floor: Float { relu ? 0 : -.greatestFiniteMagnitude }

  func scratchCount(batch: Int) -> Int { 4 * input.channels }

  func forward(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, batch: Int,
    scratch: UnsafeMutablePointer<Float>, context: LayerContext
  ) {
    let channels = input.channels
    let rows = batch * input.steps
    let center = scratch
    let inverse = scratch + channels
    if context.isTraining, let gradients = context.gradients {
      Kernels.columnMoments(
        x, mean: center, variance: inverse, rows: rows, columns: channels)
      (gradients + mean.offset).update(from: center, count: channels)
      (gradients + variance.offset).update(from: inverse, count: channels)
    } else {
      center.update(from: context.parameters + mean.offset, count: channels)
      inverse.update(from: context.parameters + variance.offset, count: channels)
    }
    let factor = scratch + 2 * channels
    let offset = scratch + 3 * channels
    let gamma = context.parameters + scale.offset
    let beta = context.parameters + shift.offset
    for channel in 0..<channels {
      inverse[channel] = 1 / (inverse[channel] + Self.epsilon).squareRoot()
      factor[channel] = gamma[channel] * inverse[channel]
      offset[channel] = beta[channel] - center[channel] * factor[channel]
    }
    Kernels.scaleShift(
      x, scale: factor, shift: offset, floor: floor, y, rows: rows, columns: channels)
  }

  func backward(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ dy: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, batch: Int, scratch: UnsafeMutablePointer<Float>,
    context: LayerContext
  ) {
    guard let gradientOfShift = context.sums(of: shift),
      let gradientOfScale = context.sums(of: scale)
    else { return }
    let channels = input.channels
    let rows = batch * input.steps
    let inverse = scratch + channels
    let sumG = scratch + 2 * channels
    let sumGX = scratch + 3 * channels
    Kernels.batchNormalizationSums(
      x, y, floor: floor, dy, mean: scratch, inverse: inverse, sumG: sumG, sumGX: sumGX,
      rows: rows, columns: channels)
    Kernels.accumulate(sumG, into: gradientOfShift, count: channels)
    Kernels.accumulate(sumGX, into: gradientOfScale, count: channels)
    if let dx {
      Kernels.batchNormalizationInputGradient(
        x, dy, mean: scratch, inverse: inverse, gamma: context.parameters + scale.offset,
        sumG: sumG, sumGX: sumGX, dx, rows: rows, columns: channels)
    }
  }
}
