import Foundation

/// Adam with decoupled weight decay and a cosine schedule (Kingma and Ba 2015, Loshchilov and
/// Hutter 2019).
package struct PerceptronOptimizer: Sendable {
  private var first: [Float]
  private var second: [Float]
  private var step = 0
  private let steps: Int
  private let rate: Float
  private let decay: Float

  /// Makes an optimiser for a network.
  ///
  /// - Parameters:
  ///   - steps: The number of steps that are planned.
  ///   - rate: The peak learning rate.
  ///   - decay: The weight decay per step, as a factor of the rate.
  package init(_ network: Perceptron, steps: Int, rate: Float, decay: Float = 0.01) {
    first = [Float](repeating: 0, count: network.parameters.count)
    second = first
    self.steps = max(1, steps)
    self.rate = rate
    self.decay = decay
  }

  /// Changes the weights by one step and clears the gradient.
  package mutating func apply(_ gradient: inout [Float], to network: inout Perceptron) {
    step += 1
    let progress = Float(step) / Float(steps)
    let warm = min(1, Float(step) / 50)
    let scale = rate * warm * (0.02 + 0.98 * 0.5 * (1 + cos(Float.pi * min(1, progress))))
    let norm = gradient.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let clip = norm > 5 ? 5 / norm : 1
    let bias1 = 1 - pow(Float(0.9), Float(step))
    let bias2 = 1 - pow(Float(0.99), Float(step))
    for index in gradient.indices {
      let value = gradient[index] * clip
      first[index] = 0.9 * first[index] + 0.1 * value
      second[index] = 0.99 * second[index] + 0.01 * value * value
      let change = first[index] / bias1 / ((second[index] / bias2).squareRoot() + 1e-8)
      network.parameters[index] -= scale * (change + decay * network.parameters[index])
      gradient[index] = 0
    }
  }
}
