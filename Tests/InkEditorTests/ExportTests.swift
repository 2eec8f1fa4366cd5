import Foundation
import InkCore
import InkEditor
import InkFormats
import TestSamples
import Testing

@Suite("Export and import")
struct ExportTests {
  private func desk() throws -> Desk {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello world", y: 15)
    try desk.write("again", y: 25)
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.draw([(0...20).map { StrokePoint(x: 100 + Double($0) * 2, y: 50) }])
    try desk.editor.waitUntilIdle()
    return desk
  }

  private static let everything = """
    {"export": {"jiix": {"bounding-box": true, "strokes": true, "ids": true, "ranges": true,
    "text": {"words": true, "chars": true, "lines": true}}}}
    """

  @Test("an export with all options is valid and complete")
  func everything() throws {
    let desk = try desk()
    let json = try desk.editor.export(as: .jiix, overrides: Self.everything)
    #expect(try JSONSchema.jiix().faults(json).isEmpty)
    let root = try JIIXBlock(parsing: Data(json.utf8))
    #expect(root.version == "3" && root.type == "Raw Content")
    let elements = try #require(root.elements)
    #expect(elements.map(\.type).sorted() == ["Edge", "Node", "Text"])
    let text = try #require(elements.first { $0.type == "Text" })
    #expect(text.version == nil)
    #expect(text.label == "hello world\nagain")
    #expect(text.words?.map(\.label) == ["hello", " ", "world", "\n", "again"])
    #expect(text.words?[1].candidates == nil)
    #expect(text.words?[2].candidates == ["world", "WORLD"])
    #expect(text.words?[2].firstChar == 6 && text.words?[2].lastChar == 10)
    #expect(text.chars?.map(\.label).joined() == "hello world\nagain")
    #expect(text.chars?[6].word == 2)
    #expect(text.chars?[6].grid?.points.count == 4)
    #expect(text.lines?.map(\.firstChar) == [0, 12])
    #expect(text.lines?.map(\.lastChar) == [10, 16])
    #expect(text.range == [JIIXRange(from: .init(stroke: 0), to: .init(stroke: 14))])
    #expect(text.words?[4].range == [JIIXRange(from: .init(stroke: 10), to: .init(stroke: 14))])
    let stroke = try #require(text.words?[0].items?[0])
    #expect(stroke.timestamp == "2023-11-14 22:13:20.000000")
    #expect(stroke.X?.count == stroke.Y?.count && stroke.T?.count == stroke.X?.count)
    #expect(stroke.F == nil)
    let node = try #require(elements.first { $0.type == "Node" })
    #expect(node.kind == "rectangle" && node.width == 40 && node.items?.count == 1)
    let edge = try #require(elements.first { $0.type == "Edge" })
    #expect(edge.kind == "line" && edge.x1 == 100 && edge.x2 == 140)
  }

  @Test("times that are not milliseconds are left out")
  func wildTimes() throws {
    for time in [Double.infinity, .nan, 1e300] {
      let desk = try Desk(type: "Raw Content")
      let stroke = Stroke(points: [StrokePoint(x: 1, y: 1, t: 0), StrokePoint(x: 2, y: 1, t: time)])
      try desk.editor.addBlock(type: "Drawing", ink: Ink(strokes: [stroke]))
      try desk.editor.waitUntilIdle()
      let json = try desk.editor.export(as: .jiix)
      #expect(json.contains("\"X\":") && !json.contains("\"T\":"))
    }
  }

