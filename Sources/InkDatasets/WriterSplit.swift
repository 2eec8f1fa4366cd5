import Crypto
import Foundation

/// Splits a dataset by the hashes of its writers' ids, the same way on every machine.
///
/// Writers are ordered by the SHA-256 of their ids. Without a fold, a writer belongs to train if
/// less than 80 % of the ink precedes its own, to val below 90 %, and otherwise to test. With a
/// fold K of N, every N-th writer from the K-th on is test; of the others, a writer belongs to
/// train if less than 8/9 of the others' ink precedes its own, and otherwise to val. The comparison
/// is exact.
///
/// Ink without a writer is split by the hash of a key, into parts of the same expected sizes. In
/// formats of many files (``DataFormat/splitsByFile``) the key is that of its page or file, in
/// others that of the ink itself.
package struct WriterSplit: Sendable {
  /// The part of each writer.
  package let parts: [String: DataSplit]
  /// The fold held out, if any.
  package let fold: DataFold?

  /// Splits writers with these numbers of records. O(writers log writers).
  package init(counts: [String: Int], fold: DataFold? = nil) {
    self.fold = fold
    let ordered = counts.map { (id: $0.key, count: $0.value, digest: Self.digest($0.key)) }
      .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    var parts: [String: DataSplit] = [:]
    let isHeldOut = { (position: Int) in fold.map { position % $0.count == $0.index } ?? false }
    let total = ordered.indices.reduce(0) { $0 + (isHeldOut($1) ? 0 : ordered[$1].count) }
    var before = 0
    for (position, writer) in ordered.enumerated() {
      if isHeldOut(position) {
        parts[writer.id] = .test
        continue
      }
      if fold != nil {
        parts[writer.id] = before * 9 < total * 8 ? .train : .val
      } else {
        parts[writer.id] =
          before * 10 < total * 8 ? .train : before * 10 < total * 9 ? .val : .test
      }
      before += writer.count
    }
    self.parts = parts
  }

  /// The part of a record: by its writer, or by a key if the writer is unknown.
  /// O(1).
  ///
  /// - Parameters:
  ///   - writer: The writer's id.
  ///   - key: A key of the record, or of the unit that stays together, that is the same on every
  ///     machine.
  package func part(writer: String?, key: @autoclosure () -> String) -> DataSplit? {
    if let writer { return parts[writer] }
    let digest = Self.digest(key())
    let first = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let fold else {
      return first < UInt64.max / 10 * 8 ? .train : first < UInt64.max / 10 * 9 ? .val : .test
    }
    if first % UInt64(fold.count) == UInt64(fold.index) { return .test }
    let second = digest.dropFirst(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return second < UInt64.max / 9 * 8 ? .train : .val
  }

  private static func digest(_ text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(text.utf8)))
  }
}
