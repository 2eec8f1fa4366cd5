import Files
import Foundation
import Testing

@Suite("Journals of lines") struct LineJournalTests {
  private let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("journal-\(UUID().uuidString)").path

  private func texts(_ journal: LineJournal) throws -> [String] {
    try journal.lines().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Appended lines are there when the file is opened again")
  func append() throws {
    defer { unlink(path) }
    let journal = try LineJournal(path: path)
    #expect(try texts(journal) == [])
    try journal.append("first".utf8)
    try journal.append("".utf8)
    try journal.append("third".utf8)
    #expect(try texts(try LineJournal(path: path)) == ["first", "", "third"])
  }

  @Test("A file cut at any byte has all lines that were whole")
  func cut() throws {
    defer { unlink(path) }
    let whole = Array("one\ntwo\nthree\n".utf8)
    for length in 0...whole.count {
      try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
      let expected = whole[..<length].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).dropLast().map { String(decoding: $0, as: UTF8.self) }
      let journal = try LineJournal(path: path)
      #expect(try texts(journal) == expected)
      try journal.append("more".utf8)
      #expect(try texts(try LineJournal(path: path)) == expected + ["more"])
    }
  }

  @Test("A last line that lacks its newline alone is kept if it is whole; a blank one is not")
  func wholeLast() throws {
    defer { unlink(path) }
    let long = "{" + String(repeating: "x", count: 100_000) + "}"
    for (rest, isKept) in [("{b}", true), ("{b", false), (" \t\r", false), (long, true)] {
      try Data("{a}\n\(rest)".utf8).write(to: URL(fileURLWithPath: path))
      let journal = try LineJournal(path: path) { bytes in
        bytes.first != UInt8(ascii: "{") || bytes.last == UInt8(ascii: "}")
      }
      try journal.append("{c}".utf8)
      let expected = ["{a}"] + (isKept ? [rest] : []) + ["{c}"]
      #expect(try texts(journal) == expected)
      #expect(try texts(try LineJournal(path: path)) == expected)
    }
  }

  @Test("A write that fails in the middle of a line leaves the file as it was")
  func failedWrite() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o644)
    try #require(descriptor >= 0)
    defer {
      close(descriptor)
      unlink(path)
    }
    // The longest file that the file system allows, without taking room: the last bytes of the
    // line do not fit.
    let longest = try #require(
      [off_t.max, (1 << 44) - 4096, (1 << 41) - 4096, (1 << 32) - 1].first {
        ftruncate(descriptor, $0) == 0
      })
    let length = longest - 3
    try #require(ftruncate(descriptor, length) == 0)
    try #require(pwrite(descriptor, "\n", 1, length - 1) == 1)
    let journal = try LineJournal(path: path)
    #expect(journal.length == Int(length))
    #expect(throws: FileError.self) { try journal.append("a line".utf8) }
    var status = stat()
    #expect(fstat(descriptor, &status) == 0 && status.st_size == length)
    #expect(journal.length == Int(length))
    try journal.append("a".utf8)
    #expect(try LineJournal(path: path).length == Int(length) + 2)
  }

  @Test("A line longer than a block is found")
  func long() throws {
    defer { unlink(path) }
    let line = String(repeating: "x", count: 200_000)
    try Data("a\n\(line)".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try LineJournal(path: path).length == 2)
    try LineJournal(path: path).append(line.utf8)
    #expect(try LineJournal(path: path).length == 200_003)
  }

  @Test("Truncating takes the last line back")
  func truncate() throws {
    defer { unlink(path) }
    let journal = try LineJournal(path: path)
    try journal.append("kept".utf8)
    let length = journal.length
    try journal.append("taken back".utf8)
    try journal.truncate(to: length)
    try journal.append("next".utf8)
    #expect(try texts(journal) == ["kept", "next"])
  }

  @Test("A link and a folder are refused")
  func kinds() throws {
    defer { unlink(path) }
    symlink("/tmp/target-\(UUID().uuidString)", path)
    #expect(throws: FileError.self) { try LineJournal(path: path) }
    #expect(throws: FileError.self) { try LineJournal(path: "/tmp") }
  }
}
