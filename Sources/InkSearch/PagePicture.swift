import Foundation
import InkCore
import InkFormats

/// Draws a page of notes, or the ink around a place of it, as SVG without scripts.
package enum PagePicture {
  /// Ink around a place, in its heights.
  private static let margin = 2.5

  /// Returns the pages of a file by their numbers, from 0; those that cannot be read are missing.
  package static func pages(of path: String) -> [Int: InkRecord] {
    guard let reader = try? InkReader(path: path, unit: .page, withTypedPages: true) else {
      return [:]
    }
    var pages: [Int: InkRecord] = [:]
    for case .success(let record) in reader { pages[record.indexInSource] = record }
    return pages
  }

  /// Returns the picture of a whole page, with places marked; nil if nothing is on it.
  package static func page(_ record: InkRecord, marks: [[Double]], title: String) -> String? {
    let boxes = [record.sheet, record.labeled.ink.boundingBox] + record.texts.map(\.box)
    let known = boxes.compactMap(\.self)
    guard let all = known.dropFirst().reduce(into: known.first, { $0?.formUnion($1) }) else {
      return nil
    }
    let edge = 0.02 * max(all.width, all.height, 1e-6)
    return svg(
      record,
      (all.minX - edge, all.minY - edge, all.maxX + edge, all.maxY + edge), marks, title)
  }

  /// Returns the ink around the first of some boxes, which are marked; nil if there is none.
  package static func around(
    _ boxes: [[Double]], of record: InkRecord, title: String
  ) -> String? {
    guard let first = boxes.first, first.count == 4 else { return nil }
    let size = max(first[3], 1e-6)
    let whole = record.labeled.ink.boundingBox
    let left = min(whole?.minX ?? first[0], first[0]) - size / 2
    let right = max(whole?.maxX ?? 0, first[0] + first[2]) + size / 2
    return svg(
      record, (left, first[1] - margin * size, right, first[1] + (1 + margin) * size), boxes, title)
  }

  private static func svg(
    _ record: InkRecord,
    _ view: (left: Double, top: Double, right: Double, bottom: Double), _ marks: [[Double]],
    _ title: String
  ) -> String {
    var svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"\(number(view.left)) "
      + "\(number(view.top)) \(number(view.right - view.left)) "
      + "\(number(view.bottom - view.top))\"><title>\(escaped(title))</title>"
    for mark in marks where mark.count == 4 {
      guard mark[1] < view.bottom, mark[1] + mark[3] > view.top else { continue }
      svg +=
        "<rect x=\"\(number(mark[0]))\" y=\"\(number(mark[1]))\" "
        + "width=\"\(number(mark[2]))\" height=\"\(number(mark[3]))\" fill=\"#ffe27a\"/>"
    }
    let height = marks.first.map { $0.count == 4 ? $0[3] : 0 } ?? 0
    let pen = record.penWidth ?? max(height / 20, (view.bottom - view.top) / 1000)
    for stroke in record.labeled.ink.strokes {
      guard let box = Ink(strokes: [stroke]).boundingBox, box.minY < view.bottom,
        box.maxY > view.top
      else { continue }
      let points = stroke.points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
      svg +=
        "<polyline fill=\"none\" stroke=\"#111\" stroke-width=\"\(number(pen))\" "
        + "stroke-linecap=\"round\" stroke-linejoin=\"round\" points=\"\(points)\"/>"
    }
    for typed in record.texts where typed.box.minY < view.bottom && typed.box.maxY > view.top {
      let lines = typed.text.split(whereSeparator: \.isNewline)
      let height = typed.box.height / Double(max(1, lines.count))
      for (row, line) in lines.enumerated() {
        let baseline = typed.box.minY + (Double(row) + 0.8) * height
        let isMirrored = WritingDirection(of: String(line)) == .rightToLeft
        let x = isMirrored ? typed.box.maxX : typed.box.minX
        svg +=
          "<text x=\"\(number(x))\" y=\"\(number(baseline))\" "
          + (isMirrored ? "direction=\"rtl\" " : "")
          + "font-size=\"\(number(0.8 * height))\">\(escaped(String(line)))</text>"
      }
    }
    return svg + "</svg>"
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    return String(format: "%.2f", value)
  }

  /// Returns a text for HTML and XML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        // XML knows no other control characters.
        let isControl = character.unicodeScalars.contains {
          $0.value < 0x20 && $0 != "\t" && $0 != "\n" && $0 != "\r"
        }
        if !isControl { result.append(character) }
      }
    }
    return result
  }
}
