import Foundation
import InkCore
import InkDatasets
import PretrainedModels
import Recognition
import Testing

/// Pages of real ink, read with the models that ship.
@Suite("Pages with the models that ship")
struct ShippedPageTests {
  private static let cases = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Cases")

  /// The ink of a case with letters of one height, its upper left corner at the origin.
  private static func ink(_ name: String, item: Int = 0, height: Double = 30) throws -> Ink {
    let data = try DataSpecification(
      parsing: "ink:\(cases.appending(path: name).path)?split=all")
    let ink = try Array(data.records(unlabelled: true))[item].get().labeled.ink
    let heights = ink.strokes.compactMap { Ink(strokes: [$0]).boundingBox }
      .map { max($0.height, $0.width / 4) }.sorted()
    let scale = height / heights[Int(0.7 * Double(heights.count))]
    return moved(
      Ink(
        strokes: ink.strokes.map { stroke in
          Stroke(points: stroke.points.map { StrokePoint(x: $0.x * scale, y: $0.y * scale) })
        }), x: 0, y: 0)
  }

  private static func moved(_ ink: Ink, x: Double, y: Double) -> Ink {
    guard let box = ink.boundingBox else { return ink }
    return Ink(
      strokes: ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map {
            StrokePoint(x: $0.x - box.minX + x, y: $0.y - box.minY + y)
          })
      })
  }

  private static func read(_ ink: Ink) throws -> RecognitionResult {
    try DigitalInkRecognizer(model: "latin-lines", provider: try PretrainedModels())
      .recognizeNow(ink)
  }

  private static func letters(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }
  }

  @Test(
    "Ink whose strokes all run backward is read as if they ran forward",
    arguments: ["pages/welcome.jsonl", "words/hello-how-are-you.jsonl"])
  func backward(_ name: String) throws {
    let ink = try Self.ink(name)
    let backward = Ink(strokes: ink.strokes.map { Stroke(points: $0.points.reversed()) })
    let (expected, found) = (try Self.read(ink), try Self.read(backward))
    #expect(found.text() == expected.text())
    #expect(found.lines.map(\.strokes) == expected.lines.map(\.strokes))
    let parts = { (result: RecognitionResult) in
      result.lines.flatMap { $0.candidates[0].characters.map(\.parts) }
    }
    // The points of a character are counted in the ink that was given.
    let turned = parts(found).map { parts in
      parts.map { part in
        let count = ink.strokes[part.stroke].points.count
        return CharacterInk.Part(
          stroke: part.stroke,
          points: count - part.points.upperBound..<count - part.points.lowerBound)
      }
    }
    #expect(turned == parts(expected))
  }

  @Test("A note at an angle is read beside an upright page", arguments: [90, -90, 30, 45, -45])
  func note(angle: Int) throws {
    let page = try Self.ink("pages/welcome.jsonl")
    let alone = try Self.read(page)
    let edge = try #require(page.boundingBox)
    let note = try Self.ink("words/central-processing-unit.jsonl").turned(by: Double(angle))
    let isSteep = abs(angle) == 90
    let ink = Ink(
      strokes: page.strokes
        + Self.moved(note, x: isSteep ? edge.maxX + 80 : 0, y: isSteep ? 0 : edge.maxY + 80).strokes
    )
    let result = try Self.read(ink)
    let block = try #require(result.blocks.first { $0.angle != 0 })
    #expect(result.blocks.count { $0.angle != 0 } == 1)
    #expect(abs(block.angle - Double(angle)) < 12, "\(block.angle)")
    #expect(block.strokes == Array(page.strokes.count..<ink.strokes.count))
    #expect(block.bounds == Ink(strokes: block.strokes.map { ink.strokes[$0] }).boundingBox)
    let text = block.lines.map { result.lines[$0].text }.joined(separator: " ")
    #expect(Self.letters(text) == "central processing unit")
    let upright = result.lines.filter { result.blocks[$0.block].angle == 0 }
    #expect(upright.map(\.text) == alone.lines.map(\.text))
  }

  @Test("Words in columns are a table of their cells, in any order of the strokes")
  func table() throws {
    let cells = [
      ("words/madrid.jsonl", 0, "madrid"), ("words/years.jsonl", 0, "1943"),
      ("words/tokyo.jsonl", 0, "tokyo"), ("words/years.jsonl", 1, "1993"),
      ("words/paris.jsonl", 0, "paris"), ("words/rome.jsonl", 0, "rome"),
    ]
    var strokes: [Stroke] = []
    for (index, cell) in cells.enumerated() {
      let ink = try Self.ink(cell.0, item: cell.1, height: cell.0.contains("years") ? 24 : 30)
      let height = ink.boundingBox?.height ?? 0
      strokes +=
        Self.moved(
          ink, x: 300 * Double(index % 2), y: 90 * Double(index / 2) - height / 2
        ).strokes
    }
    let result = try Self.read(Ink(strokes: strokes))
    #expect(result.blocks.map(\.kind) == [.table])
    let rows = result.blocks.first?.rows.map { row in
      row.map { Self.letters($0.map { result.lines[$0].text }.joined(separator: " ")) }
    }
    #expect(rows == [["madrid", "1943"], ["tokyo", "1993"], ["paris", "rome"]])
    var generator = SeededGenerator(seed: 4)
    let any = try Self.read(Ink(strokes: strokes.shuffled(using: &generator)))
    #expect(any.blocks.map(\.kind) == [.table])
  }

  @Test("A heading twice as high, and a small note, are read as well as alone")
  func sizes() throws {
    let page = try Self.ink("pages/welcome.jsonl")
    let alone = try Self.read(page)
    let heading = try Self.ink("words/central-processing-unit.jsonl", height: 60)
    let small = try Self.ink("words/buenos-aires.jsonl", height: 18)
    let below = (heading.boundingBox?.maxY ?? 0) + 40
    let end = below + (page.boundingBox?.maxY ?? 0) + 60
    let ink = Ink(
      strokes: heading.strokes + Self.moved(page, x: 0, y: below).strokes
        + Self.moved(small, x: 0, y: end).strokes)
    let result = try Self.read(ink)
    #expect(result.blocks.map(\.heading).first == 1)
    #expect(result.blocks.dropFirst().allSatisfy { $0.heading == 0 })
    let texts = result.lines.map(\.text)
    #expect(texts.first.map(Self.letters) == "central processing unit")
    #expect(
      texts.dropFirst().dropLast().map(Self.letters) == alone.lines.map { Self.letters($0.text) })
    #expect(texts.last.map(Self.letters) == Self.letters(try Self.read(small).candidates[0].text))
  }

  @Test("A text that no language explains is of the default language, and says so")
  func language() throws {
    let library = ModelLibrary([try PretrainedModels()])
    let reader = try library.reader(for: ReadingSpecification())
    let number = try reader.recognize(try Self.ink("words/years.jsonl"))
    #expect(number.language == "en" && number.languageIsDefault)
    let text = try reader.recognize(try Self.ink("pages/welcome.jsonl"))
    #expect(text.language == "en" && !text.languageIsDefault)
    let named = try library.reader(for: ReadingSpecification(language: "en"))
    #expect(try !named.recognize(try Self.ink("words/years.jsonl")).languageIsDefault)
  }

  @Test("A page whose language is found is read as if it were named")
  func foundLanguage() throws {
    let library = ModelLibrary([try PretrainedModels()])
    let found = try library.reader(for: ReadingSpecification())
    let named = try library.reader(for: ReadingSpecification(language: "en"))
    // Lines of French come first, so that the language is only found after the first batch of lines.
    let lines =
      try Ink.labelled(["la maison bleue"], count: 10)
      + Ink.labelled(["they went to the house of the king"], count: 12)
    var late = Ink(strokes: [])
    for (line, labelled) in lines.enumerated() {
      late.strokes += Self.moved(labelled.ink, x: 0, y: Double(line) * 110).strokes
    }
    for ink in [try Self.ink("pages/diagram.jsonl"), late] {
      let (page, english) = (try found.recognize(ink), try named.recognize(ink))
      #expect(page.language == "en")
      #expect(page.lines.count > 15 && page.lines == english.lines)
    }
  }

  /// Single characters far apart in rows, written row by row.
  private static func grid(
    _ rows: [String], writer: Int, width: Double, height: Double
  ) throws -> Ink {
    var ink = Ink(strokes: [])
    for (row, cells) in rows.enumerated() {
      for (column, text) in cells.enumerated() {
        let all = try Ink.labelled([String(text)], count: 8)
        let cell = try #require(all.isEmpty ? nil : all[writer % all.count]).ink
        let left = cell.boundingBox?.minX ?? 0
        // Only the left edge is moved: letters stay on their lines.
        ink.strokes += cell.strokes.map { stroke in
          Stroke(
            points: stroke.points.map {
              StrokePoint(
                x: $0.x - left + Double(column) * width, y: $0.y + Double(row) * height)
            })
        }
      }
    }
    return ink
  }

  @Test("Single digits in rows and columns are all text: 9 and 0 are no rings, boxes or formulas")
  func digits() throws {
    let ink = try Self.grid(["8584", "7195", "4061", "3589"], writer: 5, width: 240, height: 130)
    let result = try Self.read(ink)
    #expect(result.lines.flatMap(\.strokes) == Array(ink.strokes.indices))
    #expect(result.text().count { !$0.isWhitespace } == 16)
  }

  @Test(
    "Single letters in rows and columns, whose ink is in bands in any direction, are not turned")
  func letters() throws {
    for (rows, writer, width, height) in [
      (["Gufb", "GbAp", "hfQE", "fGue"], 2, 190.0, 160.0), (["FH", "Tp", "dn", "qn"], 7, 190, 80),
    ] {
      let ink = try Self.grid(rows, writer: writer, width: width, height: height)
      let result = try Self.read(ink)
      #expect(result.lines.flatMap(\.strokes) == Array(ink.strokes.indices), "\(rows)")
      #expect(result.blocks.allSatisfy { $0.angle == 0 }, "\(rows)")
    }
  }
}
