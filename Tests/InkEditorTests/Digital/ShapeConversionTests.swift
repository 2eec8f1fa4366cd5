import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Conversion to exact shapes")
struct ShapeConversionTests {
  /// Two boxes with a line between them and text in the first.
  private func diagram() throws -> Desk {
    let desk = try Desk(type: "Diagram")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 24)])
    try desk.draw([Pen.rectangle(x: 110, y: 43, width: 42, height: 25)])
    try desk.draw([
      (0...20).map { StrokePoint(x: 61 + Double($0) * 2.4, y: 53 + Double($0) * 0.1) }
    ])
    try desk.write("ab", x: 26, y: 50)
    try desk.editor.waitUntilIdle()
    return desk
  }

  private func blocks(_ desk: Desk, _ type: BlockType) throws -> [ContentBlock] {
    try desk.root.children.filter { $0.type == type }
  }

  @Test("nodes get one size and row, edges end at them, texts are in their middle")
  func tidy() throws {
    let desk = try diagram()
    let nodes = try blocks(desk, .node)
    let edge = try #require(try blocks(desk, .edge).first)
    #expect(nodes.count == 2 && !edge.ends.contains(nil))
    let count = desk.editor.possibleUndoCount
    let ids = nodes.map(\.id)
    let items = try desk.root.items
    try desk.editor.convert()
    #expect(desk.editor.possibleUndoCount == count + 1)
    #expect(try blocks(desk, .node).map(\.id) == ids)
    let boxes = nodes.compactMap { node -> BoundingBox? in
      if case .rectangle(let box)? = node.shape?.form { box } else { nil }
    }
    #expect(boxes.count == 2)
    #expect(abs(boxes[0].width - boxes[1].width) < 1e-9)
    #expect(abs(boxes[0].height - boxes[1].height) < 1e-9)
    #expect(abs(boxes[0].midY - boxes[1].midY) < 1e-9)
    guard case .line(let from, let to, _, _)? = edge.shape?.form else {
      Issue.record("no line")
      return
    }
    #expect(from.y == to.y)
    #expect(abs(from.x - boxes[0].maxX) < 1e-9 && abs(to.x - boxes[1].minX) < 1e-9)
    let text = try #require(nodes[0].children.first)
    #expect(text.words.map(\.label) == ["ab"])
    let middle = try #require(text.box)
    #expect(abs(middle.midX - boxes[0].midX) < 1e-6 && abs(middle.midY - boxes[0].midY) < 1e-6)
    #expect(try desk.editor.supportedConversions() == [])
    #expect(try desk.editor.undo())
    #expect(try desk.root.items == items)
  }

  @Test("a connection follows a node that moves")
  func follows() throws {
    let desk = try diagram()
    try desk.editor.convert()
    let nodes = try blocks(desk, .node)
    let selection = try desk.editor.selection(ofItems: nodes[1].items)
    try desk.editor.move(selection, dx: 20, dy: 60)
    let edge = try #require(try blocks(desk, .edge).first)
    guard
      case .rectangle(let box)? = try desk.root.children.first(where: { $0.id == nodes[1].id })?
        .shape?.form, case .line(_, let to, _, _)? = edge.shape?.form
    else {
      Issue.record("no shape")
      return
    }
    let onOutline =
      (abs(to.x - box.minX) < 0.06 || abs(to.x - box.maxX) < 0.06
        || abs(to.y - box.minY) < 0.06 || abs(to.y - box.maxY) < 0.06)
      && box.grown(by: 0.06).contains(x: to.x, y: to.y, within: 0)
    #expect(onOutline)
    #expect(!edge.ends.contains(nil))
    try desk.editor.undo()
    guard case .line(_, let back, _, _)? = try blocks(desk, .edge).first?.shape?.form else {
      Issue.record("no line")
      return
    }
    #expect(abs(back.y - 53) < 5)
  }
}
