import InkCore

/// Reads InkML (W3C, 2011), labelled or not.
///
/// - Labels are annotations of the types `truth`, `label`, `transcription`, `text` and similar, in
///   this order of preference, or else what the program that wrote the file has recognised (EMMA).
///   They may be in quotes or in CDATA.
/// - A file with its own label, or without any label, is one record. Otherwise each labelled group
///   (`traceGroup`, `traceView`) is one, except groups that only contain other labelled groups. A
///   unit selects other records: the page, groups with or without a label, the lines or words if
///   the file marks its groups as such, or single strokes.
/// - The writer is the annotation of type `writer` of the group, of an enclosing group, or of the
///   file.
/// - A trace is a list of points. The order of the channels is that of the `traceFormat` of the
///   context that the trace or an enclosing group names. Otherwise it is that of the last context
///   or format before the trace, or else X and Y. Y is converted to the unit of X if both are
///   known. T is converted to milliseconds; times in units of the device are left out. F, the
///   force, is unchanged; OA, OE and OR are converted to radians; other channels are skipped.
///   Numbers may be differences of first (`'`) or second (`"`) order.
/// - The width of the pen is that of the brush that a trace, its group or its context names, if
///   its unit and that of X are known; the colour is that of the brush. Traces of a highlighter are
///   not strokes: of a brush with the raster operation `maskPen`, as OneNote and Word write it, or of
///   a flat one that one sees through.
/// - The kind of a stroke is the annotation of type `kind` of the innermost group that has one:
///   `text`, `formula`, `drawing`, `connector`, `frame`, `divider`, `underline`, `strikeThrough`,
///   `bullet`, `tickBox` or `tableRule`. An ink has kinds if all of its strokes have one. Without
///   such annotations, a page has the kinds that other programs write as the type of a group (`Arrow`,
///   `Textline`) or in files of flowcharts as its label (`decision`, `text`).
/// - Traces of type `penUp` are not strokes. A trace that continues another (`continuation`)
///   belongs to the same stroke. Traces in `definitions` belong to the groups that view them. A
///   name may come before the element that it refers to.
///
/// A bad file yields a failure, and reading continues. Files are read in the order of their paths,
/// one at a time.
///
///     for record in try InkReader(.inkML, path: "notes.inkml") {
///       print(try record.get().labeled.ink.pointCount)
///     }
package enum InkMLReader {
  package typealias Element = InkReader.Element

  /// Returns the records of a file's bytes.
  package static func records(
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
          var record = InkRecord(
            labeled: item.labeled, location: SourceLocation(path: path), source: source,
            indexInSource: index, level: item.level, id: item.id, warnings: item.warnings,
            penWidth: item.penWidth)
          record.pens = item.pens
          return record
        }
      }
    } catch {
      return [.failure(error)]
    }
  }
}
