import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import TestSamples
import Testing

@Suite("Changes of selected ink")
struct SelectionEditTests {
  private func desk(_ type: String = "Raw Content") throws -> Desk {
    let desk = try Desk(type: type)
    try desk.write("hello big world")
    try desk.editor.waitUntilIdle()
    return desk
  }

  private func texts(_ desk: Desk) throws -> [ContentBlock] {
    let root = try desk.root
    return root.type == .text ? [root] : root.children.filter { $0.type == .text }
  }

  private func content(_ desk: Desk) throws -> String {
    try desk.editor.waitUntilIdle()
    return try desk.editor.export(
      as: .jiix, overrides: #"{"export": {"jiix": {"text": {"chars": true}}}}"#)
      + "\(desk.editor.decorations)"
  }

  /// Runs a change, which must be one step that undo and redo go over exactly.
  private func check(
    _ desk: Desk, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: () throws -> Void
  ) throws {
    let (before, count) = (try content(desk), desk.editor.possibleUndoCount)
    try change()
    let after = try content(desk)
    #expect(before != after, sourceLocation: sourceLocation)
    #expect(desk.editor.possibleUndoCount == count + 1, sourceLocation: sourceLocation)
    for _ in 0..<2 {
      try desk.editor.undo()
      #expect(try content(desk) == before, sourceLocation: sourceLocation)
      try desk.editor.redo()
      #expect(try content(desk) == after, sourceLocation: sourceLocation)
    }
  }

  @Test("Erase removes exactly the selected ink, in one step", arguments: ["Text", "Raw Content"])
  func erase(type: String) throws {
    let desk = try desk(type)
    let word = try desk.editor.selection(ofWords: 1..<2, of: texts(desk)[0])
    try check(desk) { try desk.editor.erase(word) }
    #expect(try desk.text() == "hello world")
    let letters = try desk.editor.selection(ofCharacters: 0..<2, of: texts(desk)[0])
    try check(desk) { try desk.editor.erase(letters) }
    #expect(try desk.text() == "llo world")
  }

  @Test("Moved ink keeps its words, choices and decorations, and is not read again")
  func move() throws {
    let desk = try desk()
    let block = try texts(desk)[0]
    try desk.editor.choose("BIG", for: block.words[1], in: block)
    try desk.editor.decorate(words: 1..<2, of: block, with: .underline)
    try desk.editor.waitUntilIdle()
    let calls = desk.reader.calls.count
    let word = try desk.editor.selection(ofWords: 1..<2, of: block)
    let box = try #require(word.box)
    try desk.editor.setSelection(word)
    let moved = try desk.editor.move(word, dx: 10, dy: 60)
    #expect(moved.isValid && !word.isValid && desk.editor.selection == moved)
    #expect(
      moved.box.map { abs($0.minX - box.minX - 10) + abs($0.maxY - box.maxY - 60) < 1e-9 } == true)
    try desk.editor.waitUntilIdle()
    let new = try #require(try texts(desk).first { $0.words.map(\.label) == ["BIG"] })
    #expect(new.words[0].candidates.map(\.text).contains("big") && new.words[0].isChosen)
    #expect(new.decorations.map(\.characters) == [0..<3])
    #expect(try texts(desk)[0].words.map(\.label) == ["hello", "world"])
    #expect(desk.reader.calls.count <= calls + 1)
    try desk.editor.undo()
    #expect(word.isValid && desk.editor.selection == nil)
    try check(desk) { try desk.editor.move(word, dx: -5, dy: 30) }
    // No distance is no step.
    let all = try desk.editor.selection(of: desk.root)
    let count = desk.editor.possibleUndoCount
    #expect(try desk.editor.move(all, dx: 0, dy: 0) == all)
    #expect(desk.editor.possibleUndoCount == count)
  }

