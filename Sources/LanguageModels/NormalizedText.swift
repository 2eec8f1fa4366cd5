import Foundation

/// Text as a language model sees it: Unicode scalars after NFC, every run of white space one
/// space, none at the ends of a text. An empty line ends a text; other line breaks are spaces.
public struct NormalizedText: Sendable {
  /// The scalars of all texts, one behind the other.
  public private(set) var scalars: [Unicode.Scalar] = []
  /// Where each text ends in ``scalars``, ascending; no text is empty.
  public private(set) var ends: [Int] = []
  private let endsAtLines: Bool

  /// Makes an empty collection.
  ///
  /// - Parameter linesAreTexts: Whether every line is a text of its own.
  public init(linesAreTexts: Bool = false) {
    endsAtLines = linesAreTexts
  }

  /// The texts one by one.
  public var texts: some Sequence<ArraySlice<Unicode.Scalar>> {
    zip([0] + ends, ends).lazy.map { scalars[$0..<$1] }
  }

  /// Adds the texts of a file. O(bytes). Bytes that are no UTF-8 become U+FFFD.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position < bytes.count {
      var lineEnd = position
      while lineEnd < bytes.count, bytes[lineEnd] != UInt8(ascii: "\n") { lineEnd += 1 }
      appendLine(UnsafeRawBufferPointer(rebasing: bytes[position..<lineEnd]))
      position = lineEnd + 1
    }
    endText()
  }

  /// Adds the texts of a string.
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  private mutating func appendLine(_ line: UnsafeRawBufferPointer) {
    let before = scalars.count
    if line.allSatisfy({ $0 < 0x80 }) {
      for byte in line { appendScalar(Unicode.Scalar(byte)) }
    } else {
      let composed = String(decoding: line, as: UTF8.self).precomposedStringWithCanonicalMapping
      for scalar in composed.unicodeScalars { appendScalar(scalar) }
    }
    if scalars.count == before || endsAtLines { endText() } else { appendScalar(" ") }
  }

  private mutating func appendScalar(_ scalar: Unicode.Scalar) {
    // U+FEFF begins some files and says nothing.
    if scalar == "\u{FEFF}" { return }
    let isSpace =
      scalar.isASCII
      ? scalar == " " || 9...13 ~= scalar.value : scalar.properties.isWhitespace
    guard isSpace else {
      scalars.append(scalar)
      return
    }
    guard scalars.count > (ends.last ?? 0), scalars.last != " " else { return }
    scalars.append(" ")
  }

  private mutating func endText() {
    if scalars.count > (ends.last ?? 0), scalars.last == " " { scalars.removeLast() }
    if scalars.count > (ends.last ?? 0) { ends.append(scalars.count) }
  }
}
