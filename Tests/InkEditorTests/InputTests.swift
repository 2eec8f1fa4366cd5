import Foundation
import InkCore
import InkEditor
import PenInput
import TestSamples
import Testing

@Suite("One way in")
struct InputTests {
  private func sample(_ x: Double, _ y: Double = 15, t: Double = 5000) -> PenSample {
    PenSample(point: StrokePoint(x: x, y: y, t: t, force: 2))
  }

  @Test("A pen whose tool is eraser, hand or selector writes no ink; the eraser takes it")
  func penTools() throws {
    let desk = try Desk(type: "Drawing")
    try desk.draw([(0...10).map { StrokePoint(x: 10 * Double($0), y: 50) }])
    for tool in [PointerTool.hand, .selector, .highlighter, .eraser] {
      desk.editor.tools.setTool(tool, for: .pen)
      #expect(try desk.editor.handle(.began(sample(42, 30))) == nil)
      try desk.editor.handle(.moved(coalesced: [sample(42, 65)], predicted: []))
      #expect(try desk.root.items.count == (tool == .eraser ? 0 : 1))
      try desk.editor.handle(.ended(nil))
    }
    #expect(desk.editor.possibleUndoCount == 2)
    try desk.editor.undo()
    desk.editor.tools.setTool(.pen, for: .pen)
    try desk.editor.handle(.began(sample(42, 30)), type: .eraser)
    try desk.editor.handle(.ended(sample(42, 65)), type: .eraser)
    #expect(desk.editor.isEmpty)
  }

  @Test("The eraser takes ink while it moves, in one step; cancelling brings it back")
  func movingEraser() throws {
    let desk = try Desk(type: "Drawing")
    try desk.draw(
      (1...3).map { row in
        [StrokePoint(x: 20, y: 20 * Double(row)), StrokePoint(x: 60, y: 20 * Double(row))]
      })
    try desk.editor.pointerDown(x: 40, y: 10, type: .eraser)
    try desk.editor.pointerMove(x: 40, y: 25, type: .eraser)
    #expect(try desk.root.items.count == 2)
    try desk.editor.pointerMove(x: 40, y: 45, type: .eraser)
    #expect(try desk.root.items.count == 1)
    try desk.editor.pointerUp(x: 40, y: 65, type: .eraser)
    #expect(desk.editor.isEmpty && desk.editor.possibleUndoCount == 4)
    try desk.editor.undo()
    #expect(try desk.root.items.count == 3)
    try desk.editor.pointerDown(x: 40, y: 10, type: .eraser)
    try desk.editor.pointerMove(x: 40, y: 25, type: .eraser)
    try desk.editor.pointerCancel()
    #expect(try desk.root.items.count == 3 && desk.editor.possibleUndoCount == 3)
  }

