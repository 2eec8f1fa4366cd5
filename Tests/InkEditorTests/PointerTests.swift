import InkCore
import InkEditor
import PenInput
import Testing

@Suite("Pointer events")
struct PointerTests {
  @Test("a part needs view size and metrics first, each with its own error")
  func preparation() throws {
    let models = LoadedModels()
    models.declare(bundle: "en_US")
    let engine = Engine(models: models)
    let editor = engine.makeEditor()
    let part = try engine.makePart(type: "Text")
    #expect(throws: EditorError.viewSizeNotSet) { try editor.setPart(part) }
    try editor.setViewSize(width: 100, height: 100)
    try editor.setPart(part)
    #expect(throws: EditorError.partAlreadyBound) { try editor.setPart(part) }
    let other = engine.makeEditor()
    try other.setViewSize(width: 100, height: 100)
    #expect(throws: EditorError.partAlreadyBound) { try other.setPart(part) }
    try editor.setPart(nil)
    try other.setPart(part)
    #expect(throws: EditorError.self) { try editor.setViewSize(width: .nan, height: 1) }
    #expect(throws: EditorError.self) { try editor.setViewSize(width: 0, height: 1) }
  }

  @Test("other types of parts are refused with what is supported")
  func types() throws {
    let desk = try Desk()
    for type in ["text", "Maths", "Image", ""] {
      let error = EditorError.unsupportedType(
        found: type,
        supported: ["Text", "Text Document", "Raw Content", "Diagram", "Drawing", "Math"])
      #expect(throws: error) { try desk.engine.makePart(type: type) }
      #expect(error.description.contains("Raw Content"))
    }
  }

