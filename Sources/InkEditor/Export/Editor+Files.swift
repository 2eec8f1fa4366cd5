import Foundation
import InkCore
import InkFormats

extension Editor {
  /// Exports a block, or the root if nil, to a file. The ending of the file names the format:
  /// `.txt`, `.jiix`, `.svg`, `.inkml` or `.intensity.json`. The file is replaced as a whole.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - block: The block, or nil for the root.
  ///   - overrides: JSON of configuration keys for this call alone.
  /// - Throws: ``EditorError/unsupportedExport(found:supported:)`` for another ending,
  ///   ``EditorError/unwritableFile(path:reason:)``, and the errors of
  ///   `export(_:as:overrides:)`.
  public func export(
    to url: URL, _ block: ContentBlock? = nil, overrides: String? = nil
  ) throws(EditorError) {
    guard let type = ExportType(endingOf: url) else {
      throw .unsupportedExport(
        found: ".\(url.pathExtension)", supported: ExportType.allCases.map { "." + $0.ending })
    }
    let data = try exportData(block, as: type, overrides: overrides)
    do {
      try data.write(to: url, options: .atomic)
    } catch {
      throw .unwritableFile(path: url.path, reason: "the system refused it")
    }
  }

  /// Exports a block, or the root if nil, as bytes; see `export(_:as:overrides:)`. Text is in
  /// UTF-8.
  ///
  /// - Throws: The errors of `export(_:as:overrides:)`.
  public func exportData(
    _ block: ContentBlock? = nil, as type: ExportType, overrides: String? = nil
  ) throws(EditorError) -> Data {
    Data(try export(block, as: type, overrides: overrides).utf8)
  }

  /// Returns a block as InkML.
  func inkML(_ block: ContentBlock?) throws(EditorError) -> String {
    let (ink, text) = try idle(block) { (state, document, node) throws(EditorError) in
      let items = node === document.root ? document.order : document.items(of: node)
      return (
        // Typed text and pictures are no ink; exact shapes are lines.
        Ink(
          strokes: items.compactMap { document.strokes[$0] }
            .filter { $0.isInk || $0.digital == .outline }.map { Stroke(points: $0.points) }),
        Self.plainText(of: node)
      )
    }
    do throws(InkFormatError) {
      let labeled = ink.isEmpty ? [] : [LabeledInk(ink: ink, label: text)]
      return String(decoding: try InkOutputFormat.inkML.bytes(of: labeled), as: UTF8.self)
    } catch {
      throw .invalidArgument("export", expected: "finite numbers", found: "other numbers")
    }
  }
}
