import Files
import Foundation
import InkCore
import InkFormats

/// The output of one export: pages are added one after the other, and the file appears when it is
/// complete. PDF, HTML, notes and ink keep one page in memory; other formats keep their text.
package final class ExportFile {
  /// The format.
  package let format: ExportFormat
  /// The files that were written.
  package private(set) var written: [String] = []
  /// The bytes of the file, if it has no path.
  package private(set) var bytes: [UInt8] = []
  /// The number of pages.
  package private(set) var pageCount = 0
  /// The file that is written until it is complete; nil if there is none.
  package var temporaryPath: String? { output?.temporaryPath ?? inks?.temporaryPath }
  /// The letters of typed text that the fonts of PDF lack: a box is in their place.
  package var missingLetters: Set<Character> { (sink as? PDFWriter)?.missingLetters ?? [] }
  private let path: String?
  private let options: ExportOptions
  private let pagePath: (Int) -> String
  private var document: ExportDocument
  /// The first page of a format with one page in a file, until there is a second.
  private var first: ExportPage?
  /// The writer of a format that is written page by page, from the first page on.
  private var sink: (any PageSink)?
  private var output: InkOutputFile?
  /// The writer of a file of ink.
  private var inks: InkFileWriter?

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: The file; nil for bytes in memory.
  ///   - format: Its format.
  ///   - title: The name of the document.
  ///   - options: The choices.
  ///   - pagePath: Returns the file of a page, from 1, if a format needs several files; nil to add the
  ///     number to the name.
  /// - Throws: ``ExportError/unwritableFile(path:reason:)``, and an error if the libraries for
  ///   pictures are missing.
  package init(
    _ path: String?, _ format: ExportFormat, title: String = "",
    options: ExportOptions = ExportOptions(), pagePath: ((Int) -> String)? = nil
  ) throws(ExportError) {
    (self.path, self.format, self.options) = (path, format, options)
    self.pagePath = pagePath ?? { Self.numbered(path ?? "", $0) }
    document = ExportDocument(title: options.title ?? title)
    if format.isPicture, options.painter == nil { try LibraryPainter.check(format) }
    guard let path else { return }
    do throws(InkFormatError) {
      if let ink = format.inkFormat {
        inks = try InkFileWriter(path: path, format: ink)
      } else if isWrittenByPages {
        output = try InkOutputFile(path: path)
      }
    } catch {
      throw .unwritableFile(path: path, reason: error.found)
    }
  }

  private var isWrittenByPages: Bool { format == .pdf || format == .html || format == .xournal }

  /// Returns a path with a number before its ending.
  package static func numbered(_ path: String, _ number: Int) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(path)-\(number)"
    }
    let ending = name[dot...]
    return "\(path.dropLast(ending.count))-\(number)\(ending)"
  }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - language: The tag of the language of its text, if it is known.
  /// - Throws: ``ExportError``; `CancellationError` if the task is cancelled.
  package func add(_ page: ExportPage, language: String? = nil) throws {
    try Task.checkCancellation()
    pageCount += 1
    if document.language == nil { document.language = language }
    if isWrittenByPages {
      begin()
      try sink?.add(options.withoutStruckWords ? page.withoutStruckWords : page)
      try flush()
    } else if let inks {
      try write(page.labeled, to: inks)
    } else if format.isOfOnePage {
      guard pageCount > 1 else {
        first = page
        return
      }
      guard path != nil else {
        throw ExportError.severalPages(format: format.rawValue, found: pageCount)
      }
      if let first { try write(first, to: pagePath(1)) }
      first = nil
      try write(page, to: pagePath(pageCount))
    } else {
      document.pages.append(format.drawsPages(options) ? page : page.withoutUnseenDrawings)
    }
  }

  /// Writes what is left; the file is then complete.
  ///
  /// - Throws: ``ExportError``; `CancellationError` if the task is cancelled. There is no new file
  ///   then, except for pages that are files of their own.
  package func finish() throws {
    if isWrittenByPages {
      begin()
      try sink?.finish(language: document.language)
      try flush()
      try Task.checkCancellation()
      guard let output else { return }
      do throws(InkFormatError) {
        try output.finish()
      } catch {
        throw ExportError.unwritableFile(path: output.path, reason: error.found)
      }
      written.append(output.path)
    } else if let inks, let path {
      do throws(InkFormatError) {
        try inks.finish()
      } catch {
        throw ExportError.unwritableFile(path: path, reason: error.found)
      }
      written.append(path)
    } else if format.isOfOnePage {
      if let first { try write(first, to: path) }
    } else {
      try write(try format.bytes(of: document, options), to: path)
    }
  }

  /// Begins a file that is written page by page: the first page tells its language.
  private func begin() {
    if sink == nil { sink = format.makeSink(document, options) }
  }

  private func flush() throws(ExportError) {
    guard let new = sink?.takeBytes() else { return }
    guard let output else {
      bytes += new
      return
    }
    output.buffer += new
    do throws(InkFormatError) {
      try output.flushIfFull()
    } catch {
      throw .unwritableFile(path: output.path, reason: error.found)
    }
  }

  private func write(_ labeled: LabeledInk?, to inks: InkFileWriter) throws(ExportError) {
    guard let labeled, format == .jsonLines || !labeled.ink.isEmpty else { return }
    do throws(InkFormatError) {
      try inks.write(labeled)
    } catch {
      guard error.code == .unwritableFile else { throw .unusableInk(format: format.rawValue) }
      throw .unwritableFile(path: path ?? "", reason: error.found)
    }
  }

  private func write(_ page: ExportPage, to path: String?) throws {
    let page = options.withoutStruckWords ? page.withoutStruckWords : page
    try write(try format.bytes(of: page, title: document.title, options), to: path)
  }

  /// Writes a file, whole or not at all.
  private func write(_ new: [UInt8], to path: String?) throws {
    try Task.checkCancellation()
    guard let path else {
      bytes += new
      return
    }
    do throws(FileError) {
      try AtomicFile.write(Data(new), to: path)
    } catch {
      throw ExportError.unwritableFile(path: path, reason: String(cString: strerror(error.code)))
    }
    written.append(path)
  }
}
