import Exports
import Foundation
import InkCore
import InkFormats

/// A page that was converted.
struct ConvertedPage {
  /// The page for documents and pictures.
  var page: ExportPage
  /// The ink with its looks.
  var source: PageInk
  /// The ink and its text.
  var labeled: LabeledInk
  /// The tag of the language of the text.
  var language: String?
}

/// The output of one conversion: pages are added as they are read, and the file appears when it is
/// complete. PDF keeps one page in memory; other formats keep their text.
final class ConvertedFile {
  private let target: ConvertTarget
  private let path: String?
  private let dpi: Double
  private let options: ExportOptions
  private var document: ExportDocument
  /// The files that were written.
  private(set) var written: [String] = []
  private(set) var pageCount = 0
  /// The first page of a format with one page in a file, until there is a second.
  private var first: ConvertedPage?
  private var pdf: (writer: PDFWriter, file: InkOutputFile?, bytes: [UInt8])?
  private var inks: [LabeledInk] = []
  private var sources: [PageInk] = []

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: The file; nil for standard output.
  ///   - target: Its format.
  ///   - title: The name of the document.
  ///   - options: The choices for texts.
  ///   - dpi: The pixels of an inch.
  init(
    _ path: String?, _ target: ConvertTarget, title: String, options: ExportOptions, dpi: Double
  ) throws {
    (self.path, self.target, self.options, self.dpi) = (path, target, options, dpi)
    document = ExportDocument(title: title)
    if let path {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    if target == .export(.pdf) {
      pdf = (PDFWriter(title: title), try path.map { try InkOutputFile(path: $0) }, [])
    }
  }

  /// Adds a page.
  func add(_ page: ConvertedPage) throws {
    pageCount += 1
    if document.language == nil { document.language = page.language }
    switch target {
    case .export(.pdf):
      pdf?.writer.add(page.page)
      try flushPDF()
    case .export(let format) where format.isOfOnePage:
      guard pageCount > 1 else {
        first = page
        return
      }
      guard path != nil else {
        throw ToolError.badInput(
          "--output -: expected one page for \(format.rawValue), found more; name a file")
      }
      if let first { try write(first, number: 1) }
      first = nil
      try write(page, number: pageCount)
    case .export(let format):
      document.pages.append(
        format.drawsPages(options) ? page.page : page.page.withoutUnseenDrawings)
    case .ink: inks.append(page.labeled)
    case .xournal: sources.append(page.source)
    case .jiix: break
    }
  }

  /// Writes what is left; the file is then complete.
  func finish() throws {
    switch target {
    case .export(.pdf):
      pdf?.writer.language = document.language
      pdf?.writer.finish()
      try flushPDF()
      if let file = pdf?.file {
        try file.finish()
        written.append(file.path)
      } else if let bytes = pdf?.bytes {
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      }
    case .export(let format) where format.isOfOnePage:
      if let first { try write(first, number: nil) }
    case .export(let format): try write(try format.bytes(of: document, options), to: path)
    case .ink(let format): try write(try format.bytes(of: inks), to: path)
    case .xournal:
      try write(try XournalWriter.bytes(of: sources, title: document.title), to: path)
    case .jiix: break
    }
  }

  private func flushPDF() throws {
    guard let bytes = pdf?.writer.takeBytes() else { return }
    if let file = pdf?.file {
      file.buffer += bytes
      try file.flushIfFull()
    } else {
      pdf?.bytes += bytes
    }
  }

  /// Writes a page as a file of its own.
  ///
  /// - Parameter number: Its number, from 1; nil if it is the only one.
  private func write(_ page: ConvertedPage, number: Int?) throws {
    guard case .export(let format) = target else { return }
    let bytes = try format.bytes(of: page.page, title: document.title, dpi: dpi)
    guard let path, let number else { return try write(bytes, to: path) }
    let stem = ConvertPlaces.withoutEnding(path)
    try write(bytes, to: "\(stem)-\(number)\(path.dropFirst(stem.count))")
  }

  /// Writes a file, whole or not at all.
  func write(_ bytes: [UInt8], to path: String?) throws {
    guard let path else {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      return
    }
    try OutputFile.write(Data(bytes), to: path)
    written.append(path)
  }
}
