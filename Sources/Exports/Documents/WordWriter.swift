import Files
import Formulas
import InkEditor
import Recognition

/// Writes Office Open XML for Word (ISO 29500): styles for headings, numbered lists, tables, pictures of
/// drawings, formulas as Office Math. An underlined word is bold. Each page of ink begins a page.
struct WordWriter {
  private var body = ""
  private var pictures: [Picture] = []
  /// The numbered lists: the place of their form and the first number.
  private var lists: [(form: Int, start: Int)] = []

  /// The files of a picture: pixels, a drawing, or both.
  private struct Picture {
    var pixels: (kind: PictureKind, bytes: [UInt8])?
    var svg: String?
  }

  /// - Throws: ``ExportError/tooLarge(format:)``.
  static func bytes(of document: ExportDocument) throws(ExportError) -> [UInt8] {
    var writer = WordWriter()
    for (index, page) in document.pages.enumerated() {
      if index > 0 { writer.body += "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>\n" }
      writer.add(page)
    }
    return try writer.archive(document)
  }

  // MARK: - Blocks

  private mutating func add(_ page: ExportPage) {
    for section in page.sections {
      switch section {
      case .block(let block): add(block, on: page)
      case .list(let nodes): add(nodes, level: 0)
      case .diagram(let diagram): add(diagram.figure, on: page)
      }
    }
  }

  private mutating func add(_ block: ExportBlock, on page: ExportPage) {
    switch block.content {
    case .paragraph(let lines): body += Self.paragraph(lines, language: block.language)
    case .heading(let level, let lines):
      body += Self.paragraph(
        lines, "<w:pStyle w:val=\"Heading\(min(max(level, 1), 6))\"/>", language: block.language)
    case .item: break
    case .table(let rows): add(rows, isRightToLeft: rows.isRightToLeft(on: page))
    case .figure(let lines):
      add(FigurePicture(block), lines.map(\.text).joined(separator: " "))
      if !lines.isEmpty {
        body += Self.paragraph(lines, language: block.language, keepsLines: true)
      }
    case .formula(let reading):
      add(FigurePicture(block), reading?.latex ?? "formula")
      if let reading { add(reading) }
    case .picture(let image, let label): add(image, label)
    }
  }

  /// Adds a formula that programs show typeset and let edit; none if its LaTeX cannot be read.
  private mutating func add(_ reading: RecognizedFormula) {
    guard let formula = try? Formula(latex: reading.latex) else { return }
    body +=
      "<w:p><m:oMathPara><m:oMathParaPr><m:jc m:val=\"left\"/></m:oMathParaPr>\(formula.officeMath)</m:oMathPara></w:p>\n"
  }

  private mutating func add(_ image: DrawImage, _ label: String) {
    guard let kind = PictureKind(of: image.bytes) else { return }
    let size = TextSheet.size(width: image.box.width, height: image.box.height)
    if kind == .svg {
      add(Picture(svg: String(decoding: image.bytes, as: UTF8.self)), size, label)
    } else {
      add(Picture(pixels: (kind, image.bytes)), size, label)
    }
  }

  private mutating func add(_ nodes: [ListNode], level: Int) {
    for group in ListNode.groups(of: nodes) {
      var number = Self.bullets
      if let mark = group.first?.mark, mark.isOrdered {
        lists.append((Self.form(of: mark), mark.number ?? 1))
        number = Self.firstList + lists.count - 1
      }
      for node in group {
        let list = node.mark == .box ? Self.boxes : number
        body += Self.paragraph(
          node.lines,
          "<w:pStyle w:val=\"ListParagraph\"/><w:numPr><w:ilvl w:val=\"\(min(level, 8))\"/>"
            + "<w:numId w:val=\"\(list)\"/></w:numPr>", language: node.language)
        add(node.children, level: level + 1)
      }
    }
  }

  private mutating func add(_ rows: [[[ExportLine]]], isRightToLeft: Bool) {
    let columns = rows.map(\.count).max() ?? 0
    guard columns > 0 else { return }
    let width = Int(TextSheet.textWidth * Self.twips) / columns
    body += "<w:tbl><w:tblPr><w:tblStyle w:val=\"TableGrid\"/>"
    // The first column is at the right.
    if isRightToLeft { body += "<w:bidiVisual/>" }
    body += "<w:tblW w:w=\"0\" w:type=\"auto\"/></w:tblPr><w:tblGrid>"
    body += String(repeating: "<w:gridCol w:w=\"\(width)\"/>", count: columns) + "</w:tblGrid>\n"
    for row in rows {
      body += "<w:tr>"
      for column in 0..<columns {
        body += "<w:tc><w:tcPr><w:tcW w:w=\"\(width)\" w:type=\"dxa\"/></w:tcPr>"
        body += Self.paragraph(column < row.count ? row[column] : [], language: nil) + "</w:tc>"
      }
      body += "</w:tr>\n"
    }
    // A table at the end of a page or of the document needs a paragraph behind it.
    body += "</w:tbl>\n<w:p/>\n"
  }

