import DatasetFiles
import Foundation

/// The texts that `starter:words` writes.
package struct StarterWords: Sendable {
  /// The texts. None is empty; they consist of characters with prototypes and single spaces.
  package let texts: [String]

  /// Checks texts, one per line.
  ///
  /// Runs of spaces become one; empty lines are skipped.
  ///
  /// - Throws: ``SynthesisError`` for a character without prototypes, or if there is no text.
  package init(parsing text: String, name: String, library: PrototypeLibrary) throws(SynthesisError)
  {
    var texts: [String] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      for character in words.joined() {
        guard library.prototypes[PrototypeLibrary.label(of: character)] == nil else { continue }
        let code = character.unicodeScalars.map { "U+" + String($0.value, radix: 16) }
        throw SynthesisError(
          subject: "\(name):\(index + 1)",
          expected: "characters of an alphabet that has prototypes",
          found: code.joined(separator: " "))
      }
      if !words.isEmpty { texts.append(words.joined(separator: " ")) }
    }
    guard !texts.isEmpty else {
      throw SynthesisError(
        subject: name, expected: "a text file with a word or text per line",
        found: "no text")
    }
    self.texts = texts
  }

  /// Reads a file.
  package init(path: String, library: PrototypeLibrary) throws(SynthesisError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw SynthesisError(
        subject: path, expected: "a readable file of words", found: "none there")
    }
    try self.init(
      parsing: String(decoding: bytes, as: UTF8.self), name: path, library: library)
  }

  /// The default words: frequent and short words, every letter in both cases, numbers and
  /// punctuation.
  ///
  /// - Throws: `DatasetFilesError` if the file of words is missing.
  package static func builtIn() throws(DatasetFilesError) -> String {
    try DatasetFiles.text("words.txt", in: .starter)
  }
}

/// A text that the synthesiser cannot write.
package struct SynthesisError: Error, Hashable, Sendable {
  /// The file or the name of the text, with the line.
  package let subject: String
  /// The expected value.
  package let expected: String
  /// The value found.
  package let found: String
}
