import LinearAlgebra
import Networks

/// Sums over the samples of an optimisation step.
struct StepOutcome {
  var loss = 0.0
  var correct = 0
  /// The length of the whole gradient before clipping.
  var gradientNorm = 0.0
}

/// Adds up the gradients of a step's micro-shards, clips the sum, and updates the weights.
///
/// The shards are added in their order, and elements are independent of each other, so the result
/// has the same bits for any number of workers.
final class ShardedUpdate: Sendable {
  private let tensors: [Parameter]
  private let optimizer: AdamW
  private let workers: WorkerPool
  private let total: AlignedBuffer

  init(_ tensors: [Parameter], count: Int, optimizer: AdamW, workers: WorkerPool) {
    self.tensors = tensors
    self.optimizer = optimizer
    self.workers = workers
    total = AlignedBuffer(count: count)
  }

  /// Updates the weights, unless the loss or the gradient is not finite. Allocates nothing but what
  /// starting the workers needs.
  ///
  /// - Parameters:
  ///   - shards: Their gradients, at least one; a statistic is the mean over them.
  ///   - outcome: Its loss is read, its gradient norm written.
  func apply(
    _ shards: some Collection<AlignedBuffer>, _ step: AdamW.Step, maximumNorm: Double,
    outcome: inout StepOutcome
  ) {
    let gradients = Array(shards)
    let ranges = parameterRanges()
    workers.run(ranges.count) { [total] index in
      let range = ranges[index]
      let target = total.pointer + range.lowerBound
      target.update(from: gradients[0].pointer + range.lowerBound, count: range.count)
      for shard in gradients.dropFirst() {
        Kernels.accumulate(shard.pointer + range.lowerBound, into: target, count: range.count)
      }
    }
    outcome.gradientNorm = norm(shards: gradients.count)
    guard outcome.gradientNorm.isFinite, outcome.loss.isFinite else { return }
    var scaled = step
    scaled.gradientScale =
      outcome.gradientNorm > maximumNorm ? Float(maximumNorm / outcome.gradientNorm) : 1
    workers.run(ranges.count) { [optimizer, total, scaled] index in
      optimizer.update(ranges[index], gradients: total.pointer, scaled)
    }
  }

  /// The length of the sum of the gradients; averages the statistics on the way.
  private func norm(shards: Int) -> Double {
    var squares = 0.0
    for tensor in tensors {
      let values = total.pointer + tensor.offset
      if tensor.role == .statistic {
        for index in 0..<tensor.count { values[index] /= Float(shards) }
      } else {
        squares += Kernels.sumOfSquares(values, count: tensor.count)
      }
    }
    return squares.squareRoot()
  }

  /// One range of parameters for each worker, cut at multiples of 16.
  private func parameterRanges() -> [Range<Int>] {
    let blocks = total.count / 16
    return (0..<workers.count).map { worker in
      (blocks * worker / workers.count * 16)..<(blocks * (worker + 1) / workers.count * 16)
    }
  }
}
