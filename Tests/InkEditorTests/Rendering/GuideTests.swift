import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import Testing

@Suite("Guides")
struct GuideTests {
  /// The writing area that a text was read with.
  private func area(_ desk: Desk, _ strokes: [[StrokePoint]]) throws -> WritingArea {
    try desk.draw(strokes)
    try desk.editor.waitUntilIdle()
    return try #require(desk.reader.calls.last?.area)
  }

  /// Zigzags of a height whose ink ends at a baseline.
  private func writing(height: Double, baseline: Double) -> [[StrokePoint]] {
    (0..<5).map { letter in
      (0..<12).map { index in
        StrokePoint(
          x: 20 + 1.2 * height * Double(letter) + height * Double(index) / 12,
          y: baseline - (index.isMultiple(of: 2) ? 0 : height))
      }
    }
  }

  @Test("A region has the rows that reach into it, with baselines, in millimetres and pixels")
  func rows() throws {
    let desk = try Desk()
    let region = BoundingBox(minX: 0, minY: 0, maxX: 200, maxY: 60)
    let rows = desk.editor.guideRows(in: region)
    #expect(rows.map(\.top) == [10, 20, 30, 40, 50])
    #expect(rows.map(\.index) == [0, 1, 2, 3, 4])
    #expect(rows.map(\.baseline) == [17.5, 27.5, 37.5, 47.5, 57.5])
    #expect(rows.allSatisfy { $0.left == 15 && $0.right == 185 && $0.bottom == $0.top + 10 })
    desk.editor.viewTransform = try ViewTransform(
      dpiX: 254, dpiY: 254, scale: 2, offsetX: 100, rotation: .pi / 2)
    let pixels = try #require(desk.editor.viewGuideRows(in: region).first)
    // 1 mm is 20 pixels; x goes down, and y to the left. The page is now 20 mm wide, so that a row
    // has its least width.
    for (point, place) in zip(pixels.baseline, [(-250.0, 300.0), (-250, 500)]) {
      #expect(abs(point.x - place.0) < 1e-9 && abs(point.y - place.1) < 1e-9)
    }
    #expect(pixels.corners.count == 4 && abs(pixels.corners[0].x + 100) < 1e-9)
    #expect(desk.editor.guideRows(in: BoundingBox(minX: 0, minY: -50, maxX: 9, maxY: 9)).isEmpty)
    let far = BoundingBox(minX: 0, minY: 1e300, maxX: 200, maxY: .infinity)
    #expect(desk.editor.guideRows(in: far).isEmpty)
  }

  @Test("Letters that stand on a baseline are read with its row")
  func baseline() throws {
    for baseline in [17.5, 47.5] {
      let area = try area(try Desk(), writing(height: 4.5, baseline: baseline))
      #expect(area.y == baseline - 7.5 && area.height == 10)
      #expect(area.x == 15 && area.width == 170)
    }
  }

  @Test("Letters that hang below the baseline are read with their row")
  func descenders() throws {
    // Ink of gjpqy: from 3 mm above the baseline to 3.5 mm below it.
    let area = try area(try Desk(), writing(height: 6.5, baseline: 27.5 + 3.5))
    #expect(area.y == 20)
  }

