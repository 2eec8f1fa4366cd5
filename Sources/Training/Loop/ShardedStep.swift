import Files
import LinearAlgebra
import Networks

/// One optimisation step over a batch that is cut into micro-shards.
///
/// Workers compute shards in any order. The gradients are added in the order of the shards and
/// clipped, and the weights are updated. Elements are independent, so the result has the same bits
/// for any number of workers and ranks, provided that every random number is addressed by sample or
/// shard. Allocates only what starting the workers and exchanging messages needs.
final class ShardedStep<Shard: TrainingShard>: @unchecked Sendable {
  // Unchecked because shards write to disjoint buffers between the fork and the join of a step.

  /// The shards of this rank, which computes every `rankCount`-th.
  private let shards: [Shard]
  private let rankCount: Int
  private let tensors: [Parameter]
  private let optimizer: AdamW
  private let workers: WorkerPool
  private let total: AlignedBuffer
  /// One range of parameters for each worker, cut at multiples of 16.
  private let ranges: [Range<Int>]
  /// The exchange with the other ranks; nil without ranks.
  private let exchange: StepExchange?
  /// The parts of ``StepExchange/ownRange`` for each worker; without ranks those of all.
  private let sumRanges: [Range<Int>]

  /// Allocates the memory.
  ///
  /// - Parameters:
  ///   - shards: The most shards of a step.
  ///   - count: The floats of the flat buffer.
  ///   - ranks: The processes that share the work; nil for this one alone.
  ///   - makeShard: Allocates a shard.
  init(
    _ shards: Int, _ tensors: [Parameter], count: Int, optimizer: AdamW, workers: Int,
    ranks: (any TrainingRanks)?, makeShard: () -> Shard
  ) {
    self.tensors = tensors
    self.optimizer = optimizer
    self.workers = WorkerPool(count: workers)
    total = AlignedBuffer(count: count)
    rankCount = ranks?.count ?? 1
    self.shards = stride(from: ranks?.rank ?? 0, to: shards, by: rankCount).map { _ in makeShard() }
    let exchange = ranks.map { StepExchange($0, count: count, shards: shards) }
    let ranges = StepExchange.ranges(of: count, parts: self.workers.count)
    self.exchange = exchange
    self.ranges = ranges
    sumRanges =
      exchange.map { StepExchange.ranges(in: $0.ownRange, parts: ranges.count) } ?? ranges
  }

  /// Runs the first `active` shards, at least one, and updates the weights, unless the loss or the
  /// gradient is not finite.
  ///
  /// - Parameters:
  ///   - stops: True if this rank wishes to stop after the step.
  ///   - work: The computation of a shard; it gets the shard and its index.
  /// - Returns: The sums over the shards, and true if this or another rank wishes to stop.
  /// - Throws: The error of a rank that does not answer.
  func run(
    active: Int, _ step: AdamW.Step, maximumNorm: Double, stops: () -> Bool,
    work: @Sendable (_ shard: Shard, _ index: Int) -> Void
  ) throws -> (outcome: StepOutcome, stops: Bool) {
    var result = try runShards(active: active, stops: stops, work: work)
    result.outcome.gradientNorm = norm(shards: active)
    guard result.outcome.gradientNorm.isFinite, result.outcome.loss.isFinite else { return result }
    var scaled = step
    scaled.gradientScale =
      result.outcome.gradientNorm > maximumNorm
      ? Float(maximumNorm / result.outcome.gradientNorm) : 1
    workers.run(ranges.count) { [optimizer, total, ranges, scaled] index in
      optimizer.update(ranges[index], gradients: total.pointer, scaled)
    }
    return result
  }

  /// Computes the shards, and the sum of their gradients.
  private func runShards(
    active: Int, stops: () -> Bool, work: @Sendable (_ shard: Shard, _ index: Int) -> Void
  ) throws -> (outcome: StepOutcome, stops: Bool) {
    guard let exchange else {
      workers.run(active) { [self] index in work(shards[index], index) }
      addShards(active)
      var outcome = StepOutcome()
      for shard in shards.prefix(active) {
        outcome.loss += shard.outcome.loss
        outcome.units += shard.outcome.units
        outcome.correct += shard.outcome.correct
      }
      return (outcome, stops())
    }
    exchange.begin(active: active)
    let own = exchange.ownShards(of: active)
    workers.run(own.count) { [self] place in
      let index = own.first + place * rankCount
      work(shards[place], index)
      exchange.send(shards[place].gradients, ofShard: index)
    }
    let result = try exchange.finishShards(active: active, stops: stops()) { [self] index in
      shards[index / rankCount].outcome
    }
    addShards(active)
    try exchange.shareSums(total)
    return (result.sums, result.stops)
  }

  /// Adds the gradients of the shards, in their order.
  private func addShards(_ active: Int) {
    workers.run(sumRanges.count) { [self] index in
      let range = sumRanges[index]
      let target = total.pointer + range.lowerBound
      target.update(from: gradients(ofShard: 0, range), count: range.count)
      for shard in 1..<max(1, active) {
        Kernels.accumulate(gradients(ofShard: shard, range), into: target, count: range.count)
      }
    }
  }

  /// The first of a shard's gradients in a range.
  private func gradients(ofShard shard: Int, _ range: Range<Int>) -> UnsafePointer<Float> {
    if let exchange, let received = exchange.received(shard: shard) {
      return received + (range.lowerBound - exchange.ownRange.lowerBound)
    }
    return .init(shards[shard / rankCount].gradients.pointer + range.lowerBound)
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
