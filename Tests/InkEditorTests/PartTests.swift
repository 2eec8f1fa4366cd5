import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput
import Recognition
import TestSamples
import Testing

@Suite("Parts and blocks")
struct PartTests {
  private func types(_ desk: Desk) throws -> [String] {
    try desk.editor.waitUntilIdle()
    return try desk.root.children.map(\.type.rawValue).sorted()
  }

  @Test("In a text document a text far below is a second block, one beside it makes a container")
  func textDocument() throws {
    let desk = try Desk(type: "Text Document")
    try desk.write("ab", x: 20, y: 20)
    try desk.write("cd", x: 20, y: 120)
    #expect(try types(desk) == ["Text", "Text"])
    try desk.write("ef", x: 120, y: 20)
    #expect(try types(desk) == ["Container", "Text"])
    let container = try #require(try desk.root.children.first { $0.type == .container })
    #expect(container.children.map(\.type) == [.text, .text])
    let boxes = container.children.compactMap(\.box)
    #expect(container.box == BoundingBox(holding: boxes))
    #expect(try desk.text().split(separator: "\n").sorted() == ["ab", "cd", "ef"])
    #expect(container.items.count == 4)
    try desk.editor.removeItems(container.children[1].items)
    #expect(try types(desk) == ["Text", "Text"])
    try desk.editor.undo()
    #expect(try types(desk) == ["Container", "Text"])
  }

