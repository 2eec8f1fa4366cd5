import Foundation
import InkCore
import InkFormats

/// Draws the pages that a query found as one HTML file without scripts: the ink around each hit, with
/// the places marked.
public enum SearchPage {
  /// The most hits that are drawn; others are text.
  private static let mostDrawn = 200

  /// Returns the HTML of hits. The ink is read from the files again; where it is gone, the text stays.
  public static func html(_ hits: [SearchHit], query: String) -> String {
    var files: [String: [Int: InkRecord]] = [:]
    var body = ""
    for (number, hit) in hits.enumerated() {
      if number < mostDrawn, files[hit.path] == nil {
        // One file is in memory at a time as a rule: hits of one file follow each other or not.
        if files.count > 8 { files = [:] }
        files[hit.path] = PagePicture.pages(of: hit.path)
      }
      let record = number < mostDrawn ? files[hit.path]?[hit.page - 1] : nil
      body += section(hit, record)
    }
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>\(PagePicture.escaped(query))</title><style>
      body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
      section{margin:0 0 2rem}svg{display:block;width:100%;max-height:14rem;background:#fff;border:1px solid #ccc}
      h2{font-size:1rem;margin:0 0 .3rem}p{margin:.3rem 0}mark{background:#ffe27a}
      </style></head><body><h1>\(PagePicture.escaped(query))</h1>
      <p>\(hits.count == 1 ? "1 page" : "\(hits.count) pages")</p>
      \(body)</body></html>

      """
  }

  private static func section(_ hit: SearchHit, _ record: InkRecord?) -> String {
    let title = "\(hit.path), page \(hit.page)"
    var text = "<section><h2>\(PagePicture.escaped(title))</h2>"
    if let record,
      let picture = PagePicture.around(hit.places.map(\.box), of: record, title: title)
    {
      text += picture
    }
    return text + "<p>\(marked(hit))</p></section>\n"
  }

  /// The line of a hit with the words of its places marked.
  private static func marked(_ hit: SearchHit) -> String {
    let words = Set(hit.places.flatMap { $0.text.split(separator: " ") })
    return hit.line.split(separator: " ").map { word in
      words.contains(word)
        ? "<mark>\(PagePicture.escaped(String(word)))</mark>" : PagePicture.escaped(String(word))
    }.joined(separator: " ")
  }
}
