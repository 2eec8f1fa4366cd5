import Files
import Foundation
import GRDB
import InkSearch
import Testing

@Suite("The index of notes")
struct IndexingTests {
  let folder: NotesFolder

  init() throws {
    folder = try NotesFolder()
    for number in 1...9 { folder.say(number, "word\(number) common") }
  }

  @Test("Only pages that changed are read again")
  func changes() throws {
    try folder.write("a.xopp", pages: [1, 2, 3])
    try folder.update()
    #expect(folder.takeCalls() == [1, 2, 3])
    #expect(try folder.update().pagesRead == 0)
    // A page was added, one was removed, and two changed places.
    try folder.write("a.xopp", pages: [3, 2, 4])
    let summary = try folder.update()
    #expect(folder.takeCalls() == [4] && summary.pagesKept == 2)
    #expect(try folder.search("word3") == ["a.xopp 1"])
    #expect(try folder.search("word4") == ["a.xopp 3"])
    #expect(try folder.search("word1").isEmpty)
    #expect(try folder.faults() == [])
  }

  @Test("Moves and deletions are followed without reading")
  func moves() throws {
    try folder.write("a.xopp", pages: [1])
    try folder.write("b.xopp", pages: [2])
    try folder.update()
    _ = folder.takeCalls()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/sub", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path + "/a.xopp", toPath: folder.path + "/sub/c.xopp")
    try FileManager.default.removeItem(atPath: folder.path + "/b.xopp")
    let summary = try folder.update()
    #expect(summary.moved == 1 && summary.removed == 1 && folder.takeCalls().isEmpty)
    #expect(try folder.search("word1") == ["sub/c.xopp 1"])
    #expect(try folder.search("word2").isEmpty)
    #expect(try folder.faults() == [])
  }

  @Test("Another model or language reads all pages again, the same one does not")
  func otherModel() throws {
    try folder.write("a.xopp", pages: [1, 2])
    try folder.write("b.xopp", pages: [3])
    #expect(try !folder.update(ReadingChoice(model: "first")).isOtherModel)
    _ = folder.takeCalls()
    // The same model, and none, which is that of the folder.
    for choice in [ReadingChoice(model: "first"), nil] {
      let summary = try folder.update(choice)
      #expect(summary.pagesRead == 0 && !summary.isOtherModel)
    }
    let summary = try folder.update(ReadingChoice(model: "second"))
    #expect(summary.pagesRead == 3 && summary.isOtherModel && folder.takeCalls() == [1, 2, 3])
    #expect(try folder.search("second").count == 3)
    #expect(try folder.search("first").isEmpty)
    #expect(try folder.update(ReadingChoice(language: "de")).isOtherModel)
    let listed = try #require(try InkIndex(at: folder.indexFile).folders().first)
    #expect(listed.model == nil && listed.language == "de" && listed.pages == 3)
    #expect(try folder.faults() == [])
  }

