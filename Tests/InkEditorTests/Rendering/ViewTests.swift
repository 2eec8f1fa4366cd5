import Foundation
import InkCore
import InkEditor
import PenInput
import TestSamples
import Testing

@Suite("Views")
struct ViewTests {
  private func view(_ scale: Double = 1) throws -> ViewState {
    ViewState(
      transform: try ViewTransform(dpiX: 254, dpiY: 254, scale: scale), width: 800, height: 600)
  }

  @Test("A change of the view is told with the old and the new state; the same state is not")
  func told() throws {
    let desk = try Desk()
    let old = desk.editor.viewState
    let listener = Listener()
    desk.editor.delegate = listener
    var new = old
    new.zoom(by: 2, x: 10, y: 20)
    new.scaleLimits = 0.5...4
    desk.editor.viewState = new
    desk.editor.viewState = new
    try desk.editor.waitUntilIdle()
    let told = listener.events.filter { if case .viewChanged = $0 { true } else { false } }
    #expect(told == [.viewChanged(old: old, new: new)])
    #expect(desk.editor.viewTransform == new.transform && desk.editor.viewState == new)
  }

  @Test("Unread changes of the view are merged")
  func merged() throws {
    let desk = try Desk(type: nil)
    let queue = EventQueue()
    let old = desk.editor.viewState
    var now = old
    for _ in 0..<100 {
      let before = now
      now.pan(dx: 1, dy: 2)
      queue.append(.viewChanged(old: before, new: now))
    }
    #expect(queue.take() == .viewChanged(old: old, new: now))
    #expect(queue.take() == nil)
  }

