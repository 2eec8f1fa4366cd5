import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import TestSamples
import Testing

@Suite("Decorations of characters")
struct DecorationTests {
  /// The complete content with decorations.
  private func content(_ desk: Desk) throws -> String {
    try desk.editor.waitUntilIdle()
    return try desk.editor.export(
      as: .jiix, overrides: #"{"export": {"jiix": {"text": {"chars": true}}}}"#)
      + "\(desk.editor.decorations)"
  }

  /// The decorated texts of a block, with their kinds.
  private func texts(_ block: ContentBlock) -> [String] {
    let lines = block.lines.map { $0.words.map(\.label).joined(separator: " ") }
    let text = Array(lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    return block.decorations.map { "\($0.kind.rawValue) \(String(text[$0.characters]))" }
  }

  private func texts(_ desk: Desk) throws -> [String] {
    try desk.editor.waitUntilIdle()
    return texts(try desk.root)
  }

  @Test("A span of words or characters has a kind, and plain text does not change")
  func spans() throws {
    let desk = try Desk()
    try desk.write("hello big world")
    try desk.write("again", y: 25)
    let text = try desk.text()
    for (kind, range) in [
      (DecorationKind.underline, 0..<5), (.doubleUnderline, 10..<15), (.strikeThrough, 7..<8),
      (.highlight, 6..<21), (.surround, 2..<4),
    ] {
      let made = try desk.editor.decorate(characters: range, of: desk.root, with: kind)
      #expect(made.count == 1 && made[0].kind == kind)
    }
    #expect(
      try texts(desk) == [
        "underline hello", "double-underline world", "strike-through i",
        "highlight big world\nagain", "surround ll",
      ])
    #expect(try desk.text() == text)
    #expect(desk.editor.possibleUndoCount == 18 + 5)
    // Words are counted as in the block.
    try desk.editor.decorate(words: 0..<2, of: desk.root, with: .strikeThrough)
    #expect(try texts(desk).last == "strike-through hello big")
  }

  @Test("A second underline makes it double, as a step of its own, and undo is exact")
  func double() throws {
    let desk = try Desk()
    try desk.write("hello world")
    var states = [try content(desk)]
    let steps: [() throws -> Void] = [
      { try desk.editor.decorate(words: 0..<1, of: desk.root, with: .underline) },
      { try desk.editor.decorate(words: 0..<2, of: desk.root, with: .underline) },
      { try desk.editor.decorate(words: 1..<2, of: desk.root, with: .underline) },
      { try desk.editor.decorate(characters: 3..<4, of: desk.root, with: .highlight) },
      { try desk.editor.removeDecorations(fromCharacters: 0..<2, of: desk.root) },
      { try desk.editor.removeItems(desk.root.words[1].items) },
    ]
    let expected = [
      ["underline hello"], ["double-underline hello", "underline world"],
      ["double-underline hello", "double-underline world"],
      ["double-underline hello", "double-underline world", "highlight l"],
      ["double-underline llo", "double-underline world", "highlight l"],
      ["double-underline llo", "highlight l"],
    ]
    let first = desk.editor.possibleUndoCount
    for (place, step) in steps.enumerated() {
      try step()
      states.append(try content(desk))
      #expect(try texts(desk).sorted() == expected[place].sorted(), "step \(place)")
      #expect(desk.editor.possibleUndoCount == first + place + 1)
    }
    for _ in 0..<2 {
      for place in steps.indices.reversed() {
        #expect(try desk.editor.undo())
        #expect(try content(desk) == states[place], "undo of \(place)")
      }
      for place in steps.indices {
        #expect(try desk.editor.redo())
        #expect(try content(desk) == states[place + 1], "redo of \(place)")
      }
    }
    // A third underline, or the same decoration again, changes nothing.
    let count = desk.editor.possibleUndoCount
    #expect(try desk.editor.decorate(characters: 2..<5, of: desk.root, with: .underline).isEmpty)
    #expect(try desk.editor.decorate(characters: 3..<4, of: desk.root, with: .highlight).isEmpty)
    #expect(desk.editor.possibleUndoCount == count)
  }

  @Test("Decorations of one kind and style join; another style replaces what it covers")
  func rivals() throws {
    let desk = try Desk()
    try desk.write("hello world")
    _ = try desk.text()
    let red = try DecorationStyle(color: InkColor(red: 200, green: 0, blue: 0))
    try desk.editor.decorate(characters: 0..<3, of: desk.root, with: .highlight)
    try desk.editor.decorate(characters: 2..<8, of: desk.root, with: .highlight)
    #expect(try texts(desk) == ["highlight hello wo"])
    try desk.editor.decorate(words: 0..<1, of: desk.root, with: .highlight, style: red)
    #expect(try texts(desk) == ["highlight wo", "highlight hello"])
    #expect(try desk.root.decorations.map(\.style) == [nil, red])
    try desk.editor.decorate(words: 0..<2, of: desk.root, with: .doubleUnderline)
    try desk.editor.decorate(characters: 0..<3, of: desk.root, with: .doubleUnderline, style: red)
    #expect(try texts(desk).suffix(2) == ["double-underline lo world", "double-underline hel"])
    #expect(throws: EditorError.self) { try DecorationStyle(width: .nan) }
    #expect(throws: EditorError.self) { try DecorationStyle(width: 0) }
  }

  @Test("A decoration goes with erased ink and comes back with it")
  func erasing() throws {
    let desk = try Desk()
    try desk.write("hello world")
    _ = try desk.text()
    try desk.editor.decorate(words: 0..<2, of: desk.root, with: .underline)
    try desk.editor.removeItems(desk.root.words[0].items)
    #expect(try texts(desk) == ["underline world"])
    try desk.editor.removeItems(desk.root.words[0].items)
    #expect(desk.editor.decorations.isEmpty)
    try desk.editor.undo()
    try desk.editor.undo()
    #expect(try texts(desk) == ["underline hello world"])
    try desk.editor.clear()
    #expect(desk.editor.decorations.isEmpty)
    try desk.editor.undo()
    #expect(try texts(desk) == ["underline hello world"])
  }

  @Test("Ink that is erased in parts keeps its decoration in what is left")
  func erasingPrecisely() throws {
    let reader = ScriptedReader { ink in
      // Each stroke is two letters, without the points between them.
      let text = String(repeating: "ab", count: ink.strokes.count)
      let characters = ink.strokes.indices.flatMap { index in
        let count = ink.strokes[index].points.count
        return [0..<count / 3, count - count / 3..<count].map {
          CharacterInk(parts: [.init(stroke: index, points: $0)])
        }
      }
      return RecognitionResult(
        candidates: [RecognitionCandidate(text: text, score: -0.1, characters: characters)])
    }
    let models = LoadedModels()
    models.setText(reader, bundle: "en_US")
    let desk = try Desk(models: models)
    try desk.editor.configuration.set("text.eraser.erase-precisely", to: true)
    try desk.editor.configuration.set("text.eraser.radius", to: 0.5)
    let line = (0..<31).map { StrokePoint(x: 20 + Double($0), y: 15) }
    try desk.draw([line])
    _ = try desk.text()
    // The right letter, with the points between and behind it.
    try desk.editor.decorate(characters: 1..<2, of: desk.root, with: .underline)
    let before = try #require(desk.editor.decorations.first)
    #expect(before.parts.map(\.points) == [21..<31])
    // A cut through it, and one through the left letter.
    for x in [45.0, 25.0] {
      try desk.editor.pointerDown(x: x, y: 12, type: .eraser)
      try desk.editor.pointerMove(x: x, y: 15, type: .eraser)
      try desk.editor.pointerUp(x: x, y: 18, type: .eraser)
    }
    let decoration = try #require(desk.editor.decorations.first)
    let places = try decoration.parts.flatMap { part in
      try #require(try desk.editor.stroke(of: part.item)).points[part.points].map(\.x)
    }
    #expect(places.min().map { $0 > 40 && $0 < 41.1 } == true)
    #expect(places.max() == 50)
    #expect(places.allSatisfy { abs($0 - 45) > 0.5 })
    try desk.editor.undo()
    try desk.editor.undo()
    #expect(desk.editor.decorations == [before])
  }

  @Test("A decoration stays with the ink that moves and is read again")
  func moving() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("touch.palm-rejection", to: false)
    }
    try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    func block() throws -> ContentBlock { try #require(try desk.root.children.first) }
    try desk.editor.decorate(words: 1..<2, of: block(), with: .surround)
    // Words that are written beside it, and all text read again.
    try desk.write("ab", x: 60)
    try desk.editor.waitUntilIdle()
    try desk.editor.recognize(again: true)
    try desk.editor.waitUntilIdle()
    #expect(texts(try block()) == ["surround world"])
    let box = try #require(try block().box)
    // A long press selects the block.
    try desk.editor.pointerDown(x: box.midX, y: box.midY, t: 1000, type: .touch)
    try desk.editor.pointerUp(x: box.midX, y: box.midY, t: 1700, type: .touch)
    try desk.editor.pointerDown(x: box.midX, y: box.midY, type: .touch)
    try desk.editor.pointerUp(x: box.midX + 40, y: box.midY + 50, type: .touch)
    try desk.editor.waitUntilIdle()
    #expect(try block().box != box)
    #expect(texts(try block()) == ["surround world"])
    try desk.editor.undo()
    #expect(texts(try block()) == ["surround world"])
    // Text that becomes a drawing and text again.
    try desk.editor.set(type: .drawing, for: block().items, asOneBlock: true)
    #expect(desk.editor.decorations.count == 1)
    try desk.editor.set(type: .text, for: desk.root.items, asOneBlock: true)
    try desk.editor.waitUntilIdle()
    #expect(texts(try block()) == ["surround world"])
  }

