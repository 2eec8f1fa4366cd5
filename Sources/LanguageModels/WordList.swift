import Foundation

/// Word lists as files: a word per line, with or without a frequency behind it.
public enum WordList {
  /// The words of a file: what stands before the first white space of each line.
  ///
  /// - Throws: ``LanguageModelError`` where the file cannot be read.
  public static func words(of path: String) throws(LanguageModelError) -> [String] {
    let bytes = try MappedBytes(path: path)
    return String(decoding: bytes.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { line in line.split(whereSeparator: \.isWhitespace).first.map(String.init) }
  }
}
