import Distributed
import Evaluation
import Foundation
import LinearAlgebra
import Training

/// Readings that the ranks of mpirun divide among them. All read the data and their part of the inks;
/// rank 0 gets all answers and makes the report, which is that of one process.
struct SharedReading {
  /// The division of the inks; nil for one process.
  let sharing: AnswerSharing?
  private let ranked: RankedRun

  init(_ ranked: RankedRun) {
    self.ranked = ranked
    sharing = ranked.ranks.flatMap { ranks in
      ranks.count > 1 ? AnswerSharing(rank: ranks.rank, count: ranks.count) : nil
    }
  }

  /// Checks that the ranks read the same data with the same model, and gives all answers to all.
  ///
  /// - Parameters:
  ///   - model: What identifies the model.
  ///   - data: The hash of the data.
  /// - Returns: True in the rank that makes the report. With one process, true at once.
  /// - Throws: `DistributedError`.
  func gather(model: String, data: String) throws -> Bool {
    guard let ranks = ranked.ranks, let sharing else { return true }
    try ranked.compare(model: model, data: data)
    sharing.replay(try ranks.exchange(sharing.own))
    return ranked.isLeader
  }

  /// Runs a pass over the inks before the answers are there, if several ranks share them.
  ///
  /// - Parameter read: Reads all inks, and returns the hash of the data.
  /// - Returns: True in the rank that makes the report.
  func prepared(model: String, _ read: () throws -> String) throws -> Bool {
    guard sharing != nil else { return true }
    return try gather(model: model, data: try read())
  }
}
