import InkCore

/// Reads ink of a file or a folder in any format, labelled or not.
///
///     for element in try InkReader(path: "page.inkml", unit: .page) {
///       let record = try element.get()
///       print(record.isLabelled, record.labeled.ink.strokes.count)
///     }
///
/// Without a format, the content tells which one it is. A folder is read if its files are of one
/// format; UNIPEN datasets are folders. One file, or one line of it, is in memory at a time. A bad
/// record yields a failure, and reading continues.
public struct InkReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  /// The file or folder, or the name of the bytes.
  public let path: String
  /// The format of the content.
  public let format: InkFileFormat
  private let makeBase: @Sendable () -> AnyIterator<Element>

  /// Opens a file, or the files of a format anywhere below a folder.
  ///
  /// - Parameters:
  ///   - format: The format, or nil to determine it by the content.
  ///   - path: The file or folder.
  ///   - unit: The unit of a record, if the format has several levels; nil for the format's
  ///     default.
  ///   - yAxis: The direction of y; nil for that of the format.
  /// - Throws: ``InkFormatError`` if there is nothing at the path, or the format is unknown.
  public init(
    _ format: InkFileFormat? = nil, path: String, unit: InkUnit? = nil, yAxis: YAxis? = nil
  ) throws(InkFormatError) {
    try self.init(format, path: path, unit: unit, yAxis: yAxis, withTypedPages: false)
  }

  /// The same; pages of typed text alone are records without ink if `withTypedPages` is true.
  package init(
    _ format: InkFileFormat? = nil, path: String, unit: InkUnit?, yAxis: YAxis? = nil,
    withTypedPages: Bool
  ) throws(InkFormatError) {
    self.path = path
    self.format = if let format { format } else { try InkFileFormat.of(fileOrFolder: path) }
    let options = InkReaderOptions(unit: unit, yAxis: yAxis, withTypedPages: withTypedPages)
    if self.format == .unipen {
      let reader = try UNIPENReader(folder: path, yAxis: yAxis, unit: unit)
      makeBase = { reader.makeIterator() }
    } else if let parse = self.format.lines {
      let files = try JSONLineFiles(
        path: path, extensions: self.format.extensions, yAxis: options.axis, parse: parse)
      makeBase = { files.makeIterator() }
    } else {
      makeBase = self.format.base(try InkFiles(at: path, self.format), options)
    }
  }

  /// Reads bytes in memory like those of a file.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - bytes: The content of a file.
  ///   - name: The name of the bytes in errors and records.
  ///   - unit: The unit of a record; nil for the format's default.
  ///   - yAxis: The direction of y; nil for that of the format.
  public init(
    _ format: InkFileFormat, bytes: [UInt8], name: String, unit: InkUnit? = nil,
    yAxis: YAxis? = nil
  ) {
    self.format = format
    path = name
    let options = InkReaderOptions(unit: unit, yAxis: yAxis)
    if format == .unipen {
      let reader = UNIPENReader(folder: "", segmentFiles: [name], yAxis: yAxis) { _ in bytes }
        .reading(level: nil, unit: unit)
      makeBase = { reader.makeIterator() }
    } else if let parse = format.lines {
      let files = JSONLineFiles(bytes: bytes, name: name, yAxis: options.axis, parse: parse)
      makeBase = { files.makeIterator() }
    } else {
      makeBase = format.base(InkFiles(bytes: bytes, name: name), options)
    }
  }

  /// Returns an iterator at the first record.
  public func makeIterator() -> AnyIterator<Element> { makeBase() }
}

/// The former name of ``InkReader``.
@available(*, deprecated, renamed: "InkReader")
public typealias InkFile = InkReader

/// The choices of a caller for all files.
struct InkReaderOptions: Sendable {
  var unit: InkUnit?
  var yAxis: YAxis?
  /// True if pages of typed text alone are records.
  var withTypedPages = false

  /// The direction of y in formats in which it grows downward.
  var axis: YAxis { yAxis ?? .down }
}

extension InkFileFormat {
  /// The suffixes of the files of a folder that are read; those of the other formats of drawings
  /// are told by their content, too.
  fileprivate var extensions: Set<String> {
    switch self {
    case .inkML: ["inkml"]
    case .jiix: ["jiix"]
    case .jsonLines: ["jsonl"]
    case .strokeLines: ["ndjson", "jsonl"]
    case .quickDraw: ["ndjson"]
    case .gestureXML: ["xml"]
    case .xournal: ["xopp", "xoj"]
    case .svg: ["svg", "svgz"]
    case .excalidraw: ["excalidraw"]
    case .tldraw: ["tldr"]
    case .zinnia: ["s"]
    case .remarkable: ["rm", "rmdoc", "content"]
    case .rnote: ["rnote"]
    case .uim: ["uim"]
    case .will: ["will"]
    case .saber: ["sbn2", "sba"]
    case .butterfly: ["bfly"]
    case .supernote: ["note"]
    case .isf: ["isf"]
    case .pdf: ["pdf"]
    case .penTable: ["csv", "tsv"]
    case .unipen, .tegaki, .strokeJSON: []
    }
  }

