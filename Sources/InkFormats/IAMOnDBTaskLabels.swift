/// The texts of the IAM-OnDB benchmark task, `t2_labels.mlf`: an HTK master label file.
///
/// After `#!MLF!#` stand, for each line, its name as `"*/NAME.lab"`, one symbol per line, and `.`.
struct IAMOnDBTaskLabels: Sendable {
  /// The symbols that do not stand for themselves. Crossed-out ink is `#`, a space nothing.
  private static let symbols: [String: String] = [
    "am": "&", "cl": ":", "cm": ",", "do": "$", "ex": "!", "ga": "#", "lb": "(", "ls": "[",
    "mi": "-", "pl": "+", "pt": ".", "qm": "?", "qu": "\"", "rb": ")", "rs": "]", "sc": ";",
    "sl": "/", "sp": "", "sr": "*", "ti": "'", "n0": "0", "n1": "1", "n2": "2", "n3": "3",
    "n4": "4", "n5": "5", "n6": "6", "n7": "7", "n8": "8", "n9": "9",
  ]

  /// The text of each line without its spaces.
  private(set) var texts: [String: String] = [:]

  /// Parses a file. O(file).
  ///
  /// - Throws: ``InkFormatError`` of code `malformed` or `truncated`, with the line.
  init(parsing bytes: [UInt8], path: String) throws(InkFormatError) {
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

  /// Whether a text is the one of a line but for white space and the mark of crossed-out ink; nil
  /// where the line is not in the task.
  func agree(with text: String, line: String) -> Bool? {
    guard let expected = texts[line] else { return nil }
    let compact = text.filter { !$0.isWhitespace }.map { $0 == "%" ? "#" : $0 }
    return expected == String(compact)
  }
}
