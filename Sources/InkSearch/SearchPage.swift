import Foundation
import InkCore
import InkFormats

/// Draws the pages that a query found as one HTML file without scripts: the ink around each hit, with
/// the places marked.
public enum SearchPage {
  /// The most hits that are drawn; others are text.
  private static let mostDrawn = 200
  /// Ink around a hit, in its heights.
  private static let margin = 2.5

  /// Returns the HTML of hits. The ink is read from the files again; where it is gone, the text stays.
  public static func html(_ hits: [SearchHit], query: String) -> String {
    var files: [String: [Int: InkRecord]] = [:]
    var body = ""
    for (number, hit) in hits.enumerated() {
      if number < mostDrawn, files[hit.path] == nil {
        // One file is in memory at a time as a rule: hits of one file follow each other or not.
        if files.count > 8 { files = [:] }
        files[hit.path] = pages(of: hit.path)
      }
      let record = number < mostDrawn ? files[hit.path]?[hit.page - 1] : nil
      body += section(hit, record)
    }
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>\(escaped(query))</title><style>
      body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
      section{margin:0 0 2rem}svg{display:block;width:100%;max-height:14rem;background:#fff;border:1px solid #ccc}
      h2{font-size:1rem;margin:0 0 .3rem}p{margin:.3rem 0}mark{background:#ffe27a}
      </style></head><body><h1>\(escaped(query))</h1>
      <p>\(hits.count == 1 ? "1 page" : "\(hits.count) pages")</p>
      \(body)</body></html>

      """
  }

  private static func pages(of path: String) -> [Int: InkRecord] {
    guard let reader = try? InkReader(path: path, unit: .page, withTypedPages: true) else {
      return [:]
    }
    var pages: [Int: InkRecord] = [:]
    for case .success(let record) in reader { pages[record.indexInSource] = record }
    return pages
  }

  private static func section(_ hit: SearchHit, _ record: InkRecord?) -> String {
    let title = "\(hit.path), page \(hit.page)"
    var text = "<section><h2>\(escaped(title))</h2>"
    if let record, let picture = svg(hit, record, title) { text += picture }
    return text + "<p>\(marked(hit))</p></section>\n"
  }

  /// The line of a hit with the words of its places marked.
  private static func marked(_ hit: SearchHit) -> String {
    let words = Set(hit.places.flatMap { $0.text.split(separator: " ") })
    return hit.line.split(separator: " ").map { word in
      words.contains(word) ? "<mark>\(escaped(String(word)))</mark>" : escaped(String(word))
    }.joined(separator: " ")
  }

  private static func svg(_ hit: SearchHit, _ record: InkRecord, _ title: String) -> String? {
    guard let first = hit.places.first, first.box.count == 4 else { return nil }
    let size = max(first.box[3], 1e-6)
    let (top, bottom) = (first.box[1] - margin * size, first.box[1] + (1 + margin) * size)
    let whole = record.labeled.ink.boundingBox
    var (left, right) = (
      whole?.minX ?? first.box[0], whole?.maxX ?? first.box[0] + first.box[2]
    )
    left = min(left, first.box[0]) - size / 2
    right = max(right, first.box[0] + first.box[2]) + size / 2
    var svg =
      "<svg role=\"img\" viewBox=\"\(number(left)) \(number(top)) \(number(right - left)) "
      + "\(number(bottom - top))\"><title>\(escaped(title))</title>"
    for place in hit.places where place.box.count == 4 {
      guard place.box[1] < bottom, place.box[1] + place.box[3] > top else { continue }
      svg +=
        "<rect x=\"\(number(place.box[0]))\" y=\"\(number(place.box[1]))\" "
        + "width=\"\(number(place.box[2]))\" height=\"\(number(place.box[3]))\" fill=\"#ffe27a\"/>"
    }
    let pen = record.penWidth ?? size / 20
    for stroke in record.labeled.ink.strokes {
      guard let box = Ink(strokes: [stroke]).boundingBox, box.minY < bottom, box.maxY > top else {
        continue
      }
      let points = stroke.points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
      svg +=
        "<polyline fill=\"none\" stroke=\"#111\" stroke-width=\"\(number(pen))\" "
        + "stroke-linecap=\"round\" points=\"\(points)\"/>"
    }
    for typed in record.texts where typed.box.minY < bottom && typed.box.maxY > top {
      let lines = typed.text.split(whereSeparator: \.isNewline)
      let height = typed.box.height / Double(max(1, lines.count))
      for (row, line) in lines.enumerated() {
        svg +=
          "<text x=\"\(number(typed.box.minX))\" y=\"\(number(typed.box.minY + (Double(row) + 0.8) * height))\" "
          + "font-size=\"\(number(0.8 * height))\">\(escaped(String(line)))</text>"
      }
    }
    return svg + "</svg>"
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    return String(format: "%.2f", value)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
