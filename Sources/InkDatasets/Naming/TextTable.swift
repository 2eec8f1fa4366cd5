import Foundation
import InkFormats

/// A table of texts for ink without labels.
///
/// Tab-separated values: the name of an ink and its text, a line each. Lines that start with `#` and a line
/// `id<TAB>text` at the beginning are no texts. `\n`, `\t` and `\\` in a text are a line break, a tab and a
/// backslash. An ink is named, in this order,
///
/// - by its id in the file,
/// - by the path of its file, its name, or its name without the suffix, with `#N` for the N-th record from 0:
///   `page.inkml#2`,
/// - by one of these without `#N`, for all records of the file.
///
/// A text of the table replaces a label of the file.
package struct TextTable: Sendable {
  /// The name of the file, for errors.
  package let name: String
  /// The texts by the names of inks.
  package private(set) var texts: [String: String] = [:]

  /// Reads a table. O(file) memory.
  ///
  /// - Throws: ``DataError`` of code `malformedTexts` with the line.
  package init(path: String) throws(DataError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw DataError(
        .malformedTexts, in: path,
        expected: "a readable table of texts, here or in the folder that INK_DATASETS names",
        found: "none there")
    }
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw DataError(.malformedTexts, in: path, expected: "UTF-8", found: "other bytes")
    }
    try self.init(parsing: text, name: path)
  }

  /// Parses a table; errors carry `name`.
  package init(parsing text: String, name: String) throws(DataError) {
    self.name = name
    let isMarked = text.unicodeScalars.first == "\u{FEFF}"
    let text = isMarked ? String(text.unicodeScalars.dropFirst()) : text
    var isFirst = true
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      guard fields.count == 2, !fields[0].isEmpty else {
        throw DataError(
          .malformedTexts, in: "\(name):\(index + 1)",
          expected: "the name of an ink, a tab and its text", found: "a line without a tab")
      }
      let isHeader =
        isFirst && ["id", "file", "path", "name"].contains(fields[0].lowercased())
        && ["text", "label"].contains(fields[1].lowercased())
      isFirst = false
      guard !isHeader else { continue }
      let text = Self.unescaped(fields[1])
      let other = texts.updateValue(text, forKey: String(fields[0]))
      guard other == nil || other == text else {
        throw DataError(
          .malformedTexts, in: "\(name):\(index + 1)", expected: "one text for each ink",
          found: "another text of an earlier line")
      }
    }
  }

  /// The text of a record, or nil where the table has none.
  package func text(of record: InkRecord) -> String? {
    if let id = record.id, let text = texts[id] { return text }
    let file = record.source.split(separator: "/").last.map(String.init) ?? record.source
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    let names = [record.source, file, stem]
    for name in names {
      if let text = texts["\(name)#\(record.indexInSource)"] { return text }
    }
    for name in names {
      if let text = texts[name] { return text }
    }
    return nil
  }

  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("\\") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text {
      guard isEscaped else {
        if character == "\\" { isEscaped = true } else { result.append(character) }
        continue
      }
      isEscaped = false
      switch character {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "\\": result.append("\\")
      default: result += "\\\(character)"
      }
    }
    return isEscaped ? result + "\\" : result
  }
}
