import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("A page from right to left is the mirror image of one from left to right")
struct MirroredPageTests {
  private static let types = ["Text", "Raw Content", "Text Document"]

  @Test("Words, lines, and words that are written between others", arguments: types)
  func inserted(type: String) throws {
    let twins = try Twins(type: type)
    try twins.write("con   suv")
    #expect(try twins.compare() == "con suv")
    try twins.write("m", x: 33.5)
    try twins.write("row", y: 27)
    #expect(try twins.compare().contains("con m suv"))
    try twins.write("nu", x: 50)
    #expect(try twins.compare().hasSuffix("\nrow"))
    #expect(try twins.right.root.direction == .rightToLeft)
    #expect(try twins.left.root.direction == .leftToRight)
  }

  @Test("A line downward inserts a space, a line upward takes it out")
  func spaces() throws {
    let twins = try Twins(type: "Text")
    try twins.write("consum now")
    _ = try twins.compare()
    try twins.draw([GestureInk.line(from: (28.5, 10), to: (28.5, 20))])
    #expect(try twins.compare() == "con sum now")
    try twins.draw([GestureInk.line(from: (42, 20), to: (42, 10))])
    #expect(try twins.compare() == "con sumnow")
    try twins.both { try $0.editor.undo() }
    #expect(try twins.compare() == "con sum now")
  }

  @Test("A line downward in a wide gap breaks the line; one upward at its end joins the next")
  func lineBreaks() throws {
    let twins = try Twins(type: "Text")
    try twins.write("con       sum")
    _ = try twins.compare()
    try twins.draw([GestureInk.line(from: (40, 10), to: (40, 20))])
    #expect(try twins.compare() == "con\nsum")
    try twins.draw([GestureInk.line(from: (32, 20), to: (32, 10))])
    #expect(try twins.compare() == "con sum")
  }

  @Test("Words that do not fit move to the next line")
  func wrapping() throws {
    let twins = try Twins(type: "Text")
    // From 20 to 181 mm; the margin is at 185.
    try twins.write("consum now vow sun mum con sum now vow sun mum con su", x: 20)
    _ = try twins.compare()
    var text = ""
    for x in stride(from: 28.5, through: 130, by: 9) {
      try twins.draw([GestureInk.line(from: (x, 10), to: (x, 20))])
      text = try twins.compare()
    }
    #expect(text.split(separator: "\n").count > 1)
  }

