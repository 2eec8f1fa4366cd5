import Foundation

/// Word lists as files: a word per line, with or without a frequency behind it.
public enum WordList {
  /// A word and how often it occurs.
  public struct Entry: Hashable, Sendable {
    /// The word.
    public var word: String
    /// At least 0; 1 where the list does not say.
    public var frequency: Double

    /// Makes an entry.
    public init(word: String, frequency: Double = 1) {
      self.word = word
      self.frequency = frequency
    }
  }

  /// The words of a file: what stands before the first white space of each line.
  ///
  /// - Throws: ``LanguageModelError`` where the file cannot be read.
  public static func words(of path: String) throws(LanguageModelError) -> [String] {
    try entries(of: path).map(\.word)
  }

  /// The words of a file with the numbers behind them; what is no number of 0 or more counts as 1.
  ///
  /// - Throws: ``LanguageModelError`` where the file cannot be read.
  public static func entries(of path: String) throws(LanguageModelError) -> [Entry] {
    let mapped = try MappedBytes(path: path)
    let text = withExtendedLifetime(mapped) { String(decoding: $0.bytes, as: UTF8.self) }
    let words = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    return words.split(whereSeparator: \.isNewline).compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard let word = fields.first else { return nil }
      let frequency = fields.dropFirst().first.flatMap { Double($0) }
      return Entry(
        word: String(word), frequency: frequency.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? 1)
    }
  }
}
