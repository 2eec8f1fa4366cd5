import Files
import LinearAlgebra
import Networks

/// One optimisation step over a batch that is cut into micro-shards.
///
/// Workers compute shards in any order. The gradients are added in the order of the shards and
/// clipped, and the weights are updated. Elements are independent, so the result has the same bits
/// for any number of workers, provided that every random number is addressed by sample or shard.
/// Allocates only what starting the workers needs.
final class ShardedStep<Shard: TrainingShard>: @unchecked Sendable {
  // Unchecked because shards write to disjoint buffers between the fork and the join of a step.

  let shards: [Shard]
  private let tensors: [Parameter]
  private let optimizer: AdamW
  private let workers: WorkerPool
  private let total: AlignedBuffer
  /// One range of parameters for each worker, cut at multiples of 16.
  private let ranges: [Range<Int>]

  init(
    _ shards: [Shard], _ tensors: [Parameter], count: Int, optimizer: AdamW, workers: Int
  ) {
    self.shards = shards
    self.tensors = tensors
    self.optimizer = optimizer
    self.workers = WorkerPool(count: workers)
    total = AlignedBuffer(count: count)
    let (blocks, parts) = (count / 16, self.workers.count)
    ranges = (0..<parts).map { part in
      (blocks * part / parts * 16)..<(blocks * (part + 1) / parts * 16)
    }
  }

  /// Runs the first `active` shards, at least one, and updates the weights, unless the loss or the
  /// gradient is not finite.
  ///
  /// - Parameter work: The computation of a shard; it gets the shard and its index.
  /// - Returns: The sums over the shards.
  func run(
    active: Int, _ step: AdamW.Step, maximumNorm: Double,
    work: @Sendable (_ shard: Shard, _ index: Int) -> Void
  ) -> StepOutcome {
    workers.run(active) { [self] index in work(shards[index], index) }
    workers.run(ranges.count) { [self] index in
      let range = ranges[index]
      let target = total.pointer + range.lowerBound
      target.update(from: shards[0].gradients.pointer + range.lowerBound, count: range.count)
      for shard in shards.prefix(active).dropFirst() {
        Kernels.accumulate(
          shard.gradients.pointer + range.lowerBound, into: target, count: range.count)
      }
    }
    var outcome = StepOutcome()
    for shard in shards.prefix(active) {
      outcome.loss += shard.outcome.loss
      outcome.units += shard.outcome.units
      outcome.correct += shard.outcome.correct
    }
    outcome.gradientNorm = norm(shards: active)
    guard outcome.gradientNorm.isFinite, outcome.loss.isFinite else { return outcome }
    var scaled = step
    scaled.gradientScale =
      outcome.gradientNorm > maximumNorm ? Float(maximumNorm / outcome.gradientNorm) : 1
    workers.run(ranges.count) { [optimizer, total, ranges, scaled] index in
      optimizer.update(ranges[index], gradients: total.pointer, scaled)
    }
    return outcome
  }

  /// Returns the norm of the summed gradients; also averages the statistics.
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
}
