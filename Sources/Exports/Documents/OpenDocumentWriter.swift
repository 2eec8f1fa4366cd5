import Files
import InkEditor

/// Writes an OpenDocument text (ODF 1.2): headings, lists, tables, decorations, drawings as SVG, formulas as MathML. Each
/// page of ink begins a page.
struct OpenDocumentWriter {
  private var body = ""
  private var pictures: [(kind: PictureKind, bytes: [UInt8])] = []
  /// The MathML of formulas.
  private var formulas: [String] = []
  /// The looks of texts, by their order.
  private var looks: [Look] = []

  private struct Look: Hashable {
    var look: FlowLook
    var language: String?
  }

  /// - Throws: ``ExportError/tooLarge(format:)``.
  static func bytes(of document: ExportDocument) throws(ExportError) -> [UInt8] {
    var writer = OpenDocumentWriter()
    for (index, page) in document.pages.enumerated() {
      if index > 0 { writer.body += "<text:p text:style-name=\"Page\"/>\n" }
      writer.add(page)
    }
    return try writer.archive(document)
  }

  // MARK: - Blocks

  private mutating func add(_ page: ExportPage) {
    for section in page.sections {
      switch section {
      case .block(let block): add(block, on: page)
      case .list(let nodes): add(nodes)
      case .diagram(let diagram): add(diagram.figure, on: page)
      }
    }
  }

  private mutating func add(_ block: ExportBlock, on page: ExportPage) {
    switch block.content {
    case .paragraph(let lines): add(lines, block.language)
    case .heading(let level, let lines):
      let level = min(max(level, 1), 6)
      body += "<text:h text:style-name=\"\(lines.isRightToLeft ? "HR" : "H")\(level)\" "
      body += "text:outline-level=\"\(level)\">" + inline(lines, block.language) + "</text:h>\n"
    case .item: break
    case .table(let rows): add(rows, isRightToLeft: rows.isRightToLeft(on: page))
    case .figure(let lines):
      add(FigurePicture(block), lines.map(\.text).joined(separator: " "))
      if !lines.isEmpty { add(lines, block.language, keepsLines: true) }
    case .formula(let reading):
      add(FigurePicture(block), reading?.latex ?? "formula")
      if let reading, !reading.mathML.isEmpty { add(formula: reading.mathML, text: reading.text) }
    case .picture(let image, let label):
      guard let kind = PictureKind(of: image.bytes) else { return }
      add(
        kind, image.bytes, TextSheet.size(width: image.box.width, height: image.box.height), label)
    }
  }

  private mutating func add(
    _ lines: [ExportLine], _ language: String?, keepsLines: Bool = false
  ) {
    body += "<text:p text:style-name=\"\(lines.isRightToLeft ? "RightToLeft" : "Text")\">"
    body += inline(lines, language, keepsLines: keepsLines) + "</text:p>\n"
  }

  private mutating func add(_ nodes: [ListNode]) {
    for group in ListNode.groups(of: nodes, separatesBoxes: true) {
      guard let first = group.first?.mark else { continue }
      body += "<text:list text:style-name=\"\(Self.listStyle(first))\">\n"
      for (index, node) in group.enumerated() {
        let start =
          index == 0 ? first.number.map { " text:start-value=\"\(max($0, 0))\"" } ?? "" : ""
        body += "<text:list-item\(start)>"
        add(node.lines, node.language)
        add(node.children)
        body += "</text:list-item>\n"
      }
      body += "</text:list>\n"
    }
  }

