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
      try append(bytes, to: path)
    } catch {
      throw DataError(
        .unwritableDecisions, in: path, expected: "a file that can be written",
        found: (error as? FileError).map { String(cString: strerror($0.code)) } ?? "another one")
    }
  }

  private static func append(_ bytes: Data, to path: String) throws(FileError) {
    let lock = try FileLock.wait(for: path)
    let descriptor = lock.descriptor
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.checking, path, code: EINVAL)
    }
    let size = Int(status.st_size)
    let (rest, isComplete) = try rest(descriptor, size, path)
    // A complete last line only lacks its line break; anything else was never confirmed.
    let end = isComplete ? size : size - rest
    let addition = (isComplete && rest > 0 ? Data([UInt8(ascii: "\n")]) : Data()) + bytes
    var code = end < size && ftruncate(descriptor, off_t(end)) != 0 ? errno : 0
    if code == 0 {
      code = addition.withUnsafeBytes { Descriptor.writeAll(descriptor, $0, at: end) }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    guard code == 0 else {
      ftruncate(descriptor, off_t(end))
      throw FileError(.writing, path, code: code)
    }
    if size == 0 { try AtomicFile.syncFolder(of: path) }
    withExtendedLifetime(lock) {}
  }

  /// Returns the number of bytes after the last line break, and whether they are a decision.
  private static func rest(
    _ descriptor: Int32, _ size: Int, _ path: String
  ) throws(FileError) -> (count: Int, isComplete: Bool) {
    var tail: [UInt8] = []
    while tail.count < size {
      let count = min(4096, size - tail.count)
      var piece = [UInt8](repeating: 0, count: count)
      let start = size - tail.count - count
      let read = piece.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, count, off_t(start))
      }
      guard read == count else { throw FileError(.reading, path, code: errno == 0 ? EIO : errno) }
      tail = piece + tail
      if let last = piece.lastIndex(of: UInt8(ascii: "\n")) {
        tail.removeFirst(last + 1)
        break
      }
    }
    return (tail.count, (try? entry(tail[...])) != nil)
  }
}