  @Test("Erasing and writing again, underlines and lines through words")
  func marks() throws {
    let twins = try Twins(type: "Text")
    try twins.write("con sum now")
    _ = try twins.compare()
    try twins.draw([GestureInk.zigzag(GestureEffectTests.box(4..<7))])
    #expect(try twins.compare() == "con now")
    try twins.write("mv", x: 32)
    #expect(try twins.compare() == "con mv now")
    try twins.draw([GestureInk.line(from: (19, 18), to: (29, 18))])
    try twins.draw([GestureInk.line(from: (43, 15), to: (54, 15))])
    try twins.compare()
    #expect(
      try twins.left.root.decorations.map(\.kind) == twins.right.root.decorations.map(\.kind))
  }

  @Test("Conversion, another width, and a chosen word of typed text")
  func typed() throws {
    let twins = try Twins(type: "Text")
    try twins.write("con sum now vow")
    try twins.write("sun rum", y: 27)
    _ = try twins.compare()
    try twins.both { try $0.editor.convert() }
    #expect(try twins.compare("converted") == "con sum now vow\nsun rum")
    try twins.both { desk in
      let word = try #require(desk.root.words[1].candidates.last?.text)
      try desk.editor.choose(word, forWord: 1, in: desk.root)
    }
    #expect(try twins.compare("chosen") == "con SUM now vow\nsun rum")
    try twins.both { try $0.editor.reflow(try $0.root, width: 30) }
    #expect(try twins.compare("reflowed").split(separator: "\n").count > 2)
    try twins.both { desk in while try desk.editor.undo() {} }
    #expect(try twins.compare("undone") == "")
  }

  @Test("Columns are read from the right")
  func columns() throws {
    let twins = try Twins(type: "Text")
    for (row, words) in ["con sum", "now vow", "sun mum", "row con"].enumerated() {
      try twins.write(words, x: 20, y: 15 + 9 * Double(row))
    }
    for (row, words) in ["mum sun", "vow now", "sum con", "con row"].enumerated() {
      try twins.write(words, x: 90, y: 15 + 9 * Double(row))
    }
    let text = try twins.compare()
    #expect(text.hasPrefix("con sum\tmum sun\nnow vow\t"))
  }

  @Test("The guide is at the end where the block begins")
  func guide() throws {
    let twins = try Twins(type: "Raw Content")
    try twins.write("con sum", x: 60, y: 60)
    try twins.compare()
    let left = try #require(try twins.left.editor.guideRectangle(width: 40, height: 10))
    let right = try #require(try twins.right.editor.guideRectangle(width: 40, height: 10))
    #expect(abs(Twins.width - right.maxX - left.minX) < 0.01 && left.minY == right.minY)
  }

  @Test("JIIX is in logical order, and is read again as it was", arguments: types)
  func jiix(type: String) throws {
    let twins = try Twins(type: type)
    try twins.write("con sum now")
    try twins.write("row", y: 27)
    _ = try twins.compare()
    let json = try twins.right.editor.export(as: .jiix)
    let text = try twins.right.text()
    let other = try Twins(type: type).right
    try other.editor.importDocument(Data(json.utf8), as: .jiix)
    #expect(try other.text() == text)
    #expect(try other.editor.export(as: .jiix) == json)
    try other.draw(
      Pen.strokes("mm", x: 60, y: 15).map { $0.map { StrokePoint(x: 200 - $0.x, y: $0.y) } })
    #expect(try other.text().hasPrefix(MirroredReader.mapped("con sum now mm")))
  }

  /// The seeds of random pages: few, or those below the number in `DUCTUS_SOAK_MIRROR`, which `scripts/soak
  /// --editor-mirror` sets.
  private static let seeds =
    0..<(ProcessInfo.processInfo.environment["DUCTUS_SOAK_MIRROR"].flatMap { Int($0) } ?? 20)

  @Test("Random pages stay mirror images", arguments: seeds, types)
  func random(seed: Int, type: String) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    // Ink is read when it is asked for: what is read early depends on the threads.
    let twins = try Twins(type: type) {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    let words = ["con", "sum", "n", "ow", "vows", "rum"]
    for step in 0..<24 {
      let (x, y) = (
        Double.random(in: 20...150, using: &random),
        15 + 12 * Double(Int.random(in: 0..<3, using: &random))
      )
      // Shapes are beside the text of raw content.
      switch Int.random(in: 0..<(type == "Raw Content" ? 10 : 9), using: &random) {
      case 0...4: try twins.write(words.randomElement(using: &random) ?? "con", x: x, y: y)
      case 5: try twins.draw([GestureInk.line(from: (x, y - 5), to: (x, y + 5))])
      case 6: try twins.draw([GestureInk.line(from: (x, y + 5), to: (x, y - 5))])
      case 7:
        let box = BoundingBox(minX: x, minY: y - 3, maxX: x + 12, maxY: y + 3)
        // As ink it is a letter that the reader from right to left knows.
        try twins.draw([GestureInk.zigzag(box, ways: 9)])
      case 9:
        // As ink it is also such a letter.
        let frame = Pen.rectangle(x: x, y: y - 5, width: 20, height: 10)
        try twins.draw([frame + Array(repeating: frame[frame.count - 1], count: 3)])
      default: try twins.both { try $0.editor.undo() }
      }
      try twins.both { try $0.editor.recognize() }
      try twins.compare("\(type), seed \(seed), step \(step)")
    }
  }
}
