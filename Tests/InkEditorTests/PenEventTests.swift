import Foundation
import InkCore
import InkEditor
import PenInput
import TestSamples
import Testing

@Suite("Pen events")
struct PenEventTests {
  private func sample(_ x: Double, _ y: Double = 15, t: Double = 5000) -> PenSample {
    PenSample(point: StrokePoint(x: x, y: y, t: t, force: 2))
  }

  @Test("Late values reach ink whose part is set nowhere, or on another editor")
  func lateElsewhere() throws {
    for isElsewhere in [false, true] {
      let desk = try Desk(type: "Drawing")
      try desk.editor.configuration.set("pen.update-deadline", to: 3_600_000)
      let part = try #require(desk.editor.part)
      let guess = PenSample(
        point: StrokePoint(x: 20, y: 15, t: 5, force: 0.3), estimated: .force,
        expectingUpdates: .force, updateIndex: 1)
      let item = try #require(try desk.editor.handle(.began(guess)))
      try desk.editor.handle(.ended(nil))
      try desk.editor.setPart(nil)
      let other = desk.engine.makeEditor()
      try other.setViewSize(width: 200, height: 1000)
      if isElsewhere { try other.setPart(part) }
      try desk.editor.setPart(desk.engine.makePart(type: "Drawing"))
      try desk.editor.handle(.updated(PenUpdate(index: 1, force: 0.9)))
      if !isElsewhere { try other.setPart(part) }
      #expect(try other.stroke(of: item)?.points.first?.force == 0.9)
    }
  }