  @Test("A block that moves as a whole keeps its id, and edges stay at their nodes")
  func moveNode() throws {
    let desk = try Desk(type: "Diagram")
    try desk.draw([Pen.rectangle(x: 20, y: 20, width: 30, height: 25)])
    try desk.draw([Pen.rectangle(x: 100, y: 20, width: 30, height: 25)])
    try desk.draw([(0...24).map { StrokePoint(x: 51 + Double($0) * 2, y: 32) }])
    try desk.editor.waitUntilIdle()
    let nodes = try desk.root.children.filter { $0.type == .node }
    let edge = try #require(try desk.root.children.first { $0.type == .edge })
    #expect(Set(edge.ends) == Set(nodes.map(\.id)))
    let node = try desk.editor.selection(of: nodes[0])
    let moved = try desk.editor.move(node, dx: 0, dy: 60)
    #expect(desk.editor.block(ofItem: moved.items[0])?.id == nodes[0].id)
    #expect(Set(edge.ends) == Set(nodes.map(\.id)))
    // Scaled, it is another block, with the edge at it.
    let scaled = try desk.editor.scale(moved, x: 2, y: 2)
    let block = try #require(desk.editor.block(ofItem: scaled.items[0]))
    #expect(block.type == .node && block.shape != nil)
    #expect(edge.ends.contains(block.id))
    guard case .rectangle(let box)? = block.shape?.form else {
      Issue.record("no rectangle")
      return
    }
    #expect(abs(box.width - 60) < 4)
  }

  @Test(
    "Scaled ink keeps its words; a handle stays where it is", arguments: ["Text", "Raw Content"])
  func scale(type: String) throws {
    let desk = try desk(type)
    let word = try desk.editor.selection(ofWords: 2..<3, of: texts(desk)[0])
    let box = try #require(word.box)
    let scaled = try desk.editor.scale(word, x: 2, y: 1.5, about: .bottomLeft)
    let new = try #require(scaled.box)
    #expect(abs(new.minX - box.minX) < 1e-9 && abs(new.maxY - box.maxY) < 1e-9)
    #expect(abs(new.width - 2 * box.width) < 1e-9 && abs(new.height - 1.5 * box.height) < 1e-9)
    try desk.editor.waitUntilIdle()
    #expect(try texts(desk).flatMap(\.words).contains { $0.label == "world" && $0.box == new })
    try desk.editor.undo()
    #expect(word.isValid)
    try check(desk) { try desk.editor.scale(word, x: 0.5, y: 0.5) }
  }

  @Test(
    "Half a block, half a word and half a stroke are copied", arguments: ["Text", "Raw Content"])
  func copyHalf(type: String) throws {
    let desk = try desk(type)
    let block = try texts(desk)[0]
    try desk.editor.decorate(words: 0..<2, of: block, with: .highlight)
    // "lo big"
    try desk.editor.copy(desk.editor.selection(ofCharacters: 3..<9, of: block))
    let editor = desk.editor
    try editor.setPart(desk.engine.makePart(type: "Text"))
    let pasted = try editor.paste(x: 30, y: 50)
    #expect(pasted.items.count == 5)
    #expect(try desk.text() == "lo big")
    #expect(desk.reader.calls.count > 0)
    #expect(try desk.root.decorations.map(\.characters) == [0..<6])
    #expect(editor.possibleUndoCount == 1)
  }

  @Test("A part of a stroke is copied, erased and moved as a stroke of its own")
  func halfStroke() throws {
    let reader = ScriptedReader { ink in
      // Each stroke is two letters.
      let characters = ink.strokes.indices.flatMap { index in
        let count = ink.strokes[index].points.count
        return [0..<count / 2, count / 2..<count].map {
          CharacterInk(parts: [.init(stroke: index, points: $0)])
        }
      }
      let text = String(repeating: "ab", count: ink.strokes.count)
      return RecognitionResult(
        candidates: [RecognitionCandidate(text: text, score: -0.1, characters: characters)])
    }
    let models = LoadedModels()
    models.setText(reader, bundle: "en_US")
    let desk = try Desk(models: models)
    let items = try desk.draw([(0..<20).map { StrokePoint(x: 20 + Double($0), y: 15) }])
    _ = try desk.text()
    let letter = try desk.editor.selection(ofCharacters: 1..<2, of: desk.root)
    #expect(letter.parts == [ItemPart(item: items[0], points: 10..<20)])
    try desk.editor.copy(letter)
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    let pasted = try desk.editor.paste(x: 50, y: 50)
    #expect(try desk.text() == "b")
    let stroke = try #require(try desk.editor.stroke(of: pasted.items[0]))
    #expect(stroke.points.count == 10 && stroke.points[0].x == 50)
    try desk.editor.setPart(part)
    let again = try desk.editor.selection(ofCharacters: 1..<2, of: desk.root)
    try check(desk) {
      let moved = try desk.editor.move(again, dx: 5, dy: 40)
      #expect(moved.items.count == 1 && moved.box?.minX == 35)
    }
    #expect(try desk.root.items.count == 2)
    try desk.editor.undo()
    try check(desk) { try desk.editor.erase(again) }
    #expect(try desk.root.items.count == 1)
  }

