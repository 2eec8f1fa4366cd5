import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Rings around text where ink can become shapes", .serialized)
struct GestureRingTests {
  private func desk(_ type: String, _ text: String) throws -> Desk {
    let desk = try Desk(type: type)
    try desk.editor.configuration.set(
      "raw-content.classification.types", to: ["text", "shape", "drawing"])
    try desk.editor.configuration.set("raw-content.pen.gestures", to: ["surround"])
    try desk.write(text)
    _ = try desk.text()
    return desk
  }

  private func selects(_ stroke: [StrokePoint], _ desk: Desk) throws -> [Int] {
    let items = try desk.root.items
    try desk.draw([stroke])
    try desk.editor.waitUntilIdle()
    let selected = desk.editor.selection?.items ?? []
    #expect(try desk.root.items.count == items.count + (selected.isEmpty ? 1 : 0))
    return selected
  }

  @Test("A ring around some words of a text selects them, and undo has nothing to take back")
  func words() throws {
    let desk = try desk("Raw Content", "abc def")
    let steps = desk.editor.undoStackIndex
    let items = try desk.root.items
    #expect(try selects(GestureInk.loop(GestureEffectTests.box(4..<7)), desk) == Array(items[3...]))
    #expect(desk.editor.undoStackIndex == steps)
  }

  @Test("On a page without shapes a ring around all of a text selects it, and a frame is a shape")
  func label() throws {
    let ring = try desk("Raw Content", "abc")
    #expect(try selects(GestureInk.loop(GestureEffectTests.box(0..<3)), ring).count == 3)
    let frame = try desk("Raw Content", "abc")
    #expect(try selects(Pen.rectangle(x: 15, y: 5, width: 25, height: 20), frame).isEmpty)
  }

  @Test("On a page with shapes a ring around a label is a shape, and one in running text a gesture")
  func shapes() throws {
    for (text, range, isGesture) in [("abc", 0..<3, false), ("abc def", 0..<3, true)] {
      let desk = try desk("Raw Content", text)
      try desk.draw([Pen.rectangle(x: 20, y: 60, width: 40, height: 20)])
      try desk.editor.waitUntilIdle()
      #expect(try desk.root.children.contains { $0.type == .node })
      #expect(
        try selects(GestureInk.loop(GestureEffectTests.box(range)), desk).isEmpty == !isGesture)
    }
  }

  @Test("In a diagram a ring around text is a shape")
  func diagram() throws {
    let desk = try desk("Diagram", "abc def")
    #expect(try selects(GestureInk.loop(GestureEffectTests.box(4..<7)), desk).isEmpty)
  }
}
