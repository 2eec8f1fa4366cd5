import Files
import Foundation
import InkCore
import InkFormats

/// The samples of a session: `collect/NAME.jsonl`, labelled-ink JSON Lines.
///
/// A sample is appended and synced before it is acknowledged. A killed studio leaves at most a part
/// of one line at the end, which was not acknowledged and is cut off when the file is opened. Any
/// other damage is an error, and the file stays unchanged. Not thread-safe.
package struct CollectLog {
  /// A line of the file.
  package struct Entry {
    /// The identifier; nil for ink that another program added.
    package var id: String?
    /// The prompt; nil for ink that another program added.
    package var prompt: Int?
    /// The bytes of the line without its newline.
    var bytes: Range<Int>
    var fingerprint: UInt64?

    package init(
      id: String? = nil, prompt: Int? = nil, bytes: Range<Int>, fingerprint: UInt64? = nil
    ) {
      self.id = id
      self.prompt = prompt
      self.bytes = bytes
      self.fingerprint = fingerprint
    }
  }

  /// The lines, in the order of the file.
  package private(set) var entries: [Entry] = []
  private let url: URL
  private let name: String
  private var length = 0
  private var version = Version()

  /// A state of the file, to notice changes by other programs.
  private struct Version: Equatable {
    var inode: UInt64 = 0
    var size = 0
    var seconds = 0
    var nanoseconds = 0
  }

  /// Opens a file. It is made if it does not exist.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - name: The name of the file in errors.
  /// - Throws: ``StudioError`` of code `unusableFile`.
  /// - Complexity: O(bytes of the file).
  package init(_ url: URL, name: String) throws(StudioError) {
    self.url = url
    self.name = name
    if !FileManager.default.fileExists(atPath: url.path) { _ = try journal() }
    try read()
  }

  private var unwritable: StudioError {
    StudioError(
      .unusableFile,
      "\(name): the file cannot be written; make room on the disk or allow writing, then try again")
  }

  /// Reads the file again if another program changed it.
  ///
  /// - Returns: True if it was read.
  /// - Throws: ``StudioError``.
  package mutating func refresh() throws(StudioError) -> Bool {
    guard present() != version else { return false }
    try read()
    return true
  }

  private func present() -> Version? {
    var info = stat()
    guard stat(url.path, &info) == 0 else { return nil }
    #if os(Linux)
      let time = info.st_mtim
    #else
      let time = info.st_mtimespec
    #endif
    return Version(
      inode: UInt64(info.st_ino), size: Int(info.st_size), seconds: time.tv_sec,
      nanoseconds: time.tv_nsec)
  }

  private mutating func read() throws(StudioError) {
    let unreadable = StudioError(
      .unusableFile, "\(name): the file cannot be read; restore it from a copy")
    // Not mapped: a program that shortens the file would end the studio.
    guard let before = present(), let bytes = try? Data(contentsOf: url) else { throw unreadable }
    let newline = UInt8(ascii: "\n")
    var found: [Entry] = []
    var start = 0
    var number = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: newline) ?? bytes.count
      number += 1
      if let entry = Self.entry(bytes[start..<end], at: start..<end) {
        found.append(entry)
      } else if end < bytes.count,
        !bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 })
      {
        throw StudioError(
          .unusableFile,
          "\(name): line \(number): expected labelled ink, found a damaged line; repair it or "
            + "delete the line, then open the session again")
      }
      start = end + 1
    }
    if let last = bytes.last, last != newline {
      _ = try journal()
      return try read()
    }
    entries = found
    guard let after = present() else { throw unreadable }
    version = after
    length = after.size
    // A program writes at this moment: its change is read at the next request.
    if before != after { version = Version() }
  }

  /// Returns the entry of a line; nil if it is damaged.
  private static func entry(_ line: Data, at range: Range<Int>) -> Entry? {
    struct Head: Decodable {
      var id: String?
      var prompt: Int?
    }
    let records = InkReader(.jsonLines, bytes: [UInt8](line), name: "")
    guard case .success(let record)? = records.makeIterator().next(),
      let head = try? JSONDecoder().decode(Head.self, from: line)
    else {
      // A number as identifier is valid labelled ink, but not a sample of a session.
      guard case .success(let record)? = records.makeIterator().next() else { return nil }
      return Entry(
        bytes: range, fingerprint: CollectChecks.fingerprint(of: record.labeled.ink))
    }
    return Entry(
      id: head.prompt == nil ? nil : head.id, prompt: head.id == nil ? nil : head.prompt,
      bytes: range, fingerprint: CollectChecks.fingerprint(of: record.labeled.ink))
  }

  // MARK: - Changes

  /// Appends a line, and returns once it is on the disk.
  ///
  /// - Parameters:
  ///   - line: The line with its newline.
  ///   - entry: Its entry; the bytes are set here.
  /// - Throws: ``StudioError``; the file then has its earlier content. Lines that another program
  ///   added stay; ``refresh()`` reads them.
  package mutating func append(_ line: Data, _ entry: Entry) throws(StudioError) {
    let journal = try journal()
    let start = journal.length
    try write { () throws(FileError) in try journal.append(line.dropLast()) }
    var entry = entry
    entry.bytes = start..<(start + line.count - 1)
    entries.append(entry)
    version = start == length ? present() ?? Version() : Version()
    length = journal.length
  }

  /// Removes a line, or replaces it, and returns once this is on the disk.
  ///
  /// - Throws: ``StudioError``; the file is then unchanged.
  /// - Complexity: O(bytes of the file), except for the removal of the last line.
  package mutating func replace(
    at index: Int, with line: Data?, _ entry: Entry? = nil
  ) throws(StudioError) {
    let old = entries[index].bytes
    if line == nil, index == entries.count - 1, old.upperBound + 1 == length {
      let journal = try journal()
      guard journal.length == length else { throw unwritable }
      try write { () throws(FileError) in try journal.truncate(to: old.lowerBound) }
      entries.removeLast()
      length = old.lowerBound
      version = present() ?? Version()
      return
    }
    guard let present = try? Data(contentsOf: url), present.count == length else {
      throw unwritable
    }
    var bytes = Data(capacity: present.count + (line?.count ?? 0))
    bytes.append(present[..<old.lowerBound])
    if let line { bytes.append(line) }
    bytes.append(present[min(old.upperBound + 1, present.count)...])
    let temporary = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).new").path
    // A killed studio may have left it.
    unlink(temporary)
    try write { () throws(FileError) in
      try AtomicFile.replace(
        url.path, with: bytes, temporary: temporary, folderSync: .attempted)
    }
    let shift = bytes.count - present.count
    for later in entries.indices where later > index {
      let range = entries[later].bytes
      entries[later].bytes = (range.lowerBound + shift)..<(range.upperBound + shift)
    }
    if let line, var entry {
      entry.bytes = old.lowerBound..<(old.lowerBound + line.count - 1)
      entries[index] = entry
    } else {
      entries.remove(at: index)
    }
    length = bytes.count
    version = self.present() ?? Version()
  }

  /// Returns the bytes of a line.
  ///
  /// - Throws: ``StudioError``.
  package func line(at index: Int) throws(StudioError) -> Data {
    let range = entries[index].bytes
    guard let handle = try? FileHandle(forReadingFrom: url) else { throw unwritable }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: UInt64(range.lowerBound))) != nil,
      let bytes = try? handle.read(upToCount: range.count), bytes.count == range.count
    else {
      throw StudioError(.unusableFile, "\(name): the sample cannot be read; try again")
    }
    return bytes
  }

  /// Opens the file to change it. A last line that is whole but lacks its newline gets one.
  private func journal() throws(StudioError) -> LineJournal {
    try write { () throws(FileError) in
      try LineJournal(path: url.path) { Self.entry(Data($0), at: 0..<0) != nil }
    }
  }

  private func write<Value>(_ action: () throws(FileError) -> Value) throws(StudioError) -> Value {
    do throws(FileError) {
      return try action()
    } catch {
      throw unwritable
    }
  }
}
