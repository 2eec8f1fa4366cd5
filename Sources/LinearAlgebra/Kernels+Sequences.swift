import CKernels

extension Kernels {
  /// log(1 + exp(x)) for x at most 0; absolute error below 2e-6.
  @inline(__always)
  package static func softplus(_ x: Float) -> Float { ck_softplus(x) }

  /// One time step of an LSTM for `rows` sequences of `hidden` units.
  ///
  /// - Parameters:
  ///   - gates: Rows of 4 x hidden pre-activations without bias, in the order input, forget, cell,
  ///     output. The activations replace them.
  ///   - bias: 4 x hidden.
  ///   - previous: The previous cell state of the first `continued` rows; the others start from 0.
  ///   - cell: The new cell state.
  ///   - cellTanh: Its hyperbolic tangent.
  ///   - output: The hidden state.
  package static func lstmForward(
    _ gates: UnsafeMutablePointer<Float>, gateStride: Int, bias: UnsafePointer<Float>,
    previous: UnsafePointer<Float>, cell: UnsafeMutablePointer<Float>,
    cellTanh: UnsafeMutablePointer<Float>, output: UnsafeMutablePointer<Float>, stateStride: Int,
    rows: Int, continued: Int, hidden: Int
  ) {
    ck_lstm_forward(
      gates, gateStride, bias, previous, cell, cellTanh, output, stateStride, rows, continued,
      hidden)
  }

  /// The gradient of ``lstmForward(_:gateStride:bias:previous:cell:cellTanh:output:stateStride:rows:continued:hidden:)``.
  ///
  /// - Parameters:
  ///   - gates: The activations, which the gradients of the pre-activations replace.
  ///   - outputGradient: The complete gradient of the hidden state.
  ///   - carry: Rows of `hidden`. On entry the first `carried` rows hold the gradient of the cell
  ///     state from the following step; the others count as 0. On return all rows hold the gradient
  ///     for the previous step.
  package static func lstmBackward(
    _ gates: UnsafeMutablePointer<Float>, gateStride: Int, previous: UnsafePointer<Float>,
    cellTanh: UnsafePointer<Float>, outputGradient: UnsafePointer<Float>, stateStride: Int,
    carry: UnsafeMutablePointer<Float>, rows: Int, continued: Int, carried: Int, hidden: Int
  ) {
    ck_lstm_backward(
      gates, gateStride, previous, cellTanh, outputGradient, stateStride, carry, rows, continued,
      carried, hidden)
  }

  /// Layer normalisation (Ba et al. 2016) of each row. Writes the mean of each row and the inverse
  /// of its standard deviation.
  package static func layerNormalization(
    _ x: UnsafePointer<Float>, scale: UnsafePointer<Float>, shift: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>, mean: UnsafeMutablePointer<Float>,
    inverse: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    ck_layer_norm(x, scale, shift, y, mean, inverse, rows, columns)
  }

  /// The gradient of layer normalisation. The gradients of scale and shift are added to the
  /// buffers; dx may be dy.
  package static func layerNormalizationBackward(
    _ x: UnsafePointer<Float>, _ dy: UnsafePointer<Float>, scale: UnsafePointer<Float>,
    mean: UnsafePointer<Float>, inverse: UnsafePointer<Float>,
    scaleGradient: UnsafeMutablePointer<Float>, shiftGradient: UnsafeMutablePointer<Float>,
    _ dx: UnsafeMutablePointer<Float>?, rows: Int, columns: Int
  ) {
    ck_layer_norm_backward(
      x, dy, scale, mean, inverse, scaleGradient, shiftGradient, dx, rows, columns)
  }

  /// Connectionist temporal classification of one sequence; blank is column 0.
  ///
  /// - Parameters:
  ///   - logProbabilities: Row `rows[t] + offset` is time step t; replaced by the gradient of
  ///     -log p(labels) with respect to the logits, times `scale`.
  ///   - scratch: (steps + 4) x (2 x labels + 3) floats.
  /// - Returns: log p(labels); -infinity if no path exists, and the gradient is then 0.
  package static func connectionistTemporalClassification(
    _ logProbabilities: UnsafeMutablePointer<Float>, columns: Int,
    rows: UnsafeBufferPointer<Int32>, offset: Int, steps: Int,
    labels: UnsafeBufferPointer<Int32>, scratch: UnsafeMutablePointer<Float>, scale: Float
  ) -> Double {
    guard let rows = rows.baseAddress else { return -.infinity }
    // No labels: the kernel reads none.
    let first = labels.baseAddress ?? rows
    return ck_ctc(
      logProbabilities, columns, rows, offset, steps, first, labels.count, scratch, scale)
  }
}
