import Foundation
import LinearAlgebra
import Testing
import Training

/// Training by several ranks, which are threads here; Tests/Doors/ranks.py starts processes.
@Suite("Training by ranks")
struct RanksTests {
  /// The bits of a training.
  private struct Bits: Equatable {
    var weights: [Float]
    var moments: [Float]
    var history: [EpochRecord]
  }

  private static func glyphTask(_ workers: Int = 1) throws -> GlyphTask {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 3
    return try GlyphTask(
      configuration: configuration, training: SyntheticInk.set(151, seed: 71),
      validation: SyntheticInk.set(83, seed: 72), workers: workers)
  }

  private static func lineTask(_ workers: Int = 1) throws -> LineTask {
    try LineTask(
      configuration: .tiny(), training: .words(count: 60), validation: .words(count: 30),
      workers: workers)
  }

  private static func bits<Task>(of trainer: Trainer<Task>) -> Bits {
    Bits(
      weights: trainer.optimizer.average.values, moments: trainer.optimizer.second.values,
      history: trainer.state.history)
  }

  private static func trained(_ task: some TrainingTask, _ ranks: ThreadRanks?) throws -> Bits {
    let trainer = try Trainer(task, ranks: ranks)
    try trainer.trainWeights(observer: nil, save: nil)
    return bits(of: trainer)
  }

  @Test("1, 2, 3 and 8 ranks give the bits of one process, for glyphs", arguments: [1, 2, 3, 8])
  func glyphs(count: Int) throws {
    let expected = try Self.trained(Self.glyphTask(2), nil)
    // Three shards: of eight ranks, five have nothing to compute.
    for result in ThreadRanks.run(count, { try Self.trained(Self.glyphTask(), $0) }) {
      #expect(try result.get() == expected)
    }
  }

  @Test("1, 2, 3 and 8 ranks give the bits of one process, for lines", arguments: [1, 2, 3, 8])
  func lines(count: Int) throws {
    let expected = try Self.trained(Self.lineTask(2), nil)
    for result in ThreadRanks.run(count, { try Self.trained(Self.lineTask(), $0) }) {
      #expect(try result.get() == expected)
    }
  }

  @Test("Ranks with several workers give the same bits")
  func workers() throws {
    let expected = try Self.trained(Self.glyphTask(), nil)
    for result in ThreadRanks.run(2, { try Self.trained(Self.glyphTask($0.rank + 2), $0) }) {
      #expect(try result.get() == expected)
    }
  }

  @Test("A wish to stop of any rank stops all at the same step, and other ranks resume")
  func stopping() throws {
    let expected = try Self.trained(Self.glyphTask(), nil)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ranks-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let checkpoint = TrainingCheckpoint(folder: folder)
    let identity = DataIdentity(training: "a", validation: "b")
    let stopped = ThreadRanks.run(3) { ranks in
      let trainer = try Trainer(Self.glyphTask(), ranks: ranks)
      try trainer.trainWeights(
        observer: Stopper(after: ranks.rank == 1 ? 6 : 1000),
        save: ranks.rank == 0 ? { try checkpoint.save($0, data: identity) } : nil)
    }
    for result in stopped {
      // The wish of step 6 is known to all in step 7.
      #expect(throws: TrainingError.interrupted(epoch: 1, step: 7)) { try result.get() }
    }
    let resumed = ThreadRanks.run(2) { ranks in
      let trainer = try Trainer(Self.glyphTask(), ranks: ranks)
      // Rank 1 gets the state from rank 0.
      if ranks.rank == 0 { try checkpoint.restore(trainer, data: identity) }
      try trainer.trainWeights(observer: nil, save: nil)
      return Self.bits(of: trainer)
    }
    for result in resumed { #expect(try result.get() == expected) }
  }

  @Test("All ranks get the values of all, with their bits")
  func exchange() throws {
    let results = ThreadRanks.run(4) { ranks in
      try ranks.exchange([0.1 + Double(ranks.rank), -.infinity, Double.leastNonzeroMagnitude])
    }
    for result in results {
      let wanted = (0..<4).map { [0.1 + Double($0), -.infinity, Double.leastNonzeroMagnitude] }
      #expect(try result.get() == wanted)
    }
    for result in ThreadRanks.run(3, { try $0.exchange($0.rank == 1 ? [UInt8(7)] : [UInt8]()) }) {
      #expect(try result.get() == [[UInt8](), [7], []])
    }
  }

  @Test("Pieces of work come back in their order", arguments: [1, 2, 3, 5])
  func pieces(count: Int) throws {
    for total in [0, 1, 7] {
      let results = ThreadRanks.run(count) { ranks in
        try ranks.exchange(pieces: ranks.pieces(of: total).map { 10 * $0 }, of: total)
      }
      for result in results { #expect(try result.get() == (0..<total).map { 10 * $0 }) }
    }
  }

  @Test("Ranks with other numbers of pieces are refused")
  func otherPieces() {
    let results = ThreadRanks.run(2) { ranks in
      let total = ranks.rank == 0 ? 6 : 8
      return try ranks.exchange(pieces: ranks.pieces(of: total), of: total)
    }
    #expect(results.allSatisfy { (try? $0.get()) == nil })
  }
}
