import Files
import Foundation
import InkSearch
import Testing

/// Files that change, vanish, cannot be named or do not fit on the disk: an error names the file, the
/// others go on, and the index stays sound.
@Suite("Notes in bad places")
struct BadPlacesTests {
  let folder: NotesFolder

  init() throws {
    folder = try NotesFolder()
    for number in 1...60 { folder.say(number, "word\(number) common") }
  }

  private func problems() throws -> [String: String] {
    let problems = try InkIndex(at: folder.indexFile).folders().first?.problems ?? []
    return Dictionary(
      problems.map { ($0.file, $0.reason) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("Names that are no UTF-8 are errors that say so")
  func names() throws {
    try folder.write("a.xopp", pages: [1])
    let text = Array(
      "<xournal><page><layer><stroke>2 1 50 5</stroke></layer></page></xournal>".utf8)
    let name = Array(folder.path.utf8) + [0x2F, 0x62, 0xFF] + Array(".xopp".utf8)
    let place = Array(folder.path.utf8) + [0x2F, 0x63, 0xFE]
    func call(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
      (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
        $0.baseAddress.map(body) ?? -1
      }
    }
    let file = call(name) { open($0, O_CREAT | O_WRONLY, 0o600) }
    // Some file systems refuse such names themselves.
    guard file >= 0 else { return }
    #expect(write(file, text, text.count) == text.count)
    close(file)
    #expect(call(place) { mkdir($0, 0o700) } == 0)
    let summary = try folder.update()
    #expect(summary.failed == 2 && summary.pagesRead == 1)
    let found = try problems()
    #expect(found.keys.sorted() == ["b\u{FFFD}.xopp", "c\u{FFFD}/"])
    #expect(found.values.allSatisfy { $0.contains("UTF-8") && $0.contains("rename") })
    #expect(try folder.search("common") == ["a.xopp 1"])
    // Once it has another name, the error is gone.
    let renamed = Array((folder.path + "/b.xopp").utf8)
    #expect(call(name) { old in call(renamed) { rename(old, $0) } } == 0)
    #expect(call(place) { rmdir($0) } == 0)
    #expect(try folder.update().failed == 0)
    #expect(try problems().isEmpty)
    #expect(try folder.search("word2") == ["b.xopp 1"])
    #expect(try folder.faults() == [])
  }

  @Test("Links in circles and links to nothing are errors, and each folder is read once")
  func links() throws {
    try folder.write("sub/a.xopp", pages: [1])
    let files = FileManager.default
    for (name, target) in [
      ("sub/up", ".."), ("sub/here", "."), ("self.xopp", "self.xopp"), ("two.xopp", "one.xopp"),
      ("one.xopp", "two.xopp"), ("gone.xopp", "nowhere"), ("round", "round"),
    ] {
      try files.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
    }
    let summary = try folder.update()
    #expect(summary.files == 5 && summary.pagesRead == 1 && summary.failed == 4)
    let found = try problems()
    #expect(found.keys.sorted() == ["gone.xopp", "one.xopp", "self.xopp", "two.xopp"])
    #expect(found["gone.xopp"]?.contains("link to nothing") == true)
    #expect(found["self.xopp"]?.contains("in a circle") == true)
    #expect(try folder.search("common") == ["sub/a.xopp 1"])
    #expect(try folder.faults() == [])
  }

  @Test("Files that vanish or change while others are read")
  func changes() throws {
    for number in 1...40 {
      try folder.write((number < 10 ? "0" : "") + "\(number).xopp", pages: [number])
    }
    let path = folder.path
    // The files of a later part of the work.
    try folder.update(whileReading: { number in
      guard number == 1 else { return }
      unlink(path + "/39.xopp")
      try? Data("<xournal><page><layer><str".utf8).write(
        to: URL(fileURLWithPath: path + "/40.xopp"))
      // This one was opened already.
      try? Data(
        "<xournal><page><layer><stroke>50 1 60 5</stroke></layer></page></xournal>".utf8
      ).write(to: URL(fileURLWithPath: path + "/02.xopp"))
    })
    #expect(try problems().keys.sorted() == ["39.xopp", "40.xopp"])
    #expect(try folder.search("common").count == 38)
    #expect(try folder.faults() == [])
    try folder.write("40.xopp", pages: [40])
    try folder.update()
    #expect(try problems().isEmpty)
    #expect(try folder.search("common").count == 39)
    #expect(try folder.search("word50") == ["02.xopp 1"])
    #expect(try folder.search("word2").isEmpty)
    #expect(try folder.faults() == [])
  }

  @Test("What was found in a file stays while its program writes it")
  func halfWritten() throws {
    try folder.write("a.xopp", pages: [1, 2])
    try folder.update()
    try folder.write("a.xopp", "<xournal><pa")
    #expect(try folder.update().failed == 1)
    #expect(try problems()["a.xopp"] != nil)
    #expect(try folder.search("common").count == 2)
    _ = folder.takeCalls()
    try folder.write("a.xopp", pages: [2, 3])
    try folder.update()
    #expect(folder.takeCalls() == [3])
    #expect(try problems().isEmpty)
    #expect(try folder.search("word1").isEmpty)
    #expect(try folder.faults() == [])
  }

  @Test(
    "A full disk ends the work with an error, and nothing of the index is lost",
    .enabled(if: SmallDisk.isPossible, "a small disk needs Linux and root"))
  func fullDisk() throws {
    let disk = try SmallDisk(megabytes: 32)
    let filler = disk.path + "/filler"
    try Data(count: 31_000_000).write(to: URL(fileURLWithPath: filler))
    let index = URL(fileURLWithPath: disk.path + "/notes/index.sqlite")
    for number in 1...60 {
      // Letters that do not repeat, so that the index grows.
      let words = (0..<400).map { word in "w\(number)x\(word &* 7919 &+ number)" }
      folder.say(number, words.joined(separator: " ") + " common")
      try folder.write((number < 10 ? "0" : "") + "\(number).xopp", pages: [number])
    }
    #expect(throws: InkSearchError.full(path: index.path)) { try folder.update(index: index) }
    do {
      let opened = try InkIndex(at: index)
      #expect(try opened.faults() == [])
      let count = try opened.pageCount()
      #expect(count > 0 && count < 60)
      #expect(try opened.search(SearchQuery("common"), limit: 100).count == count)
    }
    // Again without room: what there is stays.
    #expect(throws: InkSearchError.self) { try folder.update(index: index) }
    #expect(try InkIndex(at: index).faults() == [])
    try FileManager.default.removeItem(atPath: filler)
    try folder.update(index: index)
    let opened = try InkIndex(at: index)
    #expect(try opened.pageCount() == 60)
    #expect(try opened.search(SearchQuery("common"), limit: 100).count == 60)
    #expect(try opened.faults() == [])
  }
}

/// A file system of a few megabytes in memory, until this ends.
final class SmallDisk {
  static var isPossible: Bool {
    #if os(Linux)
      guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
      return FileManager.default.fileExists(atPath: disk.path)
    #else
      return false
    #endif
  }

  struct NoDisk: Error {}

  let path: String

  init(megabytes: Int) throws {
    path = NSTemporaryDirectory() + "/ductus-disk-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "ductus", path) else {
      try? FileManager.default.removeItem(atPath: path)
      throw NoDisk()
    }
  }

  deinit {
    _ = Self.run("umount", "--lazy", path)
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
