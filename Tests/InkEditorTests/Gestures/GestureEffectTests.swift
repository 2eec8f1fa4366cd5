import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Effects of gestures", .serialized)
struct GestureEffectTests {
  /// The box of the letters of a text that `Pen` writes at a place.
  static func box(_ letters: Range<Int>, x: Double = 20, y: Double = 15) -> BoundingBox {
    BoundingBox(
      minX: x + 3 * Double(letters.lowerBound), minY: y - 2,
      maxX: x + 3 * Double(letters.upperBound) - 1, maxY: y + 2)
  }

  static func kinds(_ listener: Listener) -> [GestureKind] {
    listener.events.compactMap { if case .gesture(let gesture) = $0 { gesture.kind } else { nil } }
  }

  @Test("A zigzag erases the words that it covers, in one step, and leaves no trace")
  func scratchOut() throws {
    let desk = try Desk()
    try desk.write("abc def ghi")
    #expect(try desk.text() == "abc def ghi")
    let before = try desk.editor.export(as: .jiix)
    let steps = desk.editor.undoStackIndex
    try desk.draw([GestureInk.zigzag(Self.box(4..<7))])
    #expect(try desk.text() == "abc ghi")
    #expect(desk.editor.undoStackIndex == steps + 1)
    #expect(try desk.root.items.count == 6)
    try desk.editor.undo()
    #expect(try desk.text() == "abc def ghi")
    #expect(try desk.editor.export(as: .jiix) == before)
    try desk.editor.redo()
    #expect(try desk.text() == "abc ghi")
  }

  @Test("A zigzag over some characters erases these alone")
  func characters() throws {
    let desk = try Desk()
    try desk.write("abcdef")
    _ = try desk.text()
    try desk.draw([GestureInk.zigzag(Self.box(2..<4))])
    #expect(try desk.root.items.count == 4)
    #expect(try desk.text() == "ab ef")
  }

