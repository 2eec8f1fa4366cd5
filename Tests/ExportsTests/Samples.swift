import Exports
import Files
import Foundation
import InkCore
import InkEditor

/// Documents and helpers for the tests of writers.
enum Sample {
  /// A word in a box that begins at a place.
  static func word(
    _ text: String, x: Double, y: Double = 10, width: Double = 20, height: Double = 5,
    _ decorations: Set<DecorationKind> = []
  ) -> ExportWord {
    ExportWord(
      text,
      place: ExportPlace(BoundingBox(minX: x, minY: y, maxX: x + width, maxY: y + height)),
      decorations: decorations)
  }

  /// A line of words without places.
  static func line(_ words: String...) -> ExportLine { ExportLine(words.map { ExportWord($0) }) }

  /// A line, drawn.
  static func stroke(_ x: Double, _ y: Double, color: String = "#000000") -> DrawCommand {
    .stroke(
      DrawPath([PlanePoint(x: x, y: y), PlanePoint(x: x + 10, y: y + 5)], isClosed: false),
      InkColor(color) ?? .black, LineStyle(width: 0.5))
  }

  static let sheet = BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 50)

  /// A page with blocks.
  static func document(_ blocks: ExportBlock.Content..., title: String = "") -> ExportDocument {
    ExportDocument(
      title: title, language: "en",
      pages: [ExportPage(box: sheet, blocks: blocks.enumerated().map { ExportBlock(id: $0, $1) })])
  }

  /// Everything that a document can hold.
  static var everything: ExportDocument {
    var figure = ExportBlock(id: 6, .figure([line("label")]))
    figure.drawing = [stroke(20, 20)]
    var formula = ExportBlock(id: 7, .formula(nil))
    formula.drawing = [stroke(40, 20)]
    let blocks = [
      ExportBlock(id: 0, .heading(level: 1, [line("A", "title")])),
      ExportBlock(
        id: 1,
        .paragraph([
          ExportLine([
            ExportWord("plain"), ExportWord("under", decorations: [.underline]),
            ExportWord("struck", decorations: [.strikeThrough]),
            ExportWord("bright", decorations: [.highlight]),
          ])
        ])),
      ExportBlock(id: 2, .item(level: 1, mark: .bullet, [line("first")])),
      ExportBlock(id: 2, .item(level: 2, mark: .number("1."), [line("inner")])),
      ExportBlock(id: 2, .item(level: 2, mark: .number("2."), [line("next")])),
      ExportBlock(id: 3, .item(level: 1, mark: .box, [line("second")])),
      ExportBlock(
        id: 4, .table([[[line("a|b")], [line("c")]], [[line("1")], [line("2"), line("3")]]])),
      ExportBlock(id: 5, .paragraph([line("<b>", "&", "\"x\"")])),
      figure, formula,
    ]
    return ExportDocument(
      title: "Notes & more", language: "en",
      pages: [
        ExportPage(
          box: sheet, drawing: [stroke(10, 10), stroke(20, 20, color: "#FF000080")], blocks: blocks)
      ])
  }

  /// Returns the text of an entry of a ZIP archive.
  static func entry(_ name: String, of bytes: [UInt8]) throws -> String {
    let archive = try ZipArchive(ByteSource(bytes))
    guard let entry = archive[name] else { return "" }
    return String(decoding: try archive.bytes(of: entry, limit: 1 << 20), as: UTF8.self)
  }
}