  @Test("A stroke is final after the deadline without any further event")
  func deadline() async throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.configuration.set("pen.update-deadline", to: 20)
    let guess = PenSample(
      point: StrokePoint(x: 20, y: 15), estimated: .force, expectingUpdates: .force, updateIndex: 1)
    try desk.editor.handle(.began(guess))
    try desk.editor.handle(.ended(nil))
    while desk.editor.pendingPenStrokes > 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try desk.root.items.count == 1)
  }

  @Test("Roll of a pen is kept, and corrected by index")
  func roll() throws {
    let desk = try Desk(type: "Drawing")
    let guess = PenSample(
      point: StrokePoint(x: 20, y: 15, t: 5, roll: 0.1), estimated: .roll, expectingUpdates: .roll,
      updateIndex: 1)
    let item = try #require(try desk.editor.handle(.began(guess)))
    try desk.editor.handle(.updated(PenUpdate(index: 1, roll: 0.7)))
    try desk.editor.handle(
      .ended(PenSample(point: StrokePoint(x: 22, y: 15, t: 9, roll: 0.8))))
    #expect(desk.editor.rolls(of: item) == [0.7, 0.8])
  }

  @Test("A roll that comes after the stroke has ended is corrected by index, and drawn")
  func lateRoll() throws {
    let desk = try Desk(type: "Drawing")
    desk.editor.tools.setStyle(
      try StrokeStyle(color: "#000000", width: 1, brush: .nib), for: .pen)
    let guess = PenSample(
      point: StrokePoint(x: 20, y: 15, t: 5, roll: 0.1), estimated: .roll, expectingUpdates: .roll,
      updateIndex: 1)
    let item = try #require(try desk.editor.handle(.began(guess)))
    try desk.editor.handle(
      .ended(PenSample(point: StrokePoint(x: 40, y: 15, t: 9, roll: 0.8))))
    #expect(desk.editor.rolls(of: item) == [0.1, 0.8])
    let before = try desk.editor.svg()
    try desk.editor.handle(.updated(PenUpdate(index: 1, roll: 1.4)))
    #expect(desk.editor.rolls(of: item) == [1.4, 0.8])
    #expect(try desk.editor.svg() != before)
  }

  @Test("The parts of an erased stroke keep the roll, and so does a pointer's stroke")
  func rollOfParts() throws {
    let desk = try Desk(type: "Drawing") {
      try $0.configuration.set("text.eraser.erase-precisely", to: true)
    }
    for index in 0...20 {
      let kind: PointerEvent.Kind = index == 0 ? .down : index == 20 ? .up : .move
      let (x, roll) = (10 + 2 * Double(index), Double(index) / 10)
      try desk.editor.send(PointerEvent(kind, x: x, y: 15, t: Int64(index), roll: roll))
    }
    let item = try #require(try desk.root.items.first)
    #expect(desk.editor.rolls(of: item) == (0...20).map { Double($0) / 10 })
    try desk.editor.pointerDown(x: 30, y: 10, type: .eraser)
    try desk.editor.pointerUp(x: 30, y: 20, type: .eraser)
    let parts = try desk.root.items
    #expect(parts.count == 2)
    for part in parts {
      let points = try #require(try desk.editor.stroke(of: part)).points
      #expect(points.count > 3)
      #expect(points.allSatisfy { abs(($0.roll ?? -1) - ($0.x - 10) / 20) < 0.2 })
    }
  }

  @Test("A roll that is corrected after the stroke reaches the ink, on any editor")
  func lateRollElsewhere() throws {
    for isElsewhere in [false, true] {
      let desk = try Desk(type: "Drawing")
      try desk.editor.configuration.set("pen.update-deadline", to: 3_600_000)
      let part = try #require(desk.editor.part)
      let guess = PenSample(
        point: StrokePoint(x: 20, y: 15, t: 5, roll: 0.1), estimated: .roll,
        expectingUpdates: .roll, updateIndex: 1)
      let item = try #require(try desk.editor.handle(.began(guess)))
      try desk.editor.handle(
        .ended(PenSample(point: StrokePoint(x: 22, y: 15, t: 9, roll: 0.8))))
      #expect(desk.editor.rolls(of: item) == [0.1, 0.8])
      var owner = desk.editor
      if isElsewhere {
        try desk.editor.setPart(desk.engine.makePart(type: "Drawing"))
        owner = desk.engine.makeEditor()
        try owner.setViewSize(width: 200, height: 1000)
        try owner.setPart(part)
      }
      try desk.editor.handle(.updated(PenUpdate(index: 1, roll: 0.7)))
      #expect(owner.rolls(of: item) == [0.7, 0.8])
    }
  }

  @Test("A tap of a pen has one roll for its one point")
  func rollOfDot() throws {
    let desk = try Desk(type: "Drawing")
    let tap = PenSample(point: StrokePoint(x: 20, y: 15, t: 5, roll: 0.1))
    let item = try #require(try desk.editor.handle(.began(tap)))
    try desk.editor.handle(.ended(tap))
    #expect(desk.editor.rolls(of: item) == [0.1])
  }

  @Test("A finger whose events come as those of pens is a finger: it writes, and may be a palm")
  func fingerAsPen() throws {
    let desk = try Desk(type: "Drawing")
    desk.editor.tools.setTool(.pen, for: .touch)
    for x in [10.0, 30] {
      #expect(try desk.editor.handle(.began(sample(x)), pointer: 1, type: .touch) != nil)
      try desk.editor.handle(.ended(sample(x + 5)), pointer: 1, type: .touch)
    }
    #expect(desk.editor.tools.tool(for: .touch) == .pen)
    #expect(try desk.root.items.count == 2)
    desk.editor.tools.fingerYieldsToPen = false
    // Before the pen, and with it.
    #expect(try desk.editor.handle(.began(sample(50)), pointer: 1, type: .touch) != nil)
    try desk.editor.handle(.began(sample(90)), pointer: 2)
    #expect(try desk.editor.handle(.began(sample(60)), pointer: 3, type: .touch) == nil)
    for pointer in [1, 3] {
      try desk.editor.handle(
        .moved(coalesced: [sample(65)], predicted: []), pointer: pointer, type: .touch)
    }
    #expect(desk.editor.liveStrokes.map { $0.points.map(\.x) } == [[90]])
    for pointer in 1...3 {
      let type: PointerType = pointer == 2 ? .pen : .touch
      try desk.editor.handle(.ended(sample(95)), pointer: pointer, type: type)
    }
    #expect(try desk.root.items.count == 3)
  }

  @Test("A mouse whose events come as those of pens is no pen: fingers go on beside it")
  func mouseAsPen() throws {
    let desk = try Desk(type: "Drawing")
    desk.editor.tools.setTool(.pen, for: .touch)
    try desk.editor.handle(.began(sample(10)), type: .mouse)
    #expect(try desk.editor.pointerDown(x: 90, y: 90, type: .touch, id: 1) != nil)
    try desk.editor.pointerUp(x: 95, y: 90, type: .touch, id: 1)
    try desk.editor.handle(.ended(sample(20)), type: .mouse)
    #expect(try desk.root.items.count == 2)
  }

  @Test("A pen that leaves while no part is set is away: fingers are no palms afterwards")
  func leavesWithoutPart() throws {
    for isCancelled in [false, true] {
      let desk = try Desk(type: "Drawing")
      desk.editor.tools.setTool(.hand, for: .pen)
      try desk.editor.handle(.began(sample(10)))
      try desk.editor.setPart(nil)
      #expect(throws: EditorError.noPart) {
        try desk.editor.handle(isCancelled ? .cancelled : .ended(sample(20)))
      }
      try desk.editor.setPart(desk.engine.makePart(type: "Drawing"))
      #expect(desk.editor.pendingPenStrokes == 0)
      desk.editor.tools.setTool(.pen, for: .touch)
      #expect(
        try desk.editor.pointerDown(x: 90, y: 90, t: 1_700_000_900_000, type: .touch, id: 1) != nil)
    }
  }

  @Test("A pen whose first sample has no time is dated by the first that has one")
  func firstTime() throws {
    let desk = try Desk(type: "Drawing")
    let item = try #require(
      try desk.editor.handle(.began(PenSample(point: StrokePoint(x: 20, y: 15)))))
    try desk.editor.handle(.moved(coalesced: [sample(21)], predicted: []))
    try desk.editor.handle(.ended(sample(22, t: 5010)))
    let times = try desk.editor.stroke(of: item)?.points.map(\.t)
    #expect(times == [nil, 1_700_000_000_000, 1_700_000_000_010])
  }

  @Test("Estimates of a pen that are corrected while it is down are ink as corrected")
  func correctedWhileDown() throws {
    let desk = try Desk(type: "Drawing")
    func guess(_ x: Double, _ key: Int) -> PenSample {
      PenSample(
        point: StrokePoint(x: x, y: 15, t: Double(key)), estimated: .location,
        expectingUpdates: .location, updateIndex: key)
    }
    let item = try #require(try desk.editor.handle(.began(guess(10, 1))))
    try desk.editor.handle(.moved(coalesced: [guess(20, 2), guess(30, 3)], predicted: []))
    // The view moves: each sample keeps the transform of its time.
    desk.editor.viewTransform = try ViewTransform(dpiX: 25.4, dpiY: 25.4, scale: 2)
    try desk.editor.handle(.moved(coalesced: [guess(80, 4)], predicted: [guess(90, 5)]))
    for key in [2, 4] {
      try desk.editor.handle(.updated(PenUpdate(index: key, location: .init(x: 50, y: 16))))
    }
    let xs = [10.0, 50, 30, 25]
    #expect(desk.editor.liveStrokes.first?.points.map(\.x) == xs)
    #expect(desk.editor.liveStrokes.first?.predicted.map(\.x) == [45])
    try desk.editor.handle(.ended(nil))
    #expect(try desk.editor.stroke(of: item)?.points.map(\.x) == xs)
  }
}
