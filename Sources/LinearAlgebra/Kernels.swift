import CKernels

/// The vector kernels that BLAS lacks, in Swift words.
///
/// Matrices are row-major and dense, `rows` by `columns`. Nothing allocates. Buffers do not overlap
/// unless a comment says so. Sums may differ in the last bits between processors, because each
/// kernel is compiled for several instruction sets, but not between two runs on one.
@usableFromInline package enum Kernels {
  /// y = x + bias, row by row; y may be x. With `relu`, negative results become 0.
  package static func addBias(
    _ x: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    rows: Int, columns: Int, relu: Bool
  ) {
    if relu {
      ck_add_bias_relu(x, bias, y, rows, columns)
    } else {
      ck_add_bias(x, bias, y, rows, columns)
    }
  }

  /// g = y > 0 ? g : 0, in place.
  package static func reluBackward(
    _ y: UnsafePointer<Float>, _ g: UnsafeMutablePointer<Float>, count: Int
  ) {
    ck_relu_backward(y, g, count)
  }

  /// sums[c] += the sum of column c.
  package static func addColumnSums(
    _ x: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_column_sums(x, sums, rows, columns)
  }

  /// Mean and biased variance of each column.
  package static func columnMoments(
    _ x: UnsafePointer<Float>, mean: UnsafeMutablePointer<Float>,
    variance: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_column_moments(x, mean, variance, rows, columns)
  }

  /// y = max(floor, x * scale[c] + shift[c]).
  package static func scaleShift(
    _ x: UnsafePointer<Float>, scale: UnsafePointer<Float>, shift: UnsafePointer<Float>,
    floor: Float, _ y: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_scale_shift_floor(x, scale, shift, floor, y, rows, columns)
  }

  /// Masks g by y > floor, in place, and sums it and its products with the normalised x over each
  /// column: the two reductions of batch normalisation's backward pass.
  package static func batchNormalizationSums(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, floor: Float,
    _ g: UnsafeMutablePointer<Float>, mean: UnsafePointer<Float>,
    inverse: UnsafePointer<Float>, sumG: UnsafeMutablePointer<Float>,
    sumGX: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_batch_norm_reduce(x, y, floor, g, mean, inverse, sumG, sumGX, rows, columns)
  }

  /// dx = gamma * inverse * (g - sumG / rows - normalised x * sumGX / rows); dx may be g.
  package static func batchNormalizationInputGradient(
    _ x: UnsafePointer<Float>, _ g: UnsafePointer<Float>, mean: UnsafePointer<Float>,
    inverse: UnsafePointer<Float>, gamma: UnsafePointer<Float>, sumG: UnsafePointer<Float>,
    sumGX: UnsafePointer<Float>, _ dx: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_batch_norm_input_gradient(x, g, mean, inverse, gamma, sumG, sumGX, dx, rows, columns)
  }

  /// The larger of each two rows: x is [2 rows, columns], y is [rows, columns].
  package static func maxPoolPairs(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_max_pool_pairs(x, y, rows, columns)
  }

  /// Sends each gradient to the larger element of its pair, or to the first if both are equal.
  package static func maxPoolPairsBackward(
    _ x: UnsafePointer<Float>, _ g: UnsafePointer<Float>, _ dx: UnsafeMutablePointer<Float>,
    rows: Int, columns: Int
  ) {
    ck_max_pool_pairs_backward(x, g, dx, rows, columns)
  }

  /// Zeroes elements with probability `rate` by a mask that `seed` addresses and scales the others
  /// by 1 / (1 - rate). The same call on the gradient is the backward pass. y may be x.
  package static func dropout(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, count: Int, rate: Float,
    seed: UInt64
  ) {
    ck_dropout(x, y, count, seed, UInt32(rate * 4_294_967_040), 1 / (1 - rate))
  }

  /// Cross-entropy with label smoothing s over K columns: the target is (1 - s) one-hot + s / K.
  ///
  /// Writes (softmax - target) * scale over the logits.
  ///
  /// - Returns: the sum of the rows' losses and the number of rows whose largest logit is the
  ///   label's.
  package static func softmaxCrossEntropy(
    _ logits: UnsafeMutablePointer<Float>, labels: UnsafePointer<Int32>, rows: Int, columns: Int,
    smoothing: Float, scale: Float
  ) -> (loss: Double, correct: Int) {
    var loss = 0.0
    var correct = 0
    ck_softmax_cross_entropy(logits, labels, rows, columns, smoothing, scale, &loss, &correct)
    return (loss, correct)
  }

  /// log softmax of each row, in place.
  package static func logSoftmax(_ x: UnsafeMutablePointer<Float>, rows: Int, columns: Int) {
    ck_log_softmax_rows(x, rows, columns)
  }

  /// The sum of squares, in double precision.
  package static func sumOfSquares(_ x: UnsafePointer<Float>, count: Int) -> Double {
    ck_sum_of_squares(x, count)
  }

  /// y += x.
  package static func accumulate(
    _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>, count: Int
  ) {
    ck_accumulate(x, y, count)
  }

  /// y [columns, rows] = the transpose of x [rows, columns].
  package static func transpose(
    _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_transpose(x, y, rows, columns)
  }

  /// The numbers of one step of AdamW.
  @usableFromInline package struct AdamWStep: Sendable {
    /// Factor on the gradients, for clipping.
    package var gradientScale: Float
    /// Decay of the first and second moments.
    package var beta1, beta2: Float
    /// The bias-corrected learning rate and epsilon.
    package var stepSize, epsilon: Float
    /// 1 - learning rate * weight decay.
    package var decay: Float
    /// Decay of the moving average of the weights.
    package var averageDecay: Float

    /// Makes the numbers of a step.
    @usableFromInline package init(
      gradientScale: Float, beta1: Float, beta2: Float, stepSize: Float, epsilon: Float,
      decay: Float, averageDecay: Float
    ) {
      self.gradientScale = gradientScale
      self.beta1 = beta1
      self.beta2 = beta2
      self.stepSize = stepSize
      self.epsilon = epsilon
      self.decay = decay
      self.averageDecay = averageDecay
    }
  }

  /// One step of AdamW (Loshchilov and Hutter 2019) and of the weights' moving average.
  package static func adamW(
    weights: UnsafeMutablePointer<Float>, gradients: UnsafePointer<Float>,
    first: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>,
    average: UnsafeMutablePointer<Float>, count: Int, _ step: AdamWStep
  ) {
    ck_adamw(
      weights, gradients, first, second, average, count, step.gradientScale, step.beta1,
      step.beta2, step.stepSize, step.epsilon, step.decay, step.averageDecay)
  }
}
