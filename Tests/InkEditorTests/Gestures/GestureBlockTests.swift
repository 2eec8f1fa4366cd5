import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Gestures on blocks", .serialized)
struct GestureBlockTests {
  @Test("A zigzag over a node erases it with its edges")
  func node() throws {
    let desk = try Desk(type: "Diagram")
    try desk.draw([
      Pen.rectangle(x: 20, y: 20, width: 30, height: 20),
      Pen.rectangle(x: 90, y: 20, width: 30, height: 20),
      GestureInk.line(from: (51, 30), to: (89, 30)),
    ])
    try desk.editor.waitUntilIdle()
    #expect(
      try desk.root.children.map(\.type).sorted { $0.rawValue < $1.rawValue } == [
        .edge, .node, .node,
      ])
    let before = try desk.editor.export(as: .jiix)
    try desk.draw([
      GestureInk.zigzag(BoundingBox(minX: 18, minY: 18, maxX: 52, maxY: 42), ways: 9)
    ])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children.map(\.type) == [.node])
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.export(as: .jiix) == before)
  }

  @Test("In a drawing a zigzag erases the strokes that it covers, and lines are ink")
  func drawing() throws {
    let desk = try Desk(type: "Drawing")
    try desk.write("abcdef")
    try desk.draw([
      GestureInk.line(from: (19, 15), to: (40, 15)),
      GestureInk.line(from: (28.5, 8), to: (28.5, 22)),
    ])
    #expect(try desk.root.items.count == 8)
    try desk.draw([GestureInk.zigzag(BoundingBox(minX: 50, minY: 8, maxX: 60, maxY: 20))])
    #expect(try desk.root.items.count == 9)
    try desk.editor.undo()
    try desk.draw([GestureInk.zigzag(GestureEffectTests.box(3..<6))])
    #expect(try desk.root.items.count == 5)
  }

  @Test("A line that is broken moves the blocks below down")
  func room() throws {
    let desk = try Desk(type: "Text Document")
    try desk.write("abc", y: 15)
    try desk.write("def", x: 44, y: 15)
    try desk.write("ghi", y: 60)
    try desk.editor.waitUntilIdle()
    let texts = try desk.root.children.filter { $0.type == .text }
    #expect(texts.count == 2)
    let low = try #require(texts.max { ($0.box?.minY ?? 0) < ($1.box?.minY ?? 0) })
    let top = try #require(low.box?.minY)
    let items = low.items
    try desk.draw([GestureInk.line(from: (36, 11), to: (36, 19))])
    try desk.editor.waitUntilIdle()
    #expect(try #require(low.box?.minY) > top + 5)
    #expect(low.items == items && low.words.map(\.label) == ["ghi"])
    try desk.editor.undo()
    #expect(low.box?.minY == top)
  }

  @Test("A frame without ink moves with the blocks below, also in its own box")
  func roomForFrames() throws {
    let desk = try Desk(type: "Text Document")
    try desk.write("abc", y: 15)
    try desk.write("def", x: 44, y: 15)
    let frame = try desk.editor.addBlock(type: "Drawing", x: 20, y: 60, width: 60, height: 20)
    try desk.editor.waitUntilIdle()
    try desk.draw([GestureInk.line(from: (36, 11), to: (36, 19))])
    try desk.editor.waitUntilIdle()
    let top = try #require(frame.box?.minY)
    #expect(top > 65)
    try desk.editor.undo()
    #expect(frame.box?.minY == 60)
    // A state that comes back is measured again: the box was right.
    try desk.editor.redo()
    #expect(frame.box?.minY == top)
  }
}
