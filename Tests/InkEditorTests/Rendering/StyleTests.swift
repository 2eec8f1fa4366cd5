import Foundation
import InkCore
import InkEditor
import InkFormats
import TestSamples
import Testing

@Suite("Styles and style sheets")
struct StyleTests {
  @Test("A sheet styles ink by its content, text, guides and the page")
  func sheet() throws {
    let sheet = try StyleSheet(
      parsing: """
        /* A theme
           of two lines. */
        .ink { color: #102030; width: 0.5mm }
        .text, .math { brush: fineliner; }
        .math { color: #FF0000; font-size: 18pt; line-height: 1.2cm; font-family: Noto Sans }
        .text { line-height: 8mm; font-size: 5; }
        .guide { color: #00FF0080; width: 0.1in; }
        .page { background: #FFFDF0; }
        .accent { brush: marker; width: 48px; least-width: 30% }
        """)
    #expect(sheet.strokeStyle(for: "ink") == sheet.strokeStyle(for: "unknown"))
    let text = sheet.strokeStyle(for: "text")
    #expect(text.color == "#102030" && text.width == 0.5 && text.brush == .fineliner)
    #expect(text.leastShare == 1)
    #expect(sheet.strokeStyle(for: "math").color == "#FF0000")
    #expect(sheet.text.lineHeight == 8 && sheet.text.fontSize == 5)
    #expect(sheet.math.lineHeight == 12 && abs(sheet.math.fontSize - 6.35) < 1e-9)
    #expect(sheet.math.fontFamily == "Noto Sans")
    #expect(abs(sheet.guide.width - 2.54) < 1e-9 && sheet.guide.color.alpha == 0x80)
    #expect(sheet.pageColor == InkColor("#FFFDF0"))
    let accent = sheet.strokeStyle(for: "accent")
    #expect(accent.brush == .marker && abs(accent.width - 12.7) < 1e-9 && accent.leastShare == 0.3)
    #expect(try StyleSheet(parsing: sheet.css) == sheet)
    #expect(try StyleSheet(parsing: "") == .standard)
    #expect(StyleSheet.standard.text.lineHeight == 10)
  }