  @Test("A zigzag beside the words is ink")
  func beside() throws {
    let desk = try Desk()
    try desk.write("abc def")
    _ = try desk.text()
    try desk.draw([GestureInk.zigzag(Self.box(10..<14))])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items.count == 7)
  }

  @Test("A line through words marks them, or erases them if the configuration says so")
  func strikeThrough() throws {
    let desk = try Desk()
    try desk.write("abc def")
    _ = try desk.text()
    let line = GestureInk.line(from: (19, 16), to: (29, 16))
    try desk.draw([line])
    #expect(try desk.text() == "abc def")
    #expect(desk.editor.decorations.map(\.kind) == [.strikeThrough])
    #expect(try desk.root.items.count == 6)
    try desk.editor.undo()
    #expect(desk.editor.decorations.isEmpty)
    try desk.editor.configuration.set("gesture.strike-through.action", to: "erase")
    try desk.draw([line])
    #expect(try desk.text() == "def")
    try desk.editor.undo()
    #expect(try desk.text() == "abc def")
  }

  @Test("A line below words underlines them, a second one makes the line double")
  func underline() throws {
    let desk = try Desk()
    try desk.write("abc def")
    _ = try desk.text()
    try desk.draw([GestureInk.line(from: (31, 17.8), to: (41, 17.8))])
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.decorations.map(\.kind) == [.underline])
    let steps = desk.editor.undoStackIndex
    try desk.draw([GestureInk.line(from: (31, 18.4), to: (41, 18.4))])
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.decorations.map(\.kind) == [.doubleUnderline])
    #expect(desk.editor.undoStackIndex == steps + 1)
    #expect(try desk.text() == "abc def" && desk.root.items.count == 6)
    try desk.editor.undo()
    #expect(desk.editor.decorations.map(\.kind) == [.underline])
  }

  @Test("A loop around a word highlights it if the configuration says so; around nothing it is ink")
  func surround() throws {
    let desk = try Desk()
    try desk.editor.configuration.set("gesture.surround.action", to: "highlight")
    try desk.write("abc def")
    _ = try desk.text()
    try desk.draw([GestureInk.loop(Self.box(4..<7))])
    try desk.editor.waitUntilIdle()
    #expect(desk.editor.decorations.map(\.kind) == [.highlight])
    #expect(try desk.root.items.count == 6)
    try desk.draw([GestureInk.loop(Self.box(12..<15))])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items.count == 7)
  }

  @Test("A line downward inside a word inserts a space and moves the ink to the right")
  func insertSpace() throws {
    let desk = try Desk()
    let items = try desk.write("hello")
    #expect(try desk.text() == "hello")
    let before = try desk.editor.export(as: .jiix)
    let steps = desk.editor.undoStackIndex
    try desk.draw([GestureInk.line(from: (25.5, 11), to: (25.5, 19))])
    #expect(try desk.text() == "he llo")
    #expect(try desk.root.items == items)
    #expect(desk.editor.undoStackIndex == steps + 1)
    try desk.editor.recognize(again: true)
    #expect(try desk.text() == "he llo")
    try desk.editor.undo()
    #expect(try desk.text() == "hello")
    #expect(try desk.editor.export(as: .jiix) == before)
    try desk.editor.redo()
    #expect(try desk.text() == "he llo")
  }

  @Test("Ink that a gesture has moved is scaled where it stands")
  func scaleMoved() throws {
    let desk = try Desk()
    let items = try desk.write("hello")
    #expect(try desk.text() == "hello")
    try desk.draw([GestureInk.line(from: (25.5, 11), to: (25.5, 19))])
    try desk.editor.waitUntilIdle()
    let selection = try desk.editor.selection(ofItems: [try #require(items.last)])
    let box = try #require(selection.box)
    let scaled = try #require(
      try desk.editor.scale(selection, x: 2, y: 2, about: .topLeft).box)
    #expect(abs(scaled.minX - box.minX) < 1e-9 && abs(scaled.minY - box.minY) < 1e-9)
    #expect(abs(scaled.width - 2 * box.width) < 1e-9)
  }

  @Test("A line upward between words takes the space out and moves the ink together")
  func join() throws {
    let desk = try Desk()
    let items = try desk.write("he llo wow")
    #expect(try desk.text() == "he llo wow")
    let before = try desk.editor.export(as: .jiix)
    try desk.draw([GestureInk.line(from: (27, 19), to: (27, 11))])
    #expect(try desk.text() == "hello wow")
    #expect(try desk.root.items == items)
    try desk.editor.recognize(again: true)
    #expect(try desk.text() == "hello wow")
    try desk.editor.undo()
    #expect(try desk.text() == "he llo wow")
    #expect(try desk.editor.export(as: .jiix) == before)
  }

  @Test("A line downward in a long gap breaks the line, and the lines below make room")
  func lineBreak() throws {
    let desk = try Desk()
    try desk.write("abc", y: 15)
    try desk.write("def", x: 60, y: 15)
    try desk.write("ghi", y: 25)
    #expect(try desk.text() == "abc def\nghi")
    let bottom = try #require(desk.root.box).maxY
    try desk.draw([GestureInk.line(from: (40, 11), to: (40, 19))])
    #expect(try desk.text() == "abc\ndef\nghi")
    #expect(try #require(desk.root.box).maxY > bottom + 5)
    try desk.editor.undo()
    #expect(try desk.text() == "abc def\nghi")
    #expect(try #require(desk.root.box).maxY == bottom)
  }

  @Test("A line upward at the end of a line joins it with the next one")
  func joinLines() throws {
    let desk = try Desk()
    try desk.write("abc", y: 15)
    try desk.write("def", y: 25)
    try desk.write("ghi", y: 35)
    #expect(try desk.text() == "abc\ndef\nghi")
    try desk.draw([GestureInk.line(from: (30, 19), to: (30, 11))])
    #expect(try desk.text() == "abc def\nghi")
    try desk.editor.undo()
    #expect(try desk.text() == "abc\ndef\nghi")
  }

  @Test("Words that no longer fit into the line go to a line of their own")
  func wrap() throws {
    let desk = try Desk()
    try desk.write("abcdef", x: 150, y: 15)
    try desk.write("xyz", x: 176, y: 15)
    try desk.write("ghi", x: 150, y: 25)
    _ = try desk.text()
    try desk.draw([GestureInk.line(from: (158.5, 11), to: (158.5, 19))])
    #expect(try desk.text().split(separator: "\n").count == 3)
    #expect(try #require(desk.root.box).maxX <= 185)
    try desk.editor.undo()
    #expect(try desk.text().split(separator: "\n").count == 2)
  }

  @Test("In raw content there are no gestures unless the settings list them")
  func rawContent() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("abcd efgh")
    #expect(try desk.text() == "abcd efgh")
    let zigzag = GestureInk.zigzag(Self.box(5..<9))
    try desk.draw([zigzag])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items.count == 9)
    try desk.editor.undo()
    try desk.editor.configuration.set("raw-content.pen.gestures", to: ["scratch-out"])
    try desk.draw([zigzag])
    #expect(try desk.text() == "abcd")
  }

  @Test("No gesture is found if all or this one is switched off, in a batch without gestures")
  func off() throws {
    let zigzag = GestureInk.zigzag(Self.box(0..<3))
    let desk = try Desk()
    try desk.editor.configuration.set("gesture.enable", to: false)
    try desk.write("abc")
    _ = try desk.text()
    try desk.draw([zigzag])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items.count == 4)
    try desk.editor.undo()
    try desk.editor.configuration.set("gesture.enable", to: true)
    try desk.editor.configuration.set("text.pen.gestures", to: ["underline"])
    try desk.draw([zigzag])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items.count == 4)
    try desk.editor.undo()
    desk.editor.configuration.remove("text.pen.gestures")
    func batch(_ processGestures: Bool) throws {
      try desk.editor.pointerEvents(
        zigzag.enumerated().map { index, point in
          PointerEvent(
            index == 0 ? .down : index == zigzag.count - 1 ? .up : .move, x: point.x, y: point.y)
        }, processGestures: processGestures)
      try desk.editor.waitUntilIdle()
    }
    try batch(false)
    #expect(try desk.root.items.count == 4)
    try desk.editor.undo()
    try batch(true)
    #expect(try desk.root.items.isEmpty)
    try desk.editor.undo()
    #expect(try desk.text() == "abc")
  }
}
