import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("The highlighter")
struct HighlighterTests {
  private func desk(_ type: String = "Text") throws -> Desk {
    let desk = try Desk(type: type)
    desk.editor.tools.setTool(.highlighter, for: .custom1)
    try desk.write("hello big world")
    try desk.write("again", y: 35)
    try desk.editor.waitUntilIdle()
    return desk
  }

  private func swipe(_ desk: Desk, _ places: [(Double, Double)]) throws {
    let item = try desk.editor.pointerDown(x: places[0].0, y: places[0].1, type: .custom1)
    #expect(item == nil)
    for (x, y) in places.dropFirst() {
      try desk.editor.pointerMove(x: x, y: y, type: .custom1)
    }
    let last = places[places.count - 1]
    try desk.editor.pointerUp(x: last.0, y: last.1, type: .custom1)
    try desk.editor.waitUntilIdle()
  }

  private func highlighted(_ desk: Desk) throws -> [String] {
    func texts(_ block: ContentBlock) -> [String] {
      let lines = block.lines.map { $0.words.map(\.label).joined(separator: " ") }
      let text = Array(lines.joined(separator: "\n"))
      return block.decorations.map { String(text[$0.characters]) } + block.children.flatMap(texts)
    }
    return texts(try desk.root)
  }

  @Test(
    "Words under the stroke are highlighted in one step, and no ink is left",
    arguments: ["Text", "Raw Content", "Text Document"])
  func words(type: String) throws {
    let desk = try desk(type)
    let items = try desk.root.items
    let (count, text) = (desk.editor.possibleUndoCount, try desk.text())
    // Over two words, with few samples.
    try swipe(desk, [(37, 15), (62, 16)])
    #expect(try highlighted(desk) == ["big world"])
    #expect(desk.editor.possibleUndoCount == count + 1)
    #expect(try desk.root.items == items && desk.text() == text)
    #expect(desk.editor.decorations[0].kind == .highlight)
    try desk.editor.undo()
    #expect(desk.editor.decorations.isEmpty && desk.editor.possibleUndoCount == count)
    try desk.editor.redo()
    #expect(try highlighted(desk) == ["big world"])
    // Two lines by one stroke: one decoration.
    try swipe(desk, [(20, 15), (33, 15), (34, 25), (34, 35), (20, 35)])
    #expect(desk.editor.decorations.count == 2)
    #expect(try highlighted(desk).sorted() == ["again", "big world", "hello"])
  }

  @Test("A short stroke or a tap highlights its word; a stroke beside the words does nothing")
  func short() throws {
    let desk = try desk()
    let count = desk.editor.possibleUndoCount
    try swipe(desk, [(10, 60), (80, 60)])
    // A margin of words only, and a stroke that crosses the line.
    try swipe(desk, [(33.5, 15), (37.5, 15)])
    try swipe(desk, [(47, 0), (47, 60)])
    #expect(desk.editor.decorations.isEmpty && desk.editor.possibleUndoCount == count)
    try swipe(desk, [(25, 15), (28, 15.5)])
    #expect(try highlighted(desk) == ["hello"])
    try swipe(desk, [(42, 15), (42, 15)])
    #expect(try highlighted(desk) == ["hello", "big"])
    // The same again is no step.
    try swipe(desk, [(20, 15), (33, 15)])
    #expect(desk.editor.possibleUndoCount == count + 2)
  }

  @Test("The colour of the tool's style is that of the highlight")
  func style() throws {
    let desk = try desk()
    desk.editor.tools.setStyle(try StrokeStyle(color: "#11CC2280", width: 5), for: .highlighter)
    try swipe(desk, [(20, 15), (33, 15)])
    let style = try #require(desk.editor.decorations.first?.style)
    #expect(style.color == InkColor("#11CC2280") && style.width == nil)
    #expect(try desk.editor.svg().contains("fill=\"#11CC22\" fill-opacity=\"0.502\""))
  }

  @Test("Ink that is not read yet is highlighted, and so are its words later")
  func unread() throws {
    let desk = try Desk {
      try $0.configuration.set("recognition.trigger", to: "demand")
      $0.tools.setTool(.highlighter, for: .custom1)
    }
    try desk.write("hello world")
    try swipe(desk, [(20, 15), (33, 15)])
    #expect(desk.editor.decorations.count == 1 && desk.editor.decorations[0].parts.count == 5)
    #expect(try desk.editor.svg().contains("class=\"highlight\""))
    try desk.editor.recognize()
    try desk.editor.waitUntilIdle()
    #expect(try highlighted(desk) == ["hello"])
    // In a drawing there is no text.
    try desk.editor.setPart(desk.engine.makePart(type: "Drawing"))
    try desk.write("hello")
    try swipe(desk, [(20, 15), (33, 15)])
    #expect(desk.editor.decorations.isEmpty && desk.editor.possibleUndoCount == 5)
  }

  @Test("A stroke that is cancelled, or of a palm, highlights nothing")
  func cancelled() throws {
    let desk = try desk()
    let count = desk.editor.possibleUndoCount
    try desk.editor.pointerDown(x: 20, y: 15, type: .custom1)
    try desk.editor.pointerMove(x: 33, y: 15, type: .custom1)
    try desk.editor.pointerCancel()
    #expect(desk.editor.decorations.isEmpty && desk.editor.possibleUndoCount == count)
  }
}
