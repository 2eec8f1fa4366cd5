/// The texts of a form of IAM-OnDB.
///
/// A file has a part `OCR:`, the text that was to be written, and a part `CSR:`, the text that was
/// written, with its line ends.
enum IAMOnDBTranscription {
  /// The lines after `CSR:` that are not blank, without their line ends, in ISO 8859-1.
  ///
  /// - Throws: ``InkFormatError`` of code `missingKey` where no line is `CSR:`, of code `malformed`
  ///   where several are.
  static func lines(of bytes: [UInt8], path: String) throws(InkFormatError) -> [String] {
    var lines: [String] = []
    var isWritten = false
    let all = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, raw) in all.enumerated() {
      let content = Latin1.trimmed(raw)
      if content.elementsEqual("CSR:".utf8) {
        guard !isWritten else {
          throw InkFormatError(
            .malformed, at: SourceLocation(path: path, line: index + 1),
            expected: "one line CSR:", found: "another", advice: "correct or remove the file")
        }
        isWritten = true
      } else if isWritten, !content.isEmpty {
        lines.append(Latin1.string(raw.last == 0x0D ? raw.dropLast() : raw))
      }
    }
    guard isWritten else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: path), expected: "a line CSR: before the texts",
        found: "none", advice: "correct or remove the file")
    }
    return lines
  }
}
