import EditorStorage
import Foundation
import GRDB
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Decorations in packages")
struct DecorationStorageTests {
  private func decorate(_ editor: Editor) throws {
    let root = try #require(editor.rootBlock)
    let style = try DecorationStyle(color: InkColor(red: 1, green: 2, blue: 3), width: 0.25)
    try editor.decorate(words: 0..<1, of: root, with: .underline)
    try editor.decorate(characters: 2..<6, of: root, with: .highlight, style: style)
    try editor.decorate(words: 1..<2, of: root, with: .surround)
  }

  @Test("Decorations are saved, and only those that changed are written")
  func saved() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc de", x: 20, y: 20))
    try decorate(editor)
    let before = editor.decorations
    #expect(before.count == 3)
    try editor.setPart(nil)
    try package.save()
    try package.close()
    #expect(try PackageCheck(of: shelf.url("notes")).report().problems == [])
    let again = try shelf.otherEngine().openPackage(at: shelf.url("notes"))
    let other = try edit(try again.part(at: 0))
    #expect(other.decorations == before)
    #expect(shelf.reader.calls.count > 0)
    // Changes one by one.
    let part = try #require(other.part)
    _ = try part.takeChanges(isComplete: true)
    try other.removeDecoration(id: before[2].id)
    let root = try #require(other.rootBlock)
    let new = try other.decorate(words: 0..<1, of: root, with: .strikeThrough)
    let changes = try part.takeChanges(isComplete: true)
    #expect(changes.decorations == new && changes.removedDecorations == [before[2].id])
    // A new decoration has an id that none had.
    #expect(new[0].id > before[2].id)
    #expect(try part.takeChanges(isComplete: true).isEmpty)
    try other.undo()
    try other.undo()
    #expect(try part.takeChanges(isComplete: true).decorations == [before[2]])
  }

  @Test("After a crash, decorations are there as strokes are")
  func crash() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc de", x: 20, y: 20))
    try package.save()
    try decorate(editor)
    try package.flush()
    let later = try Shelf()
    for file in shelf.files where !file.hasSuffix(".lock") {
      try FileManager.default.copyItem(
        at: shelf.folder.appendingPathComponent(file),
        to: later.folder.appendingPathComponent(file))
    }
    let again = try later.engine.openPackage(at: later.url("notes"))
    #expect(again.isRecovered)
    #expect(try edit(try again.part(at: 0)).decorations == editor.decorations)
  }

  @Test("A damaged decoration is found, and a repair keeps the others")
  func damage() throws {
    let shelf = try Shelf()
    let url = shelf.url("notes")
    let package = try shelf.engine.createPackage(at: url)
    let editor = try edit(try package.makePart(type: "Text"))
    try editor.write(Pen.strokes("abc de", x: 20, y: 20))
    try decorate(editor)
    try editor.setPart(nil)
    try package.save()
    try package.close()
    let good = try Data(contentsOf: url)
    for (index, sql) in [
      "UPDATE decoration SET data = x'00' WHERE key = (SELECT min(key) FROM decoration)",
      "UPDATE decoration SET checksum = 1 WHERE key = (SELECT min(key) FROM decoration)",
      "UPDATE decoration SET key = key + 100 WHERE key = (SELECT min(key) FROM decoration)",
    ].enumerated() {
      try good.write(to: url)
      let queue = try DatabaseQueue(path: url.path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
      #expect(try !PackageCheck(of: url).report().isClean, "\(sql)")
      let target = shelf.url("repaired-\(index)")
      _ = try PackageCheck(of: url).repair(to: target)
      #expect(try PackageCheck(of: target).report().problems == [])
      let repaired = try edit(try shelf.engine.openPackage(at: target).part(at: 0))
      #expect(repaired.decorations.map(\.kind) == [.highlight, .surround], "\(sql)")
    }
  }

  @Test("Decorations whose ink is missing or named twice are a fault of the content")
  func faults() throws {
    let engine = Shelf.engine(FakeReader())
    let part = try engine.makePart(type: "Text")
    let editor = try edit(part)
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    let item = try #require(editor.rootBlock?.items.first)
    let whole = try part.wholeContent()
    func faults(_ parts: [ItemPart], _ id: Int = 1) -> ContentFault? {
      let content = PartContent(
        strokes: whole.strokes, order: nil, blocks: whole.blocks, lines: whole.lines,
        decorations: [Decoration(id: id, kind: .underline, style: nil, parts: parts)],
        state: whole.state ?? StoredState())
      do throws(ContentFault) {
        try PartValidation.check(content, type: .text)
        return nil
      } catch {
        return error
      }
    }
    #expect(faults([ItemPart(item: item, points: 0..<2)]) == nil)
    #expect(faults([ItemPart(item: 99, points: 0..<2)]) != nil)
    #expect(faults([]) != nil)
    #expect(faults([ItemPart(item: item, points: 0..<2)], 0) != nil)
    #expect(faults([ItemPart(item: item, points: 1..<1)]) != nil)
    #expect(
      faults([ItemPart(item: item, points: 0..<2), ItemPart(item: item, points: 1..<3)]) != nil)
  }

  @Test("A file of version 1 is read as it is, and gets decorations when it is changed")
  func versionOne() throws {
    let shelf = try Shelf()
    let url = try shelf.copy(ofVersion: 1)
    let old = try Data(contentsOf: url)
    #expect(old[63] == 1)
    let reading = try shelf.engine.openPackage(at: url, mode: .readOnly)
    let editor = try edit(try reading.part(at: 0))
    #expect(editor.decorations.isEmpty)
    try editor.setPart(nil)
    try reading.close()
    #expect(try Data(contentsOf: url) == old)
    let package = try shelf.engine.openPackage(at: url)
    let writer = try edit(try package.part(at: 0))
    let text = try #require(writer.rootBlock?.children.first { $0.type == .text })
    try writer.decorate(words: 0..<1, of: text, with: .underline)
    try package.flush()
    #expect(try Data(contentsOf: url) == old)
    let decorations = writer.decorations
    try writer.setPart(nil)
    try package.save()
    try package.close()
    #expect(try Data(contentsOf: url)[63] == UInt8(PackageFormat.version))
    let again = try shelf.otherEngine().openPackage(at: url)
    #expect(try edit(try again.part(at: 0)).decorations == decorations)
  }

  @Test("A file of version 2 opens with its decorations")
  func versionTwo() throws {
    let shelf = try Shelf()
    let url = try shelf.copy(ofVersion: 2)
    #expect(try PackageCheck(of: url).report().problems == [])
    let editor = try edit(try shelf.engine.openPackage(at: url).part(at: 0))
    let text = try #require(editor.rootBlock?.children.first { $0.type == .text })
    let style = try DecorationStyle(color: InkColor("#A1B2C3"), width: 0.5)
    #expect(text.decorations.map(\.kind) == [.underline, .highlight])
    #expect(text.decorations.map(\.characters) == [0..<3, 2..<5])
    #expect(text.decorations.map(\.style) == [nil, style])
    #expect(shelf.reader.calls.count == 0)
  }

  @Test("A file of version 1 with a table of version 2 is refused")
  func mixed() throws {
    let shelf = try Shelf()
    let url = try shelf.copy(ofVersion: 1)
    let queue = try DatabaseQueue(path: url.path)
    try queue.write {
      try $0.execute(sql: "CREATE TRIGGER t AFTER INSERT ON stroke BEGIN SELECT 1; END")
    }
    try queue.close()
    #expect(throws: PackageError.foreign(path: url.path)) {
      try shelf.engine.openPackage(at: url)
    }
  }
}
