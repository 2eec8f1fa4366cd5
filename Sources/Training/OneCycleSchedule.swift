import Foundation

/// The learning rate of the one-cycle policy (Smith and Topin 2018): a cosine rise over the first
/// part of training, then a cosine fall, to almost nothing by default.
public struct OneCycleSchedule: Hashable, Codable, Sendable {
  /// The largest learning rate.
  public var peak: Float
  /// Share of the steps that rise, 0 ..< 1.
  public var warmup: Float
  /// Number of steps in all.
  public var steps: Int
  /// The peak over the last learning rate; 1 stays at the peak.
  public var finalDivisor: Float

  /// Makes a schedule.
  public init(peak: Float, warmup: Float = 0.2, steps: Int, finalDivisor: Float = 10_000) {
    self.peak = peak
    self.warmup = warmup
    self.steps = steps
    self.finalDivisor = finalDivisor
  }

  /// The rate of step `step`, counted from 0.
  public func rate(at step: Int) -> Float {
    let rise = max(1, Int(Float(steps) * warmup))
    if step < rise {
      return anneal(from: peak / 25, to: peak, Float(step) / Float(rise))
    }
    let part = Float(step - rise) / Float(max(1, steps - 1 - rise))
    return anneal(from: peak, to: peak / finalDivisor, min(1, part))
  }

  private func anneal(from start: Float, to end: Float, _ part: Float) -> Float {
    end + (start - end) * (1 + cos(.pi * part)) / 2
  }
}
