import Features
import Foundation
import InkCore
import InkDatasets
import ModelFormat
import PretrainedModels
import Recognition
import Testing

/// Pages from right to left. The network of `latin-lines` with another direction reads mirrored pages:
/// all that is found in a page must be found in its mirror image.
@Suite("Pages from right to left, with the models that ship")
struct MirroredReadingTests {
  private static let cases = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Cases")

  private static func ink(_ name: String) throws -> Ink {
    let data = try DataSpecification(
      parsing: "ink:\(cases.appending(path: name).path)?split=all")
    return try Array(data.records(unlabelled: true))[0].get().labeled.ink
  }

  private static func reader(_ direction: WritingDirection) throws -> LineRecognizer {
    let url = try #require(try PretrainedModels().bundleURL(of: "latin-lines"))
    let model = try LineModel(bundle: ModelBundle.open(url))
    var pipeline = model.pipeline
    pipeline.direction = direction
    return try LineRecognizer(
      inSinglePrecision: LineModel(
        labels: model.labels, pipeline: pipeline, network: model.network,
        parameters: model.parameters))
  }

  private static func expectMirrored(_ ink: Ink) throws -> RecognitionResult {
    let plain = try reader(.leftToRight).recognize(ink)
    let mirrored = try reader(.rightToLeft).recognize(ink.turned(.rightToLeft))
    #expect(mirrored.lines.map(\.strokes) == plain.lines.map(\.strokes))
    #expect(mirrored.lines.map(\.text) == plain.lines.map(\.text))
    #expect(mirrored.lines.map(\.level) == plain.lines.map(\.level))
    #expect(mirrored.drawing == plain.drawing)
    #expect(mirrored.edges == plain.edges)
    #expect(mirrored.marks == plain.marks)
    let blocks = mirrored.blocks.map { block in
      var block = block
      block.angle = block.angle == 0 ? 0 : -block.angle
      block.bounds = block.bounds?.turned(.rightToLeft)
      return block
    }
    #expect(blocks == plain.blocks)
    return plain
  }

  @Test(
    "A mirrored page has the mirrored blocks, marks and edges",
    arguments: ["diagram", "heading-and-underline", "late-letters", "welcome"])
  func mirrored(name: String) throws {
    let found = try Self.expectMirrored(try Self.ink("pages/\(name).jsonl"))
    #expect(found.blocks.count > 1 || !found.marks.isEmpty || found.lines.count > 1)
  }

  @Test("A page that is turned is turned back from its mirror image", arguments: [20.0, -30, 90])
  func turned(degrees: Double) throws {
    let found = try Self.expectMirrored(
      try Self.ink("pages/welcome.jsonl").turned(by: degrees))
    #expect(found.blocks.contains { abs($0.angle - degrees) < 8 })
  }

  /// A page of virtual Hebrew lines: a heading, a text, a list with dashes, a table of three columns.
  private static func hebrewPage() throws -> Ink {
    var strokes: [Stroke] = []
    /// Puts a text that ends at a right edge on a baseline.
    func write(_ text: String, right: Double = 1000, y: Double, scale: Double = 1) throws {
      let ink = try #require(try Ink.printed(text).first)
      let edge = ink.boundingBox?.maxX ?? 0
      strokes += ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map {
            StrokePoint(x: right + ($0.x - edge) * scale, y: y + $0.y * scale)
          })
      }
    }
    try write("רשימת קניות", y: 0, scale: 2.2)
    for (row, text) in ["קנינו היום לחם וחלב", "ונסענו הביתה", "מחר נלך לים"].enumerated() {
      try write(text, y: 260 + 150 * Double(row))
    }
    for (row, text) in ["תפוחים", "גבינה", "עגבניות"].enumerated() {
      let y = 760 + 150 * Double(row)
      strokes.append(
        Stroke(points: (0...8).map { StrokePoint(x: 1000 - 5 * Double($0), y: y - 30) }))
      try write(text, right: 920, y: y)
    }
    let table = [["שם", "גיל", "עיר"], ["דוד", "12", "חיפה"], ["שרה", "34", "אילת"]]
    for (row, cells) in table.enumerated() {
      for (column, text) in cells.enumerated() {
        try write(text, right: 1000 - 480 * Double(column), y: 1300 + 150 * Double(row))
      }
    }
    return Ink(strokes: strokes)
  }

  @Test("A Hebrew page has its heading, the items of its list and its table from the right")
  func hebrew() throws {
    let result = try DigitalInkRecognizer(model: "he", provider: try PretrainedModels())
      .recognizeNow(try Self.hebrewPage())
    let table = try #require(result.blocks.first { $0.kind == .table })
    #expect(result.blocks.map(\.heading).first == 1)
    #expect(result.blocks.count { $0.heading > 0 } == 1)
    #expect(result.lines.filter { $0.level == 1 }.count == 3)
    #expect(table.rows.map(\.count) == [3, 3, 3])
    // The first column is at the right edge.
    let columns = (0..<3).map { column in
      table.rows.flatMap { $0[column] }.flatMap { result.lines[$0].strokes }
    }
    let ink = try Self.hebrewPage()
    let edges = columns.map { strokes in
      Ink(strokes: strokes.map { ink.strokes[$0] }).boundingBox?.maxX ?? 0
    }
    #expect(edges == edges.sorted(by: >))
    let text = result.text()
    #expect(text.contains("שם\tגיל\tעיר"), "\(text)")
  }
}
