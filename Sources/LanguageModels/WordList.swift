import Foundation

/// Word lists as files: a word per line, with or without a frequency behind it.
public enum WordList {
  /// The words of a file: what stands before the first white space of each line.
  ///
  /// - Throws: ``LanguageModelError`` where the file cannot be read.
  public static func words(of path: String) throws(LanguageModelError) -> [String] {
    let mapped = try MappedBytes(path: path)
    let text = withExtendedLifetime(mapped) { String(decoding: $0.bytes, as: UTF8.self) }
    return text.split(whereSeparator: \.isNewline)
      .compactMap { line in line.split(whereSeparator: \.isWhitespace).first.map(String.init) }
  }
}
