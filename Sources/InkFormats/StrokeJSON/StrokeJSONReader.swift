import Files
import InkCore

/// Reads strokes in JSON of any program; ``StrokeTree`` has the forms that are known.
///
/// A document is one record, or one for each of its pages; a unit asks for strokes or the whole
/// file. A file may hold several documents, one after the other or one per line. A document may have
/// a `label`. A bad file yields a failure.
enum StrokeJSONReader {
  /// The most bytes of a file, because its tree is in memory.
  private static let largest = 32 << 20

  @Sendable
  static func parse(_ input: InkInput) throws(InkFormatError) -> DrawnFile {
    let bytes = try input.content()
    guard bytes.count <= largest else {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: input.path),
        expected: "JSON of at most \(largest >> 20) MB", found: "more", advice: "split the file")
    }
    return try bytes.withUnsafeBufferPointer { (buffer) throws(InkFormatError) in
      var scanner = JSONScanner(document: buffer, path: input.path)
      var file = DrawnFile()
      repeat {
        let value = try scanner.tree()
        do throws(StrokeTreeError) {
          for page in try StrokeTree.pages(of: value) { file.add(page) }
        } catch {
          throw InkFormatError(error, at: SourceLocation(path: input.path))
        }
      } while !scanner.isAtEnd
      return file
    }
  }
}

extension DrawnFile {
  fileprivate mutating func add(_ page: StrokeTree.Page) {
    var drawn = Page(label: page.label)
    for (stroke, width) in zip(page.strokes, page.widths) {
      drawn.groups.append(Group())
      drawn.add(stroke, to: drawn.groups.count - 1, width: width)
    }
    pages.append(drawn)
  }
}

extension InkFormatError {
  /// Makes the error of JSON without strokes.
  fileprivate init(_ error: StrokeTreeError, at location: SourceLocation) {
    self.init(
      error.isTooLarge ? .tooLarge : .unsupported, at: location, expected: error.expected,
      found: error.found,
      advice: error.isTooLarge ? "split the file" : "write the strokes in one of these forms")
  }
}
