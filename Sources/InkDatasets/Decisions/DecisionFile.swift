import Files
import Foundation

/// A file of decisions about the labels of some data: JSON Lines, to which lines are only added.
///
///     {"decision":"relabel","ink":"3f0c2b6e9d18a754","label":"o","nth":0}
///     {"decision":"drop","ink":"3f0c2b6e9d18a754","nth":1}
///
/// `ink` and `nth` name the record, see ``InkKey``; `nth` is 0 if it is not there. `decision` is
/// `accept`, `relabel` with a `label`, `drop`, or `undo`, which takes back what was decided before.
/// The last line of a record decides. Empty lines and unknown keys are ignored. A last line without
/// a line break that is no decision is the rest of an interrupted write, and is ignored too.
package struct DecisionFile: Sendable {
  /// The name of the file, for errors.
  package let name: String
  /// The decisions in force.
  package private(set) var decisions: [InkKey: LabelDecision] = [:]

  /// Reads a file. O(file) memory.
  ///
  /// - Throws: ``DataError`` of code `malformedDecisions` with the line.
  package init(path: String) throws(DataError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw DataError(
        .malformedDecisions, in: path,
        expected: "a readable file of decisions, here or in the folder that INK_DATASETS names",
        found: "none there")
    }
    try self.init(parsing: bytes, name: path)
  }

  /// Parses lines; errors contain `name`.
  package init(parsing bytes: Data, name: String) throws(DataError) {
    self.name = name
    let bytes = [UInt8](bytes)
    var (start, number) = (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      number += 1
      do throws(JSONProblem) {
        if let entry = try Self.entry(bytes[start..<(end ?? bytes.count)]) {
          decisions[entry.key] = entry.decision
        }
      } catch {
        guard end != nil else { return }
        throw DataError(
          .malformedDecisions, in: "\(name):\(number)", expected: error.value, found: error.found)
      }
      start = (end ?? bytes.count) + 1
    }
  }

  /// Returns the decision of a line; nil for an empty line.
  private static func entry(_ line: ArraySlice<UInt8>) throws(JSONProblem) -> DecisionEntry? {
    guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
    var result: Result<DecisionEntry, JSONProblem>?
    line.withUnsafeBufferPointer { bytes in
      do throws(JSONProblem) {
        result = .success(try DecisionEntry(parsing: bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result?.get()
  }
}

extension DecisionFile {
  /// Adds decisions to a file, which is made if it does not exist, and returns once they are on the
  /// disk. Other programs may add to it at the same time. The rest of an interrupted write at the
  /// end is removed.
  ///
  /// - Throws: ``DataError`` of code `unwritableDecisions`; then nothing was added.
  package static func append(_ entries: [DecisionEntry], to path: String) throws(DataError) {
    do {
      var bytes = Data()
      for entry in entries { bytes += try entry.line() }
      guard !bytes.isEmpty else { return }
      let lock = try FileLock.wait(for: path)
      // A complete last line only lacks its line break; anything else was never confirmed.
      try LineJournal(path: path, isLine: { (try? entry($0[...])) != nil })
        .append(bytes.dropLast())
      withExtendedLifetime(lock) {}
    } catch {
      throw DataError(
        .unwritableDecisions, in: path, expected: "a file that can be written",
        found: (error as? FileError).map { String(cString: strerror($0.code)) } ?? "another one")
    }
  }
}
