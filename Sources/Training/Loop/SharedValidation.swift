import Files
import LinearAlgebra

/// A task whose validation data several ranks divide among them. Samples are independent and sums
/// are in the order of the samples, so that the score has the same bits for any number of ranks.
package protocol SharedValidation: TrainingTask {
  /// Scores weights on the validation data, as ``TrainingTask/validate(_:keepingErrors:)`` does.
  ///
  /// - Parameters:
  ///   - parameters: The weights.
  ///   - errors: The most errors to return; the same in all ranks.
  ///   - ranks: The processes that share the work.
  /// - Throws: The error of a rank that does not answer.
  func validate(
    _ parameters: AlignedBuffer, keepingErrors errors: Int, ranks: any TrainingRanks
  ) throws -> (score: ValidationScore, errors: [MisreadSample])
}

extension WorkerPool {
  /// Returns the results of `body` for 0 ..< pieces, of which each rank computes every n-th.
  ///
  /// - Throws: The error of a rank that does not answer.
  func map<Scratch, Output: Codable & SendableMetatype>(
    _ pieces: Int, ranks: any TrainingRanks, scratch: @Sendable () -> Scratch,
    _ body: @Sendable (_ piece: Int, _ scratch: inout Scratch) -> Output
  ) throws -> [Output] {
    let (first, step) = (ranks.rank, ranks.count)
    let own = map(ranks.pieces(of: pieces).count, scratch: scratch) { place, scratch in
      body(first + place * step, &scratch)
    }
    let all = try ranks.exchange(own)
    return (0..<pieces).map { all[$0 % step][$0 / step] }
  }
}