  @Test("A bad sheet is an error with its line")
  func badSheets() throws {
    let cases: [(String, Int)] = [
      (".ink { color: red; }", 1), (".ink {\n  colour: #000000; }", 2), ("ink { }", 1),
      ("\n\n.ink { width: -1mm; }", 3), (".ink { width: 1km; }", 1), (".ink { width: nan; }", 1),
      (".ink { brush: quill; }", 1), (".ink { least-width: 101%; }", 1), (".ink { width 1mm; }", 1),
      (".ink { color: #12345; }", 1), ("/* open\n", 1), (".ink { color: #000000;\n", 2),
      (".ink { color: #000000; }\n}", 2), (".ink .text { }", 1), (". { }", 1),
      (".ink { font-family: a<b; }", 1), (".text { line-height: 0.1mm; }", 1),
      (".ink { color: #00000é; }", 1), (".ink,", 1),
    ]
    for (text, line) in cases {
      let error = #expect(throws: StyleSheetError.self, "\(text)") {
        try StyleSheet(parsing: text)
      }
      #expect(error?.line == line, "\(text): \(error?.description ?? "")")
      #expect(error?.localizedDescription == error?.description)
    }
    // No text is a trap.
    let seed = UInt64.random(in: 1...1_000_000)
    var generator = SeededRandom(seed)
    let parts = [
      ".", "ink", "{", "}", ":", ";", "color", "#000000", "width", "1mm", "/*", "*/", "\n",
    ]
    for _ in 0..<500 {
      let text = (0..<12).compactMap { _ in parts.randomElement(using: &generator) }.joined()
      _ = try? StyleSheet(parsing: text)
    }
  }

  @Test("The line height of text sets the spacing of guides; the key overrides it")
  func lineHeight() throws {
    let desk = try Desk()
    #expect(desk.editor.guides?.spacing == 10)
    let listener = Listener()
    desk.editor.delegate = listener
    desk.editor.styleSheet = try StyleSheet(parsing: ".text { line-height: 8mm; }")
    #expect(desk.editor.guides?.spacing == 8)
    try desk.editor.configuration.set("text.guides.spacing", to: 14)
    #expect(desk.editor.guides?.spacing == 14)
    desk.editor.configuration.remove("text.guides.spacing")
    #expect(desk.editor.guides?.spacing == 8)
    try desk.engine.configuration.set("text.guides.spacing", to: 12)
    #expect(desk.editor.guides?.spacing == 12)
    try desk.editor.waitUntilIdle()
    #expect(listener.events.count { if case .guidesChanged = $0 { true } else { false } } == 4)
  }

  @Test("Giving a selection another style is one change, which undo and redo follow")
  func restyle() throws {
    let desk = try Desk(type: "Drawing")
    let blue = try StrokeStyle(color: "#0000FF", width: 0.4, brush: .marker)
    let red = try StrokeStyle(color: "#FF0000", width: 1)
    desk.editor.tools.setStyle(blue, for: .pen)
    let items = try desk.write("abc")
    desk.editor.tools.setStyle(nil, for: .pen)
    let plain = try desk.write("d", x: 60)[0]
    let steps = desk.editor.possibleUndoCount
    let listener = Listener()
    desk.editor.delegate = listener
    #expect(try desk.editor.setStyle(red, forItems: [items[0], items[1], plain, 999]) == 3)
    #expect(desk.editor.possibleUndoCount == steps + 1)
    #expect(try desk.editor.setStyle(red, forItems: [plain]) == 0)
    #expect(desk.editor.possibleUndoCount == steps + 1)
    try desk.editor.waitUntilIdle()
    #expect(listener.events.contains(.contentChanged(added: [], removed: [], updated: ["0"])))
    func styles() -> [StrokeStyle?] { (items + [plain]).map { desk.editor.style(of: $0) } }
    #expect(styles() == [red, red, blue, red])
    try desk.editor.undo()
    #expect(styles() == [blue, blue, blue, nil])
    try desk.editor.redo()
    #expect(styles() == [red, red, blue, red])
    // A style survives erasing and coming back, also when its change is undone in between.
    try desk.editor.removeItems([items[0]])
    try desk.editor.undo()
    #expect(styles() == [red, red, blue, red])
    try desk.editor.removeItems([items[0]])
    try desk.editor.undo()
    try desk.editor.undo()
    #expect(styles() == [blue, blue, blue, nil])
    try desk.editor.redo()
    #expect(try desk.editor.setStyle(nil, forItems: items) == 3)
    #expect(styles() == [nil, nil, nil, red])
    try desk.editor.undo()
    #expect(styles() == [red, red, blue, red])
  }

  @Test("Random styles, strokes, erasing, undo and redo agree with a plain model")
  func randomStyles() throws {
    let seed = UInt64.random(in: 1...1_000_000)
    var generator = SeededRandom(seed)
    let desk = try Desk(type: "Drawing")
    let styles: [StrokeStyle?] =
      [nil] + (try (1...3).map { try StrokeStyle(color: "#00000\($0)", width: Double($0)) })
    var states: [[Int: StrokeStyle?]] = [[:]]
    var place = 0
    for _ in 0..<200 {
      var now = states[place]
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        let style = styles.randomElement(using: &generator) ?? nil
        desk.editor.tools.setStyle(style, for: .pen)
        let item = try desk.write("a", x: Double.random(in: 0...150, using: &generator))[0]
        now[item] = .some(style)
      case 2:
        guard let item = now.keys.sorted().randomElement(using: &generator) else { continue }
        try desk.editor.removeItems([item])
        now[item] = nil
      case 3:
        let style = styles.randomElement(using: &generator) ?? nil
        let items = now.keys.sorted().filter { _ in Bool.random(using: &generator) }
        guard try desk.editor.setStyle(style, forItems: items) > 0 else { continue }
        for item in items { now[item] = .some(style) }
      case 4:
        guard try desk.editor.undo() else { continue }
        place -= 1
        now = states[place]
      default:
        guard try desk.editor.redo() else { continue }
        place += 1
        now = states[place]
      }
      if now != states[place] {
        states = Array(states.prefix(place + 1)) + [now]
        place += 1
      }
      for (item, style) in now {
        try #require(desk.editor.style(of: item) == style, "seed \(seed)")
      }
    }
  }

  @Test("Styles are in JIIX and SVG, and as text and JSON; a style that is no style is refused")
  func exported() throws {
    let desk = try Desk()
    let green = try StrokeStyle(color: "#00AA00", width: 0.8, brush: .nib, leastShare: 0.25)
    desk.editor.tools.setStyle(green, for: .pen)
    try desk.write("ab")
    desk.editor.tools.setStyle(nil, for: .pen)
    try desk.write("c", x: 80)
    try desk.editor.waitUntilIdle()
    let words = try #require(try desk.editor.exportDocument().words)
    let strokes = words.compactMap(\.items).flatMap { $0 }
    #expect(strokes.map(\.style) == [green.declarations, green.declarations, nil])
    let text = try #require(strokes[0].style)
    #expect(try StrokeStyle(declarations: text) == green)
    #expect(try StrokeStyle(declarations: "color:#112233;width:0.6").width == 0.6)
    #expect(throws: StyleSheetError.self) { try StrokeStyle(declarations: "width: wide") }
    let json = try JSONEncoder().encode(green)
    #expect(try JSONDecoder().decode(StrokeStyle.self, from: json) == green)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(StrokeStyle.self, from: Data(#"{"color":"red","width":1}"#.utf8))
    }
    let svg = try desk.editor.export(as: .svg)
    #expect(svg.components(separatedBy: "#00AA00").count == 3)
    #expect(svg.components(separatedBy: "#000000").count == 2)
    #expect(InkColor("#01020380")?.description == "#01020380")
    #expect(["red", "#12", "#1234567", "#12345G", ""].allSatisfy { InkColor($0) == nil })
  }

  @Test("Ink is drawn in the look of its block")
  func blockRules() throws {
    let desk = try Desk(type: "Raw Content")
    desk.editor.styleSheet = try StyleSheet(
      parsing: ".node { color: #AA0000; } .text { color: #0000AA; }")
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 50, height: 25)])
    try desk.write("hello", x: 100, y: 52)
    try desk.editor.waitUntilIdle()
    func color(_ block: ContentBlock) -> [InkColor] {
      desk.editor.drawCommands(ofItems: block.items).compactMap {
        switch $0 {
        case .fill(_, let color), .stroke(_, let color, _): color
        default: nil
        }
      }
    }
    let blocks = try desk.root.children
    for (type, expected) in [(BlockType.node, "#AA0000"), (.text, "#0000AA")] {
      let block = try #require(blocks.first { $0.type == type })
      #expect(Set(color(block)) == [try #require(InkColor(expected))])
    }
  }
}
