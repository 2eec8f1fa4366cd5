import InkCore

/// Reads InkML (W3C, 2011): one record for each labelled group of traces.
///
/// - A group (`traceGroup`) with an annotation of type `truth` of its own whose traces are its
///   children, or are named by its `traceView` elements, is a record with that label. Groups that
///   hold other labelled groups are structure. A file without labelled groups is one record with
///   the file's own `truth`, which may stand in quotes.
/// - The writer is the annotation of type `writer` of the group, of one around it, or of the file.
/// - A trace is a list of points; channels stand in the order of the `traceFormat` of the context that
///   the trace or a group around it names, else of the last context or format before it, else X and Y.
///   T is in ms, s or us as `units` says, and becomes milliseconds; times in units of the device are
///   left out. F, the force, is kept as it is; other channels are skipped. Numbers may be differences
///   of first (`'`) or second (`"`) order.
/// - Traces of type `penUp` are no strokes; a trace that goes on another (`continuation`) is of its
///   stroke. Traces in `definitions` are of groups that view them.
/// - Elements may have the prefix of their namespace. Views of parts of traces (`from`, `to`), labels
///   of views and other units of time are failures.
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

  /// Lists the files that end in `.inkml` anywhere below a folder, or takes one file.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` where nothing is there, or a folder
  ///   without such files.
  public init(path: String, yAxis: YAxis = .down) throws(InkFormatError) {
    files = try InkFiles(at: path, extensions: ["inkml"])
    self.yAxis = yAxis
  }

  /// An iterator at the first file.
  public func makeIterator() -> AnyIterator<Element> {
    files.makeIterator { Self.records(of: $0, path: $1, source: $2, yAxis: yAxis) }
  }

  /// The records of a file's bytes.
  static func records(
    of bytes: [UInt8], path: String, source: String, yAxis: YAxis
  ) -> [Element] {
    do throws(InkFormatError) {
      let inks = try bytes.withUnsafeBufferPointer {
        buffer throws(InkFormatError) -> [Result<LabeledInk, InkFormatError>] in
        var scanner = XMLScanner(buffer, path: path)
        var document = InkMLDocument(sign: yAxis == .up ? -1 : 1)
        while let tag = try scanner.nextTag() { try document.take(tag, from: &scanner) }
        return try document.inks(from: scanner)
      }
      return inks.enumerated().map { index, ink in
        ink.map { labeled in
          InkRecord(
            labeled: labeled, location: SourceLocation(path: path), source: source,
            indexInSource: index)
        }
      }
    } catch {
      return [.failure(error)]
    }
  }
}
