import Foundation

/// The speed of one ballistic pen movement over time: a lognormal function.
///
/// The sigma-lognormal model of Plamondon: speed(t) = length · lognormal(t - t0; μ, σ). The pulse
/// counts from its onset, where the speed leaves zero, three σ before the logarithmic mean, to its
/// end three σ after.
struct LognormalPulse: Hashable, Sendable {
  /// Logarithmic time delay.
  let mu: Double
  /// Logarithmic response time.
  let sigma: Double
  /// Seconds from the model's t0 to the onset.
  let delay: Double
  /// Seconds from onset to end.
  let duration: Double
  private let scale: Double

  /// The share of the lognormal's area before the onset, and after the end: Φ(-3).
  private static let tail = 0.001_349_898_031_630_1

  /// Makes a pulse of its asymmetry and duration.
  ///
  /// σ² = -ln(1 - Ac) and μ = 3σ - ln((e^6σ - 1) / T).
  ///
  /// - Parameters:
  ///   - asymmetry: Ac, in 0 ..< 1, not 0: 0 would be a symmetric pulse.
  ///   - duration: T, seconds, above 0.
  init(asymmetry: Double, duration: Double) {
    sigma = (-log(1 - asymmetry)).squareRoot()
    mu = 3 * sigma - log((exp(6 * sigma) - 1) / duration)
    delay = exp(mu - 3 * sigma)
    self.duration = duration
    scale = 1 / (sigma * 2.0.squareRoot())
  }

  /// Length per second at a time after t0, for a movement of length 1: the lognormal density.
  func speed(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    let z = (log(time) - mu) / sigma
    return exp(-z * z / 2) / (sigma * (2 * Double.pi).squareRoot() * time)
  }

  /// The share of the movement done at a time after its onset, 0 ... 1, exactly 0 before and
  /// exactly 1 after: w(t) of the model, stretched over the tails that are cut off.
  func progress(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < duration else { return 1 }
    let share = (1 + erf((log(time + delay) - mu) * scale)) / 2
    return min(1, max(0, (share - Self.tail) / (1 - 2 * Self.tail)))
  }
}