  @Test("The switch ends drawing and use, on the editor and on the engine")
  func enable() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    #expect(desk.editor.drawCommands(of: .background).count == 1)
    try desk.engine.configuration.set("text.guides.enable", to: false)
    #expect(desk.editor.guides == nil && desk.editor.guideRows().isEmpty)
    #expect(desk.editor.drawCommands(of: .background).isEmpty)
    let area = try area(desk, writing(height: 4.5, baseline: 17.5))
    #expect(area.height != 10)
    try desk.editor.configuration.set("text.guides.enable", to: true)
    #expect(desk.editor.guides != nil)
    try desk.editor.waitUntilIdle()
    #expect(listener.events.count { if case .guidesChanged = $0 { true } else { false } } == 2)
  }

  @Test("Text and text documents have guides by default, other parts have none")
  func types() throws {
    for type in PartType.allCases {
      let desk = try Desk(type: type.rawValue)
      let expected = type == .text || type == .textDocument
      #expect((desk.editor.guides != nil) == expected)
      #expect(desk.editor.drawCommands(of: .background).isEmpty != expected)
    }
    #expect(try Desk(type: nil).editor.guides == nil)
    let document = try area(
      try Desk(type: "Text Document"), writing(height: 4.5, baseline: 37.5))
    #expect(document.y == 30 && document.height == 10)
  }

  @Test("Changes of keys, style, size and zoom are told once each, scrolling is not")
  func told() throws {
    let desk = try Desk()
    let editor = desk.editor
    let changes: [(String, Int, () throws -> Void)] = [
      ("key", 1, { try editor.configuration.set("text.guides.spacing", to: 12) }),
      ("margin", 1, { try editor.configuration.set("text.margin.left", to: 5) }),
      ("style", 1, { editor.styleSheet = try StyleSheet(parsing: ".guide { color: #FF0000; }") }),
      ("size", 1, { try editor.setViewSize(width: 300, height: 500) }),
      ("zoom", 1, { editor.viewTransform = try ViewTransform(scale: 2) }),
      ("scroll", 0, { editor.viewTransform = try ViewTransform(scale: 2, offsetY: 50) }),
      ("other key", 0, { try editor.configuration.set("recognition.candidates", to: 3) }),
      ("nothing", 0, { try editor.setViewSize(width: 300, height: 500) }),
    ]
    for (name, count, change) in changes {
      let listener = Listener()
      editor.delegate = listener
      try change()
      try editor.waitUntilIdle()
      let regions = listener.events.compactMap { event -> BoundingBox? in
        if case .guidesChanged(let region) = event { region } else { nil }
      }
      #expect(regions.count == count, "\(name)")
      #expect(regions.allSatisfy { $0 == editor.viewState.visibleBox })
    }
  }

  @Test("The width is that of the page, however the view is scrolled and zoomed")
  func pageWidth() throws {
    let strokes = writing(height: 4.5, baseline: 27.5)
    var areas: [WritingArea] = []
    for (scale, offset) in [(1.0, 0.0), (1, -500), (1, 500), (3, -120), (0.4, 33)] {
      let desk = try Desk()
      let view = try ViewTransform(dpiX: 25.4, dpiY: 25.4, scale: scale, offsetX: offset)
      desk.editor.viewTransform = view
      let pixels = strokes.map { points in
        points.map { point in
          let pixel = view.view(x: point.x, y: point.y)
          return StrokePoint(x: pixel.x, y: pixel.y)
        }
      }
      areas.append(try area(desk, pixels))
    }
    #expect(areas.allSatisfy { $0.width == 170 && $0.x == 15 && $0.y == 20 })
  }

  @Test("Ink above the first row is told, and read with an estimate")
  func above() throws {
    let desk = try Desk()
    let listener = Listener()
    desk.editor.delegate = listener
    let area = try area(desk, writing(height: 3, baseline: 5))
    #expect(area.y < 5 && area.height != 10)
    #expect(
      listener.events.contains {
        if case .notice(let notice) = $0 { notice.code == .inkAboveFirstLine } else { false }
      })
    #expect(try !desk.text().isEmpty)
  }

  @Test("Ink much taller or smaller than a row is read as without guides")
  func estimates() throws {
    for (height, baseline) in [(25.0, 57.5), (1.5, 57.5)] {
      let strokes = writing(height: height, baseline: baseline)
      let on = try area(try Desk(), strokes)
      let off = try area(
        try Desk { try $0.configuration.set("text.guides.enable", to: false) }, strokes)
      #expect(on == off)
    }
  }

  @Test("Baselines of JIIX lines agree with the guides that the ink stands on")
  func jiix() throws {
    let desk = try Desk { try $0.configuration.set("export.jiix.text.lines", to: true) }
    // Letters are 4 mm tall around their middle.
    for row in [0, 2, 3] {
      let baseline = try #require(desk.editor.guides?.row(row).baseline)
      try desk.write("abc", y: baseline - 2)
    }
    try desk.editor.waitUntilIdle()
    let lines = try #require(try desk.editor.exportDocument().lines)
    let baselines = lines.map(\.baselineY)
    for (line, expected) in zip(baselines, [17.5, 37.5, 47.5]) {
      #expect(abs(line - expected) < 1)
    }
  }

  @Test("A drawing shows guides by option; by default it has none")
  func drawn() throws {
    let desk = try Desk()
    try desk.write("abc", y: 25)
    func lines(_ svg: String) -> Int { svg.components(separatedBy: "class=\"guides\"").count - 1 }
    #expect(lines(try desk.editor.svg()) == 0)
    #expect(lines(try desk.editor.export(as: .svg)) == 0)
    #expect(lines(try desk.editor.svg(options: SVGOptions(showsGuides: true))) == 1)
    let svg = try desk.editor.export(
      as: .svg, overrides: #"{"export": {"svg": {"guides": true}}}"#)
    #expect(lines(svg) == 1)
  }
}