  private mutating func add(_ picture: FigurePicture?, _ label: String) {
    guard let picture else { return }
    add(
      Picture(pixels: picture.png(dpi: TextSheet.dpi).map { (.png, $0) }, svg: picture.svg),
      TextSheet.size(of: picture), label)
  }

  private mutating func add(
    _ picture: Picture, _ size: (width: Double, height: Double), _ label: String
  ) {
    pictures.append(picture)
    let number = pictures.count
    let (width, height) = (Int(size.width * Self.emus), Int(size.height * Self.emus))
    let name = XMLText.escaped(label.isEmpty ? "drawing" : label)
    // Programs that know SVG take it, the others the picture of pixels.
    let blip: String
    if picture.svg == nil {
      blip = "<a:blip r:embed=\"pixels\(number)\"/>"
    } else if picture.pixels == nil {
      blip = "<a:blip r:embed=\"svg\(number)\"/>"
    } else {
      blip =
        "<a:blip r:embed=\"pixels\(number)\"><a:extLst>"
        + "<a:ext uri=\"{96DAC541-7B7A-43D3-8B79-37D633B846F1}\"><asvg:svgBlip xmlns:asvg="
        + "\"http://schemas.microsoft.com/office/drawing/2016/SVG/main\" r:embed=\"svg\(number)\"/>"
        + "</a:ext></a:extLst></a:blip>"
    }
    body += """
      <w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">\
      <wp:extent cx="\(width)" cy="\(height)"/>\
      <wp:docPr id="\(number)" name="Picture \(number)" descr="\(name)"/>\
      <a:graphic><a:graphicData uri="\(Self.namespaces["pic"] ?? "")"><pic:pic>\
      <pic:nvPicPr><pic:cNvPr id="\(number)" name="Picture \(number)"/><pic:cNvPicPr/></pic:nvPicPr>\
      <pic:blipFill>\(blip)<a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
      <pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="\(width)" cy="\(height)"/></a:xfrm>\
      <a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>\
      </a:graphic></wp:inline></w:drawing></w:r></w:p>

      """
  }

  // MARK: - Text

  /// Twentieths of a point of a millimetre.
  private static let twips = 1440 / 25.4
  /// English metric units of a millimetre.
  private static let emus = 36_000.0

  private static func paragraph(
    _ lines: [ExportLine], _ properties: String = "", language: String?, keepsLines: Bool = false
  ) -> String {
    let isRightToLeft = lines.isRightToLeft
    let all = properties + (isRightToLeft ? "<w:bidi/>" : "")
    let runs = TextFlow(lines, keepsLines: keepsLines).pieces.map { piece -> String in
      switch piece {
      case .lineBreak: return "<w:r><w:br/></w:r>"
      case .text(let text, let look):
        // A run is marked by its own letters: Word shows Latin letters of marked runs in any order.
        return text.directedPieces.map { text, isRightToLeft in
          let look = Self.properties(of: look, isRightToLeft, language)
          return "<w:r>\(look)<w:t xml:space=\"preserve\">\(XMLText.escaped(text))</w:t></w:r>"
        }.joined()
      case .formula(let reading, let look):
        // Office Math is not a run: it has no look.
        if let formula = try? Formula(latex: reading.latex) { return formula.officeMath }
        let look = Self.properties(of: look, isRightToLeft, language)
        return
          "<w:r>\(look)<w:t xml:space=\"preserve\">\(XMLText.escaped(reading.text))</w:t></w:r>"
      }
    }
    return "<w:p>" + (all.isEmpty ? "" : "<w:pPr>\(all)</w:pPr>") + runs.joined() + "</w:p>\n"
  }

