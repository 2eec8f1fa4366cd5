import InkCore
import InkEditor
import InkFormats

extension ExportFormat {
  /// Returns true if the whole drawing of a page is in the file.
  package func drawsPages(_ options: ExportOptions) -> Bool {
    switch self {
    case .pdf, .png, .jpeg, .svg: true
    case .html: options.drawsInk
    case .text, .markdown, .docx, .odt, .graphML, .mermaid, .latex, .mathML, .inkML, .jiix,
      .jsonLines, .unipen, .xournal:
      false
    }
  }

  /// Returns a document as the bytes of a file. Of formats with one page in a file, it is the first.
  ///
  /// - Throws: ``ExportError``.
  package func bytes(
    of document: ExportDocument, _ options: ExportOptions = ExportOptions()
  ) throws(ExportError) -> [UInt8] {
    let document = options.withoutStruckWords ? document.withoutStruckWords : document
    switch self {
    case .pdf: return PDFWriter.bytes(of: document)
    case .png, .jpeg, .svg, .jiix:
      let empty = ExportPage(box: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
      return try bytes(of: document.pages.first ?? empty, title: document.title, options)
    case .text: return Array(PlainTextWriter.text(of: document).utf8)
    case .markdown: return Array(MarkdownWriter.text(of: document, options).utf8)
    case .html: return Array(HTMLWriter.text(of: document, options).utf8)
    case .docx: return try WordWriter.bytes(of: document)
    case .odt: return try OpenDocumentWriter.bytes(of: document)
    case .graphML: return Array(try GraphMLWriter.text(of: document).utf8)
    case .mermaid: return Array(try MermaidWriter.text(of: document).utf8)
    case .latex: return Array(try FormulaWriter.latex(of: document).utf8)
    case .mathML: return Array(try FormulaWriter.mathML(of: document).utf8)
    case .xournal:
      return try XournalWriter.bytes(of: document.pages.compactMap(\.ink), title: document.title)
    case .inkML, .jsonLines, .unipen:
      do throws(InkFormatError) {
        return try inkFormat?.bytes(of: document.pages.compactMap(\.labeled)) ?? []
      } catch {
        throw .unusableInk(format: rawValue)
      }
    }
  }

  /// Returns a page as the bytes of a file.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - title: The name of the document; empty for none.
  ///   - options: The choices.
  /// - Throws: ``ExportError``.
  package func bytes(
    of page: ExportPage, title: String, _ options: ExportOptions = ExportOptions()
  ) throws(ExportError) -> [UInt8] {
    switch self {
    case .png, .jpeg:
      return try ExportPicture(
        of: page, as: self, dpi: options.dpi, mostPixels: options.mostPixels
      ).bytes(options.painter)
    case .svg:
      if let written = page.written { return written }
      var painter = SVGPainter()
      painter.draw(page.drawing)
      let text = page.lines.map(\.text).joined(separator: "\n")
      return Array(painter.document(box: page.box, title: title, description: text).utf8)
    case .jiix:
      guard let written = page.written else {
        throw .nothing(format: "JIIX", needs: "the content of an editor")
      }
      return written
    case .pdf, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid, .latex, .mathML, .inkML,
      .jsonLines, .unipen, .xournal:
      return try bytes(of: ExportDocument(title: title, pages: [page]))
    }
  }
}
