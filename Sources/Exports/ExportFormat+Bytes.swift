import InkCore
import InkEditor

/// The choices for an export.
package struct ExportOptions: Hashable, Sendable {
  /// True to leave out words that are struck through.
  package var withoutStruckWords: Bool
  /// True to draw the ink of each page in HTML, and that of figures in Markdown.
  package var drawsInk: Bool

  /// Makes options.
  package init(withoutStruckWords: Bool = false, drawsInk: Bool = false) {
    (self.withoutStruckWords, self.drawsInk) = (withoutStruckWords, drawsInk)
  }
}

extension ExportFormat {
  /// Returns true if the whole drawing of a page is in the file.
  package func drawsPages(_ options: ExportOptions) -> Bool {
    switch self {
    case .pdf, .png, .svg: true
    case .html: options.drawsInk
    case .text, .markdown, .docx, .odt, .graphML, .mermaid: false
    }
  }

  /// Returns a document as the bytes of a file. Of formats with one page in a file, it is the first.
  ///
  /// - Throws: ``ExportError``.
  package func bytes(
    of document: ExportDocument, _ options: ExportOptions = ExportOptions(), dpi: Double = 150
  ) throws(ExportError) -> [UInt8] {
    let document = options.withoutStruckWords ? document.withoutStruckWords : document
    switch self {
    case .pdf: return PDFWriter.bytes(of: document)
    case .png, .svg:
      let empty = ExportPage(box: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
      return try bytes(of: document.pages.first ?? empty, title: document.title, dpi: dpi)
    case .text: return Array(PlainTextWriter.text(of: document).utf8)
    case .markdown: return Array(MarkdownWriter.text(of: document, options).utf8)
    case .html: return Array(HTMLWriter.text(of: document, options).utf8)
    case .docx: return try WordWriter.bytes(of: document)
    case .odt: return try OpenDocumentWriter.bytes(of: document)
    case .graphML: return Array(try GraphMLWriter.text(of: document).utf8)
    case .mermaid: return Array(try MermaidWriter.text(of: document).utf8)
    }
  }

  /// Returns a page as the bytes of a file.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - title: The name of the document; empty for none.
  ///   - dpi: The pixels of an inch of pictures.
  /// - Throws: ``ExportError``.
  package func bytes(
    of page: ExportPage, title: String, dpi: Double
  ) throws(ExportError) -> [UInt8] {
    switch self {
    case .png: return try PNGWriter.bytes(of: page, dpi: dpi)
    case .svg:
      var painter = SVGPainter()
      painter.draw(page.drawing)
      let text = page.lines.map(\.text).joined(separator: "\n")
      return Array(painter.document(box: page.box, title: title, description: text).utf8)
    case .pdf, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid:
      return try bytes(of: ExportDocument(title: title, pages: [page]))
    }
  }
}

extension ExportDocument {
  /// The document without words that are struck through, and without what is empty then.
  var withoutStruckWords: ExportDocument {
    var result = self
    for page in result.pages.indices {
      result.pages[page].blocks = pages[page].blocks.compactMap { block in
        var block = block
        let before = block.content.lines.count
        block.content = block.content.mappingLines { line in
          let words = line.words.filter { !$0.decorations.contains(.strikeThrough) }
          return words.isEmpty ? nil : ExportLine(words)
        }
        let isEmpty = before > 0 && block.content.lines.isEmpty && block.drawing.isEmpty
        return isEmpty ? nil : block
      }
    }
    return result
  }
}

extension ExportBlock.Content {
  /// Returns the content with other lines; those that become nil are left out.
  func mappingLines(_ map: (ExportLine) -> ExportLine?) -> ExportBlock.Content {
    switch self {
    case .paragraph(let lines): .paragraph(lines.compactMap(map))
    case .heading(let level, let lines): .heading(level: level, lines.compactMap(map))
    case .item(let level, let mark, let lines):
      .item(level: level, mark: mark, lines.compactMap(map))
    case .table(let rows): .table(rows.map { $0.map { $0.compactMap(map) } })
    case .figure(let lines): .figure(lines.compactMap(map))
    case .formula: .formula
    }
  }
}