  @Test("Pages stay in the index until another model has read them, also if it is stopped")
  func stoppedOtherModel() throws {
    for number in 1...30 {
      folder.say(number, "word\(number) common")
      try folder.write("\(number).xopp", pages: [number])
    }
    try folder.update(ReadingChoice(model: "first"))
    _ = folder.takeCalls()
    let asked = Guarded(0)
    #expect(throws: InkSearchError.cancelled) {
      try folder.update(
        ReadingChoice(model: "second"),
        isCancelled: {
          asked.withLock { count in
            count += 1
            return count > 40
          }
        })
    }
    let read = Set(folder.takeCalls())
    #expect(read.count >= 16 && read.count < 30)
    #expect(try folder.search("common").count == 30)
    let stored = try folder.search("second").count
    #expect(try folder.search("first").count == 30 - stored)
    // Without a choice, the next run goes on with the second model.
    try folder.update()
    #expect(folder.takeCalls().count == 30 - stored)
    #expect(try folder.search("second").count == 30)
    #expect(try folder.faults() == [])
  }

  @Test("A page that another folder has from another model is read again")
  func otherFolder() throws {
    let other = try NotesFolder()
    try folder.write("a.xopp", pages: [1])
    try other.write("a.xopp", pages: [1])
    try folder.update(ReadingChoice(model: "first"))
    try other.update(ReadingChoice(model: "second"), index: folder.indexFile)
    #expect(other.takeCalls() == [1])
    try folder.write("b.xopp", pages: [1])
    _ = folder.takeCalls()
    try folder.update()
    #expect(folder.takeCalls().isEmpty)
  }

  @Test("A model that cannot be opened is an error of its folder")
  func missingModel() throws {
    struct Missing: Error, CustomStringConvertible { var description: String { "no such model" } }
    let index = try InkIndex(at: folder.indexFile, isWritten: true)
    let indexer = NotesIndexer(index, choice: ReadingChoice(model: "x")) { _ in throw Missing() }
    let error = #expect(throws: InkSearchError.self) { try indexer.update(folder.path) }
    #expect(error?.description.contains("no such model") == true)
  }

  @Test("A copied page is not read twice")
  func copies() throws {
    try folder.write("a.xopp", pages: [1])
    try folder.update()
    _ = folder.takeCalls()
    try folder.write("b.xopp", pages: [5, 1])
    try folder.update()
    #expect(folder.takeCalls() == [5])
    #expect(try Set(folder.search("word1")) == ["a.xopp 1", "b.xopp 2"])
  }

  @Test("A file that cannot be read costs itself, and the list says why")
  func problems() throws {
    try folder.write("a.xopp", pages: [1])
    try folder.write("bad.xopp", "<xournal><page><stroke>1 2")
    try folder.write(
      "half.xopp",
      "<xournal><page><layer><stroke>2 1 50 5</stroke></layer></page><page><stroke>x</stroke></page></xournal>"
    )
    try folder.write("plain.svg", "<svg><rect/></svg>")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/loop", withDestinationPath: folder.path)
    let summary = try folder.update()
    #expect(summary.failed == 2)
    let listed = try #require(try InkIndex(at: folder.indexFile).folders().first)
    #expect(listed.problems.map(\.file) == ["bad.xopp", "half.xopp"])
    #expect(listed.files == 2 && listed.pages == 2 && listed.indexed != nil)
    #expect(try folder.search("word2") == ["half.xopp 1"])
  }

  @Test("Work that is stopped keeps what was done, and goes on from there")
  func cancellation() throws {
    for number in 1...9 { try folder.write("\(number).xopp", pages: [number]) }
    try folder.write("large.xopp", pages: Array(10..<80))
    let asked = Guarded(0)
    #expect(throws: InkSearchError.cancelled) {
      try folder.update(isCancelled: {
        asked.withLock { count in
          count += 1; return count > 30
        }
      })
    }
    let first = folder.takeCalls()
    #expect(try folder.faults() == [])
    try folder.update()
    #expect(try InkIndex(at: folder.indexFile).pageCount() == 79)
    // Pages in work when it was stopped are read twice, all others once.
    #expect(first.count + folder.takeCalls().count <= 79 + 16)
    #expect(try folder.faults() == [])
  }

  @Test("The index is readable by its owner alone, and one process writes it")
  func protection() throws {
    try folder.write("a.xopp", pages: [1])
    try folder.update()
    let index = try InkIndex(at: folder.indexFile, isWritten: true)
    for suffix in ["", ".lock", "-wal"] {
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: folder.indexFile.path + suffix)
      let mode = attributes?[.posixPermissions] as? Int
      #expect(mode == nil || mode == 0o600, "\(suffix)")
    }
    #expect(throws: InkSearchError.busy(path: folder.indexFile.path)) {
      try InkIndex(at: folder.indexFile, isWritten: true)
    }
    #expect(throws: InkSearchError.busy(path: folder.indexFile.path)) {
      try InkIndex.delete(at: folder.indexFile)
    }
    // Others may search meanwhile.
    #expect(try folder.search("word1").count == 1)
    withExtendedLifetime(index) {}
  }

  @Test("A folder is forgotten without a trace, and the index is deleted")
  func forgetting() throws {
    folder.say(1, "secretword")
    try folder.write("a.xopp", pages: [1])
    try folder.update()
    do {
      let index = try InkIndex(at: folder.indexFile, isWritten: true)
      #expect(throws: InkSearchError.unknownFolder(path: "/nowhere")) {
        try index.forget("/nowhere")
      }
      try index.forget(folder.path)
      #expect(try index.folders().isEmpty)
    }
    #expect(try folder.faults() == [])
    let bytes = try Data(contentsOf: folder.indexFile)
    #expect(bytes.range(of: Data("secretword".utf8)) == nil)
    try InkIndex.delete(at: folder.indexFile)
    #expect(!FileManager.default.fileExists(atPath: folder.indexFile.path))
    #expect(throws: InkSearchError.missing(path: folder.indexFile.path)) {
      try InkIndex(at: folder.indexFile)
    }
  }

  @Test("Files that are no index are left alone")
  func foreignFiles() throws {
    let path = folder.indexFile.path
    try Data("no database".utf8).write(to: folder.indexFile)
    #expect(throws: InkSearchError.self) { try InkIndex(at: folder.indexFile, isWritten: true) }
    #expect(try Data(contentsOf: folder.indexFile) == Data("no database".utf8))
    try FileManager.default.removeItem(atPath: path)
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try other.close()
    let error = #expect(throws: InkSearchError.self) {
      try InkIndex(at: folder.indexFile, isWritten: true)
    }
    #expect(error?.description.contains("another SQLite file") == true)
    #expect(throws: InkSearchError.self) { try InkIndex.delete(at: folder.indexFile) }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("Folders that are none say so")
  func badFolders() throws {
    let index = try InkIndex(at: folder.indexFile, isWritten: true)
    let indexer = NotesIndexer(index) { _ in ([], nil) }
    for path in ["/no/such/folder", "/etc/hostname"] {
      let error = #expect(throws: InkSearchError.self) { try indexer.update(path) }
      #expect(error?.description.hasPrefix(path) == true)
    }
  }

  @Test("A page that the model refuses costs itself")
  func refusedPage() throws {
    struct Refused: Error, CustomStringConvertible { var description: String { "too many points" } }
    try folder.write("a.xopp", pages: [1, 2])
    let index = try InkIndex(at: folder.indexFile, isWritten: true)
    let indexer = NotesIndexer(index, workers: 1) { record in
      guard record.indexInSource == 1 else { throw Refused() }
      return (
        [
          PageWord(
            alternatives: [.init("ok", probability: 1)],
            box: .init(minX: 0, minY: 0, maxX: 1, maxY: 1), line: 0)
        ], nil
      )
    }
    _ = try indexer.update(folder.path)
    #expect(try index.search(SearchQuery("ok")).map(\.page) == [2])
    #expect(try index.folders().first?.problems.first?.reason == "page 1: too many points")
  }
}