  @Test("The place under the finger stays there; scale and place have limits")
  func zoom() throws {
    var view = try view()
    for (factor, x, y) in [(1.7, 123.4, 567.8), (0.01, -50, 20), (1000, 799, 3), (0.3, 400, 300)] {
      let place = view.transform.document(x: x, y: y)
      view.zoom(by: factor, x: x, y: y)
      view.rotate(by: 0.3, x: x, y: y)
      let pixel = view.transform.view(x: place.x, y: place.y)
      #expect(abs(pixel.x - x) < 1e-9 && abs(pixel.y - y) < 1e-9)
    }
    view.zoom(by: 1e9, x: 0, y: 0)
    #expect(view.transform.scale == 50)
    view.zoom(to: 1e-9, x: 0, y: 0)
    #expect(view.transform.scale == 0.02)
    let before = view
    for bad in [0, -1, .nan, .infinity] { view.zoom(by: bad, x: 0, y: 0) }
    view.rotate(by: .infinity, x: 0, y: 0)
    view.pan(dx: .nan, dy: 0)
    #expect(view == before)
    var limited = try self.view()
    limited.panLimits = BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 100)
    limited.pan(dx: -1e6, dy: 50)
    let middle = limited.transform.document(x: 400, y: 300)
    #expect(abs(middle.x - 100) < 1e-9 && abs(middle.y - 25) < 1e-9)
    var fitted = try self.view()
    let box = BoundingBox(minX: 50, minY: 50, maxX: 90, maxY: 60)
    fitted.fit(box, margin: 20)
    let seen = fitted.transform.viewBox(box)
    #expect(abs(seen.width - 760) < 1e-6 && abs(seen.midX - 400) < 1e-6)
    #expect(abs(seen.midY - 300) < 1e-6)
  }

  @Test("A view turned by 90 degrees maps a pixel to its millimetre and back; maps compose")
  func rotation() throws {
    let turned = try ViewTransform(
      dpiX: 254, dpiY: 254, scale: 2, offsetX: 500, offsetY: 100, rotation: .pi / 2)
    // 1 mm is 20 pixels; x of the document goes down, y to the left.
    let there = turned.view(x: 10, y: 5)
    #expect(abs(there.x - 400) < 1e-9 && abs(there.y - 300) < 1e-9)
    let here = turned.document(x: 400, y: 300)
    #expect(abs(here.x - 10) < 1e-9 && abs(here.y - 5) < 1e-9)
    let flipped = try ViewTransform(
      dpiX: 254, dpiY: 127, scale: 1, offsetX: 7, offsetY: -3, rotation: 1.234, isFlipped: true)
    let place = flipped.document(x: 321, y: 123)
    let pixel = flipped.view(x: place.x, y: place.y)
    #expect(abs(pixel.x - 321) < 1e-9 && abs(pixel.y - 123) < 1e-9)
    #expect(flipped.matrix.determinant < 0)
    #expect(throws: EditorError.self) { try ViewTransform(rotation: .nan) }
    let first = PlaneTransform.rotation(0.4).then(.scale(x: 2, y: -3))
    let second = PlaneTransform.translation(x: 5, y: 6).then(.rotation(2))
    let both = first.then(second)
    let point = PlanePoint(x: 3, y: -8)
    let expected = second.applied(first.applied(point))
    let found = both.applied(point)
    #expect(abs(found.x - expected.x) < 1e-12 && abs(found.y - expected.y) < 1e-12)
    let back = try #require(both.inverse).applied(found)
    #expect(abs(back.x - 3) < 1e-12 && abs(back.y + 8) < 1e-12)
    #expect(PlaneTransform.scale(x: 0, y: 1).inverse == nil)
    #expect(PlaneTransform.rotation(2 * .pi) == .identity)
  }

  @Test("Boxes, polygons and lengths go to pixels and back, turned ones too")
  func boxes() throws {
    let desk = try Desk(type: "Drawing")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 30, height: 10)])
    let box = try #require(try desk.root.box)
    let turned = try ViewTransform(
      dpiX: 254, dpiY: 254, offsetX: 1000, offsetY: 0, rotation: .pi / 2)
    desk.editor.viewTransform = turned
    let pixels = turned.viewBox(box)
    func isNear(_ one: BoundingBox, _ other: BoundingBox) -> Bool {
      one.grown(by: 1e-9).holds(other) && other.grown(by: 1e-9).holds(one)
    }
    #expect(isNear(pixels, BoundingBox(minX: 500, minY: 200, maxX: 600, maxY: 500)))
    #expect(isNear(turned.documentBox(pixels), box))
    let corners = turned.viewPolygon(box.corners)
    let expected = [(600.0, 200.0), (600, 500), (500, 500), (500, 200)]
    for (corner, place) in zip(corners, expected) {
      #expect(abs(corner.x - place.0) < 1e-9 && abs(corner.y - place.1) < 1e-9)
    }
    for (corner, place) in zip(turned.documentPolygon(corners), box.corners) {
      #expect(abs(corner.x - place.x) < 1e-9 && abs(corner.y - place.y) < 1e-9)
    }
    #expect(abs(turned.viewLength(3) - 30) < 1e-9 && abs(turned.documentLength(30) - 3) < 1e-9)
    let hit = try desk.editor.hitBlock(x: 550, y: 300)
    #expect(hit == nil)
    let odd = try ViewTransform(rotation: 0.5)
    let around = odd.viewBox(box)
    let seen = odd.viewPolygon(box.corners)
    #expect(seen.allSatisfy { around.contains(x: $0.x, y: $0.y, within: 1e-9) })
  }

  @Test("A view that scrolls in mid-stroke: each sample keeps the transform of its time")
  func midStroke() throws {
    let moved = try ViewTransform(dpiX: 25.4, dpiY: 25.4, scale: 2, offsetX: 30, offsetY: 7)
    let places = [(20.0, 20.0), (21, 22), (23, 21), (25, 25)]
    func pixel(_ index: Int) -> (x: Double, y: Double) {
      let view = index < 2 ? ViewTransform.millimetres : moved
      return view.view(x: places[index].0, y: places[index].1)
    }
    let pointer = try Desk(type: "Drawing")
    let pen = try Desk(type: "Drawing")
    try pen.editor.configuration.set("pen.update-deadline", to: 3_600_000)
    for (index, _) in places.enumerated() {
      if index == 2 {
        pointer.editor.viewTransform = moved
        pen.editor.viewTransform = moved
      }
      let (x, y) = pixel(index)
      let sample = PenSample(
        point: StrokePoint(x: x, y: y, t: Double(index)), estimated: .location,
        expectingUpdates: .location, updateIndex: index)
      switch index {
      case 0:
        try pointer.editor.pointerDown(x: x, y: y)
        try pen.editor.handle(.began(sample))
      case places.count - 1:
        try pointer.editor.pointerUp(x: x, y: y)
        try pen.editor.handle(.ended(sample))
      default:
        try pointer.editor.pointerMove(x: x, y: y)
        try pen.editor.handle(.moved(coalesced: [sample], predicted: []))
      }
    }
    func ink(_ desk: Desk) throws -> [PlanePoint] {
      let item = try #require(try desk.root.items.first)
      let points = try desk.editor.stroke(of: item)?.points ?? []
      return points.map { PlanePoint(x: $0.x, y: $0.y) }
    }
    let expected = places.map { PlanePoint(x: $0.0, y: $0.1) }
    #expect(try ink(pointer) == expected)
    #expect(try ink(pen) == expected)
    // A late position is in the pixels of its sample's time.
    pen.editor.viewTransform = try ViewTransform(scale: 7)
    try pen.editor.handle(.updated(PenUpdate(index: 1, location: .init(x: 22, y: 20))))
    let late = moved.view(x: 30, y: 30)
    try pen.editor.handle(.updated(PenUpdate(index: 3, location: .init(x: late.x, y: late.y))))
    #expect(try ink(pen)[1] == PlanePoint(x: 22, y: 20))
    #expect(try ink(pen)[3] == PlanePoint(x: 30, y: 30))
  }

  @Test("The hand scrolls by pixels also when the app moves the view meanwhile")
  func scrolling() throws {
    let desk = try Desk(type: "Drawing")
    let listener = Listener { editor, event in
      guard case .scrolled(let dx, let dy) = event else { return }
      var view = editor.viewState
      view.pan(dx: dx, dy: dy)
      editor.viewState = view
    }
    desk.editor.delegate = listener
    try desk.editor.pointerDown(x: 50, y: 50, type: .touch)
    for step in 1...5 {
      try desk.editor.pointerMove(x: 50 + 10 * Double(step), y: 50, type: .touch)
      try desk.editor.waitUntilIdle()
    }
    try desk.editor.pointerUp(x: 100, y: 50, type: .touch)
    try desk.editor.waitUntilIdle()
    #expect(abs(desk.editor.viewTransform.offsetX - 50) < 1e-9)
  }

  @Test("A change of the size is told; the extent of the page grows with ink below")
  func extent() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.setViewSize(width: 300, height: 400)
    try desk.editor.waitUntilIdle()
    #expect(
      listener.events.contains {
        if case .viewChanged(let old, let new) = $0 {
          old.width == 200 && new.width == 300 && new.height == 400
        } else {
          false
        }
      })
    let page = BoundingBox(minX: 0, minY: 0, maxX: 300, maxY: 400)
    #expect(desk.editor.pageExtent() == page)
    try desk.write("ab", y: 100)
    #expect(desk.editor.pageExtent() == page)
    try desk.write("ab", y: 600)
    #expect(desk.editor.pageExtent(margin: 10).maxY == 612)
    #expect(desk.editor.pageExtent(margin: 10).maxX == 300)
    // Zoom and scrolling change nothing.
    let extent = desk.editor.pageExtent()
    var view = desk.editor.viewState
    view.zoom(by: 3, x: 50, y: 50)
    desk.editor.viewState = view
    #expect(desk.editor.pageExtent() == extent)
  }
}