  /// True for formats whose files have suffixes of other formats, or any.
  fileprivate var isFoundByContent: Bool {
    switch self {
    case .xournal, .svg, .excalidraw, .tldraw, .zinnia, .tegaki, .strokeJSON, .remarkable, .rnote,
      .uim,
      .will, .saber, .butterfly, .supernote, .isf, .pdf, .penTable:
      true
    case .inkML, .jiix, .jsonLines, .strokeLines, .quickDraw, .unipen, .gestureXML: false
    }
  }

  /// The parser of a line, for formats with one record per line.
  fileprivate var lines: JSONLineFiles.Parse? {
    switch self {
    case .jsonLines: InkJSONLinesReader.record
    case .strokeLines: StrokeNDJSONReader.record
    case .quickDraw: QuickDrawReader.record
    case .inkML, .jiix, .unipen, .gestureXML, .xournal, .svg, .excalidraw, .tldraw, .zinnia,
      .tegaki, .strokeJSON, .remarkable, .rnote, .uim, .will, .saber, .butterfly, .supernote, .isf,
      .pdf,
      .penTable:
      nil
    }
  }

  /// Returns what reads files of this format, which has one file per document.
  fileprivate func base(
    _ files: InkFiles, _ options: InkReaderOptions
  ) -> @Sendable () -> AnyIterator<InkReader.Element> {
    let (unit, axis) = (options.unit, options.axis)
    switch self {
    case .inkML:
      return {
        files.makeIterator {
          InkMLReader.records(of: $0, path: $1, source: $2, yAxis: axis, unit: unit)
        }
      }
    case .jiix:
      return {
        files.makeIterator {
          JIIXReader.records(of: $0, path: $1, source: $2, yAxis: axis, unit: unit)
        }
      }
    case .gestureXML:
      return {
        files.makeIterator {
          [GestureXMLReader.record(of: $0, path: $1, source: $2, yAxis: axis)]
        }
      }
    case .zinnia:
      return {
        files.makeIterator { ZinniaReader.records(of: $0, path: $1, source: $2, yAxis: axis) }
      }
    case .tegaki:
      return {
        files.makeIterator { TegakiReader.records(of: $0, path: $1, source: $2, yAxis: axis) }
      }
    case .xournal: return drawings(files, options, XournalReader.parse)
    case .svg: return drawings(files, options, SVGReader.parse)
    case .excalidraw: return drawings(files, options, ExcalidrawReader.parse)
    case .tldraw: return drawings(files, options, TldrawReader.parse)
    case .strokeJSON: return drawings(files, options, StrokeJSONReader.parse)
    case .remarkable: return drawings(files, options, RemarkableReader.parse)
    case .rnote: return drawings(files, options, RnoteReader.parse)
    case .uim: return drawings(files, options, UIMReader.parse)
    case .will: return drawings(files, options, WILLReader.parse)
    case .saber: return drawings(files, options, SaberReader.parse)
    case .butterfly: return drawings(files, options, ButterflyReader.parse)
    case .supernote: return drawings(files, options, SupernoteReader.parse)
    case .isf: return drawings(files, options, ISFReader.parse)
    case .pdf: return drawings(files, options, PDFInkReader.parse)
    case .penTable: return drawings(files, options, PenTableReader.parse)
    // These are read line by line or as a dataset.
    case .jsonLines, .strokeLines, .quickDraw, .unipen: return { AnyIterator { nil } }
    }
  }

  private func drawings(
    _ files: InkFiles, _ options: InkReaderOptions, _ parse: @escaping DrawnFiles.Parse
  ) -> @Sendable () -> AnyIterator<InkReader.Element> {
    let drawn = DrawnFiles(
      files, yAxis: options.axis, unit: options.unit, withTypedPages: options.withTypedPages,
      parse: parse)
    return { drawn.makeIterator() }
  }
}

extension InkFiles {
  /// Lists the files of a format anywhere below a folder, by suffix or content, or takes one file.
  fileprivate init(at path: String, _ format: InkFileFormat) throws(InkFormatError) {
    guard format.isFoundByContent else {
      try self.init(at: path, extensions: format.extensions)
      return
    }
    // The pages of a stored notebook are parts of it.
    let notebooks: Set<Substring> =
      format == .remarkable && ByteFile.isFolder(path)
      ? Set(try ByteFile.list(path).filter { $0.hasSuffix(".content") }.map { $0.dropLast(8) }) : []
    try self.init(at: path) { file in
      if !notebooks.isEmpty, let slash = file.lastIndex(of: "/"), notebooks.contains(file[..<slash])
      {
        return false
      }
      let suffix = file.lastIndex(of: ".").map { file[file.index(after: $0)...].lowercased() }
      return suffix.map(format.extensions.contains) == true
        || (try? InkFileFormat.found(at: ByteFile.join(path, file))) == format
    }
  }
}
