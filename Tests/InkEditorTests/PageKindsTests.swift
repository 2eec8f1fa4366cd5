import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import Testing

@Suite("Kinds of strokes in mixed content")
struct PageKindsTests {
  /// A real page whose letters are about 5 mm high.
  private static func page(_ name: String) throws -> Ink {
    let url = PackageFolder.url.appendingPathComponent("Tests/Cases/pages/\(name).jsonl")
    for record in InkReader(.jsonLines, bytes: Array(try Data(contentsOf: url)), name: name) {
      let ink = try record.get().labeled.ink
      let factor = try 180 / #require(ink.boundingBox).width
      return Ink(
        strokes: ink.strokes.map { stroke in
          Stroke(
            points: stroke.points.map { StrokePoint(x: $0.x * factor, y: $0.y * factor, t: $0.t) })
        })
    }
    throw CocoaError(.fileReadCorruptFile)
  }

  private func marks(_ desk: Desk) throws -> [RecognizedMark.Kind: Int] {
    try desk.editor.waitUntilIdle()
    return try desk.root.children.compactMap(\.mark).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  @Test("dividers and struck words of a diagram are marks, in one pass or stroke by stroke")
  func diagram() throws {
    let ink = try Self.page("diagram")
    let desk = try Desk(type: "Raw Content")
    try desk.editor.importInk(ink)
    let found = try marks(desk)
    #expect(found[.divider] ?? 0 > 0 && found[.strikeThrough] ?? 0 > 0, "\(found)")
    let slow = try Desk(type: "Raw Content")
    for stroke in ink.strokes {
      try slow.draw([stroke.points])
      try slow.editor.waitUntilIdle()
    }
    let later = try marks(slow)
    #expect(later[.divider] ?? 0 > 0, "\(later)")
  }

  @Test("marks are stored, exported, copied and undone as marks")
  func kept() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.editor.importInk(try Self.page("diagram"))
    let found = try marks(desk)
    let jiix = try desk.editor.exportDocument()
    func drawn(_ block: JIIXBlock) -> [String] {
      (block.type == "Drawing" ? [block.kind].compactMap(\.self) : [])
        + (block.elements ?? []).flatMap(drawn)
    }
    #expect(
      drawn(jiix).sorted() == found.flatMap { Array(repeating: $0.rawValue, count: $1) }.sorted())
    let struck = (jiix.elements ?? []).filter { $0.kind == "strike-through" }
    #expect(struck.contains { $0.markedWords?.isEmpty == false })

    let all = try desk.text()
    let without = try desk.editor.export(
      as: .text, overrides: #"{"export": {"text": {"struck-words": false}}}"#)
    #expect(without.count < all.count)

    let copy = try Desk(type: "Raw Content")
    try copy.editor.importDocument(
      Data(try desk.editor.export(as: .jiix).utf8), as: .jiix)
    #expect(try marks(copy) == found)

    let items = desk.editor.rootBlock?.items ?? []
    try desk.editor.removeItems(items)
    #expect(try marks(desk).isEmpty)
    try desk.editor.undo()
    #expect(try marks(desk) == found)
  }

  @Test("a state from before the kinds were found is looked at when it comes back")
  func undoneBefore() throws {
    let ink = try Self.page("diagram")
    let desk = try Desk(type: "Raw Content")
    try desk.editor.configuration.set("recognition.trigger", to: "demand")
    for stroke in ink.strokes { try desk.draw([stroke.points]) }
    try desk.editor.recognize()
    let found = try marks(desk)
    #expect(found[.divider] ?? 0 > 0, "\(found)")
    try desk.editor.undo()
    #expect(try marks(desk).isEmpty)
    try desk.editor.recognize()
    #expect(try marks(desk)[.divider] ?? 0 > 0)
    try desk.editor.redo()
    #expect(try marks(desk) == found)
  }

  @Test("plain text leaves out words that are struck by a decoration, also that of a selection")
  func struckByDecoration() throws {
    let desk = try Desk()
    try desk.write("hello world")
    #expect(try desk.text() == "hello world")
    let overrides = #"{"export": {"text": {"struck-words": false}}}"#
    #expect(try desk.editor.export(as: .text, overrides: overrides) == "hello world")
    try desk.editor.decorate(words: 0..<1, of: desk.root, with: .strikeThrough)
    // A part of a word is no word.
    try desk.editor.decorate(characters: 6..<8, of: desk.root, with: .strikeThrough)
    #expect(try desk.text() == "hello world")
    #expect(try desk.editor.export(as: .text, overrides: overrides) == "world")
    let all = try desk.editor.selection(of: desk.root)
    #expect(try desk.editor.export(all, as: .text) == "hello world")
    #expect(try desk.editor.export(all, as: .text, overrides: overrides) == "world")
  }

  @Test("a page of text alone has no marks, and the user's blocks stay as they are")
  func text() throws {
    let desk = try Desk(type: "Raw Content")
    for line in 0..<6 { try desk.write("plain words of a page", y: 15 + Double(line) * 12) }
    #expect(try marks(desk).isEmpty)

    let forced = try Desk(type: "Raw Content")
    try forced.editor.importInk(try Self.page("diagram"))
    try forced.editor.waitUntilIdle()
    let divider = try #require(try forced.root.children.first { $0.mark == .divider })
    let items = divider.items
    try forced.editor.set(type: .drawing, for: items, asOneBlock: true)
    try forced.write("more words that are written later", y: 190)
    try forced.editor.waitUntilIdle()
    let block = try #require(try forced.root.children.first { $0.items == items })
    #expect(block.mark == nil && block.type == .drawing)
  }
}
