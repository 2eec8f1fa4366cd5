import Foundation
import InkCore
import InkEditor
import InkFormats
import TestSamples
import Testing

@Suite("Decorations in exports")
struct DecorationExportTests {
  private func decorated(_ type: String = "Raw Content") throws -> (Desk, ContentBlock) {
    let desk = try Desk(type: type)
    try desk.write("hello world")
    try desk.write("again", y: 25)
    try desk.editor.waitUntilIdle()
    let root = try desk.root
    let block = root.type == .text ? root : try #require(root.children.first)
    let red = try DecorationStyle(color: InkColor(red: 200, green: 0, blue: 0), width: 0.7)
    try desk.editor.decorate(words: 0..<1, of: block, with: .underline)
    try desk.editor.decorate(characters: 6..<8, of: block, with: .surround, style: red)
    try desk.editor.decorate(words: 1..<3, of: block, with: .highlight)
    return (desk, block)
  }

  @Test("JIIX has the decorations of a text by kind and characters, by the schema")
  func jiix() throws {
    let (desk, _) = try decorated()
    for overrides in [nil, #"{"export": {"jiix": {"text": {"chars": true}}}}"#] {
      let json = try desk.editor.export(as: .jiix, overrides: overrides)
      #expect(try JSONSchema.jiix().faults(json) == [])
      let text = try #require(
        try JIIXBlock(parsing: Data(json.utf8)).elements?.first { $0.type == "Text" })
      #expect(
        text.decorations == [
          JIIXDecoration(kind: "underline", firstChar: 0, lastChar: 4),
          JIIXDecoration(
            kind: "surround", firstChar: 6, lastChar: 7, style: "color: #C80000; width: 0.7mm"),
          JIIXDecoration(kind: "highlight", firstChar: 6, lastChar: 16),
        ])
      #expect(text.label == "hello world\nagain")
      if let characters = text.chars { #expect(characters.count == 17) }
    }
    let json = try desk.editor.export(as: .jiix)
    #expect(json.contains(#""first-char":0"#))
    #expect(!json.contains("null"))
    // A schema that does not know the kind refuses it.
    #expect(
      try !JSONSchema.jiix().faults(json.replacingOccurrences(of: "surround", with: "around"))
        .isEmpty)
  }

  @Test(
    "JIIX out, in and out again is equal, with and without characters",
    arguments: ["Text", "Raw Content", "Text Document"], [true, false])
  func roundTrip(type: String, hasCharacters: Bool) throws {
    let (desk, _) = try decorated(type)
    let overrides = #"{"export": {"jiix": {"text": {"chars": \#(hasCharacters)}}}}"#
    let json = try desk.editor.export(as: .jiix, overrides: overrides)
    let other = try Desk(type: type)
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    // Without characters, it is not known which ink is that of a letter.
    let expected =
      hasCharacters
      ? json : json.replacingOccurrences(of: #""last-char":7"#, with: #""last-char":10"#)
    #expect(try other.editor.export(as: .jiix, overrides: overrides) == expected)
    #expect(other.editor.decorations.map(\.kind) == [.underline, .surround, .highlight])
    #expect(other.editor.possibleUndoCount == 1)
    try other.editor.undo()
    #expect(other.editor.decorations.isEmpty)
  }

  @Test("Decorations of foreign documents are taken where they fit, or are a typed error")
  func foreign() throws {
    let (desk, _) = try decorated("Text")
    let json = try desk.editor.export(as: .jiix)
    func imported(_ from: String, _ to: String) throws -> Desk {
      let other = try Desk()
      let changed = json.replacingOccurrences(of: from, with: to)
      #expect(changed != json)
      do {
        try other.editor.importDocument(Data(changed.utf8), as: .jiix)
      } catch {
        guard case .unusableImport = error else { throw error }
        #expect(other.editor.isEmpty && other.editor.possibleUndoCount == 0)
        throw error
      }
      return other
    }
    for (from, to) in [
      (#""kind":"surround""#, #""kind":"sponge""#),
      (#""first-char":6,"kind":"surround""#, #""first-char":-1,"kind":"surround""#),
      (#""first-char":6,"kind":"surround""#, #""first-char":9,"kind":"surround""#),
      (#""kind":"surround""#, #""kind":7"#),
      (#""last-char":7"#, #""last-char":99999999999999999999"#),
    ] {
      #expect(throws: EditorError.self, "\(to)") { try imported(from, to) }
    }
    // Characters that are not there have no ink.
    let far = try imported(#""last-char":7"#, #""last-char":9223372036854775807"#)
    #expect(try far.root.decorations[1].characters == 6..<17)
    // A style that cannot be read is that of the theme, as with strokes.
    let plain = try imported("color: #C80000; width: 0.7mm", "colour red")
    #expect(plain.editor.decorations.allSatisfy { $0.style == nil })
  }

  @Test("SVG draws each kind in a group of its class, by the theme or its own style")
  func svg() throws {
    let (desk, block) = try decorated()
    desk.editor.styleSheet = try StyleSheet(
      parsing: ".underline { color: #123456; width: 0.9mm; } .highlight { color: #ABCDEF80; }")
    try desk.editor.decorate(words: 0..<1, of: block, with: .strikeThrough)
    try desk.editor.decorate(words: 2..<3, of: block, with: .doubleUnderline)
    let svg = try desk.editor.svg()
    for kind in DecorationKind.allCases {
      #expect(svg.components(separatedBy: "<g class=\"\(kind.rawValue)\">").count == 2)
    }
    #expect(svg.contains("stroke=\"#123456\" stroke-width=\".9\""))
    #expect(svg.contains("fill=\"#ABCDEF\" fill-opacity=\"0.502\""))
    #expect(svg.contains("stroke=\"#C80000\" stroke-width=\".7\""))
    // A highlight is behind the ink, lines are before it.
    let ink = try #require(svg.range(of: "<g class=\"ink\">")).lowerBound
    #expect(try #require(svg.range(of: "class=\"highlight\"")).lowerBound < ink)
    #expect(try #require(svg.range(of: "class=\"underline\"")).lowerBound > ink)
    // The drawing of other ink has none of them.
    try desk.write("abc", y: 200)
    try desk.editor.waitUntilIdle()
    let other = try #require(try desk.root.children.last)
    #expect(other.id != block.id)
    #expect(!(try desk.editor.svg(other)).contains("underline"))
    #expect((try desk.editor.svg(block)).contains("underline"))
    // The thumbnail has them in the usual theme.
    let thumbnail = try #require(desk.editor.part).thumbnail()
    for kind in DecorationKind.allCases { #expect(thumbnail.contains("\"\(kind.rawValue)\"")) }
  }

  @Test("Draw commands have each decoration at its place, and only its ink is drawn again")
  func commands() throws {
    let desk = try Desk()
    try desk.write("hello world")
    try desk.write("again", y: 100)
    try desk.editor.waitUntilIdle()
    let words = try desk.root.words
    let plain = desk.editor.drawCommands(of: .ink)
    _ = desk.editor.takeInvalidations()
    for kind in DecorationKind.allCases {
      try desk.editor.decorate(words: 1..<2, of: desk.root, with: kind)
      let boxes = desk.editor.takeInvalidations().filter { $0.layer == .ink }.map(\.box)
      #expect(!boxes.isEmpty)
      for box in boxes {
        #expect(box.minX > words[0].box.maxX && box.maxX < words[1].box.maxX + 4, "\(kind)")
        #expect(box.minY > words[1].box.minY - 4 && box.maxY < words[1].box.maxY + 4, "\(kind)")
      }
      let groups = desk.editor.drawCommands(of: .ink).compactMap { command in
        if case .group(let group) = command { group } else { nil }
      }
      #expect(groups.map(\.name) == [kind.rawValue])
      let box = try #require(DrawCommand.group(groups[0]).box)
      #expect(boxes.contains { $0.grown(by: 1e-9).overlaps(box) })
      switch kind {
      case .underline, .doubleUnderline: #expect(box.minY > words[1].box.maxY - 0.1)
      case .strikeThrough:
        #expect(box.midY > words[1].box.minY && box.midY < words[1].box.maxY)
      case .highlight, .surround:
        #expect(box.minY < words[1].box.minY && box.maxY > words[1].box.maxY)
      }
      #expect(desk.editor.drawCommands(of: .ink, in: words[2].box).allSatisfy(plain.contains))
      try desk.editor.undo()
      #expect(
        desk.editor.takeInvalidations().contains { $0.layer == .ink && $0.box.overlaps(box) })
      #expect(desk.editor.drawCommands(of: .ink) == plain)
    }
  }
}
