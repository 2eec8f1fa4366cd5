import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing
import Typesetting

@Suite("Typed text and pictures in a part")
struct DigitalBlockTests {
  /// A picture of one pixel.
  static let png =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5E"
        + "rkJggg==") ?? Data()

  @Test("text is wrapped at a width, with the styles of its pieces")
  func styles() throws {
    let desk = try Desk(type: "Raw Content")
    let block = try desk.editor.addText(
      [
        StyledText("The "), StyledText("bold", isBold: true),
        StyledText("er word and some more", color: InkColor(red: 200, green: 0, blue: 0)),
      ], x: 10, y: 10, width: 40, size: 5)
    #expect(block.type == .text)
    #expect(block.lines.map(\.text) == ["The bolder word", "and some more"])
    let box = try #require(block.box)
    #expect(box.width <= 40.001 && box.minX >= 10 && box.minY >= 10)
    let texts = desk.editor.drawCommands(of: .ink).compactMap { command -> DrawText? in
      if case .text(let text) = command { text } else { nil }
    }
    #expect(texts.filter(\.isBold).map(\.text) == ["bold"])
    #expect(Set(texts.map { $0.color.description }).count == 2)
    #expect(texts.allSatisfy { $0.size == 5 })
  }

  @Test("typed text is undone, copied, pasted, moved, scaled and erased as ink is")
  func edits() throws {
    let desk = try Desk(type: "Raw Content")
    let block = try desk.editor.addText("hello world", x: 10, y: 10, size: 5)
    let items = block.items
    #expect(items.count == 2)
    try desk.editor.copy(block)
    let pasted = try desk.editor.paste(x: 10, y: 60)
    #expect(pasted.blocks.first?.lines.map(\.text) == ["hello world"])
    let selection = try desk.editor.selection(ofItems: [items[1]])
    let moved = try desk.editor.move(selection, dx: 30, dy: 0)
    #expect(try desk.editor.export(as: .text).contains("hello world"))
    let scaled = try desk.editor.scale(moved, x: 2, y: 2)
    let big = desk.editor.drawCommands(ofItems: scaled.items).compactMap { command -> DrawText? in
      if case .text(let text) = command { text } else { nil }
    }
    #expect(big.map { $0.size.rounded() } == [10])
    try desk.editor.erase(scaled)
    #expect(try desk.text().split(separator: "\n").contains("hello"))
    while try desk.editor.undo() {}
    #expect(try desk.root.items.isEmpty)
    while try desk.editor.redo() {}
    #expect(try desk.text().split(separator: "\n").contains("hello"))
  }

  @Test("the precise eraser takes letters out of typed text")
  func precise() throws {
    let desk = try Desk()
    try desk.editor.addText("abcdef", x: 10, y: 10, size: 10)
    let box = try #require(try desk.root.words.first?.characters[2].box)
    desk.editor.tools.setTool(.eraser, for: .pen)
    try desk.editor.configuration.set("text.eraser.erase-precisely", to: true)
    try desk.editor.configuration.set("text.eraser.radius", to: 0.5)
    try desk.editor.pointerDown(x: box.midX, y: box.minY)
    try desk.editor.pointerMove(x: box.midX, y: box.midY)
    try desk.editor.pointerUp(x: box.midX, y: box.maxY)
    #expect(try desk.text().filter { $0 != " " } == "abdef")
  }

  @Test("a candidate of a typed word is set in its place, and what follows moves")
  func choice() throws {
    let desk = try Desk()
    try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    let block = try desk.root
    let candidates = try desk.root.words[0].candidates.map(\.text)
    let other = try #require(candidates.first { $0 != "hello" })
    try desk.editor.convert()
    let before = try desk.root.words[1].box.minX
    try desk.editor.choose(other, forWord: 0, in: block)
    #expect(try desk.root.words.map(\.label) == [other, "world"])
    #expect(try desk.root.words[1].box.minX != before)
    try desk.editor.undo()
    #expect(try desk.root.words.map(\.label) == ["hello", "world"])
  }

  @Test("text from right to left begins at the right, and is read in its order")
  func leftward() throws {
    let desk = try Desk(type: "Raw Content")
    desk.editor.fonts = EveryLetter()
    let block = try desk.editor.addText("שלום לכל העולם", x: 20, y: 20, width: 60, size: 6)
    #expect(try desk.text() == "שלום לכל העולם")
    let words = block.words
    #expect(words.first?.label == "שלום")
    let first = try #require(words.first)
    #expect(abs(first.box.maxX - 80) < 1 && words.allSatisfy { $0.box.maxX <= first.box.maxX })
    let letters = first.characters.compactMap(\.box)
    #expect(zip(letters, letters.dropFirst()).allSatisfy { $0.minX > $1.minX })
    try desk.editor.reflow(block, width: 25)
    #expect(block.lines.count > 1)
    #expect(
      try desk.text().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        == "שלום לכל העולם")
    let box = try #require(block.box)
    #expect(abs(box.maxX - first.box.maxX) < 1 && box.width <= 25.001)
  }

  @Test("a typed word is typed again from the guide, and keeps its id")
  func relabel() throws {
    let desk = try Desk()
    try desk.editor.addText("helo world", x: 20, y: 20)
    let word = try #require(desk.editor.typedText()?.words.first)
    try desk.editor.setLabel("hello", of: word)
    #expect(try desk.text() == "hello world")
    let again = try #require(desk.editor.typedText()?.words.first)
    #expect(again.id == word.id && again.label == "hello")
    #expect(again.box.maxX <= (try #require(desk.root.words.last)).box.minX)
    try desk.editor.undo()
    #expect(try desk.text() == "helo world")
  }

  @Test("text flows in another width, and blocks below make room")
  func reflow() throws {
    let desk = try Desk(type: "Text Document")
    let text = try desk.editor.addText(
      "one two three four five six seven eight", x: 10, y: 10, width: 120, size: 5)
    let below = try desk.editor.addText("below", x: 10, y: 40, size: 5)
    let height = try #require(text.box).height
    let place = try #require(below.box).minY
    try desk.editor.reflow(text, width: 40)
    let lines = text.lines.map(\.text)
    #expect(lines.count > 2)
    #expect(lines.joined(separator: " ") == "one two three four five six seven eight")
    let grown = try #require(text.box).height - height
    #expect(abs(try #require(below.box).minY - place - grown) < 1e-6)
    try desk.editor.reflow(text, width: 120)
    #expect(abs(try #require(text.box).height - height) < 1e-6)
    #expect(abs(try #require(below.box).minY - place) < 1e-6)
  }

  @Test("a block that is added makes room in a text document")
  func room() throws {
    let desk = try Desk(type: "Text Document")
    let first = try desk.editor.addText("first", x: 10, y: 30, size: 5)
    let picture = try desk.editor.addImage(Self.png, x: 10, y: 20, width: 40)
    #expect(try #require(picture.box).maxY <= #require(first.box).minY)
  }

  @Test("pictures are checked by their content")
  func pictures() throws {
    let desk = try Desk(type: "Raw Content")
    let block = try desk.editor.addImage(Self.png, mimeType: "image/png", x: 10, y: 10, width: 30)
    #expect(block.type == .drawing)
    let box = try #require(block.box)
    #expect(abs(box.width - 30) < 1e-9 && abs(box.height - 30) < 1e-9)
    #expect(try desk.editor.svg().contains("data:image/png;base64,"))
    for (data, type) in [
      (Self.png, "image/jpeg"), (Self.png.prefix(20), nil), (Data("<html/>".utf8), nil),
      (Data("<svg width='10' height='10'><script/></svg>".utf8), nil),
    ] as [(Data, String?)] {
      #expect(throws: EditorError.self) {
        try desk.editor.addImage(data, mimeType: type, x: 0, y: 0)
      }
    }
    let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 10'/>".utf8)
    let drawn = try desk.editor.addBlock(svg, mimeType: "image/svg+xml", x: 50, y: 10, width: 20)
    #expect(abs(try #require(drawn.first?.box).height - 10) < 1e-9)
    let text = try Desk()
    #expect(throws: EditorError.self) { try text.editor.addImage(Self.png, x: 0, y: 0) }
  }

  @Test("JIIX there and back: typed text, exact shapes and pictures are the same")
  func jiix() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.write("ab", x: 30, y: 52)
    try desk.editor.waitUntilIdle()
    try desk.editor.convert()
    try desk.editor.addText(
      [StyledText("plain "), StyledText("bold", isBold: true), StyledText("er")], x: 20, y: 100)
    try desk.editor.addImage(Self.png, x: 100, y: 20, width: 30)
    try desk.write("ink", x: 30, y: 140)
    let jiix = try desk.text().isEmpty ? "" : try desk.editor.export(as: .jiix)
    let other = try Desk(type: "Raw Content")
    try other.editor.importDocument(Data(jiix.utf8), as: .jiix)
    try other.editor.waitUntilIdle()
    let again = try other.editor.export(as: .jiix)
    #expect(
      Self.isAlmost(
        try JSONSerialization.jsonObject(with: Data(again.utf8)),
        try JSONSerialization.jsonObject(with: Data(jiix.utf8))), "\(again)\n\(jiix)")
    #expect(other.reader.calls.count == 0)
    #expect(
      other.editor.drawCommands(of: .ink).count == desk.editor.drawCommands(of: .ink).count)
    for broken in [
      jiix.replacing("\"font-size\"", with: "\"font-sizes\""),
      jiix.replacing("\"label\" : \"bold\"", with: "\"label\" : \"bolder\""),
      jiix.replacing("image/png", with: "image/jpeg"),
    ] where broken != jiix {
      #expect(throws: EditorError.self) {
        try Desk(type: "Raw Content").editor.importDocument(Data(broken.utf8), as: .jiix)
      }
    }
  }

  /// Returns whether two values of JSON differ in the last digits of numbers only.
  private static func isAlmost(_ one: Any, _ other: Any) -> Bool {
    switch (one, other) {
    case (let a as [String: Any], let b as [String: Any]):
      Set(a.keys) == Set(b.keys) && a.allSatisfy { isAlmost($1, b[$0] ?? $1) }
    case (let a as [Any], let b as [Any]):
      a.count == b.count && zip(a, b).allSatisfy { isAlmost($0, $1) }
    case (let a as String, let b as String): a == b
    case (let a as NSNumber, let b as NSNumber):
      abs(a.doubleValue - b.doubleValue) < 1e-3
    default: false
    }
  }

  @Test("a block of data: text, JIIX, and types that are refused")
  func data() throws {
    let desk = try Desk(type: "Raw Content")
    let block = try desk.editor.addBlock(
      Data("hello".utf8), mimeType: "text/plain", x: 20, y: 20)
    #expect(block.first?.words.map(\.label) == ["hello"])
    let jiix = try desk.editor.export(as: .jiix)
    let other = try desk.editor.addBlock(
      Data(jiix.utf8), mimeType: ExportType.jiix.rawValue, x: 20, y: 60)
    #expect(other.first?.words.map(\.label) == ["hello"])
    #expect(throws: EditorError.self) {
      try desk.editor.addBlock(Data([1]), mimeType: "application/pdf", x: 0, y: 0)
    }
    #expect(throws: EditorError.self) {
      try desk.editor.addBlock(Data([0xFF]), mimeType: "text/plain", x: 0, y: 0)
    }
    #expect(throws: EditorError.self) { try desk.editor.addText(" \n ", x: 0, y: 0) }
  }
}

/// A font that has every letter, all of one width.
private struct EveryLetter: FontProvider {
  func metrics(of face: FontFace) -> FaceMetrics { BundledFont().metrics(of: face) }

  func glyphs(of text: String, in face: FontFace) -> [GlyphMetrics?] {
    text.map { character in
      character == " "
        ? GlyphMetrics(advance: 0.3, left: 0, bottom: 0, right: 0, top: 0)
        : GlyphMetrics(advance: 0.6, left: 0.05, bottom: 0, right: 0.55, top: 0.7)
    }
  }
}
