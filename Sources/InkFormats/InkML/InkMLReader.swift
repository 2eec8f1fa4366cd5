import InkCore

/// Reads InkML (W3C, 2011), labelled or not.
///
/// - Labels are annotations of the types `truth`, `label`, `transcription`, `text` and their like, in this
///   order of worth, or what the program that wrote the file has read (EMMA). They may stand in quotes
///   or in CDATA.
/// - A file with a label of its own, or without any, is one record. Else each labelled group
///   (`traceGroup`, `traceView`) is one; groups that only hold other labelled groups are structure.
///   A unit asks for something else: the page, groups with a label or not, the lines or words of files
///   that say which groups are such, or single strokes.
/// - The writer is the annotation of type `writer` of the group, of one around it, or of the file.
/// - A trace is a list of points; channels stand in the order of the `traceFormat` of the context that
///   the trace or a group around it names, else of the last context or format before it, else X and Y.
///   Y is brought to the unit of X where both are known. T becomes milliseconds; times in units of the
///   device are left out. F, the force, is kept as it is, OA and OE become radians; other channels are
///   skipped. Numbers may be differences of first (`'`) or second (`"`) order.
/// - Traces of type `penUp` are no strokes; a trace that goes on another (`continuation`) is of its
///   stroke. Traces in `definitions` are of groups that view them. Names may stand before what they name.
///
/// A bad file yields a failure, and reading continues. Files are read in the order of their paths,
/// one at a time.
///
///     for record in try InkMLReader(path: "notes.inkml") {
///       print(try record.get().labeled.ink.pointCount)
///     }
public struct InkMLReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  private let files: InkFiles
  private let yAxis: YAxis
  private let unit: InkUnit?

  /// Lists the files that end in `.inkml` anywhere below a folder, or takes one file.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` where nothing is there, or a folder
  ///   without such files.
  public init(
    path: String, yAxis: YAxis = .down, unit: InkUnit? = nil
  ) throws(InkFormatError) {
    files = try InkFiles(at: path, extensions: ["inkml"])
    self.yAxis = yAxis
    self.unit = unit
  }

  /// An iterator at the first file.
  public func makeIterator() -> AnyIterator<Element> {
    files.makeIterator { Self.records(of: $0, path: $1, source: $2, yAxis: yAxis, unit: unit) }
  }

  /// The records of a file's bytes.
  static func records(
    of bytes: [UInt8], path: String, source: String, yAxis: YAxis, unit: InkUnit? = nil
  ) -> [Element] {
    let sign: Double = yAxis == .up ? -1 : 1
    do throws(InkFormatError) {
      let items = try XMLText.utf8(bytes).withUnsafeBufferPointer {
        buffer throws(InkFormatError) -> [InkMLRecords.Element] in
        var scanner = XMLScanner(buffer, path: path)
        var document = InkMLDocument()
        while let tag = try scanner.nextTag() { try document.take(tag, from: &scanner) }
        var records = try InkMLRecords(document, scanner, sign: sign)
        return records.items(unit)
      }
      return items.enumerated().map { index, item in
        item.map { item in
          InkRecord(
            labeled: item.labeled, location: SourceLocation(path: path), source: source,
            indexInSource: index, level: item.level, id: item.id)
        }
      }
    } catch {
      return [.failure(error)]
    }
  }
}