  @Test("Times of a pen's own clock become today's, and a pause between pen and mouse is real")
  func clocks() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.handle(.began(sample(20)))
    try desk.editor.handle(.ended(sample(22, t: 5010)))
    let item = try #require(try desk.root.items.first)
    let points = try #require(try desk.editor.stroke(of: item)?.points)
    #expect(points.map(\.t) == [1_700_000_000_000, 1_700_000_000_010])
    let raw = try Desk(type: "Raw Content") {
      try $0.configuration.set("raw-content.session-time", to: 30_000.0)
    }
    for (place, points) in Pen.strokes("ab", x: 20, y: 15).enumerated() {
      if place == 0 {
        try raw.editor.handle(
          .began(PenSample(point: StrokePoint(x: points[0].x, y: points[0].y, t: 5000))))
        try raw.editor.handle(
          .moved(coalesced: points.dropFirst().map { PenSample(point: $0) }, predicted: []))
        try raw.editor.handle(.ended(nil))
      } else {
        try raw.draw([points])
      }
    }
    try raw.editor.waitUntilIdle()
    #expect(try raw.root.children.count == 1)
  }

  @Test("A tap of a pen and of a pointer is one point each")
  func dots() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.handle(.began(sample(20)))
    try desk.editor.handle(.ended(sample(20)))
    try desk.editor.pointerDown(x: 4, y: 5)
    try desk.editor.pointerUp(x: 4, y: 5)
    for item in try desk.root.items { #expect(try desk.editor.stroke(of: item)?.points.count == 1) }
  }

  @Test("Forces of a pen are shares of the largest that it can report")
  func forces() throws {
    let desk = try Desk(type: "Drawing")
    desk.editor.maximumPenForce = 4
    try desk.editor.handle(.began(sample(20)))
    try desk.editor.handle(.ended(PenSample(point: StrokePoint(x: 22, y: 15, t: 5010, force: 4))))
    let item = try #require(try desk.root.items.first)
    #expect(try desk.editor.stroke(of: item)?.points.map(\.force) == [0.5, 1])
  }

  @Test("Events without a time in a batch have none, and lose no ink by it")
  func batchTimes() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.pointerEvents(
      [PointerEvent(.down, x: 1, y: 1, id: 0), PointerEvent(.up, x: 2, y: 2, id: 0)],
      processGestures: false)
    let stroke = try #require(try desk.editor.exportDocument().items?.first)
    #expect(stroke.T == nil && stroke.timestamp == nil && stroke.X?.count == 2)
  }

  @Test("-1 is the only pointer, and a move of another type than its down is refused")
  func sequence() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.pointerDown(x: 1, y: 1)
    #expect(throws: EditorError.self) { try desk.editor.pointerDown(x: 1, y: 1, id: 3) }
    #expect(throws: EditorError.self) { try desk.editor.pointerMove(x: 1, y: 1, type: .mouse) }
    do throws(EditorError) {
      try desk.editor.pointerUp(x: 1, y: 1, type: .eraser)
      Issue.record("an up of another type was taken")
    } catch {
      #expect(error.description.contains("pen") && error.description.contains("eraser"))
    }
    try desk.editor.pointerUp(x: 2, y: 2)
    try desk.editor.pointerDown(x: 1, y: 1, id: 3)
    #expect(throws: EditorError.self) { try desk.editor.pointerDown(x: 1, y: 1) }
    #expect(try desk.root.items.count == 1)
  }

  @Test("A touch beside a pen is a palm: it writes nothing, scrolls nothing, and is cancelled")
  func palms() throws {
    let desk = try Desk(type: "Drawing")
    desk.editor.tools.fingerYieldsToPen = false
    desk.editor.tools.setTool(.pen, for: .touch)
    let listener = Listener()
    desk.editor.delegate = listener
    let t: Int64 = 1_700_000_000_000
    // Before the pen, with it, and shortly after it.
    #expect(try desk.editor.pointerDown(x: 90, y: 90, t: t, type: .touch, id: 1) != nil)
    try desk.editor.pointerDown(x: 10, y: 10, t: t + 50, id: 2)
    #expect(try desk.editor.pointerDown(x: 95, y: 90, t: t + 60, type: .touch, id: 3) == nil)
    try desk.editor.pointerUp(x: 20, y: 20, t: t + 100, id: 2)
    #expect(try desk.editor.pointerDown(x: 95, y: 95, t: t + 200, type: .touch, id: 4) == nil)
    for id in [1, 3, 4] {
      try desk.editor.pointerMove(x: 50, y: 90, t: t + 210, type: .touch, id: id)
      try desk.editor.pointerUp(x: 50, y: 90, t: t + 220, type: .touch, id: id)
    }
    #expect(try desk.root.items.count == 1)
    #expect(try desk.editor.pointerDown(x: 95, y: 95, t: t + 900, type: .touch, id: 5) != nil)
    try desk.editor.pointerUp(x: 96, y: 96, t: t + 910, type: .touch, id: 5)
    #expect(try desk.root.items.count == 2)
    // A hovering pen counts as near.
    desk.editor.hover(HoverEvent(.entered, x: 10, y: 10, height: 0.4))
    #expect(try desk.editor.pointerDown(x: 95, y: 95, t: t + 2000, type: .touch, id: 6) == nil)
    try desk.editor.waitUntilIdle()
    #expect(!listener.events.contains { if case .scrolled = $0 { true } else { false } })
    #expect(desk.editor.hoveringPen?.height == 0.4)
    desk.editor.hover(HoverEvent(.left, x: 10, y: 10))
    #expect(desk.editor.hoveringPen == nil && desk.editor.possibleUndoCount == 2)
  }

  @Test("A hovering pen is told with the block below its tip, its angles and its roll")
  func hover() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("abc")
    try desk.editor.waitUntilIdle()
    let block = try #require(try desk.root.children.first)
    let box = try #require(block.box)
    let listener = Listener()
    desk.editor.delegate = listener
    desk.editor.hover(
      HoverEvent(
        .moved, x: box.midX, y: box.midY, height: 0.3, azimuth: 1, altitude: 0.5, roll: 0.25))
    desk.editor.hover(HoverEvent(.moved, x: 180, y: 900, height: 0.3))
    try desk.editor.waitUntilIdle()
    let told = listener.events.compactMap {
      if case .hovered(let event) = $0 { event } else { nil }
    }
    #expect(told.map(\.block) == [block.id, nil])
    #expect(told.first?.azimuth == 1 && told.first?.altitude == 0.5 && told.first?.roll == 0.25)
    #expect(desk.editor.hoveringPen == told.last && !desk.editor.canRedo)
  }

  @Test("A finger that writes becomes a hand once a pen is seen, unless it may go on")
  func finger() throws {
    for yields in [true, false] {
      let desk = try Desk(type: "Drawing")
      desk.editor.tools.fingerYieldsToPen = yields
      desk.editor.tools.setTool(.pen, for: .touch)
      try desk.write("a")
      #expect(desk.editor.tools.tool(for: .touch) == (yields ? .hand : .pen))
    }
  }

  @Test("A tap selects a block, a drag moves the selected one in one step, and scrolls elsewhere")
  func hand() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("hello", y: 15)
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    let node = try #require(try desk.root.children.first { $0.type == .node })
    let before = try desk.editor.export(as: .jiix)
    let steps = desk.editor.possibleUndoCount
    let listener = Listener()
    desk.editor.delegate = listener
    var t: Int64 = 1_700_000_900_000
    func touch(_ places: [(Double, Double)]) throws {
      for (index, place) in places.enumerated() {
        t += 10
        let kind: PointerEvent.Kind = index == 0 ? .down : index == places.count - 1 ? .up : .move
        try desk.editor.send(
          PointerEvent(kind, x: place.0, y: place.1, t: t, type: .touch, id: 9))
      }
      try desk.editor.waitUntilIdle()
    }
    try touch([(40, 50), (60, 60), (90, 80)])
    #expect(desk.editor.selectedBlockID == nil && desk.editor.possibleUndoCount == steps)
    #expect(listener.events.contains { if case .scrolled = $0 { true } else { false } })
    try touch([(40, 50), (40, 50.5)])
    #expect(desk.editor.selectedBlockID == node.id)
    desk.reader.forget()
    try touch([(40, 50), (60, 90), (100, 150)])
    #expect(node.isValid && desk.editor.possibleUndoCount == steps + 1)
    #expect(abs((node.box?.minX ?? 0) - 80) < 1e-6 && abs((node.box?.minY ?? 0) - 140) < 1e-6)
    #expect(desk.reader.calls.isEmpty)
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.export(as: .jiix) == before)
  }

  @Test("Ink keeps the style of the tool at its down, through undo and paste")
  func styles() throws {
    let desk = try Desk(type: "Drawing")
    let red = try StrokeStyle(color: "#FF0000", width: 0.5)
    desk.editor.tools.setStyle(red, for: .pen)
    let item = try #require(try desk.write("a").first)
    desk.editor.tools.setStyle(nil, for: .pen)
    let plain = try #require(try desk.write("b", x: 40).first)
    #expect(desk.editor.style(of: item) == red && desk.editor.style(of: plain) == nil)
    try desk.editor.clear()
    try desk.editor.undo()
    #expect(desk.editor.style(of: item) == red)
    try desk.editor.copy(desk.root)
    let copy = try #require(try desk.editor.paste(x: 0, y: 90).items.first)
    #expect(desk.editor.style(of: copy) == red)
    for bad in ["red", "#12", "#GG0000"] {
      #expect(throws: EditorError.self) { try StrokeStyle(color: bad, width: 1) }
    }
    #expect(throws: EditorError.self) { try StrokeStyle(color: "#000000", width: 0) }
  }

  @Test("Azimuth and altitude of a pointer are those of the same point by a pen")
  func angles() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.send(
      PointerEvent(.down, x: 20, y: 15, id: 0, azimuth: 0.5, altitude: 1))
    try desk.editor.pointerUp(x: 22, y: 15, id: 0)
    let pen = PenSample(point: StrokePoint(x: 20, y: 15, t: 5, azimuth: 0.5, altitude: 1))
    try desk.editor.handle(.began(pen))
    try desk.editor.handle(.ended(nil))
    let points = try desk.root.items.map { try desk.editor.stroke(of: $0)?.points.first }
    #expect(points.map { $0?.azimuth } == [0.5, 0.5] && points.map { $0?.altitude } == [1, 1])
  }

  @Test("Double tap and squeeze switch tools or ask the app, as they are set")
  func penActions() throws {
    let desk = try Desk(type: "Drawing")
    let tools = desk.editor.tools
    desk.editor.handle(.doubleTap)
    #expect(tools.tool(for: .pen) == .eraser)
    desk.editor.handle(.doubleTap)
    #expect(tools.tool(for: .pen) == .pen)
    tools.setTool(.selector, for: .pen)
    desk.editor.setPenActions(doubleTap: .switchPrevious, squeeze: .custom)
    desk.editor.handle(.doubleTap)
    #expect(tools.tool(for: .pen) == .pen)
    desk.editor.handle(.doubleTap)
    #expect(tools.tool(for: .pen) == .selector)
    let listener = Listener()
    desk.editor.delegate = listener
    for gesture in [PenGesture.squeezeBegan, .squeezeCancelled, .squeezeEnded] {
      desk.editor.handle(gesture)
    }
    for gesture in [PenGesture.squeezeBegan, .squeezeEnded] { desk.editor.handle(gesture) }
    desk.editor.setPenActions(doubleTap: .ignore, squeeze: .ignore)
    desk.editor.handle(.doubleTap)
    try desk.editor.waitUntilIdle()
    #expect(listener.events == [.penAction(.custom)])
  }

  @Test("Two pens at once make two strokes, each with its own samples")
  func twoPens() throws {
    let desk = try Desk(type: "Drawing")
    let first = try desk.editor.handle(.began(sample(10)), pointer: 1)
    let second = try desk.editor.handle(.began(sample(90)), pointer: 2)
    try desk.editor.handle(.moved(coalesced: [sample(11)], predicted: []), pointer: 1)
    try desk.editor.handle(.moved(coalesced: [sample(91)], predicted: []), pointer: 2)
    try desk.editor.handle(.ended(nil), pointer: 2)
    try desk.editor.handle(.ended(nil), pointer: 1)
    let xs = try [first, second].map { item in
      try desk.editor.stroke(of: try #require(item))?.points.map(\.x)
    }
    #expect(xs == [[10, 11], [90, 91]])
  }
}
