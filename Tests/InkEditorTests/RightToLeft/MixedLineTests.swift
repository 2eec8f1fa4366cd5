import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing
import Typesetting

/// Reads strokes by their number of points in the order of writing: a to m are Hebrew, n to x Latin, and
/// y is the digit 7. A gap is a space.
private struct MixedReader: Recognizer {
  var direction = WritingDirection.rightToLeft
  var labels: [String]? { nil }

  static let letters = Array("אבגדהוזחטיכלמnopqrstuvwx7")

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var (text, characters): (String, [CharacterInk]) = ("", [])
    var last: BoundingBox?
    for (index, stroke) in ink.strokes.enumerated() {
      guard let box = Ink(strokes: [stroke]).boundingBox else { continue }
      if let last, max(box.minX - last.maxX, last.minX - box.maxX) > 2 {
        text += " "
        characters.append(CharacterInk(parts: []))
      }
      last = box
      let place = (stroke.points.count - 3) % Self.letters.count
      text.append(Self.letters[place])
      characters.append(
        CharacterInk(parts: [.init(stroke: index, points: 0..<stroke.points.count)]))
    }
    return RecognitionResult(candidates: [
      RecognitionCandidate(text: text, score: -0.1, characters: characters)
    ])
  }
}

@Suite("Lines with words of both directions")
struct MixedLineTests {
  private func desk(_ type: String, _ direction: WritingDirection = .rightToLeft) throws -> Desk {
    let models = LoadedModels()
    models.setText(MixedReader(direction: direction), bundle: "en_US")
    models.setShapes(FakeShapes())
    return try Desk(type: type, models: models) { $0.fonts = EvenFont() }
  }

  /// Writes Hebrew letters from right to left, from a right edge.
  private func writeLeftward(_ text: String, _ x: Double, y: Double = 15, on desk: Desk) throws {
    var x = x - 2
    for letter in text {
      if letter != " " { try desk.write(String(letter), x: x, y: y) }
      x -= 3
    }
  }