  private mutating func add(_ rows: [[[ExportLine]]], isRightToLeft: Bool) {
    let columns = rows.map(\.count).max() ?? 0
    guard columns > 0 else { return }
    body += "<table:table\(isRightToLeft ? " table:style-name=\"TableRL\"" : "")>\n"
    body += "<table:table-column table:number-columns-repeated=\"\(columns)\"/>\n"
    for row in rows {
      body += "<table:table-row>"
      for column in 0..<columns {
        body += "<table:table-cell table:style-name=\"Cell\" office:value-type=\"string\">"
        add(column < row.count ? row[column] : [], nil)
        body += "</table:table-cell>"
      }
      body += "</table:table-row>\n"
    }
    body += "</table:table>\n"
  }

  /// Adds a formula as an object of its own, which programs show typeset and let edit.
  private mutating func add(formula mathML: String, text: String) {
    body += "<text:p>" + frame(formula: mathML, text: text) + "</text:p>\n"
  }

  /// Adds the object of a formula.
  ///
  /// - Returns: The frame that shows it as a character of a text.
  private mutating func frame(formula mathML: String, text: String) -> String {
    formulas.append(mathML)
    return """
      <draw:frame draw:name="Formula \(formulas.count)" text:anchor-type="as-char">\
      <draw:object xlink:href="./\(Self.object(formulas.count))" xlink:type="simple" \
      xlink:show="embed" xlink:actuate="onLoad"/><svg:title>\(XMLText.escaped(text))</svg:title>\
      </draw:frame>
      """
  }

  private static func object(_ number: Int) -> String { "Object \(number)" }

  private mutating func add(_ picture: FigurePicture?, _ label: String) {
    guard let picture else { return }
    add(.svg, Array(picture.svg.utf8), TextSheet.size(of: picture), label)
  }

  private mutating func add(
    _ kind: PictureKind, _ bytes: [UInt8], _ size: (width: Double, height: Double), _ label: String
  ) {
    pictures.append((kind, bytes))
    func length(_ value: Double) -> String {
      var bytes: [UInt8] = []
      bytes.append(decimal: value, 2)
      return String(decoding: bytes, as: UTF8.self) + "mm"
    }
    let name = XMLText.escaped(label.isEmpty ? "drawing" : label)
    body += """
      <text:p><draw:frame draw:name="Picture \(pictures.count)" text:anchor-type="as-char" \
      svg:width="\(length(size.width))" svg:height="\(length(size.height))"><draw:image \
      xlink:href="Pictures/\(pictures.count).\(kind.ending)" xlink:type="simple" xlink:show="embed" \
      xlink:actuate="onLoad"/><svg:title>\(name)</svg:title></draw:frame></text:p>

      """
  }

  // MARK: - Text

  private mutating func inline(
    _ lines: [ExportLine], _ language: String?, keepsLines: Bool = false
  ) -> String {
    TextFlow(lines, keepsLines: keepsLines).pieces.map { piece -> String in
      switch piece {
      case .lineBreak: return "<text:line-break/>"
      case .formula(let formula, _):
        return formula.mathML.isEmpty
          ? XMLText.escaped(formula.text) : frame(formula: formula.mathML, text: formula.text)
      case .text(let text, let kinds):
        let look = Look(look: kinds, language: language)
        let text = XMLText.escaped(text)
        guard !kinds.isPlain || language != nil else { return text }
        let index =
          looks.firstIndex(of: look)
          ?? {
            looks.append(look)
            return looks.count - 1
          }()
        return "<text:span text:style-name=\"T\(index + 1)\">\(text)</text:span>"
      }
    }.joined()
  }

  private static func properties(_ look: Look) -> String {
    var result = ""
    let (kinds, style) = (look.look.decorations, look.look.style)
    if kinds.contains(.doubleUnderline) {
      result += " style:text-underline-style=\"solid\" style:text-underline-type=\"double\""
    } else if kinds.contains(.underline) || style?.isUnderlined == true {
      result += " style:text-underline-style=\"solid\""
    }
    if kinds.contains(.strikeThrough) || style?.isStruckThrough == true {
      result += " style:text-line-through-style=\"solid\""
    }
    if kinds.contains(.highlight) { result += " fo:background-color=\"#ffe066\"" }
    if kinds.contains(.surround) { result += " fo:border=\"0.5pt solid #000000\"" }
    if let style {
      result += " fo:font-size=\"\(style.points)pt\""
      if !style.family.isEmpty { result += " fo:font-family=\"\(XMLText.escaped(style.family))\"" }
      if style.isBold { result += " fo:font-weight=\"bold\"" }
      if style.isItalic { result += " fo:font-style=\"italic\"" }
      if let color = style.color { result += " fo:color=\"\(color.opaqueText)\"" }
    }
    if let language = look.language { result += Self.language(language) }
    return result
  }

  private static func language(_ tag: String) -> String {
    let parts = (tag.split(separator: ",").first ?? "").split(separator: "-")
    let region = parts.dropFirst().first { $0.count == 2 } ?? "none"
    return " fo:language=\"\(XMLText.escaped(String(parts.first ?? "none")))\""
      + " fo:country=\"\(XMLText.escaped(String(region)))\""
  }

  // MARK: - Lists

  private static func listStyle(_ mark: ExportItemMark) -> String {
    switch mark {
    case .bullet: "Bullets"
    case .box: "Boxes"
    case .number(let label):
      (mark.isLetter ? "Letters" : "Numbers") + (label.last == ")" ? "B" : "")
    }
  }

  private static var listStyles: String {
    let forms = [
      ("Bullets", "bullet", "text:bullet-char=\"•\""),
      ("Boxes", "bullet", "text:bullet-char=\"☐\""),
      ("Numbers", "number", "style:num-format=\"1\" style:num-suffix=\".\""),
      ("NumbersB", "number", "style:num-format=\"1\" style:num-suffix=\")\""),
      ("Letters", "number", "style:num-format=\"a\" style:num-suffix=\".\""),
      ("LettersB", "number", "style:num-format=\"a\" style:num-suffix=\")\""),
    ]
    return forms.map { name, kind, attributes in
      let levels = (1...10).map { level in
        "<text:list-level-style-\(kind) text:level=\"\(level)\" \(attributes)>"
          + "<style:list-level-properties text:list-level-position-and-space-mode=\"label-alignment\">"
          + "<style:list-level-label-alignment text:label-followed-by=\"listtab\" "
          + "fo:text-indent=\"-6mm\" fo:margin-left=\"\(6 * level)mm\"/>"
          + "</style:list-level-properties></text:list-level-style-\(kind)>"
      }
      return "<text:list-style style:name=\"\(name)\">\(levels.joined())</text:list-style>\n"
    }.joined()
  }

  // MARK: - The file

  private static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private static let mediaType = "application/vnd.oasis.opendocument.text"
  private static let namespaces: String = {
    let names = [
      ("office", "office:1.0"), ("text", "text:1.0"), ("table", "table:1.0"),
      ("style", "style:1.0"),
      ("draw", "drawing:1.0"), ("fo", "xsl-fo-compatible:1.0"), ("svg", "svg-compatible:1.0"),
      ("meta", "meta:1.0"),
    ]
    return names.map { " xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($1)\"" }.joined()
      + " xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
      + " office:version=\"1.2\""
  }()

  private func archive(_ document: ExportDocument) throws(ExportError) -> [UInt8] {
    var archive = DocumentArchive(format: "odt")
    // Programs look for the type at the beginning of the file.
    try archive.add("mimetype", Self.mediaType, isPacked: false)
    let styles = looks.enumerated().map { index, look in
      "<style:style style:name=\"T\(index + 1)\" style:family=\"text\"><style:text-properties"
        + Self.properties(look) + "/></style:style>\n"
    }
    try archive.add(
      "content.xml",
      Self.header + "<office:document-content\(Self.namespaces)><office:automatic-styles>\n"
        + styles.joined()
        + "<style:style style:name=\"Cell\" style:family=\"table-cell\"><style:table-cell-properties "
        + "fo:border=\"0.5pt solid #000000\" fo:padding=\"1mm\"/></style:style>\n"
        + "<style:style style:name=\"TableRL\" style:family=\"table\"><style:table-properties "
        + "style:writing-mode=\"rl-tb\" table:align=\"margins\"/></style:style>\n"
        + "<style:style style:name=\"Page\" style:family=\"paragraph\"><style:paragraph-properties "
        + "fo:break-before=\"page\"/></style:style>\n"
        + "</office:automatic-styles><office:body><office:text>\n" + body
        + "</office:text></office:body></office:document-content>\n")
    try archive.add("styles.xml", Self.styles(language: document.language))
    try archive.add(
      "meta.xml",
      Self.header + "<office:document-meta\(Self.namespaces)><office:meta><meta:generator>Ductus"
        + "</meta:generator><dc:title>\(XMLText.escaped(document.title))</dc:title></office:meta>"
        + "</office:document-meta>\n")
    var files = [
      ("/", Self.mediaType), ("content.xml", "text/xml"), ("styles.xml", "text/xml"),
      ("meta.xml", "text/xml"),
    ]
    for (index, picture) in pictures.enumerated() {
      let name = "Pictures/\(index + 1).\(picture.kind.ending)"
      files.append((name, picture.kind.mediaType))
      try archive.add(name, picture.bytes, isPacked: picture.kind == .svg)
    }
    for (index, formula) in formulas.enumerated() {
      let name = Self.object(index + 1)
      files.append((name + "/", "application/vnd.oasis.opendocument.formula"))
      files.append((name + "/content.xml", "text/xml"))
      try archive.add(name + "/content.xml", Self.header + formula + "\n")
    }
    try archive.add(
      "META-INF/manifest.xml",
      Self.header + "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:"
        + "manifest:1.0\" manifest:version=\"1.2\">\n"
        + files.map {
          "<manifest:file-entry manifest:full-path=\"\($0)\" manifest:media-type=\"\($1)\"/>\n"
        }.joined() + "</manifest:manifest>\n")
    return archive.finish()
  }

  private static func styles(language: String?) -> String {
    func paragraph(_ name: String, _ properties: String, _ text: String = "") -> String {
      "<style:style style:name=\"\(name)\" style:family=\"paragraph\"><style:paragraph-properties "
        + "fo:margin-bottom=\"2mm\"\(properties)/><style:text-properties\(text)/></style:style>\n"
    }
    let mirrored = " style:writing-mode=\"rl-tb\" fo:text-align=\"start\""
    let headings = (1...6).map { level in
      let text =
        " fo:font-size=\"\([18, 15, 13, 12, 11, 11][level - 1])pt\" fo:font-weight=\"bold\""
      return paragraph("H\(level)", "", text) + paragraph("HR\(level)", mirrored, text)
    }
    let language = language.map { Self.language($0) } ?? ""
    let (width, height, margin) = (TextSheet.width, TextSheet.height, TextSheet.margin)
    return header + "<office:document-styles\(namespaces)><office:styles>\n"
      + "<style:default-style style:family=\"paragraph\"><style:text-properties "
      + "fo:font-size=\"11pt\"\(language)/></style:default-style>\n"
      + paragraph("Text", "") + paragraph("RightToLeft", mirrored) + headings.joined() + listStyles
      + "</office:styles><office:automatic-styles><style:page-layout style:name=\"Sheet\">"
      + "<style:page-layout-properties fo:page-width=\"\(width)mm\" fo:page-height=\"\(height)mm\" "
      + "fo:margin=\"\(margin)mm\"/></style:page-layout></office:automatic-styles>"
      + "<office:master-styles><style:master-page style:name=\"Standard\" "
      + "style:page-layout-name=\"Sheet\"/></office:master-styles></office:document-styles>\n"
  }
}