  @Test("an export is labelled ink: its lines and shapes, as read and drawn")
  func exportAsData() throws {
    let desk = try desk()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "ductus-\(UUID().uuidString).jiix")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(try desk.editor.export(as: .jiix, overrides: Self.everything).utf8).write(to: file)
    let records = try InkReader(.jiix, path: file.path).map { try $0.get() }
    #expect(records.map(\.labeled.label) == ["hello world", "again", "rectangle", "line"])
    #expect(records.map(\.level) == [.text, .word, nil, nil])
    let items = try desk.root.items
    let written = try items.map { try #require(try desk.editor.stroke(of: $0)) }
    #expect(records.flatMap(\.labeled.ink.strokes).count == written.count)
    for (stroke, original) in zip(records[0].labeled.ink.strokes, written) {
      #expect(
        zip(stroke.points, original.points).allSatisfy {
          abs($0.x - $1.x) < 1e-4 && abs($0.y - $1.y) < 1e-4
        })
      #expect(stroke.points.allSatisfy { $0.t == 0 })
    }
  }

  @Test(
    "every switch leaves out what it names, and the rest stays valid",
    arguments: [
      ("bounding-box", "bounding-box"), ("strokes", "items"), ("ids", "id"), ("ranges", "range"),
      ("text.words", "words"), ("text.chars", "chars"), ("text.lines", "lines"),
    ])
  func switches(_ key: String, _ field: String) throws {
    let desk = try desk()
    for name in [
      "bounding-box", "strokes", "ids", "ranges", "text.words", "text.chars", "text.lines",
    ] {
      try desk.engine.configuration.set("export.jiix." + name, to: true)
    }
    #expect(try desk.editor.export(as: .jiix).contains("\"\(field)\":"))
    try desk.editor.configuration.set("export.jiix." + key, to: false)
    let json = try desk.editor.export(as: .jiix)
    #expect(!json.contains("\"\(field)\":"))
    #expect(try JSONSchema.jiix().faults(json).isEmpty)
    // The call overrides the editor.
    let name = key.split(separator: ".").reversed().reduce("true") { "{\"\($1)\": \($0)}" }
    let override = "{\"export\": {\"jiix\": \(name)}}"
    #expect(try desk.editor.export(as: .jiix, overrides: override).contains("\"\(field)\":"))
  }

  @Test("defaults are words, boxes, strokes and ids")
  func defaults() throws {
    let desk = try Desk()
    try desk.write("abc")
    try desk.editor.waitUntilIdle()
    let root = try desk.editor.exportDocument()
    #expect(root.words != nil && root.boundingBox != nil && root.id != nil)
    #expect(root.chars == nil && root.lines == nil && root.range == nil)
    #expect(root.words?[0].items?.count == 3)
    #expect(root.words?[0].firstChar == nil)
  }

  @Test("invalid types, blocks and overrides are refused")
  func refusals() throws {
    let desk = try desk()
    let node = try #require(try desk.root.children.first { $0.type == .node })
    #expect(try desk.editor.supportedExportTypes(node) == [.jiix, .svg, .inkML])
    #expect(
      throws: EditorError.unsupportedExport(
        found: "text/plain",
        supported: [
          ExportType.jiix.rawValue, ExportType.svg.rawValue, ExportType.inkML.rawValue,
        ])
    ) { try desk.editor.export(node, as: .text) }
    #expect(throws: EditorError.self) {
      try desk.editor.export(as: .jiix, overrides: #"{"export": {"jiix": {"ids": 3}}}"#)
    }
    try desk.editor.removeBlock(node)
    try desk.editor.waitUntilIdle()
    #expect(throws: EditorError.invalidBlock(node.id)) { try desk.editor.export(node, as: .jiix) }
    let text = try #require(try desk.root.children.first { $0.type == .text })
    #expect(try desk.editor.export(text, as: .text) == "hello world\nagain")
  }

  @Test("a candidate that was chosen in the JIIX is imported and lasts")
  func candidateImport() throws {
    let desk = try desk()
    let json = try desk.editor.export(as: .jiix)
    var document = try JIIXBlock(parsing: Data(json.utf8))
    let place = try #require(document.elements?.firstIndex { $0.type == "Text" })
    document.elements?[place].words?[2].label = "WORLD"
    let changed = String(decoding: try document.json(), as: UTF8.self)
    #expect(try desk.editor.importCandidates(changed) == 1)
    #expect(try desk.text() == "hello WORLD\nagain")
    try desk.write("more", x: 45, y: 25)
    #expect(try desk.text() == "hello WORLD\nagain more")
    document.elements?[place].words?[2].label = "moon"
    let wrong = String(decoding: try document.json(), as: UTF8.self)
    #expect(throws: EditorError.self) { try desk.editor.importCandidates(wrong) }
    for bad in ["", "{}", "[]", #"{"type":"Text"}"#, #"{"type":"Text","version":"2"}"#] {
      #expect(throws: EditorError.self) { try desk.editor.importCandidates(bad) }
    }
    #expect(try desk.text() == "hello WORLD\nagain more")
  }

  @Test("the validator finds errors")
  func validator() throws {
    let schema = try JSONSchema.jiix()
    for bad in [
      #"{"type":"Text"}"#, #"{"type":"Text","version":3}"#,
      #"{"type":"Other","version":"3"}"#, #"{"type":"Text","version":"3","more":1}"#,
      #"{"type":"Text","version":"3","words":[{}]}"#,
      #"{"type":"Drawing","version":"3","items":[{"type":"stroke","X":[1]}]}"#,
      #"{"type":"Raw Content","version":"3","elements":[{"type":"Text","version":"3"}]}"#,
    ] {
      #expect(try !schema.faults(bad).isEmpty, "\(bad)")
    }
    #expect(try schema.faults(#"{"type":"Text","version":"3","words":[]}"#).isEmpty)
  }
}
