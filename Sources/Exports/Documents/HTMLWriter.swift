import Files
import Foundation
import InkEditor

/// Writes HTML 5 that is XML as well: headings, paragraphs, lists, tables, decorations; drawings and
/// formulas as inline SVG. On request, the ink of each page is drawn above its text.
struct HTMLWriter: PageSink {
  private var text: String
  private let options: ExportOptions

  /// Begins a page for browsers.
  ///
  /// - Parameters:
  ///   - title: The name of the document; empty for none.
  ///   - language: The tag of its language, if it is known.
  ///   - options: The choices.
  init(title: String, language: String?, _ options: ExportOptions) {
    self.options = options
    let language = language.map {
      " lang=\"\(XMLText.escaped($0.split(separator: ",").first.map(String.init) ?? $0))\""
    }
    text = """
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml"\(language ?? "")>
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <title>\(XMLText.escaped(title.isEmpty ? "Ink" : title))</title>
      <style>
      body { font: 1rem/1.5 sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem; }
      table { border-collapse: collapse; }
      td { border: 1px solid; padding: 0.2rem 0.5rem; vertical-align: top; }
      svg, img { height: auto; max-width: 100%; }
      .double { text-decoration-style: double; }
      .frame { border: 1px solid; border-radius: 0.2em; padding: 0 0.2em; }
      li.box { list-style: "☐ "; }
      </style>
      </head>
      <body>

      """
  }

  /// Returns a whole document.
  static func text(of document: ExportDocument, _ options: ExportOptions) -> String {
    var writer = HTMLWriter(title: document.title, language: document.language, options)
    for page in document.pages { writer.add(page) }
    writer.finish(language: nil)
    return writer.text
  }

  mutating func add(_ page: ExportPage) {
    text += "<section>\n"
    if options.drawsInk, let picture = FigurePicture(page) {
      text += "<figure>\(picture.element(label: "ink"))</figure>\n"
    }
    for section in page.sections {
      switch section {
      case .block(let block): text += Self.text(of: block, on: page)
      case .list(let nodes): text += Self.lists(nodes)
      case .diagram(let diagram): text += Self.text(of: diagram.figure, on: page)
      }
    }
    text += "</section>\n"
  }

  mutating func finish(language: String?) { text += "</body>\n</html>\n" }

  mutating func takeBytes() -> [UInt8] {
    defer { text = "" }
    return Array(text.utf8)
  }

  private static func text(of block: ExportBlock, on page: ExportPage) -> String {
    switch block.content {
    case .paragraph(let lines):
      return "<p\(attributes(lines, block.language))>\(inline(lines))</p>\n"
    case .heading(let level, let lines):
      let name = "h\(min(max(level, 1), 6))"
      return "<\(name)\(attributes(lines, block.language))>\(inline(lines))</\(name)>\n"
    case .item: return ""
    case .table(let rows):
      let body = rows.map { row in
        "<tr>" + row.map { "<td\(attributes($0, nil))>\(inline($0))</td>" }.joined() + "</tr>\n"
      }.joined()
      return body.isEmpty
        ? ""
        : "<table\(rows.isRightToLeft(on: page) ? rightToLeft : "")>\n<tbody>\n\(body)</tbody>\n</table>\n"
    case .figure(let lines):
      let text = lines.map(\.text).joined(separator: " ")
      let picture = FigurePicture(block)?.element(label: text.isEmpty ? "drawing" : text) ?? ""
      let caption =
        lines.isEmpty ? "" : "\n<figcaption>\(inline(lines, keepsLines: true))</figcaption>"
      return picture.isEmpty && caption.isEmpty ? "" : "<figure>\(picture)\(caption)</figure>\n"
    case .formula(let reading):
      let picture = FigurePicture(block)?.element(label: reading?.text ?? "formula") ?? ""
      let caption = reading.map { "\n<figcaption>\($0.mathML)</figcaption>" } ?? ""
      return picture.isEmpty && caption.isEmpty ? "" : "<figure>\(picture)\(caption)</figure>\n"
    case .picture(let image, let label):
      guard let kind = PictureKind(of: image.bytes) else { return "" }
      let size = "width: \(rounded(image.box.width))mm; height: auto"
      return "<figure><img alt=\"\(XMLText.escaped(label))\" style=\"\(size)\" src=\"data:"
        + "\(kind.mediaType);base64,\(Data(image.bytes).base64EncodedString())\"/></figure>\n"
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  private static func lists(_ nodes: [ListNode]) -> String {
    ListNode.groups(of: nodes).map { group in
      let first = group[0].mark
      let name = first.isOrdered ? "ol" : "ul"
      // The signs of the items are where their lines begin.
      var attributes = Self.attributes(group.flatMap(\.lines), nil)
      if first.isLetter { attributes += " type=\"a\"" }
      if let number = first.number, number != 1 { attributes += " start=\"\(number)\"" }
      let items = group.map { node in
        let children = node.children.isEmpty ? "" : "\n" + lists(node.children)
        return
          "<li\(node.mark == .box ? " class=\"box\"" : "")\(Self.attributes(node.lines, node.language))>\(inline(node.lines))\(children)</li>\n"
      }
      return "<\(name)\(attributes)>\n\(items.joined())</\(name)>\n"
    }.joined()
  }

  private static let rightToLeft = " dir=\"rtl\""

  private static func attributes(_ lines: [ExportLine], _ language: String?) -> String {
    (lines.isRightToLeft ? rightToLeft : "")
      + (language.map { " lang=\"\(XMLText.escaped($0))\"" } ?? "")
  }

  private static func inline(_ lines: [ExportLine], keepsLines: Bool = false) -> String {
    TextFlow(lines, keepsLines: keepsLines).pieces.map { piece in
      switch piece {
      case .lineBreak: "<br/>\n"
      case .text(let text, let look):
        decorated(styled(XMLText.escaped(text), look.style), look.decorations)
      case .formula(let formula, let look):
        decorated(
          formula.mathML.isEmpty ? XMLText.escaped(formula.text) : formula.mathML, look.decorations)
      }
    }.joined()
  }

  /// Returns text in the look of typed text.
  private static func styled(_ text: String, _ style: ExportTextStyle?) -> String {
    guard let style else { return text }
    var rules = ["font-size: \(style.points)pt"]
    if !style.family.isEmpty {
      let family = style.family.filter { $0.isLetter || $0.isNumber || " -".contains($0) }
      rules.append("font-family: '\(family)', \(StandardFont(style.family).family.genericName)")
    }
    if let color = style.color { rules.append("color: \(color.opaqueText)") }
    var result = "<span style=\"\(XMLText.escaped(rules.joined(separator: "; ")))\">\(text)</span>"
    if style.isItalic { result = "<em>\(result)</em>" }
    if style.isBold { result = "<strong>\(result)</strong>" }
    if style.isUnderlined { result = "<u>\(result)</u>" }
    if style.isStruckThrough { result = "<s>\(result)</s>" }
    return result
  }

  private static func decorated(_ text: String, _ looks: Set<DecorationKind>) -> String {
    DecorationKind.allCases.filter(looks.contains).reduce(text) { text, kind in
      switch kind {
      case .underline: "<u>\(text)</u>"
      case .doubleUnderline: "<u class=\"double\">\(text)</u>"
      case .strikeThrough: "<s>\(text)</s>"
      case .highlight: "<mark>\(text)</mark>"
      case .surround: "<span class=\"frame\">\(text)</span>"
      }
    }
  }
}
