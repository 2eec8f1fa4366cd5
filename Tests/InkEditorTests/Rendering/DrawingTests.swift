import Foundation
import InkCore
import InkEditor
import PenInput
import Recognition
import TestSamples
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Drawing")
struct DrawingTests {
  private static let commands: [DrawCommand] = [
    .fill(
      DrawPath([
        .move(PlanePoint(x: 1, y: 2)), .line(PlanePoint(x: 3.5, y: 2)),
        .quadratic(control: PlanePoint(x: 4, y: 4), to: PlanePoint(x: 1, y: 4.25)), .close,
      ]), InkColor(red: 255, green: 0, blue: 0, alpha: 51)),
    .clip(
      DrawPath(BoundingBox(minX: 0, minY: 0, maxX: 5, maxY: 5)),
      [
        .stroke(
          DrawPath([
            .move(PlanePoint(x: 0, y: 0)),
            .cubic(
              control1: PlanePoint(x: 1, y: 0), control2: PlanePoint(x: 2, y: -0.5),
              to: PlanePoint(x: 3, y: 1)),
          ]), .black, LineStyle(width: 0.5, cap: .square, join: .bevel, dash: [1, 0.5]))
      ]),
    .group(
      DrawGroup(
        name: "a\"b", opacity: 0.5, transform: PlaneTransform(a: 2, d: 2, tx: 1, ty: 0),
        [
          .text(DrawText("x < y & z", origin: PlanePoint(x: 1, y: 9), size: 4)),
          .image(
            DrawImage(
              bytes: [1, 2, 3], type: "image/png",
              box: BoundingBox(minX: 0, minY: 0, maxX: 2, maxY: 1))),
        ])),
  ]

