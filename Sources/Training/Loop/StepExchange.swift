import LinearAlgebra

/// The exchange between ranks in one step: gradients of micro-shards, sums and outcomes.
///
/// Each rank owns a range of the flat buffer. The gradients of a shard are sent to the owners as
/// soon as they are computed, while the next shard runs. The owner adds them in the order of the
/// shards, as one process does, so that the sums have the same bits for any number of ranks.
final class StepExchange: @unchecked Sendable {
  // Unchecked because shards write to disjoint memory between `begin` and `finishShards`.

  private let ranks: any TrainingRanks
  /// The range of each rank, cut at multiples of 16.
  private let ranges: [Range<Int>]
  /// The own range of the gradients of the shards of other ranks, by shard.
  private let inbox: [AlignedBuffer?]
  /// For each rank a word with its wish to stop, and three words for each of its shards.
  private let reports: UnsafeMutableBufferPointer<UInt64>
  private let reportLength: Int

  /// Allocates the memory.
  ///
  /// - Parameters:
  ///   - count: The floats of the flat buffer.
  ///   - shards: The most shards of a step.
  init(_ ranks: any TrainingRanks, count: Int, shards: Int) {
    self.ranks = ranks
    ranges = Self.ranges(of: count, parts: ranks.count)
    let own = ranges[ranks.rank].count
    inbox = (0..<shards).map { shard in
      shard % ranks.count == ranks.rank ? nil : AlignedBuffer(count: own)
    }
    reportLength = 1 + 3 * ((shards + ranks.count - 1) / ranks.count)
    reports = .allocate(capacity: reportLength * ranks.count)
    reports.initialize(repeating: 0)
  }

  deinit { reports.deallocate() }

  /// Cuts a flat buffer into parts of about the same size, at multiples of 16.
  static func ranges(of count: Int, parts: Int) -> [Range<Int>] {
    ranges(in: 0..<count, parts: parts)
  }

  /// Cuts a range of a flat buffer into parts of about the same size, at multiples of 16 from its
  /// start.
  static func ranges(in whole: Range<Int>, parts: Int) -> [Range<Int>] {
    let (start, blocks) = (whole.lowerBound, whole.count / 16)
    return (0..<parts).map { part in
      (start + blocks * part / parts * 16)..<(start + blocks * (part + 1) / parts * 16)
    }
  }

  /// The range that this rank adds.
  var ownRange: Range<Int> { ranges[ranks.rank] }

  /// The shards that this rank computes.
  ///
  /// - Returns: The first, and their number; the others follow in steps of the number of ranks.
  func ownShards(of active: Int) -> (first: Int, count: Int) {
    (ranks.rank, max(0, (active - ranks.rank + ranks.count - 1) / ranks.count))
  }

  /// Begins to receive what the other ranks send in this step.
  func begin(active: Int) {
    for shard in 0..<active {
      guard let buffer = inbox[shard], buffer.count > 0 else { continue }
      ranks.receive(
        into: .init(buffer.buffer), from: shard % ranks.count, tag: .gradients(ofShard: shard))
    }
    for other in 0..<ranks.count where other != ranks.rank {
      ranks.receive(into: .init(report(of: other)), from: other, tag: .outcomes)
    }
  }

  /// Begins to send the gradients of an own shard to their owners.
  func send(_ gradients: AlignedBuffer, ofShard shard: Int) {
    for other in 0..<ranks.count where other != ranks.rank && !ranges[other].isEmpty {
      ranks.send(bytes(of: gradients, ranges[other]), to: other, tag: .gradients(ofShard: shard))
    }
  }

  /// Sends the outcomes of the own shards, and waits for the gradients and outcomes of all.
  ///
  /// - Parameters:
  ///   - stops: True if this rank wishes to stop after the step.
  ///   - outcome: The outcome of an own shard.
  /// - Returns: The sums over the shards, and true if a rank wishes to stop.
  func finishShards(
    active: Int, stops: Bool, outcome: (_ shard: Int) -> StepOutcome
  ) throws -> (sums: StepOutcome, stops: Bool) {
    let own = report(of: ranks.rank)
    own[0] = stops ? 1 : 0
    for shard in stride(from: ranks.rank, to: active, by: ranks.count) {
      let (place, outcome) = (1 + 3 * (shard / ranks.count), outcome(shard))
      own[place] = outcome.loss.bitPattern
      own[place + 1] = UInt64(outcome.units)
      own[place + 2] = UInt64(outcome.correct)
    }
    for other in 0..<ranks.count where other != ranks.rank {
      ranks.send(.init(own), to: other, tag: .outcomes)
    }
    try ranks.finish()
    var sums = StepOutcome()
    for shard in 0..<active {
      let (report, place) = (report(of: shard % ranks.count), 1 + 3 * (shard / ranks.count))
      sums.loss += Double(bitPattern: report[place])
      sums.units += Int(report[place + 1])
      sums.correct += Int(report[place + 2])
    }
    return (sums, (0..<ranks.count).contains { report(of: $0)[0] != 0 })
  }

  /// The gradients of a shard of another rank, from the start of ``ownRange``; nil for an own one.
  func received(shard: Int) -> UnsafePointer<Float>? { inbox[shard].map { .init($0.pointer) } }

  /// Completes the summed gradients: gives the own range to all ranks, and gets theirs.
  func shareSums(_ total: AlignedBuffer) throws {
    for other in 0..<ranks.count where other != ranks.rank {
      if !ranges[other].isEmpty {
        ranks.receive(
          into: .init(mutating: bytes(of: total, ranges[other])), from: other, tag: .sums)
      }
      if !ownRange.isEmpty { ranks.send(bytes(of: total, ownRange), to: other, tag: .sums) }
    }
    try ranks.finish()
  }

  private func bytes(of buffer: AlignedBuffer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer.buffer[range]))
  }

  private func report(of rank: Int) -> UnsafeMutableBufferPointer<UInt64> {
    .init(rebasing: reports[rank * reportLength..<(rank + 1) * reportLength])
  }
}
