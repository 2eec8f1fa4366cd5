import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Raw content")
struct RawContentTests {
  private func types(_ desk: Desk) throws -> [String] {
    try desk.editor.waitUntilIdle()
    return try desk.root.children.map(\.type.rawValue).sorted()
  }

  @Test("text, shapes and drawings are told apart")
  func kinds() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello world", y: 15)
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.write("inside", x: 28, y: 52)
    // Too tall for writing, and no shape.
    let scribble = (0..<60).map { index -> StrokePoint in
      let (x, y) = (Double(index * 7 % 23), Double(index * 13 % 40))
      return StrokePoint(x: 120 + x, y: 30 + y)
    }
    try desk.draw([scribble])
    #expect(try types(desk) == ["Drawing", "Node", "Text", "Text"])
    #expect(try desk.text() == "hello world\ninside")
    let node = try #require(try desk.root.children.first { $0.type == .node })
    #expect(node.shape?.label == "rectangle")
    #expect(node.shape?.candidates.map(\.text) == ["rectangle", "line"])
    guard case .rectangle(let box)? = node.shape?.form else {
      Issue.record("not a rectangle: \(String(describing: node.shape?.form))")
      return
    }
    #expect(abs(box.minX - 20) < 0.1 && abs(box.width - 40) < 0.1)
  }

  @Test("several strokes make one shape, and a long line is an edge")
  func severalStrokes() throws {
    let desk = try Desk(type: "Raw Content")
    let outline = Pen.rectangle(x: 20, y: 40, width: 40, height: 25)
    try desk.draw([Array(outline[..<20]), Array(outline[19...])])
    #expect(try types(desk) == ["Node"])
    #expect(try desk.root.children[0].items.count == 2)
    try desk.draw([(0...20).map { StrokePoint(x: 100 + Double($0) * 2, y: 50) }])
    #expect(try types(desk) == ["Edge", "Node"])
    let edge = try #require(try desk.root.children.first { $0.type == .edge })
    guard case .line(let from, let to, false, false)? = edge.shape?.form else {
      Issue.record("not a line")
      return
    }
    #expect(from.x == 100 && to.x == 140)
  }

  @Test("small ink in a closed shape is text, though it looks like a shape")
  func textInNode() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.draw([Pen.rectangle(x: 36, y: 48, width: 9, height: 9)])
    #expect(try types(desk) == ["Node", "Text"])
  }

  @Test("what is drawn around text of its size is a shape, and ink in it that was one is text")
  func shapeAroundText() throws {
    let desk = try Desk(type: "Raw Content")
    // Before any text nothing tells that these are letters.
    try desk.draw([Pen.rectangle(x: 24, y: 42, width: 9, height: 9)])
    try desk.draw([Pen.rectangle(x: 36, y: 42, width: 9, height: 9)])
    #expect(try types(desk) == ["Node", "Node"])
    try desk.draw([Pen.rectangle(x: 20, y: 38, width: 30, height: 17)])
    #expect(try types(desk) == ["Node", "Text"])
    let node = try #require(try desk.root.children.first { $0.type == .node })
    #expect(node.items.count == 1)
  }

  @Test("a frame around shapes leaves them shapes, and shapes are drawn in a frame")
  func frame() throws {
    let boxes = [30.0, 80].map { Pen.rectangle(x: $0, y: 40, width: 30, height: 20) }
    let frame = Pen.rectangle(x: 15, y: 25, width: 120, height: 60)
    for strokes in [boxes + [frame], [frame] + boxes] {
      let desk = try Desk(type: "Raw Content")
      try desk.draw(strokes)
      #expect(try types(desk) == ["Node", "Node", "Node"])
    }
  }

  @Test("a line between closed shapes connects them, and takes its head along")
  func connection() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.draw([Pen.rectangle(x: 20, y: 20, width: 30, height: 15)])
    try desk.draw([Pen.rectangle(x: 20, y: 43, width: 30, height: 15)])
    // Shorter than any shape that stands alone.
    try desk.draw([(0...10).map { StrokePoint(x: 35, y: 36 + 0.6 * Double($0)) }])
    #expect(try types(desk) == ["Edge", "Node", "Node"])
    let head = [(33.8, 40.5), (35, 42), (36.2, 40.5)].map { StrokePoint(x: $0.0, y: $0.1) }
    try desk.draw([head])
    #expect(try types(desk) == ["Edge", "Node", "Node"])
    let edge = try #require(try desk.root.children.first { $0.type == .edge })
    #expect(edge.items.count == 2)
    guard case .line(_, _, false, true)? = edge.shape?.form else {
      Issue.record("not an arrow: \(String(describing: edge.shape?.form))")
      return
    }
    #expect(edge.shape?.label == "arrow")
    // A letter beside the head is none of it.
    let letter = (0...40).map { step -> StrokePoint in
      let angle = Double(step) * .pi / 5
      return StrokePoint(x: 36 + 1.2 * cos(angle), y: 40.5 + 1.2 * sin(angle))
    }
    try desk.draw([letter])
    #expect(try types(desk) == ["Edge", "Node", "Node", "Text"])
  }

  @Test("the sides of a shape may be drawn in any order")
  func sides() throws {
    let outline = Pen.rectangle(x: 20, y: 40, width: 40, height: 25)
    let sides = stride(from: 0, to: 40, by: 10).map { Array(outline[$0..<$0 + 10]) }
    let desk = try Desk(type: "Raw Content")
    // Left and right do not touch; the fake model sees closed ink by its first and last point.
    try desk.draw([sides[3], sides[1], sides[0], sides[2]])
    #expect(try types(desk) == ["Node"])
    #expect(try desk.root.children[0].items.count == 4)
    let groups = ShapeFinder.groups(
      [sides[3], sides[1], sides[0], sides[2]].enumerated().map {
        InkStroke(id: $0.offset, pointer: .pen, points: $0.element)
      })
    #expect(groups.map(\.count) == [1, 3, 4])
  }

  private func line(
    _ from: (Double, Double), _ to: (Double, Double), points: Int = 9
  ) -> [StrokePoint] {
    (0..<points).map { index in
      let part = Double(index) / Double(points - 1)
      return StrokePoint(
        x: from.0 + part * (to.0 - from.0), y: from.1 + part * (to.1 - from.1))
    }
  }

  @Test("The first strokes of a text that look like shapes are text once there is text beside them")
  func lettersLikeShapes() throws {
    let stem = line((20, 10), (20, 19))
    let box = Pen.rectangle(x: 12, y: 11, width: 7.8, height: 7.8)
    for first in [
      [stem],
      // Two stems.
      [stem, line((23, 10), (23, 19))],
      // The bar of a T is no head of its stem, and no shape if it is long.
      [stem, line((18.5, 10), (22, 10))],
      [line((16, 10), (24.5, 10)), line((20, 10.5), (20, 19.5))],
      // An i with its dot.
      [stem, line((20, 9.6), (20.2, 9.8), points: 3)],
      // A large round letter, once the others are as large.
      [box],
    ] {
      let desk = try Desk(type: "Raw Content")
      try desk.draw(first)
      #expect(try !types(desk).contains("Text") || first.count == 2)
      let height = first == [box] ? 1.15 : 1
      // Beside the ink, and below the end of a long bar.
      let edge = min(first.joined().map(\.x).max() ?? 0, 20)
      let letters = Pen.strokes("abcdefgh", x: edge + 3, y: 15).map { letter in
        letter.map { StrokePoint(x: $0.x, y: 15 + height * ($0.y - 15)) }
      }
      try desk.draw(letters)
      #expect(try types(desk) == ["Text"])
      let word = try desk.text()
      #expect(word.hasSuffix("abcdefgh") && word.count >= first.count + 8)
      let items = try desk.root.children[0].items
      #expect(items.count == first.count + 8)
      let document = try desk.editor.exportDocument()
      #expect(document.elements?.map(\.type) == ["Text"])
      #expect(InkEditorTests.items(inJIIX: document).count == items.count)
      // Undo and redo bring each state back.
      for item in items.dropFirst(first.count) { _ = item; try desk.editor.undo() }
      #expect(try desk.root.children.flatMap(\.items).count == first.count)
      for item in items.dropFirst(first.count) { _ = item; try desk.editor.redo() }
      #expect(try types(desk) == ["Text"])
      #expect(try desk.text() == word)
      // Sorted again, all at once, it is the same.
      try desk.editor.recognize(again: true)
      #expect(try types(desk) == ["Text"])
      #expect(try desk.text() == word)
    }
  }

  @Test("Shapes beside text stay shapes: connections, arrows, large ones, and those made by hand")
  func shapesBesideText() throws {
    let cases: [(strokes: [[StrokePoint]], types: [String])] = [
      // A connection of two nodes.
      (
        [
          Pen.rectangle(x: 2, y: 4, width: 15, height: 12),
          Pen.rectangle(x: 2, y: 24, width: 15, height: 12), line((15, 16.5), (15, 23.5)),
        ], ["Edge", "Node", "Node", "Text"]
      ),
      // An arrow with its head.
      (
        [line((5, 20), (17, 20)), line((17, 20), (15, 18.5)), line((17, 20), (15, 21.5))],
        ["Edge", "Text"]
      ),
      ([Pen.rectangle(x: 2, y: 12, width: 16, height: 16)], ["Node", "Text"]),
      ([line((18, 5), (18, 40))], ["Edge", "Text"]),
    ]
    for (strokes, expected) in cases {
      let desk = try Desk(type: "Raw Content")
      try desk.draw(strokes)
      _ = try types(desk)
      try desk.write("abcdefgh", x: 21, y: 20)
      #expect(try types(desk) == expected)
      #expect(try desk.text() == "abcdefgh")
    }
    let desk = try Desk(type: "Raw Content")
    let stem = try desk.draw([line((18, 16), (18, 25))])
    _ = try types(desk)
    try desk.editor.set(type: .shape, for: stem, asOneBlock: true)
    try desk.write("abcdefgh", x: 21, y: 20)
    #expect(try types(desk) == ["Edge", "Text"])
  }

  @Test("ink in a closed shape is no part of it")
  func contentOfShape() throws {
    let outline = Pen.rectangle(x: 20, y: 40, width: 40, height: 25)
    let letter = Pen.rectangle(x: 23, y: 50, width: 4, height: 5)
    let context = ShapeContext(letterHeight: 3.6)
    func shape(_ strokes: [[StrokePoint]]) throws -> RecognizedShape? {
      // Closed for the fake model: it ends where it began.
      try ShapeFinder.shape(
        Ink(strokes: strokes.map { Stroke(points: $0) }), context, recognizer: FakeShapes())
    }
    let halves = [Array(outline[..<20]), Array(outline[19...])]
    #expect(try shape(halves)?.label == "rectangle")
    #expect(try shape([halves[0], letter, halves[1]]) == nil)
  }

  @Test("after a long pause text stands for itself")
  func sessions() throws {
    func blocks(_ sessionTime: Double) throws -> Int {
      let desk = try Desk(type: "Raw Content") {
        try $0.configuration.set("raw-content.session-time", to: sessionTime)
      }
      for (index, points) in Pen.strokes("abcd", x: 20, y: 15).enumerated() {
        // A minute passes after the first two letters.
        let start = Int64(1_700_000_000_000 + (index < 2 ? 0 : 60_000) + index * 100)
        let events = points.enumerated().map { place, point in
          PointerEvent(
            place == 0 ? .down : place == points.count - 1 ? .up : .move, x: point.x, y: point.y,
            t: start + Int64(place), id: 0)
        }
        try desk.editor.pointerEvents(events, processGestures: false)
      }
      return try types(desk).count
    }
    #expect(try blocks(0) == 1)
    let split = try blocks(30_000)
    #expect(split == 2)
    #expect(try blocks(90_000) == 1)
  }

  @Test("pasted ink stays together, though a long pause lies in it")
  func pastedSessions() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("raw-content.session-time", to: 30_000.0)
    }
    let strokes = Pen.strokes("abcd", x: 20, y: 15).enumerated().map { index, points in
      points.enumerated().map { place, point in
        let start = index < 2 ? 0.0 : 60_000
        return StrokePoint(x: point.x, y: point.y, t: start + Double(100 * index + place))
      }
    }
    let ink = Ink(strokes: strokes.map { Stroke(points: $0) })
    let block = try desk.editor.addBlock(type: "Text", ink: ink)
    try desk.editor.copy(block)
    _ = try desk.editor.paste(x: 20, y: 60)
    #expect(try types(desk) == ["Text", "Text"])
    #expect(try desk.text() == "abcd\nabcd")
  }

  @Test("only allowed types are given")
  func allowed() throws {
    func content(_ allowed: [String]) throws -> [String] {
      let desk = try Desk(type: "Raw Content") {
        try $0.configuration.set("raw-content.classification.types", to: allowed)
      }
      try desk.write("hello", y: 15)
      try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
      return try Array(Set(types(desk))).sorted()
    }
    #expect(try content(["text"]) == ["Text"])
    #expect(try content(["drawing"]) == ["Drawing"])
    #expect(try content(["text", "drawing"]) == ["Drawing", "Text"])
    #expect(try content(["text", "shape"]) == ["Node", "Text"])
    #expect(try !content(["shape"]).contains("Text"))
  }

  @Test("text is not read where recognition does not have it")
  func recognitionTypes() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("raw-content.recognition.types", to: [String]())
    }
    try desk.write("hello", y: 15)
    #expect(try desk.text() == "")
    #expect(try types(desk) == ["Text"])
    try desk.editor.configuration.set("raw-content.recognition.types", to: ["text"])
    try desk.editor.recognize()
    #expect(try desk.text() == "hello")
  }

  @Test("a selection is made text, a drawing or a shape by hand")
  func force() throws {
    let desk = try Desk(type: "Raw Content")
    let word = try desk.write("hello", y: 15)
    let box = try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    _ = try types(desk)
    #expect(try desk.editor.availableTypes() == [.text, .shape, .drawing, .math])
    try desk.editor.set(type: .drawing, for: word, asOneBlock: true)
    #expect(try types(desk) == ["Drawing", "Node"])
    try desk.editor.set(type: .text, for: word, asOneBlock: true)
    #expect(try types(desk) == ["Node", "Text"])
    #expect(try desk.text() == "hello")
    try desk.editor.set(type: .text, for: box, asOneBlock: true)
    #expect(try types(desk) == ["Text", "Text"])
    try desk.editor.set(type: .shape, for: box, asOneBlock: true)
    #expect(try types(desk) == ["Node", "Text"])
    try desk.editor.set(type: .drawing, for: word + box, asOneBlock: false)
    #expect(try types(desk) == ["Drawing", "Drawing"])
    try desk.editor.set(type: .drawing, for: word + box, asOneBlock: true)
    #expect(try types(desk) == ["Drawing"])
    #expect(throws: EditorError.self) {
      try desk.editor.set(type: .text, for: [999], asOneBlock: true)
    }
    let text = try Desk()
    #expect(try text.editor.availableTypes() == [.text])
    #expect(throws: EditorError.unsupportedType(found: "shape", supported: ["text"])) {
      try text.editor.set(type: .shape, for: text.write("a"), asOneBlock: true)
    }
  }

  /// Says when it is asked, and answers when it may.
  private struct HeldShapes: Recognizer {
    let asked = DispatchSemaphore(value: 0)
    let mayAnswer = DispatchSemaphore(value: 0)
    var labels: [String]? { FakeShapes().labels }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      asked.signal()
      mayAnswer.wait()
      return try FakeShapes().recognize(
        ink, context: context, maximumCandidates: maximumCandidates)
    }
  }

  @Test("Ink that is written later beside a forced block leaves its type and its ink alone")
  func besideForced() throws {
    let desk = try Desk(type: "Raw Content")
    let word = try desk.write("hello", y: 15)
    _ = try types(desk)
    try desk.editor.set(type: .drawing, for: word, asOneBlock: true)
    let forced = try #require(desk.editor.block(ofItem: word[0]))
    let box = try #require(forced.box)
    let later = try desk.write("abcde", x: box.maxX + 4, y: 15)
    #expect(try types(desk) == ["Drawing", "Text"])
    #expect(forced.isValid && forced.items == word)
    #expect(try later.allSatisfy { try #require(desk.editor.block(ofItem: $0)).type == .text })
  }

  @Test("what was made of ink last counts, whatever is still being found of it")
  func forcedMeanwhile() throws {
    let desk = try Desk(type: "Raw Content")
    let box = try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    #expect(try types(desk) == ["Node"])
    let shapes = HeldShapes()
    desk.models.setShapes(shapes)
    desk.engine.modelsDidChange()
    try desk.editor.set(type: .shape, for: box, asOneBlock: true)
    shapes.asked.wait()
    try desk.editor.set(type: .text, for: box, asOneBlock: true)
    shapes.mayAnswer.signal()
    #expect(try types(desk) == ["Text"])
  }

  @Test("what a precise eraser leaves of ink in a block made by hand stays there")
  func eraseInForced() throws {
    let desk = try Desk(type: "Raw Content")
    let line = (0...20).map { StrokePoint(x: 20 + 2 * Double($0), y: 50) }
    let items = try desk.draw([line])
    #expect(try types(desk) == ["Edge"])
    try desk.editor.set(type: .drawing, for: items, asOneBlock: true)
    try desk.editor.configuration.set("text.eraser.erase-precisely", to: true)
    try desk.editor.configuration.set("text.eraser.radius", to: 2)
    try desk.editor.pointerDown(x: 40, y: 45, type: .eraser)
    try desk.editor.pointerUp(x: 40, y: 55, type: .eraser)
    #expect(try types(desk) == ["Drawing"])
    let block = try desk.root.children[0]
    #expect(block.items.count == 2 && !block.items.contains(items[0]))
  }

  @Test("blocks have ids, boxes, parents and children, and end with their ink")
  func blocks() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello", y: 15)
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    _ = try types(desk)
    let root = try desk.root
    #expect(root.parent == nil && root.id == "0" && root.type == .rawContent && root.isValid)
    let node = try #require(root.children.first { $0.type == .node })
    #expect(node.parent == root)
    #expect(desk.editor.block(id: node.id) == node)
    #expect(try desk.editor.hitBlock(x: 40, y: 50) == node)
    #expect(try desk.editor.hitBlock(x: 190, y: 900) == nil)
    #expect(throws: EditorError.self) { try desk.editor.hitBlock(x: .nan, y: 0) }
    #expect(throws: EditorError.rootBlock) { try desk.editor.removeBlock(root) }
    try desk.editor.removeBlock(node)
    #expect(!node.isValid && node.box == nil && node.children.isEmpty)
    #expect(throws: EditorError.invalidBlock(node.id)) { try desk.editor.removeBlock(node) }
    #expect(try types(desk) == ["Text"])
    let part = try #require(desk.editor.part)
    try desk.editor.setPart(nil)
    #expect(!root.isValid)
    try desk.editor.setPart(part)
    #expect(!root.isValid)
    #expect(try desk.root.isValid)
  }

  @Test("blocks are added, copied and pasted")
  func addAndPaste() throws {
    let desk = try Desk(type: "Raw Content")
    let strokes = Pen.strokes("abc", x: 20, y: 15)
    let ink = Ink(strokes: strokes.map { Stroke(points: $0) })
    let block = try desk.editor.addBlock(type: "Text", ink: ink)
    #expect(try desk.text() == "abc")
    #expect(block.isValid && block.items.count == 3)
    #expect(throws: EditorError.self) { try desk.editor.addBlock(type: "Node", ink: ink) }
    #expect(throws: EditorError.self) { try desk.editor.addBlock(type: "Text", ink: Ink()) }
    #expect(throws: EditorError.self) { try Desk().editor.addBlock(type: "Text", ink: ink) }
    #expect(try desk.editor.paste(x: 0, y: 0).items.isEmpty)
    try desk.editor.copy(block)
    let other = desk.engine.makeEditor()
    try other.setViewSize(width: 200, height: 1000)
    other.viewTransform = .millimetres
    try other.setPart(desk.engine.makePart(type: "Text"))
    #expect(try other.paste(x: 30, y: 40).items.count == 3)
    try other.waitUntilIdle()
    #expect(try other.export(as: .text) == "abc")
    let box = try #require(other.rootBlock?.box)
    #expect(abs(box.minX - 30) < 0.01 && abs(box.minY - 40) < 0.01)
  }
}
