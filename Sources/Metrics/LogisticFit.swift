import Foundation

/// The logistic regression of an outcome on one number: the probability is
/// 1 / (1 + exp(-(scale x + bias))) (Platt 1999).
public struct LogisticFit: Hashable, Sendable {
  /// The factor of the number.
  public private(set) var scale = 1.0
  /// Added to it.
  public private(set) var bias = 0.0

  private static let steps = 50
  /// Keeps the fit finite where the outcomes can be told apart.
  private static let penalty = 1e-3

  /// Finds the most likely line by Newton's method; without samples the probability is that of x
  /// itself as log-odds. O(samples).
  public init(_ samples: [(x: Double, isTrue: Bool)]) {
    guard !samples.isEmpty else { return }
    for _ in 0..<Self.steps {
      var gradient = (scale: Self.penalty * (scale - 1), bias: Self.penalty * bias)
      var curvature = (scale: Self.penalty, both: 0.0, bias: Self.penalty)
      for (x, isTrue) in samples {
        let probability = 1 / (1 + exp(-(scale * x + bias)))
        let error = probability - (isTrue ? 1 : 0)
        let weight = probability * (1 - probability)
        gradient.scale += error * x
        gradient.bias += error
        curvature.scale += weight * x * x
        curvature.both += weight * x
        curvature.bias += weight
      }
      let determinant = curvature.scale * curvature.bias - curvature.both * curvature.both
      guard determinant > 0 else { return }
      // Short steps far from the optimum, where the curvature misleads.
      let step = (
        scale: (curvature.bias * gradient.scale - curvature.both * gradient.bias) / determinant,
        bias: (curvature.scale * gradient.bias - curvature.both * gradient.scale) / determinant
      )
      let limit = max(1, abs(step.scale), abs(step.bias))
      scale -= step.scale / limit
      bias -= step.bias / limit
      if abs(step.scale) + abs(step.bias) < 1e-9 { return }
    }
  }
}
