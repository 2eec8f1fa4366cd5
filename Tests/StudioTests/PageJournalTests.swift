import Foundation
import Testing

@testable import Studio

@Suite("Journals of pages") struct PageJournalTests {
  private static let commands = [
    PageCommand(
      id: "a-1", action: .strokes([PageStroke(x: [1, 2.5], y: [3, 4], t: [0, 8], time: 1000)])),
    PageCommand(id: "a-2", action: .undo),
    PageCommand(id: "a-3", action: .redo),
    PageCommand(id: "a-4", action: .erase(PageStroke(x: [1], y: [3]))),
    PageCommand(id: "a-5", action: .choose(text: "Gruß \u{1F600}\n\"", items: [1, 2])),
    PageCommand(id: "a-6", action: .type(.drawing, items: [1])),
    PageCommand(id: "a-7", action: .clear),
  ]

  /// Runs a body with the path of a new page.
  private func withPage(_ body: (URL) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("journal-\(UInt64.random(in: 0 ... .max)).page.jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    try PageJournal.create(file)
    try body(file)
  }

  private func append(_ commands: [PageCommand], to file: URL) throws {
    let journal = try PageJournal(opening: file, name: "test")
    for command in commands { try journal.append(command) }
  }

  private func read(_ file: URL) throws -> [PageCommand] {
    try PageJournal(opening: file, name: "test").commands()
  }

  private func code(_ body: () throws -> Void) -> StudioError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StudioError)?.code
    }
  }

  @Test("Commands are read again in their order, also those of a second opening")
  func order() throws {
    try withPage { file in
      try append(Array(Self.commands.prefix(3)), to: file)
      try append(Array(Self.commands.dropFirst(3)), to: file)
      #expect(try read(file) == Self.commands)
    }
  }

  @Test("A last line that was cut off at any byte is removed, and nothing before it")
  func everyByte() throws {
    try withPage { file in
      try append(Self.commands, to: file)
      let whole = try Data(contentsOf: file)
      let last = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
      for length in last..<whole.count {
        try whole.prefix(length).write(to: file)
        #expect(try read(file) == Self.commands.dropLast(), "cut at \(length)")
        // The page goes on from there.
        try append([PageCommand(id: "b", action: .undo)], to: file)
        #expect(try read(file).last?.id == "b", "cut at \(length)")
        #expect(try read(file).count == Self.commands.count, "cut at \(length)")
      }
    }
  }

  @Test("A file that was cut off in its first line is an empty page")
  func firstLine() throws {
    try withPage { file in
      let whole = try Data(contentsOf: file)
      for length in 0..<whole.count {
        try whole.prefix(length).write(to: file)
        #expect(try read(file).isEmpty, "cut at \(length)")
        try append([Self.commands[1]], to: file)
        #expect(try read(file) == [Self.commands[1]], "cut at \(length)")
      }
    }
  }

  @Test("Zeros at the end, as after a loss of power, are removed")
  func zeros() throws {
    try withPage { file in
      try append(Self.commands, to: file)
      let whole = try Data(contentsOf: file)
      try (whole + Data(count: 4096)).write(to: file)
      #expect(try read(file) == Self.commands)
      try (whole + Data(count: 10) + Data("\n".utf8)).write(to: file)
      #expect(try read(file) == Self.commands)
      #expect(try Data(contentsOf: file) == whole)
    }
  }

  @Test(
    "A malformed line is refused and the file stays as it is",
    arguments: [
      "{}", "x", #"{"id": "a", "type": "unknown"}"#,
      #"{"id": "a", "type": "strokes", "strokes": []}"#,
      #"{"id": "a", "type": "strokes", "strokes": [{"x": [1, 2], "y": [1]}]}"#,
      #"{"id": "../a", "type": "undo"}"#,
    ])
  func malformed(line: String) throws {
    try withPage { file in
      try append(Self.commands, to: file)
      let bytes = try Data(contentsOf: file) + Data("\(line)\n".utf8)
      try bytes.write(to: file)
      #expect(code { _ = try read(file) } == .unusableFile)
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  @Test("A page of a newer format is refused")
  func newer() throws {
    try withPage { file in
      try Data("{\"format\":\"ductus-page\",\"version\":2}\n".utf8).write(to: file)
      #expect(code { _ = try read(file) } == .unusableFile)
    }
  }

  @Test("A page is opened once at a time, and made once")
  func once() throws {
    try withPage { file in
      let journal = try PageJournal(opening: file, name: "test")
      #expect(code { _ = try read(file) } == .conflict)
      withExtendedLifetime(journal) {}
      #expect(code { try PageJournal.create(file) } == .conflict)
      let other = file.deletingLastPathComponent().appendingPathComponent("missing.page.jsonl")
      #expect(code { _ = try read(other) } == .notFound)
    }
  }
}