  @Test("A list of commands is the expected SVG")
  func svgOfCommands() {
    var painter = SVGPainter()
    painter.draw(Self.commands)
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">
      <title>T</title>
      <path d="M1 2l2.5 0q.5 2-2.5 2.25z" fill="#FF0000" fill-opacity="0.2"/>
      <clipPath id="clip1"><path d="M0 0l5 0 0 5-5 0z"/></clipPath>
      <g clip-path="url(#clip1)">
      <path d="M0 0c1 0 2-.5 3 1" fill="none" stroke="#000000" stroke-width=".5" \
      stroke-linecap="square" stroke-linejoin="bevel" stroke-dasharray="1 .5"/>
      </g>
      <g class="a&quot;b" opacity="0.5" transform="matrix(2.0 0.0 0.0 2.0 1.0 0.0)">
      <text x="1" y="9" font-size="4" font-family="sans-serif" fill="#000000" \
      xml:space="preserve">x &lt; y &amp; z</text>
      <image x="0" y="0" width="2" height="1" preserveAspectRatio="none" \
      href="data:image/png;base64,AQID"/>
      </g>
      </svg>

      """
    #expect(
      painter.document(box: BoundingBox(minX: 0, minY: 0, maxX: 10, maxY: 10), title: "T")
        == expected)
  }

  @Test("The same list goes to three painters; one of them counts")
  func painters() {
    var counter = CountingPainter()
    counter.draw(Self.commands)
    #expect(
      counter.counts
        == ["fill": 1, "clip": 1, "stroke": 1, "group": 1, "text": 1, "image": 1])
    var svg = SVGPainter()
    svg.draw(Self.commands)
    #expect(svg.elements.components(separatedBy: "<path").count == 4)
    var raster = RasterPainter(width: 10, height: 10, step: 0.25)
    raster.draw(Self.commands)
    #expect(raster.marks.count > 50 && raster.marks.count < 200)
  }

  @Test("Coordinates of a path are rounded before they are subtracted, so errors do not add up")
  func rounding() {
    let points = (0...1000).map { PlanePoint(x: Double($0) * 0.0104, y: -Double($0) * 0.00049) }
    let data = SVGPainter.data(DrawPath(points, isClosed: false), decimals: 2)
    var (x, y) = (0.0, 0.0)
    let body = data.dropFirst().split(separator: "l")
    var numbers: [Double] = []
    for match in body[1].matches(of: /-?\d*\.?\d+/) { numbers.append(Double("\(match.0)") ?? .nan) }
    for index in stride(from: 0, to: numbers.count, by: 2) {
      x += numbers[index]
      y += numbers[index + 1]
    }
    #expect(numbers.count == 2000)
    #expect(abs(x - 10.4) < 0.006 && abs(y + 0.49) < 0.006)
    #expect(SVGPainter.data(DrawPath([PlanePoint(x: .nan, y: 1e300)])) == "M0 0z")
  }

  @Test("Each layer is drawn alone: guides, ink, live ink, selection")
  func layers() throws {
    let desk = try Desk(type: "Raw Content") {
      try $0.configuration.set("touch.palm-rejection", to: false)
    }
    func counts() -> [Int] {
      RenderLayer.allCases.map { desk.editor.drawCommands(of: $0).count }
    }
    #expect(counts() == [0, 0, 0, 0])
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    #expect(counts() == [0, 1, 0, 0])
    try desk.editor.pointerDown(x: 20, y: 41, type: .touch)
    try desk.editor.pointerUp(x: 20, y: 41, type: .touch)
    #expect(counts() == [0, 1, 0, 1])
    try desk.editor.pointerDown(x: 100, y: 100)
    try desk.editor.pointerMove(x: 110, y: 100)
    #expect(counts() == [0, 1, 1, 1])
    try desk.editor.pointerCancel()
    #expect(counts() == [0, 1, 0, 1])
    try desk.editor.setPart(nil)
    #expect(counts() == [0, 0, 0, 0])
    let text = try Desk()
    text.editor.styleSheet = try StyleSheet(parsing: ".page { background: #FFFFFF; }")
    #expect(text.editor.drawCommands(of: .background).count == 2)
  }

  @Test("A region has the strokes in it alone, in the order they were written")
  func region() throws {
    let seed = UInt64.random(in: 1...1_000_000)
    var generator = SeededRandom(seed)
    let desk = try Desk(type: "Drawing")
    func check() throws {
      for _ in 0..<6 {
        let x = Double.random(in: 0...180, using: &generator)
        let y = Double.random(in: 0...900, using: &generator)
        let side: Double = [3, 30, 300, 3000].randomElement(using: &generator) ?? 3
        let box = BoundingBox(minX: x, minY: y, maxX: x + side, maxY: y + side)
        let near = box.grown(by: StrokeStyle.standard.greatestWidth / 2)
        let items = try desk.root.items.filter { item in
          let points = try #require(try desk.editor.stroke(of: item))
          return Ink(strokes: [points]).boundingBox?.overlaps(near) ?? false
        }
        let expected = desk.editor.drawCommands(ofItems: items)
        #expect(desk.editor.drawCommands(of: .ink, in: box) == expected, "seed \(seed)")
      }
      #expect(desk.editor.drawCommands(of: .ink).count == (try desk.root.items.count))
    }
    for index in 0..<60 {
      let letter = ["a", "b", "c"][index % 3]
      try desk.write(
        letter, x: Double.random(in: 0...180, using: &generator),
        y: Double.random(in: 5...900, using: &generator))
    }
    try desk.draw([[StrokePoint(x: 0, y: 0), StrokePoint(x: 5000, y: 9000)]])
    try check()
    try desk.editor.removeItems(try desk.root.items.filter { $0.isMultiple(of: 3) })
    try check()
    try desk.editor.undo()
    try check()
    try desk.editor.undo()
    try check()
  }

  @Test("The live stroke has all points so far and the item of its down event")
  func live() throws {
    let desk = try Desk(type: "Drawing")
    let red = try StrokeStyle(color: "#FF0000", width: 2)
    desk.editor.tools.setStyle(red, for: .pen)
    let item = try desk.editor.pointerDown(x: 1, y: 1, id: 4)
    for step in 1...5 {
      try desk.editor.pointerMove(x: Double(step), y: 2, id: 4)
      let live = desk.editor.liveStrokes
      #expect(live.map(\.id) == [item] && live[0].points.count == step + 1)
      #expect(live[0].style == red && live[0].predicted.isEmpty && live[0].pointer == .pen)
    }
    try desk.editor.pointerDown(x: 50, y: 50, type: .mouse, id: 5)
    try desk.editor.pointerDown(x: 60, y: 60, type: .touch, id: 6)
    #expect(desk.editor.liveStrokes.map(\.pointer) == [.pen, .mouse])
    try desk.editor.pointerUp(x: 6, y: 2, id: 4)
    #expect(desk.editor.liveStrokes.map(\.pointer) == [.mouse])
    try desk.editor.pointerCancel(id: 5)
    #expect(desk.editor.liveStrokes.isEmpty)
  }

  private func sample(_ x: Double, _ y: Double, force: Double? = nil) -> PenSample {
    PenSample(point: StrokePoint(x: x, y: y, t: 10 * x, force: force))
  }

  @Test("Predictions are drawn, replaced by the next samples, and never become ink")
  func predictions() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.handle(.began(sample(1, 1)))
    try desk.editor.handle(
      .moved(coalesced: [sample(2, 1), sample(3, 1)], predicted: [sample(9, 1), sample(12, 1)]))
    let first = try #require(desk.editor.liveStrokes.first)
    #expect(first.points.map(\.x) == [1, 2, 3] && first.predicted.map(\.x) == [9, 12])
    #expect((first.command?.box?.maxX ?? 0) > 12)
    try desk.editor.handle(.moved(coalesced: [sample(4, 1)], predicted: []))
    let second = try #require(desk.editor.liveStrokes.first)
    #expect(second.points.map(\.x) == [1, 2, 3, 4] && second.predicted.isEmpty)
    #expect((second.command?.box?.maxX ?? 0) < 5)
    try desk.editor.handle(
      .moved(coalesced: [sample(5, 1)], predicted: [sample(30, 1)]))
    try desk.editor.handle(.ended(nil))
    #expect(desk.editor.liveStrokes.isEmpty)
    let item = try #require(try desk.root.items.first)
    #expect(try desk.editor.stroke(of: item)?.points.map(\.x) == [1, 2, 3, 4, 5])
  }

  @Test("At the up event the ink goes from the live layer to the document without a change")
  func noGap() throws {
    for style in [nil, try StrokeStyle(color: "#12345678", width: 1.5, brush: .nib)] {
      let desk = try Desk(type: "Drawing")
      desk.editor.tools.setStyle(style, for: .pen)
      let places = (0...20).map { (10 + Double($0), 30 + 3 * sin(Double($0) / 2)) }
      let item = try desk.editor.pointerDown(x: places[0].0, y: places[0].1, force: 0.2)
      for (index, place) in places.dropFirst().enumerated() {
        try desk.editor.pointerMove(x: place.0, y: place.1, force: 0.2 + 0.03 * Double(index))
      }
      let live = desk.editor.drawCommands(of: .live)
      #expect(live.count == 1 && desk.editor.drawCommands(of: .ink).isEmpty)
      // A pen that leaves where it was adds no point.
      try desk.editor.pointerUp(x: places[20].0, y: places[20].1, force: 0)
      #expect(desk.editor.drawCommands(of: .live).isEmpty)
      #expect(desk.editor.drawCommands(of: .ink) == live)
      #expect(desk.editor.drawCommand(ofItem: try #require(item)) == live.first)
    }
  }

  @Test("Pictures of the ink before and after a change differ in the invalidated boxes only")
  func invalidations() throws {
    let seed = UInt64.random(in: 1...1_000_000)
    var generator = SeededRandom(seed)
    let desk = try Desk(type: "Raw Content")
    let editor = desk.editor
    #expect(editor.takeInvalidations().map(\.layer) == RenderLayer.allCases)
    #expect(editor.takeInvalidations().isEmpty)
    func picture(_ layer: RenderLayer) -> Set<Int> {
      var painter = RasterPainter(width: 200, height: 120, step: 0.5)
      painter.draw(editor.drawCommands(of: layer))
      return painter.marks
    }
    let places = RasterPainter(width: 200, height: 120, step: 0.5)
    var before = [RenderLayer.ink: picture(.ink), .live: picture(.live)]
    let styles = try [0.3, 1, 3].map { try StrokeStyle(color: "#000000", width: $0) }
    var changed = 0
    for round in 0..<60 {
      let (x, y) = (
        Double.random(in: 5...180, using: &generator), Double.random(in: 5...110, using: &generator)
      )
      switch Int.random(in: 0..<7, using: &generator) {
      case 0, 1, 2:
        editor.tools.setStyle(styles.randomElement(using: &generator), for: .pen)
        try editor.pointerDown(x: x, y: y, force: 0.1)
        for step in 1...6 {
          try editor.pointerMove(x: x + 2 * Double(step), y: y + Double(step % 3), force: 0.9)
        }
        if round.isMultiple(of: 2) { try check() }
        try editor.pointerUp(x: x + 14, y: y)
      case 3: try editor.undo()
      case 4: try editor.redo()
      case 5:
        let items = try desk.root.items.filter { _ in Bool.random(using: &generator) }
        try editor.setStyle(styles.randomElement(using: &generator), forItems: items)
      default:
        let items = try desk.root.items
        if let item = items.randomElement(using: &generator) { try editor.removeItems([item]) }
      }
      try editor.waitUntilIdle()
      try check()
    }
    func check() throws {
      let parts = editor.takeInvalidations()
      for layer in [RenderLayer.ink, .live] {
        let after = picture(layer)
        let boxes = parts.filter { $0.layer == layer }.map(\.box)
        let different = after.symmetricDifference(before[layer] ?? [])
        if !different.isEmpty { changed += 1 }
        for mark in different {
          let place = places.place(mark)
          try #require(
            boxes.contains { $0.contains(x: place.x, y: place.y, within: 0) },
            "seed \(seed), \(layer.rawValue)")
        }
        before[layer] = after
      }
    }
    #expect(changed > 10)
  }

  @Test("A new stroke redraws its box alone; readers of events are told once")
  func oneStroke() throws {
    let desk = try Desk(type: "Drawing")
    try desk.write("abcdefgh", y: 50)
    _ = desk.editor.takeInvalidations()
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.draw([[StrokePoint(x: 60, y: 60), StrokePoint(x: 70, y: 62)]])
    try desk.draw([[StrokePoint(x: 160, y: 60), StrokePoint(x: 170, y: 62)]])
    try desk.editor.waitUntilIdle()
    #expect(listener.events.count { $0 == .redrawNeeded } == 1)
    desk.editor.viewTransform = try ViewTransform(dpiX: 50.8, dpiY: 50.8)
    desk.editor.viewTransform = .millimetres
    let whole = desk.editor.takeInvalidations()
    #expect(whole.count == 4 && whole.allSatisfy { $0.box == desk.editor.viewState.visibleBox })
    try desk.draw([[StrokePoint(x: 60, y: 80), StrokePoint(x: 70, y: 82)]])
    let parts = desk.editor.takeInvalidations().filter { $0.layer == .ink }
    let half = StrokeStyle.standard.greatestWidth / 2
    #expect(
      parts.map(\.box) == [
        BoundingBox(minX: 60, minY: 80, maxX: 70, maxY: 82).grown(by: half)
      ])
    #expect(parts.map(\.viewBox) == parts.map(\.box))
    #expect(desk.editor.takeInvalidations().isEmpty)
  }

  @Test("A late force redraws its sample and neighbours alone")
  func lateForce() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.configuration.set("pen.update-deadline", to: 3_600_000)
    func sample(_ index: Int) -> PenSample {
      PenSample(
        point: StrokePoint(x: 10 + 0.3 * Double(index), y: 20, t: Double(index), force: 0.33),
        estimated: .force, expectingUpdates: .force, updateIndex: index)
    }
    try desk.editor.handle(.began(sample(0)))
    for index in 1..<60 {
      try desk.editor.handle(.moved(coalesced: [sample(index)], predicted: []))
    }
    try desk.editor.handle(.ended(sample(60)))
    _ = desk.editor.takeInvalidations()
    try desk.editor.handle(.updated(PenUpdate(index: 30, force: 0.9)))
    let parts = desk.editor.takeInvalidations()
    #expect(parts.map(\.layer) == [.ink])
    let box = try #require(parts.first?.box)
    #expect(box.contains(x: 19, y: 20, within: 0))
    #expect(max(box.width, box.height) < 4 * StrokeStyle.standard.width)
  }

  @Test("Ideal shapes, text and images have commands and SVG")
  func shapes() throws {
    typealias Point = RecognizedShape.Point
    let forms: [(RecognizedShape.Form, Int)] = [
      (.rectangle(BoundingBox(minX: 1, minY: 1, maxX: 5, maxY: 3)), 5),
      (.circle(center: Point(x: 5, y: 5), radius: 2), 6),
      (.ellipse(center: Point(x: 5, y: 5), radiusX: 2, radiusY: 1), 6),
      (.polygon(kind: "triangle", [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 2, y: 3)]), 4),
      (.polyline([Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 2, y: 3)]), 3),
      (.line(from: Point(x: 0, y: 0), to: Point(x: 9, y: 0), startArrow: true, endArrow: true), 8),
    ]
    for (form, steps) in forms {
      let shape = RecognizedShape(label: "shape", candidates: [], form: form, deviation: 0)
      let command = DrawCommand.shape(shape, color: .black, width: 0.4)
      guard case .stroke(let path, _, let style) = command else {
        Issue.record("no line")
        continue
      }
      #expect(path.steps.count == steps && style.width == 0.4)
      #expect(DrawPath(path.steps) == path)
    }
    let desk = try Desk(type: "Raw Content")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    #expect(try !desk.editor.svg().contains("class=\"shapes\""))
    #expect(
      try desk.editor.svg(options: SVGOptions(showsShapes: true)).contains("class=\"shapes\""))
    let text = DrawCommand.text(DrawText("a", origin: PlanePoint(x: 1, y: 2), size: 3))
    #expect(text.box == nil)
    let box = BoundingBox(minX: 0, minY: 0, maxX: 2, maxY: 1)
    let image = DrawCommand.image(DrawImage(bytes: [0], type: "image/png", box: box))
    let group = DrawGroup(transform: .scale(x: 2, y: 2), [image, text])
    #expect(DrawCommand.group(group).box == BoundingBox(minX: 0, minY: 0, maxX: 4, maxY: 2))
  }

  @Test("An SVG of a block has its box, widths by force, and ink that is not read")
  func svg() throws {
    let desk = try Desk(type: "Raw Content", hasTextModel: false)
    try desk.write("ab", x: 20, y: 20)
    try desk.draw([Pen.rectangle(x: 20, y: 60, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    let node = try #require(try desk.root.children.first { $0.type == .node })
    let plain = try desk.editor.svg(node, options: SVGOptions(margin: 0))
    #expect(plain.contains(#"width="40mm" height="25mm" viewBox="20 60 40 25""#))
    #expect(plain.components(separatedBy: "<path").count == 2)
    let page = try desk.editor.export(as: .svg)
    #expect(page.components(separatedBy: "<path").count == 4)
    #expect(!page.contains("NaN") && !page.contains("inf"))
    // Ink without forces is a line, ink with forces an outline.
    #expect(!plain.contains("fill=\"#000000\"") && plain.contains("stroke-width=\".6\""))
    try desk.editor.pointerDown(x: 100, y: 20, force: 0.2)
    try desk.editor.pointerMove(x: 110, y: 20, force: 0.5)
    try desk.editor.pointerUp(x: 120, y: 20, force: 1)
    #expect(try desk.editor.svg().contains("fill=\"#000000\""))
    let named = try desk.editor.svg(
      options: SVGOptions(title: "a < b", description: "\u{0}text"))
    #expect(named.contains("<title>a &lt; b</title>") && named.contains("<desc>text</desc>"))
    let parser = XMLParser(data: Data(named.utf8))
    #expect(parser.parse())
    try desk.editor.clear()
    #expect(try desk.editor.svg().contains(#"viewBox="0 0 200 1000""#))
    #expect(throws: EditorError.noPart) { try Desk(type: nil).editor.svg() }
    #expect(throws: EditorError.invalidBlock(node.id)) { try desk.editor.svg(node) }
  }

  @Test("The example of the documentation is compiled here, and draws what changed")
  func documentation() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    func file(_ path: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(path).standardized, encoding: .utf8)
    }
    let snippets = try file("../../../docs/Rendering.md").components(separatedBy: "```swift\n")
      .dropFirst().map { lines($0.components(separatedBy: "\n```")[0]) }
    let example = try #require(snippets.first { $0.contains { $0.hasPrefix("func redraw(") } })
    for place in ["RenderingExample.swift", "../../../Examples/Painter/Main.swift"] {
      #expect(lines(try file(place)).contains(example), "\(place)")
    }
    let desk = try Desk()
    var counter = CountingPainter()
    redraw(desk.editor, on: &counter)
    // Every layer is drawn again in each of the four boxes, from the paper up.
    #expect(counter.counts["clip"] == 4 && counter.counts["group"] == 16)
    try desk.write("a")
    var second = CountingPainter()
    redraw(desk.editor, on: &second)
    #expect((second.counts["fill"] ?? 0) >= 2)
    while desk.editor.canUndo { try desk.editor.undo() }
    var third = CountingPainter()
    redraw(desk.editor, on: &third)
    // The place of the ink is painted again, without ink.
    #expect((third.counts["clip"] ?? 0) >= 1)
  }
}