  /// Returns the properties of a run, in the order of the schema.
  private static func properties(
    of look: FlowLook, _ isRightToLeft: Bool, _ language: String?
  ) -> String {
    let (looks, style) = (look.decorations, look.style)
    var result = ""
    if let style, !style.family.isEmpty {
      let name = XMLText.escaped(style.family)
      result += "<w:rFonts w:ascii=\"\(name)\" w:hAnsi=\"\(name)\" w:cs=\"\(name)\"/>"
    }
    if looks.contains(.underline) || looks.contains(.doubleUnderline) || style?.isBold == true {
      result += "<w:b/><w:bCs/>"
    }
    if style?.isItalic == true { result += "<w:i/><w:iCs/>" }
    if looks.contains(.strikeThrough) || style?.isStruckThrough == true { result += "<w:strike/>" }
    if let color = style?.color {
      result += "<w:color w:val=\"\(color.opaqueText.dropFirst())\"/>"
    }
    if let style {
      let halves = max(2, Int((style.points * 2).rounded()))
      result += "<w:sz w:val=\"\(halves)\"/><w:szCs w:val=\"\(halves)\"/>"
    }
    if looks.contains(.highlight) { result += "<w:highlight w:val=\"yellow\"/>" }
    if looks.contains(.doubleUnderline) {
      result += "<w:u w:val=\"double\"/>"
    } else if style?.isUnderlined == true {
      result += "<w:u w:val=\"single\"/>"
    }
    if looks.contains(.surround) {
      result += "<w:bdr w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/>"
    }
    if isRightToLeft { result += "<w:rtl/>" }
    if let language {
      let tag = XMLText.escaped(language)
      result += "<w:lang w:val=\"\(tag)\"" + (isRightToLeft ? " w:bidi=\"\(tag)\"" : "") + "/>"
    }
    return result.isEmpty ? "" : "<w:rPr>\(result)</w:rPr>"
  }

  // MARK: - Lists

  /// The numbers of the lists in the file: of bullets, of boxes, and the first of the others.
  private static let (bullets, boxes, firstList) = (1, 2, 3)

  /// The forms of lists: the sign or format, and what is around it.
  private static let forms = [
    (format: "bullet", text: "•"), (format: "bullet", text: "☐"),
    (format: "decimal", text: "."), (format: "decimal", text: ")"),
    (format: "lowerLetter", text: "."), (format: "lowerLetter", text: ")"),
  ]

  private static func form(of mark: ExportItemMark) -> Int {
    guard case .number(let label) = mark else { return 0 }
    return (mark.isLetter ? 4 : 2) + (label.last == ")" ? 1 : 0)
  }

  private var numbering: String {
    var result = Self.header + "<w:numbering xmlns:w=\"\(Self.namespaces["w"] ?? "")\">\n"
    for (number, form) in Self.forms.enumerated() {
      result += "<w:abstractNum w:abstractNumId=\"\(number)\">"
      result += "<w:multiLevelType w:val=\"hybridMultilevel\"/>"
      for level in 0..<9 {
        let text = form.format == "bullet" ? form.text : "%\(level + 1)\(form.text)"
        result += "<w:lvl w:ilvl=\"\(level)\"><w:start w:val=\"1\"/>"
        result += "<w:numFmt w:val=\"\(form.format)\"/><w:lvlText w:val=\"\(text)\"/>"
        result += "<w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"\(720 * (level + 1))\" "
        result += "w:hanging=\"360\"/></w:pPr></w:lvl>"
      }
      result += "</w:abstractNum>\n"
    }
    for number in [Self.bullets, Self.boxes] {
      result += "<w:num w:numId=\"\(number)\"><w:abstractNumId w:val=\"\(number - 1)\"/></w:num>\n"
    }
    for (index, list) in lists.enumerated() {
      result +=
        "<w:num w:numId=\"\(Self.firstList + index)\"><w:abstractNumId w:val=\"\(list.form)\"/>"
      for level in 0..<9 {
        result += "<w:lvlOverride w:ilvl=\"\(level)\"><w:startOverride w:val=\"\(list.start)\"/>"
        result += "</w:lvlOverride>"
      }
      result += "</w:num>\n"
    }
    return result + "</w:numbering>\n"
  }

  // MARK: - The file

  private static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private static let namespaces = [
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "m": Formula.officeMathNamespace,
  ]
  private static let relations =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
  private static let packages = "http://schemas.openxmlformats.org/package/2006/"
  private static let wordTypes =
    "application/vnd.openxmlformats-officedocument.wordprocessingml."

