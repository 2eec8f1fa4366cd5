import ArgumentParser
import Distributed
import Foundation
import LinearAlgebra
import Training

/// A training command that mpirun may have started several times. Rank 0 leads: it alone writes
/// files and to the terminal, except for errors.
package struct RankedRun {
  /// The processes that train together; nil for this one alone.
  let ranks: MPIRanks?
  private let allowsMixed: Bool

  /// A run of one process.
  package static let alone = RankedRun(ranks: nil, allowsMixed: false)

  /// True if this process writes files and to the terminal.
  var isLeader: Bool { (ranks?.rank ?? 0) == 0 }

  /// The start of a command that continues the run.
  var launcher: String { ranks.map { "mpirun -n \($0.count) " } ?? "" }

  /// The processors of this process: those that it is bound to, or its part of the machine.
  static var processors: Int {
    let (all, active) = (
      ProcessInfo.processInfo.processorCount, ProcessInfo.processInfo.activeProcessorCount
    )
    let neighbours = ProcessInfo.processInfo.environment["OMPI_COMM_WORLD_LOCAL_SIZE"]
    return max(1, active < all ? active : active / max(1, Int(neighbours ?? "") ?? 1))
  }

  /// Runs a command in the ranks that mpirun started, or alone. An error in one rank ends all.
  ///
  /// - Throws: The error of the command if it runs alone.
  static func run(_ options: RankOptions, _ command: (RankedRun) throws -> Void) throws {
    try run(
      limit: .seconds(options.rankTimeout), allowsMixed: options.allowMixed, command)
  }

  /// Runs a command in the ranks that mpirun started, or alone. An error in one rank ends all.
  ///
  /// - Parameters:
  ///   - limit: The longest wait for another rank.
  ///   - allowsMixed: True to accept ranks that differ in what changes only the last bits.
  /// - Throws: The error of the command if it runs alone.
  static func run(
    limit: Duration, allowsMixed: Bool, _ command: (RankedRun) throws -> Void
  ) throws {
    guard let ranks = try MPIRanks.joined(limit: limit) else { return try command(.alone) }
    do {
      try command(RankedRun(ranks: ranks, allowsMixed: allowsMixed))
      try ranks.leave()
    } catch let code as ExitCode {
      // All stopped at the same step.
      try ranks.leave()
      throw code
    } catch {
      end(ranks, with: error)
    }
  }

  /// Reports an error and ends all ranks. The others wait a moment, so that an error that all have
  /// is reported once.
  private static func end(_ ranks: MPIRanks, with error: any Error) -> Never {
    usleep(UInt32(min(ranks.rank, latestRank)) * pauseOfRank)
    var outcome = Outcome(of: error)
    if case DistributedError.differing = error {
      // With its line breaks.
      Outcome.writeToStandardError("ductus: error: \(error)\n")
      outcome.message = nil
    } else if ranks.rank > 0, let message = outcome.message {
      outcome.message = "\(ranks.name(of: ranks.rank)): \(message)"
    }
    outcome.print()
    ExitNote.write(outcome.exitCode)
    ranks.abort(exitCode: outcome.exitCode)
    Foundation.exit(outcome.exitCode)
  }

  /// The pause before a rank reports an error, for each rank before it, in microseconds.
  private static let pauseOfRank: UInt32 = 300_000
  private static let latestRank = 5

  /// Checks that the ranks have the same data and settings and compute the same bits.
  ///
  /// - Throws: `DistributedError`.
  func compare<Configuration: TrainingConfiguration>(
    _ configuration: Configuration, _ data: DataIdentity, _ console: TrainingConsole
  ) throws {
    guard let ranks else { return }
    var facts = RankFacts()
    facts.add(bitsDependOn: "version", Ductus.configuration.version)
    facts.add(bitsDependOn: "BLAS", BLASLibrary.current.description)
    facts.add(bitsDependOn: "processor", Self.processor)
    facts.add(bitsDependOn: "precision", configuration.precision.rawValue)
    facts.add(needed: "training data", data.training)
    facts.add(needed: "validation data", data.validation)
    try facts.add(settings: configuration, except: ["precision"])
    let table = try RankFacts.compare(
      ranks.exchange(facts), hosts: ranks.hosts, allowMixed: allowsMixed)
    if let table {
      console.say("warning: the ranks differ, so the last bits of the result may too:\n\(table)")
    }
    console.say(
      "\(TerminalText.count(ranks.count, "rank")) on "
        + TerminalText.count(Set(ranks.hosts).count, "machine"))
    if ranks.count > configuration.shards {
      console.say(
        "warning: a step has \(configuration.shards) parts, so \(ranks.count - configuration.shards) "
          + "of the \(ranks.count) ranks have nothing to compute; start fewer")
    }
  }

  /// Checks that the ranks read the same data with the same model and compute the same bits.
  ///
  /// - Parameters:
  ///   - model: What identifies the model.
  ///   - data: The hash of the data.
  /// - Throws: `DistributedError`.
  func compare(model: String, data: String) throws {
    guard let ranks else { return }
    var facts = RankFacts()
    facts.add(bitsDependOn: "version", Ductus.configuration.version)
    facts.add(bitsDependOn: "BLAS", BLASLibrary.current.description)
    facts.add(bitsDependOn: "processor", Self.processor)
    facts.add(needed: "model", model)
    facts.add(needed: "data", data)
    let table = try RankFacts.compare(
      ranks.exchange(facts), hosts: ranks.hosts, allowMixed: allowsMixed)
    if let table, isLeader {
      Outcome.writeToStandardError(
        "warning: the ranks differ, so the last bits of the result may too:\n\(table)\n")
    }
  }

  /// The properties of the processor that kernels are chosen by.
  private static var processor: String {
    let processor = Processor.current
    let level = processor.x86Level.map { ["level \($0)"] } ?? []
    let products = processor.features.map(\.rawValue).sorted().filter {
      $0.contains("amx") || $0.contains("bf16")
    }
    return ([processor.architecture.rawValue] + level + products).joined(separator: " ")
  }
}

extension DistributedError: BadInputError {
  package var isBadInput: Bool {
    switch self {
    case .noLibrary, .otherMPI, .differing: true
    case .failed, .silent: false
    }
  }
}
