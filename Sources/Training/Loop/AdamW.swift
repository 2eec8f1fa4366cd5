import Foundation
import LinearAlgebra
import Networks

/// AdamW (Loshchilov and Hutter 2019) over a flat parameter buffer, with a moving average of the
/// weights and running batch statistics.
package final class AdamW: Sendable {
  /// Current weights and running statistics.
  package let parameters: AlignedBuffer
  /// Their exponential moving average, which is evaluated and saved.
  package let average: AlignedBuffer
  /// First moments.
  package let first: AlignedBuffer
  /// Second moments.
  package let second: AlignedBuffer
  private let tensors: [Parameter]

  /// Settings of one step.
  package struct Step {
    var rate: Float
    var weightDecay: Float
    var gradientScale: Float
    var averageDecay: Float
    /// The number of this step, from 1.
    package var number: Int
    var beta1: Float = 0.9
    var beta2: Float = 0.99
    var epsilon: Float = 1e-8
    var statisticMomentum: Float = 0.1

    package init(
      rate: Float, weightDecay: Float, gradientScale: Float, averageDecay: Float, number: Int,
      beta1: Float = 0.9, beta2: Float = 0.99, epsilon: Float = 1e-8, statisticMomentum: Float = 0.1
    ) {
      self.rate = rate
      self.weightDecay = weightDecay
      self.gradientScale = gradientScale
      self.averageDecay = averageDecay
      self.number = number
      self.beta1 = beta1
      self.beta2 = beta2
      self.epsilon = epsilon
      self.statisticMomentum = statisticMomentum
    }
  }

  /// Makes the state for a flat buffer of `count` floats that holds these tensors.
  package init(_ tensors: [Parameter], count: Int) {
    parameters = AlignedBuffer(count: count)
    average = AlignedBuffer(count: count)
    first = AlignedBuffer(count: count)
    second = AlignedBuffer(count: count)
    self.tensors = tensors
  }

  /// Updates the elements `range` of the flat buffer. Elements are independent, so that ranges may
  /// run in parallel and give the same bits.
  package func update(_ range: Range<Int>, gradients: UnsafePointer<Float>, _ step: Step) {
    let correction1 = 1 - pow(step.beta1, Float(step.number))
    let correction2 = (1 - pow(step.beta2, Float(step.number))).squareRoot()
    for tensor in tensors {
      let part = range.clamped(to: tensor.offset..<(tensor.offset + tensor.count))
      guard !part.isEmpty else { continue }
      let start = part.lowerBound
      if tensor.role == .statistic {
        follow(part, gradients, step)
        continue
      }
      Kernels.adamW(
        weights: parameters.pointer + start, gradients: gradients + start,
        first: first.pointer + start, second: second.pointer + start,
        average: average.pointer + start, count: part.count,
        Kernels.AdamWStep(
          gradientScale: step.gradientScale, beta1: step.beta1, beta2: step.beta2,
          stepSize: step.rate * correction2 / correction1, epsilon: step.epsilon * correction2,
          decay: tensor.role == .weight ? 1 - step.rate * step.weightDecay : 1,
          averageDecay: step.averageDecay))
    }
  }

  /// Moves the running statistics towards those of the batch; the average holds the same values.
  private func follow(_ range: Range<Int>, _ batch: UnsafePointer<Float>, _ step: Step) {
    let momentum = max(step.statisticMomentum, 1 / Float(step.number))
    for index in range {
      let value =
        parameters.pointer[index] + momentum * (batch[index] - parameters.pointer[index])
      parameters.pointer[index] = value
      average.pointer[index] += (1 - step.averageDecay) * (value - average.pointer[index])
    }
  }
}

/// The learning rate of the one-cycle policy (Smith and Topin 2018): a cosine rise over the first
/// part of training, then a cosine fall, by default almost to zero.
public struct OneCycleSchedule: Hashable, Codable, Sendable {
  /// The largest learning rate.
  package var peak: Float
  /// Share of the steps in which the rate rises, 0 ..< 1.
  package var warmup: Float
  /// Number of steps in all.
  public var steps: Int
  /// The peak divided by the last learning rate; 1 stays at the peak.
  package var finalDivisor: Float

  /// Makes a schedule.
  public init(peak: Float, warmup: Float = 0.2, steps: Int, finalDivisor: Float = 10_000) {
    self.peak = peak
    self.warmup = warmup
    self.steps = steps
    self.finalDivisor = finalDivisor
  }

  /// Returns the rate of step `step`, counted from 0.
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