  @Test("unknown bundles and names are refused when a part is set, and belong to it from then on")
  func textConfiguration() throws {
    let desk = try Desk(type: nil)
    let part = try desk.engine.makePart(type: "Text")
    try desk.editor.configuration.set("lang", to: "xx")
    #expect(throws: EditorError.bundleNotFound("xx")) { try desk.editor.setPart(part) }
    try desk.editor.configuration.set("lang", to: "en_US")
    try desk.editor.configuration.set("text.configuration.name", to: "digits")
    #expect(throws: EditorError.configurationNotFound(bundle: "en_US", name: "digits")) {
      try desk.editor.setPart(part)
    }
    try desk.editor.configuration.set("text.configuration.name", to: "text")
    try desk.editor.setPart(part)
    // Read once: what is set later changes nothing for this part.
    try desk.editor.configuration.set("lang", to: "xx")
    try desk.editor.setPart(nil)
    try desk.editor.setPart(part)
    try desk.write("abc")
    #expect(try desk.text() == "abc")
  }

  @Test("events out of sequence are refused and change nothing")
  func sequence() throws {
    let desk = try Desk()
    let editor = desk.editor
    #expect(throws: EditorError.self) { try editor.pointerMove(x: 0, y: 0) }
    #expect(throws: EditorError.self) { try editor.pointerUp(x: 0, y: 0) }
    #expect(throws: EditorError.self) { try editor.pointerCancel() }
    try editor.pointerDown(x: 0, y: 0, id: 4)
    #expect(
      throws: EditorError.pointerSequence(
        pointer: 4, expected: "a move, up or cancel", found: "down")
    ) { try editor.pointerDown(x: 0, y: 0, id: 4) }
    #expect(throws: EditorError.self) { try editor.pointerMove(x: 0, y: 0, id: 5) }
    #expect(throws: EditorError.pointerIsDown) { try editor.setPart(nil) }
    #expect(throws: EditorError.pointerIsDown) { try editor.clear() }
    #expect(throws: EditorError.pointerIsDown) {
      try editor.pointerEvents([], processGestures: false)
    }
    try editor.pointerUp(x: 1, y: 1, id: 4)
    #expect(try desk.root.items.count == 1)
  }

  @Test("numbers that are not finite, negative or absurd are refused")
  func arguments() throws {
    let desk = try Desk()
    let editor = desk.editor
    for bad in [
      PointerEvent(.down, x: .nan, y: 0), PointerEvent(.down, x: 0, y: .infinity),
      PointerEvent(.down, x: 1e12, y: 0), PointerEvent(.down, x: 0, y: 0, t: -2),
      PointerEvent(.down, x: 0, y: 0, t: .max), PointerEvent(.down, x: 0, y: 0, force: -0.1),
      PointerEvent(.down, x: 0, y: 0, force: .nan), PointerEvent(.down, x: 0, y: 0, id: -2),
    ] {
      #expect(throws: EditorError.self) { try editor.send(bad) }
    }
    #expect(editor.isEmpty)
    #expect(throws: EditorError.self) { try ViewTransform(dpiX: 0) }
    #expect(throws: EditorError.self) { try ViewTransform(dpiY: .infinity) }
    #expect(throws: EditorError.self) { try ViewTransform(scale: -1) }
    let empty = desk.engine.makeEditor()
    #expect(throws: EditorError.noPart) { try empty.pointerDown(x: 0, y: 0) }
  }

  @Test("time -1 is stamped, force 0 is unknown, and pixels become millimetres")
  func conventions() throws {
    let desk = try Desk(type: "Drawing")
    desk.editor.viewTransform = try ViewTransform(dpiX: 254, dpiY: 127, scale: 2, offsetX: 20)
    try desk.editor.pointerDown(x: 40, y: 40, t: -1, force: 0)
    try desk.editor.pointerUp(x: 60, y: 40, t: 1_600_000_000_000, force: 0.5)
    try desk.editor.waitUntilIdle()
    let points = try #require(desk.editor.read({ $0.document?.strokes.values.first?.points }))
    for (point, expected) in zip(points, [(1.0, 4.0), (2, 4)]) {
      #expect(abs(point.x - expected.0) < 1e-9 && abs(point.y - expected.1) < 1e-9)
    }
    #expect(points.map(\.t) == [1_700_000_000_000, 1_600_000_000_000])
    #expect(points.map(\.force) == [nil, 0.5])
  }

  @Test("a pen that leaves where it touched makes one point")
  func dot() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.pointerDown(x: 4, y: 5)
    try desk.editor.pointerUp(x: 4, y: 5)
    #expect(desk.editor.read({ $0.document?.strokes.values.first?.points.count }) == 1)
  }

  @Test("several pointers write at once, and only the pen tool writes")
  func pointers() throws {
    let desk = try Desk(type: "Drawing")
    let editor = desk.editor
    let first = try editor.pointerDown(x: 0, y: 0, id: 1)
    let second = try editor.pointerDown(x: 50, y: 0, type: .mouse, id: 2)
    #expect(try editor.pointerDown(x: 9, y: 9, type: .touch, id: 3) == nil)
    try editor.pointerMove(x: 1, y: 1, id: 1)
    try editor.pointerUp(x: 51, y: 1, type: .mouse, id: 2)
    try editor.pointerUp(x: 9, y: 10, type: .touch, id: 3)
    try editor.pointerUp(x: 2, y: 2, id: 1)
    #expect(try Set(desk.root.items) == Set([first, second].compactMap { $0 }))
    editor.tools.setTool(.pen, for: .touch)
    editor.tools.setTool(.hand, for: .pen)
    // Long after the pens, so that the touch is no palm.
    #expect(
      try editor.pointerDown(x: 9, y: 9, t: 1_700_000_900_000, type: .touch, id: 3) != nil)
    editor.tools.fingerYieldsToPen = false
    #expect(try editor.pointerDown(x: 9, y: 9, type: .pen, id: 4) == nil)
    try editor.pointerCancel(id: 3)
    try editor.pointerUp(x: 0, y: 0, id: 4)
    #expect(try desk.root.items.count == 2)
    #expect(editor.tools.tool(for: .eraser) == .eraser)
  }

  @Test("the eraser takes the strokes that it touches, within its radius")
  func eraser() throws {
    let desk = try Desk()
    let items = try desk.write("abc def")
    #expect(try desk.text() == "abc def")
    // Over the letter b.
    try desk.editor.configuration.set("text.eraser.radius", to: 0.5)
    try desk.editor.pointerDown(x: 24, y: 15, type: .eraser)
    try desk.editor.pointerUp(x: 24, y: 15.1, type: .eraser)
    _ = try desk.text()
    #expect(try desk.root.items == items.filter { $0 != items[1] })
  }

  @Test("a precise eraser takes a part of a stroke, and leaves strokes of what is beside it")
  func preciseEraser() throws {
    let desk = try Desk(type: "Drawing")
    let line = (0...10).map { StrokePoint(x: 10 * Double($0), y: 50) }
    let items = try desk.draw([line, line.map { StrokePoint(x: $0.x, y: 80) }])
    try desk.editor.configuration.set("text.eraser.erase-precisely", to: true)
    try desk.editor.configuration.set("text.eraser.radius", to: 5)
    // The eraser goes past fast: two samples on both sides of the line.
    try desk.editor.pointerDown(x: 42, y: 30, type: .eraser)
    try desk.editor.pointerUp(x: 42, y: 65, type: .eraser)
    try desk.editor.waitUntilIdle()
    let left = try desk.root.items
    #expect(left.count == 3 && left.last == items[1] && !left.contains(items[0]))
    let boxes = try left.dropLast().map { item in
      let stroke = try #require(try desk.editor.stroke(of: item))
      return try #require(Ink(strokes: [stroke]).boundingBox)
    }
    #expect(abs(boxes[0].maxX - 37) < 0.7 && boxes[0].minX == 0)
    #expect(abs(boxes[1].minX - 47) < 0.7 && boxes[1].maxX == 100)
  }

  @Test("a batch is handled completely or not at all")
  func batch() throws {
    let desk = try Desk()
    let good = [
      PointerEvent(.down, x: 0, y: 0, id: 0), PointerEvent(.move, x: 1, y: 1, id: 0),
      PointerEvent(.up, x: 2, y: 2, id: 0),
    ]
    for bad in [
      [good[1]], [good[2]], [good[0]], [good[0], good[0], good[2]],
      good + [PointerEvent(.cancel, x: 0, y: 0, id: 0)],
      good + [PointerEvent(.down, x: .nan, y: 0)],
    ] {
      #expect(throws: EditorError.self) {
        try desk.editor.pointerEvents(bad, processGestures: false)
      }
      #expect(desk.editor.isEmpty)
    }
    let many = (0..<21).flatMap { _ in good }
    #expect(throws: EditorError.self) {
      try desk.editor.pointerEvents(many, processGestures: true)
    }
    #expect(try desk.editor.pointerEvents(many, processGestures: false).count == 21)
    #expect(try desk.editor.pointerEvents([], processGestures: true).isEmpty)
    try desk.editor.waitUntilIdle()
    try desk.editor.clear()
    #expect(desk.editor.isEmpty)
  }

  @Test("pen events with late updates reach strokes in the document; only moved ink is read again")
  func lateUpdates() throws {
    let desk = try Desk()
    func sample(_ x: Double, _ key: Int) -> PenSample {
      PenSample(
        point: StrokePoint(x: x, y: 10 + x, t: Double(key), force: 0.3),
        estimated: [.force, .location], expectingUpdates: [.force, .location], updateIndex: key)
    }
    let item = try desk.editor.handle(.began(sample(0, 1)))
    try desk.editor.handle(
      .moved(coalesced: [sample(1, 2), sample(2, 3)], predicted: [sample(9, 3)]))
    try desk.editor.handle(.ended(nil))
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items == [try #require(item)])
    #expect(desk.reader.calls.count == 1)
    try desk.editor.handle(
      .updated(
        PenUpdate(index: 2, force: 0.9, estimated: .location, expectingUpdates: .location)))
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.count == 1)
    #expect(desk.editor.read({ $0.document?.strokes.values.first?.points[1].force }) == 0.9)
    try desk.editor.handle(.updated(PenUpdate(index: 2, location: .init(x: 1.5, y: 11))))
    try desk.editor.waitUntilIdle()
    #expect(desk.reader.calls.count == 2)
    #expect(desk.editor.read({ $0.document?.strokes.values.first?.points[1].x }) == 1.5)
    #expect(try desk.root.box?.maxX == 2)
    // Later moves of the view have no effect.
    desk.editor.viewTransform = try ViewTransform(scale: 3, offsetX: 70, offsetY: 7)
    try desk.editor.handle(.updated(PenUpdate(index: 3, location: .init(x: 3, y: 12))))
    try desk.editor.waitUntilIdle()
    #expect(
      desk.editor.read({ $0.document?.strokes.values.first?.points.map(\.x) }) == [0, 1.5, 3])
    #expect(try desk.root.box?.maxX == 3)
    desk.editor.viewTransform = .millimetres
    try desk.editor.handle(.began(sample(50, 9)))
    try desk.editor.handle(.cancelled)
    try desk.editor.advancePenClock(to: 10_000)
    #expect(try desk.root.items.count == 1)
  }
}
