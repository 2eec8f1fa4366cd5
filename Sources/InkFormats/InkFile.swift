import InkCore

/// Ink of a file in any format, labelled or not. The format is recognised by the content.
///
///     for element in try InkFile(path: "page.inkml", unit: .page) {
///       let record = try element.get()
///       print(record.isLabelled, record.labeled.ink.strokes.count)
///     }
///
/// A folder is read if its files are of one format; UNIPEN datasets are folders. One file, or one
/// line of it, is in memory at a time.
public struct InkFile: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  /// The file or folder.
  public let path: String
  /// The format of the content.
  public let format: InkFileFormat
  private let makeBase: @Sendable () -> AnyIterator<Element>

  /// Opens a file or folder and determines its format.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - format: The format, or nil to determine it by the content.
  ///   - unit: The unit of a record, if the format has several levels; nil for the format's
  ///     default.
  ///   - yAxis: The direction of y; nil for that of the format.
  /// - Throws: ``InkFormatError`` if there is nothing at the path, or the format is unknown.
  public init(
    path: String, format: InkFileFormat? = nil, unit: InkUnit? = nil, yAxis: YAxis? = nil
  ) throws(InkFormatError) {
    self.path = path
    if let format { self.format = format } else { self.format = try Self.format(at: path) }
    makeBase = try Self.base(self.format, path, unit, yAxis)
  }

  /// Returns an iterator at the first record.
  public func makeIterator() -> AnyIterator<Element> { makeBase() }

  /// Returns the format of a file, or of the first file of a folder that has a known format.
  private static func format(at path: String) throws(InkFormatError) -> InkFileFormat {
    guard ByteFile.isFolder(path) else { return try .of(path: path) }
    if ByteFile.isFolder(ByteFile.join(path, "data")),
      ByteFile.isFolder(ByteFile.join(path, "include"))
    {
      return .unipen
    }
    for file in try ByteFile.list(path).sorted() {
      if let format = InkFileFormat.of(bytes: ByteFile.start(of: file, in: path)) { return format }
    }
    throw InkFormatError(
      .missingFile, at: SourceLocation(path: path), expected: "files of ink in the folder",
      found: "none", advice: "check the path, or unpack the dataset")
  }

  private static func base(
    _ format: InkFileFormat, _ path: String, _ unit: InkUnit?, _ yAxis: YAxis?
  ) throws(InkFormatError) -> @Sendable () -> AnyIterator<Element> {
    switch format {
    case .inkML:
      let reader = try InkMLReader(path: path, yAxis: yAxis ?? .down, unit: unit)
      return { reader.makeIterator() }
    case .jiix:
      let reader = try JIIXReader(path: path, yAxis: yAxis ?? .down, unit: unit)
      return { reader.makeIterator() }
    case .jsonLines:
      let reader = try InkJSONLinesReader(path: path, yAxis: yAxis ?? .down)
      return { reader.makeIterator() }
    case .strokeLines:
      let reader = try StrokeNDJSONReader(path: path, yAxis: yAxis ?? .down)
      return { reader.makeIterator() }
    case .quickDraw:
      let reader = try QuickDrawReader(path: path, yAxis: yAxis ?? .down)
      return { reader.makeIterator() }
    case .unipen:
      let reader = try UNIPENReader(folder: path, yAxis: yAxis, unit: unit)
      return { reader.makeIterator() }
    case .gestureXML:
      let reader = try GestureXMLReader(path: path, yAxis: yAxis ?? .down)
      return { reader.makeIterator() }
    case .xournal:
      let reader = try XournalReader(path: path, yAxis: yAxis ?? .down, unit: unit)
      return { reader.makeIterator() }
    case .svg:
      let reader = try SVGReader(path: path, yAxis: yAxis ?? .down, unit: unit)
      return { reader.makeIterator() }
    case .excalidraw:
      let reader = try ExcalidrawReader(path: path, yAxis: yAxis ?? .down, unit: unit)
      return { reader.makeIterator() }
    case .tldraw:
      let reader = try TldrawReader(path: path, yAxis: yAxis ?? .down, unit: unit)
      return { reader.makeIterator() }
    case .zinnia:
      let reader = try ZinniaReader(path: path, yAxis: yAxis ?? .down)
      return { reader.makeIterator() }
    case .tegaki:
      let reader = try TegakiReader(path: path, yAxis: yAxis ?? .down)
      return { reader.makeIterator() }
    }
  }
}
