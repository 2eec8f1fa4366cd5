import Foundation

/// The 256 values that the bytes of a file represent.
struct ProbabilityCodebook {
  /// The values, ascending.
  let values: [Float]

  /// Values for probabilities, as natural logarithms. They are evenly spaced in the logit, so that
  /// both p and 1 - p keep their relative precision. Value 0 is minus infinity, the logarithm of
  /// zero.
  ///
  /// - Parameter probabilities: The probabilities to cover; zeros are ignored.
  static func logarithms(covering probabilities: [Float]) -> ProbabilityCodebook {
    var (low, high) = (Float.infinity, Float(0))
    for probability in probabilities where probability > 0 {
      low = min(low, probability)
      high = max(high, probability)
    }
    if low > high { (low, high) = (0.5, 0.5) }
    let (begin, end) = (logit(low), logit(high))
    let values = (0..<255).map { index in
      Float(-log1p(exp(-(begin + (end - begin) * Double(index) / 254))))
    }
    return ProbabilityCodebook(values: [-.infinity] + values)
  }

  /// Values for backoff weights, as natural logarithms, evenly spaced.
  static func logarithms(ofWeights weights: [Float]) -> ProbabilityCodebook {
    let low = log(Double(weights.min() ?? 1))
    let high = log(Double(weights.max() ?? 1))
    return ProbabilityCodebook(
      values: (0..<256).map { Float(low + (high - low) * Double($0) / 255) })
  }

  private static func logit(_ probability: Float) -> Double {
    let bounded = min(max(Double(probability), 1e-12), 1 - 1e-6)
    return log(bounded) - log1p(-bounded)
  }

  /// The code of the nearest value. O(log 256).
  func code(of number: Float) -> UInt8 {
    if number == -.infinity { return 0 }
    var (low, high) = (values[0] == -.infinity ? 1 : 0, 255)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] < number { low = middle + 1 } else { high = middle }
    }
    if low > 0, values[low - 1] != -.infinity, number - values[low - 1] < values[low] - number {
      low -= 1
    }
    return UInt8(low)
  }
}
