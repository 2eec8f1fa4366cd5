import InkFormats

/// A writer that takes page after page, and whose bytes can be taken away: its memory does not grow with
/// the pages.
protocol PageSink {
  /// Writes a page.
  mutating func add(_ page: ExportPage) throws(ExportError)
  /// Writes the end of the file. Nothing can be added afterwards.
  ///
  /// - Parameter language: The tag of the language of the text, if it is known.
  mutating func finish(language: String?) throws(ExportError)
  /// Returns the bytes that were written since the last call.
  mutating func takeBytes() -> [UInt8]
}

extension ExportFormat {
  /// Returns the writer of a file of pages; nil for formats that are written as a whole.
  ///
  /// - Parameters:
  ///   - document: The name and the language of the document.
  ///   - options: The choices.
  func makeSink(_ document: ExportDocument, _ options: ExportOptions) -> (any PageSink)? {
    switch self {
    case .pdf: PDFWriter(title: document.title)
    case .html: HTMLWriter(title: document.title, language: document.language, options)
    case .xournal: XournalWriter(title: document.title)
    case .png, .jpeg, .svg, .text, .markdown, .docx, .odt, .graphML, .mermaid, .latex, .mathML,
      .inkML, .jiix, .jsonLines, .unipen:
      nil
    }
  }
}

extension PDFWriter: PageSink {
  mutating func finish(language: String?) {
    self.language = language
    finish()
  }
}