  private func archive(_ document: ExportDocument) throws(ExportError) -> [UInt8] {
    var archive = DocumentArchive(format: "docx")
    let parts = [
      ("/word/document.xml", Self.wordTypes + "document.main+xml"),
      ("/word/styles.xml", Self.wordTypes + "styles+xml"),
      ("/word/numbering.xml", Self.wordTypes + "numbering+xml"),
      ("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
    ]
    try archive.add(
      "[Content_Types].xml",
      Self.header + "<Types xmlns=\"\(Self.packages)content-types\">"
        + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package."
        + "relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>"
        + "<Default Extension=\"png\" ContentType=\"image/png\"/>"
        + "<Default Extension=\"jpeg\" ContentType=\"image/jpeg\"/>"
        + "<Default Extension=\"svg\" ContentType=\"image/svg+xml\"/>"
        + parts.map { "<Override PartName=\"\($0)\" ContentType=\"\($1)\"/>" }.joined()
        + "</Types>\n")
    try archive.add(
      "_rels/.rels",
      Self.relationships([
        ("document", Self.relations + "officeDocument", "word/document.xml"),
        ("core", Self.packages + "relationships/metadata/core-properties", "docProps/core.xml"),
      ]))
    let names = ["w", "r", "wp", "a", "pic", "m"].map {
      "xmlns:\($0)=\"\(Self.namespaces[$0] ?? "")\""
    }
    let margin = Int(TextSheet.margin * Self.twips)
    try archive.add(
      "word/document.xml",
      Self.header + "<w:document \(names.joined(separator: " "))><w:body>\n" + body
        + "<w:sectPr><w:pgSz w:w=\"\(Int(TextSheet.width * Self.twips))\" "
        + "w:h=\"\(Int(TextSheet.height * Self.twips))\"/><w:pgMar w:top=\"\(margin)\" "
        + "w:right=\"\(margin)\" w:bottom=\"\(margin)\" w:left=\"\(margin)\" w:header=\"708\" "
        + "w:footer=\"708\" w:gutter=\"0\"/></w:sectPr></w:body></w:document>\n")
    try archive.add("word/styles.xml", Self.styles(language: document.language))
    try archive.add("word/numbering.xml", numbering)
    var links = [
      ("styles", Self.relations + "styles", "styles.xml"),
      ("numbering", Self.relations + "numbering", "numbering.xml"),
    ]
    for (index, picture) in pictures.enumerated() {
      let number = index + 1
      if let pixels = picture.pixels {
        let name = "media/image\(number).\(pixels.kind.ending)"
        links.append(("pixels\(number)", Self.relations + "image", name))
        try archive.add("word/" + name, pixels.bytes, isPacked: false)
      }
      if let svg = picture.svg {
        links.append(("svg\(number)", Self.relations + "image", "media/image\(number).svg"))
        try archive.add("word/media/image\(number).svg", svg)
      }
    }
    try archive.add("word/_rels/document.xml.rels", Self.relationships(links))
    try archive.add(
      "docProps/core.xml",
      Self.header + "<cp:coreProperties xmlns:cp=\"\(Self.packages)metadata/core-properties\" "
        + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>"
        + XMLText.escaped(document.title) + "</dc:title></cp:coreProperties>\n")
    return archive.finish()
  }

  private static func relationships(_ links: [(String, String, String)]) -> String {
    header + "<Relationships xmlns=\"\(packages)relationships\">"
      + links.map { "<Relationship Id=\"\($0)\" Type=\"\($1)\" Target=\"\($2)\"/>" }.joined()
      + "</Relationships>\n"
  }

  private static func styles(language: String?) -> String {
    let tag = language.map {
      XMLText.escaped($0.split(separator: ",").first.map(String.init) ?? $0)
    }
    let lang = tag.map { "<w:lang w:val=\"\($0)\" w:eastAsia=\"\($0)\" w:bidi=\"\($0)\"/>" } ?? ""
    var result =
      header + "<w:styles xmlns:w=\"\(namespaces["w"] ?? "")\"><w:docDefaults><w:rPrDefault><w:rPr>"
      + "<w:sz w:val=\"22\"/><w:szCs w:val=\"22\"/>\(lang)</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>"
      + "<w:spacing w:after=\"160\"/></w:pPr></w:pPrDefault></w:docDefaults>\n"
      + "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/>"
      + "</w:style>\n"
    for level in 1...6 {
      let size = [36, 30, 26, 24, 22, 22][level - 1]
      result +=
        "<w:style w:type=\"paragraph\" w:styleId=\"Heading\(level)\"><w:name w:val=\"heading \(level)\"/>"
        + "<w:basedOn w:val=\"Normal\"/><w:next w:val=\"Normal\"/><w:pPr><w:keepNext/>"
        + "<w:outlineLvl w:val=\"\(level - 1)\"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val=\"\(size)\"/>"
        + "<w:szCs w:val=\"\(size)\"/></w:rPr></w:style>\n"
    }
    let sides = ["top", "left", "bottom", "right", "insideH", "insideV"].map {
      "<w:\($0) w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/>"
    }
    return result
      + "<w:style w:type=\"paragraph\" w:styleId=\"ListParagraph\"><w:name w:val=\"List Paragraph\"/>"
      + "<w:basedOn w:val=\"Normal\"/><w:pPr><w:contextualSpacing/></w:pPr></w:style>\n"
      + "<w:style w:type=\"table\" w:styleId=\"TableGrid\"><w:name w:val=\"Table Grid\"/><w:tblPr>"
      + "<w:tblBorders>\(sides.joined())</w:tblBorders></w:tblPr></w:style>\n</w:styles>\n"
  }
}