  @Test("A block that is added at a place takes the ink that is written there")
  func addedBlocks() throws {
    let desk = try Desk(type: "Text Document")
    #expect(try desk.editor.supportedBlockTypes() == [.text, .drawing, .diagram, .math])
    for (row, type) in ["Drawing", "Math", "Diagram"].enumerated() {
      let top = 100.0 + 100 * Double(row)
      let block = try desk.editor.addBlock(type: type, x: 20, y: top, width: 120, height: 60)
      #expect(block.isValid && block.type.rawValue == type && block.items.isEmpty)
      try desk.draw([Pen.rectangle(x: 30, y: top + 10, width: 40, height: 25)])
      try desk.editor.waitUntilIdle()
      #expect(block.items.count == 1)
    }
    try desk.write("ab", y: 20)
    #expect(try types(desk) == ["Diagram", "Drawing", "Math", "Text"])
    let diagram = try #require(try desk.root.children.first { $0.type == .diagram })
    #expect(diagram.children.map(\.type) == [.node])
    #expect(try desk.text() == "ab")
    try desk.editor.removeBlock(diagram)
    #expect(try types(desk) == ["Drawing", "Math", "Text"])
    try desk.editor.undo()
    #expect(diagram.isValid && diagram.children.count == 1)
    #expect(throws: EditorError.self) {
      try desk.editor.addBlock(type: "Node", x: 0, y: 0, width: 9, height: 9)
    }
    #expect(throws: EditorError.self) {
      try desk.editor.addBlock(type: "Math", x: 0, y: .nan, width: 9, height: 9)
    }
    #expect(throws: EditorError.self) {
      try Desk().editor.addBlock(type: "Math", x: 0, y: 0, width: 9, height: 9)
    }
  }

  @Test("A mixed page of a batch comes out as the same page written stroke by stroke")
  func batch() throws {
    func page(_ inBatch: Bool) throws -> [String] {
      let desk = try Desk(type: "Text Document")
      try desk.editor.addBlock(type: "Diagram", x: 20, y: 100, width: 150, height: 80)
      let strokes =
        Pen.strokes("hello", x: 20, y: 20)
        + [Pen.rectangle(x: 30, y: 110, width: 60, height: 40)]
        + Pen.strokes("in", x: 50, y: 130)
      if inBatch {
        let events = strokes.flatMap { points in
          points.enumerated().map { index, point in
            PointerEvent(
              index == 0 ? .down : index == points.count - 1 ? .up : .move, x: point.x, y: point.y,
              id: 0)
          }
        }
        try desk.editor.pointerEvents(events, processGestures: false)
      } else {
        try desk.draw(strokes)
      }
      try desk.editor.waitUntilIdle()
      func tree(_ block: ContentBlock) -> String {
        "\(block.type.rawValue)(\(block.items.count) \(block.children.map(tree)))"
      }
      return [try tree(desk.root), try desk.text()]
    }
    #expect(try page(true) == page(false))
  }

  @Test("A diagram has its texts below their nodes, and its edges keep the nodes at their ends")
  func diagram() throws {
    let desk = try Desk(type: "Diagram")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 50, height: 25)])
    try desk.write("in", x: 40, y: 52)
    try desk.draw([Pen.rectangle(x: 120, y: 40, width: 50, height: 25)])
    try desk.draw([(0...20).map { StrokePoint(x: 71 + 2.4 * Double($0), y: 52) }])
    #expect(try types(desk) == ["Edge", "Node", "Node"])
    let nodes = try desk.root.children.filter { $0.type == .node }
    #expect(nodes[0].children.map(\.type) == [.text])
    #expect(nodes[0].children[0].words.map(\.label) == ["in"])
    #expect(try desk.text() == "in")
    let edge = try #require(try desk.root.children.first { $0.type == .edge })
    #expect(edge.ends == nodes.map(\.id))
    let document = try desk.editor.exportDocument()
    #expect(document.elements?.first { $0.type == "Edge" }?.connected == nodes.map(\.id))
    try desk.editor.removeBlock(nodes[1])
    #expect(edge.ends == [nodes[0].id, nil])
    try desk.editor.undo()
    #expect(edge.ends == nodes.map(\.id))
    // A shape that is drawn around text belongs together with the text in it.
    try desk.write("ab", x: 40, y: 152)
    try desk.editor.waitUntilIdle()
    try desk.draw([Pen.rectangle(x: 20, y: 140, width: 50, height: 25)])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children.count { $0.type == .text } == 0)
  }

  @Test("Without a model, math is one block of ink, and a notice says so")
  func math() throws {
    let desk = try Desk(type: "Math")
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.write("ab")
    try desk.editor.recognize()
    try desk.editor.waitUntilIdle()
    let root = try desk.root
    #expect(root.type == .math && root.children.isEmpty && root.items.count == 2)
    #expect(
      try desk.editor.supportedExportTypes() == [.text, .jiix, .svg, .inkML, .latex, .mathML])
    #expect(root.formulas.isEmpty && desk.editor.unreadCount == 0)
    #expect(try desk.editor.export(as: .latex).isEmpty)
    #expect(
      listener.events.contains {
        if case .notice(let notice) = $0 { notice.code == .modelNotFound } else { false }
      })
  }

  @Test("Copy and paste keep types, labels, choices and shapes, into another part of the type too")
  func copies() throws {
    for type in ["Raw Content", "Diagram"] {
      let desk = try Desk(type: type)
      let word = try desk.write("hello", y: 15)
      try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
      try desk.editor.waitUntilIdle()
      let text = try #require(try desk.root.children.first { $0.type == .text })
      try desk.editor.choose("HELLO", for: text.words[0], in: text)
      try desk.editor.waitUntilIdle()
      desk.reader.forget()
      for block in try desk.root.children {
        let box = try #require(block.box)
        try desk.editor.copy(block)
        let pasted = try desk.editor.paste(x: box.minX + 70, y: box.minY + 100)
        let copy = try #require(pasted.blocks.first)
        #expect(copy.isValid && copy.type == block.type && copy.id != block.id)
        #expect(copy.words.map(\.label) == block.words.map(\.label))
        #expect(copy.words.map(\.isChosen) == block.words.map(\.isChosen))
        #expect(
          copy.words.map { $0.candidates.map(\.text) }
            == block.words.map { $0.candidates.map(\.text) })
        #expect(copy.shape?.label == block.shape?.label)
        #expect(abs((copy.box?.minX ?? 0) - box.minX - 70) < 1e-6)
        #expect(copy.words.allSatisfy { word in !block.words.contains { $0.id == word.id } })
      }
      try desk.editor.waitUntilIdle()
      #expect(desk.reader.calls.isEmpty)
      try desk.editor.set(type: .drawing, for: word, asOneBlock: true)
      let forced = try #require(try desk.root.children.last)
      try desk.editor.copy(forced)
      #expect(try desk.editor.paste(x: 5, y: 300).blocks.map(\.type) == [.drawing])
      try desk.editor.copy(desk.root)
      let count = try desk.root.children.count
      #expect(try desk.editor.paste(x: 5, y: 500).blocks.count == count)
    }
    let text = try Desk()
    let raw = try Desk(type: "Raw Content")
    try raw.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try raw.editor.waitUntilIdle()
    try raw.editor.copy(try #require(raw.root.children.first))
    text.engine.clipboard = raw.engine.clipboard
    #expect(throws: EditorError.self) { try text.editor.paste(x: 0, y: 0) }
  }

  @Test("A hit finds the overlapping block drawn in last, and nothing outside of blocks")
  func hits() throws {
    let desk = try Desk(type: "Raw Content")
    let shape = { (x: Double) in Stroke(points: Pen.rectangle(x: x, y: 20, width: 40, height: 40)) }
    let first = try desk.editor.addBlock(type: "Drawing", ink: Ink(strokes: [shape(20)]))
    let second = try desk.editor.addBlock(type: "Drawing", ink: Ink(strokes: [shape(40)]))
    #expect(try desk.editor.hitBlock(x: 50, y: 40) == second)
    #expect(try desk.editor.hitBlock(x: 22, y: 40) == first)
    #expect(try desk.editor.hitBlock(x: 150, y: 40) == nil)
    let item = try #require(first.items.first)
    #expect(desk.editor.block(ofItem: item) == first && desk.editor.block(ofItem: 999) == nil)
  }

  @Test("Words keep their ids when they are read again, and a stale choice is refused")
  func wordIDs() throws {
    let desk = try Desk()
    try desk.write("alpha beta gamma")
    try desk.editor.waitUntilIdle()
    let shown = try desk.root.words
    #expect(Set(shown.map(\.id)).count == 3 && !shown.contains { $0.id == 0 })
    #expect(Set(shown.flatMap(\.characters).map(\.id)).count == 14)
    try desk.write("x", x: 80)
    try desk.editor.waitUntilIdle()
    #expect(try Array(desk.root.words.map(\.id).prefix(2)) == Array(shown.map(\.id).prefix(2)))
    try desk.editor.removeItems(shown[0].items)
    try desk.editor.waitUntilIdle()
    try desk.editor.choose("BETA", for: shown[1], in: desk.root)
    #expect(try desk.root.words[0].label == "BETA" && desk.root.words[0].id == shown[1].id)
    #expect(throws: EditorError.staleWord(shown[0].id)) {
      try desk.editor.choose("ALPHA", for: shown[0], in: desk.root)
    }
    #expect(desk.editor.word(ofItem: shown[1].items[0])?.id == shown[1].id)
  }

  @Test("A handle of a block does not keep its editor")
  func handles() throws {
    var desk: Desk? = try Desk()
    try desk?.write("a")
    try desk?.editor.waitUntilIdle()
    weak let editor = desk?.editor
    let block = try #require(desk?.editor.rootBlock)
    desk = nil
    // A thread that has just finished reading may still hold the editor.
    let start = ContinuousClock.now
    while editor != nil, ContinuousClock.now - start < .seconds(10) { usleep(1000) }
    #expect(editor == nil && !block.isValid && block.items.isEmpty)
  }
}
