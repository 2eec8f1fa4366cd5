import EditorStorage
import Foundation
import InkCore
import InkEditor
import PenInput
import TestSamples
import Testing

@Suite("Stored content")
struct ContentTests {
  /// Writes into a part, stores it, and returns the exports before and after opening it again.
  private func reopened(
    _ type: String, isSaved: Bool = true, _ write: (Editor) throws -> Void
  ) throws -> (before: String, after: String, calls: Int, editor: Editor, package: ContentPackage) {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let editor = try edit(try package.makePart(type: type))
    try write(editor)
    let before = try editor.everything()
    try editor.setPart(nil)
    if isSaved { try package.save() }
    try package.close()
    let calls = shelf.reader.calls.count
    let again = try shelf.otherEngine().openPackage(at: shelf.url("notes"))
    #expect(again.isRecovered == !isSaved)
    let other = try edit(try again.part(at: 0))
    return (before, try other.everything(), shelf.reader.calls.count - calls, other, again)
  }

  @Test("Text with candidates and choices comes back, and nothing is read again")
  func text() throws {
    for isSaved in [true, false] {
      let result = try reopened("Text", isSaved: isSaved) { editor in
        try editor.write(Pen.strokes("abc de", x: 20, y: 20))
        try editor.write(Pen.strokes("fgh", x: 20, y: 40))
        let root = try #require(editor.rootBlock)
        try editor.choose("DE", for: try #require(root.words.first { $0.label == "de" }), in: root)
        try editor.write(Pen.strokes("i", x: 34, y: 40))
      }
      #expect(result.before == result.after)
      #expect(result.calls == 0)
      let words = try #require(result.editor.rootBlock).words
      #expect(words.map(\.label) == ["abc", "DE", "fgh", "i"])
      #expect(words.map(\.isChosen) == [false, true, false, false])
      #expect(words[0].candidates.map(\.text) == ["abc", "ABC"])
      // Later ink continues the line.
      try result.editor.write(Pen.strokes("j", x: 37, y: 40))
      #expect(try result.editor.export(as: .text) == "abc DE\nfgh ij")
      // Words and characters of the same ink keep their ids.
      let later = try #require(result.editor.rootBlock).words
      #expect(later[2].id == words[2].id)
      #expect(later[2].characters.map(\.id) == words[2].characters.map(\.id))
    }
  }

  @Test("Shapes, forced types and blocks of every part come back")
  func blocks() throws {
    for type in ["Raw Content", "Diagram", "Text Document", "Drawing", "Math"] {
      let result = try reopened(type) { editor in
        try editor.write([Pen.rectangle(x: 20, y: 20, width: 50, height: 30)])
        try editor.write(Pen.strokes("abc", x: 30, y: 35))
        try editor.write([Pen.rectangle(x: 120, y: 20, width: 40, height: 30)])
        try editor.write([(0..<20).map { StrokePoint(x: 72 + 2.4 * Double($0), y: 35) }])
        try editor.write(Pen.strokes("de", x: 20, y: 90))
        if type == "Raw Content" {
          let items = try #require(editor.rootBlock).items.suffix(2)
          try editor.set(type: .drawing, for: Array(items), asOneBlock: true)
          try editor.waitUntilIdle()
        }
      }
      #expect(result.before == result.after, "\(type)")
      #expect(result.calls == 0, "\(type)")
      let part = try result.package.part(at: 0)
      #expect(part.rootBlock?.withDescendants.count == result.editor.rootBlock.map(count))
    }
  }

  private func count(_ block: ContentBlock) -> Int { block.children.reduce(1) { $0 + count($1) } }

  @Test("A letter that was a shape before its text comes back as text alone")
  func letterLikeShape() throws {
    let result = try reopened("Raw Content") { editor in
      try editor.write([(0...8).map { StrokePoint(x: 20, y: 10 + Double($0)) }])
      #expect(editor.rootBlock?.children.map(\.type) == [.edge])
      // What was stored meanwhile is not what comes back.
      try editor.part?.package?.save()
      try editor.write(Pen.strokes("hello", x: 22, y: 15))
    }
    #expect(result.before == result.after)
    #expect(result.calls == 0)
    #expect(result.editor.rootBlock?.children.map(\.type) == [.text])
    #expect(result.editor.rootBlock?.children.first?.items.count == 6)
  }

  @Test("All channels of ink come back without loss, with pointer, style and roll")
  func channels() throws {
    let style = try StrokeStyle(color: "#C0202080", width: 0.8)
    let result = try reopened("Drawing") { editor in
      editor.tools.setStyle(style, for: .pen)
      let points = (0..<9).map { index -> StrokePoint in
        let value = Double(index)
        return StrokePoint(
          x: 20 + value / 3, y: 20 - value / 7, t: 1_700_000_000_000 + 8 * value,
          force: index == 0 ? nil : 0.1 + value / 11, azimuth: value / 10,
          altitude: 1.1 - value / 20)
      }
      try editor.write([points], type: .pen)
      editor.tools.setTool(.pen, for: .mouse)
      try editor.write([[StrokePoint(x: 50, y: 50), StrokePoint(x: 51, y: 52)]], type: .mouse)
      let point = StrokePoint(x: 80, y: 80, t: 5_000, roll: 0.25)
      try editor.handle(.began(PenSample(point: point)))
      try editor.handle(.ended(nil))
    }
    #expect(result.before == result.after)
    let editor = result.editor
    let items = try #require(editor.rootBlock).items
    #expect(editor.style(of: items[0]) == style)
    #expect(editor.rolls(of: items[2]).first == 0.25)
    let points = try #require(try editor.stroke(of: items[0])).points
    #expect(points[4].x == 20 + 4.0 / 3)
    #expect(points[4].force == 0.1 + 4.0 / 11)
    #expect(points[0].force == nil)
    #expect(points[8].altitude == 1.1 - 8.0 / 20)
    #expect(points[8].t == 1_700_000_000_064)
  }

  @Test("The order of writing comes back after precise erasing, undo and moving")
  func order() throws {
    let result = try reopened("Raw Content") { editor in
      try editor.configuration.set("text.eraser.radius", to: 0.5)
      try editor.configuration.set("text.eraser.erase-precisely", to: true)
      try editor.write(Pen.strokes("zz yy", x: 20, y: 20))
      try editor.write([Pen.rectangle(x: 20, y: 60, width: 50, height: 30)])
      let cut = (0..<30).map { StrokePoint(x: 18 + Double($0), y: 20) }
      try editor.write([cut], type: .eraser)
      let second = (0..<30).map { StrokePoint(x: 18 + Double($0), y: 21) }
      try editor.write([second], type: .eraser)
      try editor.undo()
      try editor.redo()
      try editor.waitUntilIdle()
      let block = try #require(editor.rootBlock?.children.first { $0.type == .node })
      try editor.removeItems(Array(block.items.prefix(1)))
      try editor.undo()
    }
    #expect(result.before == result.after)
    #expect(result.calls == 0)
  }

  @Test("Random editing stored after each step equals what is on the editor", arguments: 1...6)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let shelf = try Shelf()
    let url = shelf.url("notes")
    let types = ["Text", "Raw Content", "Diagram", "Text Document", "Drawing", "Math"]
    let type = types[Int(seed - 1) % types.count]
    let package = try shelf.engine.createPackage(at: url)
    let editor = try edit(try package.makePart(type: type))
    for step in 0..<40 {
      let (x, y) = (Double(generator.next() % 150), Double(generator.next() % 150) + 10)
      switch generator.next() % 8 {
      case 0, 1, 2: try editor.write(Pen.strokes("ab c", x: x, y: y))
      case 3:
        try editor.write([Pen.rectangle(x: x, y: y, width: 30, height: 25)])
      case 4: try editor.undo()
      case 5: try editor.redo()
      case 6:
        try editor.configuration.set(
          "text.eraser.erase-precisely", to: generator.next() % 2 == 0)
        try editor.write(
          [(0..<10).map { StrokePoint(x: x + 2 * Double($0), y: y) }], type: .eraser)
      default:
        if let block = editor.rootBlock, let word = block.words.first, word.candidates.count > 1 {
          try editor.choose(word.candidates[1].text, for: word, in: block)
        }
      }
      try editor.waitUntilIdle()
      try package.flush()
      guard step % 5 == 4 else { continue }
      if step % 10 == 9 { try package.save() }
      // The working copy is a package that another process could recover.
      let copy = shelf.url("copy-\(step)")
      try package.exportCopy(to: copy)
      let other = try shelf.otherEngine().openPackage(at: copy)
      let calls = shelf.reader.calls.count
      let second = try edit(try other.part(at: 0))
      #expect(try second.everything() == editor.everything(), "seed \(seed), step \(step), \(type)")
      #expect(shelf.reader.calls.count == calls, "seed \(seed), step \(step), \(type)")
    }
  }

  @Test("Ink that was not read is read when the part is opened")
  func unread() throws {
    let shelf = try Shelf()
    let package = try shelf.engine.createPackage(at: shelf.url("notes"))
    let part = try package.makePart(type: "Raw Content")
    let editor = try edit(part)
    try editor.configuration.set("recognition.trigger", to: "demand")
    try editor.write(Pen.strokes("abc", x: 20, y: 20))
    #expect(shelf.reader.calls.count == 0)
    try editor.setPart(nil)
    try package.save()
    try package.close()
    let again = try shelf.engine.openPackage(at: shelf.url("notes"))
    let other = try edit(try again.part(at: 0))
    try other.waitUntilIdle()
    #expect(try other.export(as: .text) == "abc")
    // The reading is stored, although no ink was written.
    try other.setPart(nil)
    try again.save()
    try again.close()
    let calls = shelf.reader.calls.count
    let third = try shelf.engine.openPackage(at: shelf.url("notes"))
    #expect(try edit(try third.part(at: 0)).export(as: .text) == "abc")
    #expect(shelf.reader.calls.count == calls)
  }
}
