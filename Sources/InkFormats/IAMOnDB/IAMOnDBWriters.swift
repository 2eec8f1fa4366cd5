/// The writers of the lines of IAM-OnDB.
///
/// If `writers.tsv` exists, it contains, after the header `line<TAB>writer`, the name of a line and
/// the writer's id, which may be empty. Otherwise the writers come from the forms' own recordings,
/// `original/**`: the attribute `writerID` of the element `Form`.
package struct IAMOnDBWriters: Sendable {
  private let folder: String
  /// The writers by line, or nil without a table.
  private var table: [String: String]?

  /// Reads the table of a dataset, if there is one. O(file).
  ///
  /// - Throws: ``InkFormatError`` of code `malformed` with the line.
  package init(folder: String) throws(InkFormatError) {
    self.folder = folder
    let path = ByteFile.join(folder, "writers.tsv")
    if ByteFile.exists(path) {
      table = try Self.table(of: try ByteFile.bytes(of: path), path: path)
    }
  }

  /// The writer of each line with an id.
  package static func table(
    of bytes: [UInt8], path: String
  ) throws(InkFormatError) -> [String: String] {
    var table: [String: String] = [:]
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated() {
      // Remove only the line end: a tab before it precedes an empty id.
      let line = raw.last == 0x0D ? raw.dropLast() : raw
      guard index > 0, !line.isEmpty else { continue }
      let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
      guard fields.count == 2 else {
        throw InkFormatError(
          .malformed, at: SourceLocation(path: path, line: index + 1),
          expected: "a line and a writer in two columns", found: "\(fields.count) columns",
          advice: "correct the file")
      }
      if !fields[1].isEmpty { table[Latin1.string(fields[0])] = Latin1.string(fields[1]) }
    }
    return table
  }

  /// Returns a function from the numbers of a form's lines to their writer.
  ///
  /// - Throws: ``InkFormatError`` if the form's recording exists but cannot be read.
  func lookup(_ form: IAMOnDBForm) throws(InkFormatError) -> (Int) -> String? {
    if let table {
      return { number in
        form.files[number].flatMap { file in
          table[String(file.dropLast(".xml".count).split(separator: "/").last ?? "")]
        }
      }
    }
    // The recording of the form a01-000u is strokesu.xml in the folder a01-000.
    let suffix = form.name.reversed().prefix { !$0.isNumber && $0 != "-" }.reversed()
    let path = ByteFile.join(folder, "original/\(form.folder)/strokes\(String(suffix)).xml")
    guard ByteFile.exists(path) else { return { _ in nil } }
    let writer = try Self.writer(of: try ByteFile.bytes(of: path), path: path)
    return { _ in writer }
  }

  /// The writer in a form's own recording, or nil if it has none.
  package static func writer(of bytes: [UInt8], path: String) throws(InkFormatError) -> String? {
    try bytes.withUnsafeBufferPointer { buffer throws(InkFormatError) in
      var scanner = XMLScanner(buffer, path: path)
      // The description of the form precedes the strokes, which are not needed here.
      while let tag = try scanner.nextTag(), tag.name != "StrokeSet" {
        if tag.name == "Form", let writer = tag["writerID"], !writer.isEmpty { return writer }
      }
      return nil
    }
  }
}

/// The texts of the IAM-OnDB benchmark task, `t2_labels.mlf`: an HTK master label file.
///
/// After `#!MLF!#`, the file contains for each line its name as `"*/NAME.lab"`, one symbol per
/// line, and `.`.
package struct IAMOnDBTaskLabels: Sendable {
  /// The symbols with a special meaning. Crossed-out ink is `#`, a space is nothing.
  private static let symbols: [String: String] = [
    "am": "&", "cl": ":", "cm": ",", "do": "$", "ex": "!", "ga": "#", "lb": "(", "ls": "[",
    "mi": "-", "pl": "+", "pt": ".", "qm": "?", "qu": "\"", "rb": ")", "rs": "]", "sc": ";",
    "sl": "/", "sp": "", "sr": "*", "ti": "'", "n0": "0", "n1": "1", "n2": "2", "n3": "3",
    "n4": "4", "n5": "5", "n6": "6", "n7": "7", "n8": "8", "n9": "9",
  ]

  /// The text of each line without its spaces.
  package private(set) var texts: [String: String] = [:]

  /// Parses a file. O(file).
  ///
  /// - Throws: ``InkFormatError`` of code `malformed` or `truncated`, with the line.
  package init(parsing bytes: [UInt8], path: String) throws(InkFormatError) {
    var name: String?
    var text = ""
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let error = { (code: InkFormatError.Code, index: Int, expected: String, found: String) in
      InkFormatError(
        code, at: SourceLocation(path: path, line: index + 1), expected: expected, found: found,
        advice: "correct the file, or remove it: it is used only to check the texts")
    }
    for (index, raw) in lines.enumerated() {
      let line = Latin1.string(Latin1.trimmed(raw))
      if index == 0 {
        guard line == "#!MLF!#" else {
          throw error(.malformed, index, "#!MLF!# in the first line", "another line")
        }
      } else if let key = name {
        if line == "." {
          texts[key] = text
          name = nil
        } else if let symbol = Self.symbols[line] {
          text += symbol
        } else if line.unicodeScalars.count == 1 {
          text += line
        } else {
          throw error(.malformed, index, "a symbol of the task", "another line")
        }
      } else if line.hasPrefix("\"*/"), line.hasSuffix(".lab\"") {
        name = String(line.dropFirst(3).dropLast(5))
        text = ""
      } else if !line.isEmpty {
        throw error(.malformed, index, "a name \"*/NAME.lab\"", "another line")
      }
    }
    guard name == nil else {
      throw error(.truncated, lines.count - 1, ". after the symbols", "the end of the file")
    }
  }

  /// Returns whether a text equals that of a line except for white space and the mark of
  /// crossed-out ink; nil if the line is not in the task.
  func agree(with text: String, line: String) -> Bool? {
    guard let expected = texts[line] else { return nil }
    let compact = text.filter { !$0.isWhitespace }.map { $0 == "%" ? "#" : $0 }
    return expected == String(compact)
  }
}