  @Test("Cut removes the ink and pastes it with its blocks; each is one step")
  func cut() throws {
    let desk = try desk()
    try desk.draw([Pen.rectangle(x: 20, y: 60, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    let all = try desk.editor.selection(of: desk.root)
    let before = try content(desk)
    try desk.editor.cut(all)
    #expect(desk.editor.isEmpty)
    let pasted = try desk.editor.paste(x: 20, y: 13)
    #expect(Set(pasted.blocks.map(\.type)) == [.text, .node])
    #expect(try desk.text() == "hello big world")
    try desk.editor.undo()
    try desk.editor.undo()
    #expect(try content(desk) == before)
    // A shape of which a part is selected is a drawing there.
    let node = try #require(try desk.root.children.first { $0.type == .node })
    let ink = try desk.editor.selection(of: node)
    #expect(ink.items.count == 1)
    try desk.editor.copy(ink)
    #expect(try desk.editor.paste(x: 100, y: 100).blocks.map(\.type) == [.node])
  }

  @Test("Style and decorations of a selection are one step each")
  func style() throws {
    let desk = try desk()
    let word = try desk.editor.selection(ofWords: 1..<2, of: texts(desk)[0])
    let red = try StrokeStyle(color: "#C02020", width: 0.8)
    try check(desk) {
      let count = try desk.editor.setStyle(red, of: word)
      #expect(count == 3)
    }
    #expect(word.items.allSatisfy { desk.editor.style(of: $0) == red })
    try check(desk) { try desk.editor.decorate(word, with: .surround) }
    #expect(try texts(desk)[0].decorations.map(\.characters) == [6..<9])
  }

  @Test("A selection is exported as text, JIIX, SVG and InkML", arguments: ["Text", "Raw Content"])
  func export(type: String) throws {
    let desk = try desk(type)
    let block = try texts(desk)[0]
    try desk.editor.decorate(words: 1..<3, of: block, with: .underline)
    let (before, count) = (try content(desk), desk.editor.possibleUndoCount)
    let part = try desk.editor.selection(ofCharacters: 3..<9, of: block)
    #expect(try desk.editor.export(part, as: .text) == "lo big")
    let json = try desk.editor.export(part, as: .jiix)
    #expect(try JSONSchema.jiix().faults(json) == [])
    let parsed = try JIIXBlock(parsing: Data(json.utf8))
    let found = parsed.type == "Text" ? parsed : try #require(parsed.elements?.first)
    #expect(found.label == "lo big")
    #expect(found.decorations == [JIIXDecoration(kind: "underline", firstChar: 3, lastChar: 5)])
    #expect(items(inJIIX: parsed) == Set(part.items.map { "\($0)" }))
    let svg = try desk.editor.export(part, as: .svg)
    #expect(svg.contains("class=\"underline\""))
    // A stroke of constant width is one path of a line.
    #expect(svg.components(separatedBy: "<path").count - 1 == 5 + 1)
    #expect(try desk.editor.export(part, as: .inkML).contains("lo big"))
    #expect(try content(desk) == before && desk.editor.possibleUndoCount == count)
  }

  @Test("Foreign data for the clipboard is a typed error, and nothing changes")
  func foreign() throws {
    let desk = try desk()
    let (before, count) = (try content(desk), desk.editor.possibleUndoCount)
    let part = desk.editor.part
    for text in ["", "{}", "no JSON", #"{"type": "Song", "version": "3"}"#] {
      #expect(throws: EditorError.self) {
        try desk.editor.importDocument(Data(text.utf8), as: .jiix)
      }
    }
    // A block that the part does not accept.
    try desk.editor.copy(desk.editor.selection(of: texts(desk)[0]))
    try desk.editor.setPart(desk.engine.makePart(type: "Math"))
    #expect(throws: EditorError.self) { try desk.editor.paste(x: 1, y: 1) }
    #expect(desk.editor.isEmpty && desk.editor.possibleUndoCount == 0)
    try desk.editor.setPart(part)
    #expect(try content(desk) == before && desk.editor.possibleUndoCount == count)
  }
}