  @Test("Copies of ink have copies of its decorations, also in another part")
  func copying() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello world")
    try desk.editor.waitUntilIdle()
    let block = try #require(try desk.root.children.first)
    try desk.editor.decorate(words: 0..<1, of: block, with: .highlight)
    try desk.editor.copy(block)
    let pasted = try desk.editor.paste(x: 20, y: 60)
    #expect(texts(pasted.blocks[0]) == ["highlight hello"])
    #expect(desk.editor.decorations.count == 2)
    try desk.editor.removeItems(pasted.items)
    #expect(desk.editor.decorations.count == 1)
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    try desk.editor.paste(x: 20, y: 60)
    #expect(try texts(desk) == ["highlight hello"])
    #expect(desk.editor.possibleUndoCount == 1)
  }

  @Test("A range that is not there is a typed error, and nothing changes")
  func badInput() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello")
    try desk.draw([Pen.rectangle(x: 20, y: 60, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    let text = try #require(try desk.root.children.first { $0.type == .text })
    let node = try #require(try desk.root.children.first { $0.type == .node })
    let before = try content(desk)
    let count = desk.editor.possibleUndoCount
    for range in [-1..<2, 0..<6, 3..<3, 5..<6, Int.min..<Int.max] {
      #expect(throws: EditorError.self) {
        try desk.editor.decorate(characters: range, of: text, with: .underline)
      }
      #expect(throws: EditorError.self) {
        try desk.editor.removeDecorations(fromCharacters: range, of: text)
      }
    }
    for range in [-1..<1, 0..<2, 1..<1, 0..<Int.max] {
      #expect(throws: EditorError.self) {
        try desk.editor.decorate(words: range, of: text, with: .underline)
      }
    }
    #expect(throws: EditorError.self) {
      try desk.editor.decorate(characters: 0..<1, of: node, with: .underline)
    }
    #expect(throws: EditorError.self) { try desk.editor.removeDecoration(id: 7) }
    #expect(try content(desk) == before && desk.editor.possibleUndoCount == count)
    let id = try desk.editor.decorate(characters: 0..<1, of: text, with: .underline)[0].id
    try desk.editor.removeDecoration(id: id)
    #expect(desk.editor.decorations.isEmpty && desk.editor.possibleUndoCount == count + 2)
    try desk.editor.removeItems(text.items)
    #expect(throws: EditorError.invalidBlock(text.id)) {
      try desk.editor.decorate(characters: 0..<1, of: text, with: .underline)
    }
  }

  @Test("A block whose decorations change is told, also by undo")
  func events() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello")
    try desk.editor.waitUntilIdle()
    let text = try #require(try desk.root.children.first)
    let listener = Listener()
    desk.editor.delegate = listener
    func told() throws -> Bool {
      try desk.editor.waitUntilIdle()
      let events = listener.events
      return events.contains { event in
        guard case .contentChanged(_, _, let updated) = event else { return false }
        return updated.contains(text.id)
      }
    }
    try desk.editor.decorate(words: 0..<1, of: text, with: .underline)
    #expect(try told())
    let other = Listener()
    desk.editor.delegate = other
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(
      other.events.contains { event in
        guard case .contentChanged(_, _, let updated) = event else { return false }
        return updated.contains(text.id)
      })
  }
}