  @Test("Latin words in a Hebrew line are read from left to right among themselves")
  func latin() throws {
    let desk = try desk("Text")
    try writeLeftward("abc", 150, on: desk)
    try writeLeftward("def", 60, on: desk)
    #expect(try desk.text() == "אבג דהו")
    // Two Latin words between them, written one after the other.
    try desk.write("no", x: 80)
    #expect(try desk.text() == "אבג no דהו")
    try desk.write("rs", x: 100)
    #expect(try desk.text() == "אבג no rs דהו")
    // A third one between these, and a Hebrew one behind all.
    try desk.write("t", x: 91)
    #expect(try desk.text() == "אבג no t rs דהו")
    try writeLeftward("m", 40, on: desk)
    #expect(try desk.text() == "אבג no t rs דהו מ")
    try desk.write("y", x: 66)
    let words = try desk.text()
    #expect(words == "אבג no t rs 7 דהו מ")
    // Words and characters have their own ink in logical order.
    let typed = try #require(desk.editor.typedText())
    #expect(typed.text == words)
    #expect(typed.words.map { String(typed.text[$0.range]) } == typed.words.map(\.label))
    let json = try desk.editor.export(as: .jiix)
    let other = try self.desk("Text")
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try other.text() == words)
    #expect(try other.editor.export(as: .jiix) == json)
    try desk.editor.undo()
    #expect(try desk.text() == "אבג no t rs דהו מ")
  }

  @Test("A line that begins with Latin words keeps the direction of its page")
  func latinFirst() throws {
    let desk = try desk("Text")
    try writeLeftward("abc", 150, on: desk)
    try desk.write("nopqrs", x: 133, y: 27)
    #expect(try desk.text() == "אבג\nnopqrs")
    try writeLeftward("ab", 127, y: 27, on: desk)
    // Most letters are Latin.
    #expect(try desk.text() == "אבג\nnopqrs אב")
    #expect(try desk.root.lines.map(\.direction) == [.rightToLeft, .rightToLeft])
    try writeLeftward("c", 114, y: 27, on: desk)
    #expect(try desk.text() == "אבג\nnopqrs אב ג")
    // So does the first line of a page.
    let first = try self.desk("Text")
    try first.write("nopqrs", x: 133)
    _ = try first.text()
    try writeLeftward("ab", 127, on: first)
    #expect(try first.text() == "nopqrs אב")
  }

  @Test("A line between Latin words is read from the left, however many Hebrew letters it has")
  func quotation() throws {
    let desk = try desk("Text")
    try writeLeftward("abc", 150, on: desk)
    _ = try desk.text()
    try desk.write("no", x: 60, y: 27)
    try writeLeftward("abcdefg", 92, y: 27, on: desk)
    try desk.write("pq", x: 97, y: 27)
    #expect(try desk.text() == "אבג\nno אבגדהוז pq")
    #expect(try desk.root.lines.map(\.direction) == [.rightToLeft, .leftToRight])
  }

  @Test("A word against the direction of its line stays whole while it is read letter by letter")
  func letterByLetter() throws {
    func write(
      _ letters: String, _ x: Double, by step: Double, _ desk: Desk, y: Double = 15
    ) throws {
      for (index, letter) in letters.enumerated() where letter != " " {
        try desk.write(String(letter), x: x + step * Double(index), y: y)
        _ = try desk.text()
      }
    }
    // A second Latin word after the first one was read as a whole.
    let whole = try self.desk("Text")
    try writeLeftward("abc", 150, on: whole)
    try whole.write("no", x: 110)
    _ = try whole.text()
    try write("r", 119, by: 3, whole)
    try write("def", 98, by: -3, whole)
    #expect(try whole.text() == "אבג no r דהו")
    // Latin words at the end of a Hebrew line, then Hebrew ones again.
    let desk = try desk("Text")
    try write("abc", 148, by: -3, desk)
    try write("no r", 110, by: 3, desk)
    #expect(try desk.text() == "אבג no r")
    try write("def", 98, by: -3, desk)
    #expect(try desk.text() == "אבג no r דהו")
    #expect(try desk.root.lines.map(\.direction) == [.rightToLeft])
    // Hebrew words at the end of a Latin line, then Latin ones again.
    let other = try self.desk("Text", .leftToRight)
    try write("no", 20, by: 3, other)
    try write("abcdefg", 60, by: -3, other)
    #expect(try other.text() == "no אבגדהוז")
    try write("pq", 80, by: 3, other)
    #expect(try other.text() == "no אבגדהוז pq")
    #expect(try other.root.lines.map(\.direction) == [.leftToRight])
    // The line turns with the first Hebrew letter, and turns back with the last Latin word.
    let page = try self.desk("Text")
    try write("abc", 148, by: -3, page)
    try write("no", 60, by: 3, page, y: 27)
    try write("abcdefg", 90, by: -3, page, y: 27)
    try write("pq", 97, by: 3, page, y: 27)
    #expect(try page.text() == "אבג\nno אבגדהוז pq")
  }

  @Test("The second digit joins a number that is alone in a line from right to left")
  func number() throws {
    let desk = try desk("Text")
    try writeLeftward("abc", 150, on: desk)
    _ = try desk.text()
    for x in [60.0, 63] {
      try desk.write("y", x: x, y: 27)
      _ = try desk.text()
    }
    #expect(try desk.text() == "אבג\n77")
    // Its ink is found where it stands.
    let number = try #require(try desk.root.words.last)
    try desk.editor.erase(try desk.editor.selection(ofItems: number.items))
    #expect(try desk.text() == "אבג")
  }

  @Test("A block has the direction of its language")
  func blocks() throws {
    let desk = try desk("Raw Content")
    try writeLeftward("abc", 150, on: desk)
    try writeLeftward("def", 135, on: desk)
    try desk.write("no", x: 20, y: 60)
    try desk.write("pq", x: 40, y: 60)
    _ = try desk.text()
    let blocks = try desk.root.children.filter { $0.type == .text }
    #expect(blocks.map(\.direction) == [.rightToLeft, .leftToRight])
    #expect(blocks.map { $0.lines.map(\.text) } == [["אבג דהו"], ["no pq"]])
    #expect(blocks.map { $0.lines.map(\.direction) } == [[.rightToLeft], [.leftToRight]])
    // Each continues at its own end, and is edited in its own direction.
    try desk.write("rs", x: 60, y: 60)
    try writeLeftward("ghi", 120, on: desk)
    try desk.write("t", x: 32, y: 60)
    _ = try desk.text()
    #expect(blocks.map { $0.lines.map(\.text) } == [["אבג דהו זחט"], ["no t pq rs"]])
  }

  @Test("Typed text of both directions is placed as it is read, and stays so")
  func typed() throws {
    let desk = try desk("Raw Content")
    let text = "שלום hello world 2024 לכל העולם"
    let block = try desk.editor.addText(text, x: 10, y: 20, width: 150, size: 5)
    #expect(try desk.text() == text)
    func seen() -> [String] {
      block.words.sorted { $0.box.midX < $1.box.midX }.map(\.label)
    }
    #expect(seen() == ["העולם", "לכל", "hello", "world", "2024", "שלום"])
    let right = try #require(block.box?.maxX)
    #expect(abs(right - 160) < 1)
    try desk.editor.reflow(block, width: 120)
    #expect(try desk.text() == text)
    #expect(seen() == ["העולם", "לכל", "hello", "world", "2024", "שלום"])
    #expect(abs(try #require(block.box?.maxX) - right) < 0.01)
  }

  @Test("Digits within a typed word have their own ink from left to right")
  func digits() throws {
    let desk = try desk("Raw Content")
    let block = try desk.editor.addText("בשנת־2024", x: 10, y: 20, size: 5)
    let letters = try #require(block.words.first).characters
    let order = letters.sorted { ($0.box?.midX ?? 0) < ($1.box?.midX ?? 0) }.map(\.label)
    #expect(order.joined() == "2024־תנשב")
    #expect(letters.map(\.label).joined() == "בשנת־2024")
  }

  @Test("Conversion keeps the order of words of both directions")
  func conversion() throws {
    let desk = try desk("Text")
    try writeLeftward("abc", 150, on: desk)
    try desk.write("no r", x: 110)
    try writeLeftward("def", 100, on: desk)
    #expect(try desk.text() == "אבג no r דהו")
    try desk.editor.convert()
    #expect(try desk.text() == "אבג no r דהו")
    let words = try desk.root.words
    #expect(words[0].box.minX > words[2].box.maxX)
    #expect(words[1].box.maxX < words[2].box.minX)
    #expect(words[3].box.maxX < words[1].box.minX)
    #expect(abs((words[0].box.maxX) - 150) < 1)
  }

  @Test("Text that is not read yet has the direction of the model, also of one that comes later")
  func unread() throws {
    let models = LoadedModels()
    models.declare(bundle: "he")
    models.setShapes(FakeShapes())
    let desk = try Desk(type: nil, models: models) {
      try $0.configuration.set("text.configuration.bundle", to: "he")
    }
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    #expect(try desk.root.direction == .rightToLeft)
    try writeLeftward("abc", 150, on: desk)
    try desk.editor.waitUntilIdle()
    models.setText(MixedReader(), bundle: "he")
    desk.engine.modelsDidChange()
    #expect(try desk.text() == "אבג")
  }

  @Test("A model that nobody knows the direction of tells it with the first words")
  func unknown() throws {
    let models = SilentModels()
    models.loaded.setText(MixedReader(), bundle: "mine")
    let desk = try Desk(type: nil, models: models) {
      try $0.configuration.set("text.configuration.bundle", to: "mine")
    }
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    #expect(try desk.root.direction == .leftToRight)
    try desk.write("y", x: 150)
    #expect(try desk.text() == "7")
    #expect(try desk.root.direction == .rightToLeft)
  }
}

/// Models of a host that says nothing about directions.
private struct SilentModels: EditorModels {
  let loaded = LoadedModels()

  func configuration(bundle: String, name: String) -> ConfigurationLookup {
    loaded.configuration(bundle: bundle, name: name)
  }

  func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    try loaded.textRecognizer(bundle: bundle, name: name)
  }

  func shapeRecognizer(name: String) throws -> any Recognizer {
    try loaded.shapeRecognizer(name: name)
  }
}
