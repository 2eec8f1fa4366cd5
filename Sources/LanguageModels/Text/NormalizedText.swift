import Files
import Foundation

/// Text in the form that a language model reads: Unicode scalars in NFC, with every run of white
/// space as one space and none at the ends of a text. An empty line ends a text; other line breaks
/// are spaces.
public struct NormalizedText: Sendable {
  /// The scalars of all texts, concatenated.
  package private(set) var scalars: [Unicode.Scalar] = []
  /// The end of each text in ``scalars``, ascending; no text is empty.
  public private(set) var ends: [Int] = []
  private let endsAtLines: Bool

  /// Makes an empty collection.
  ///
  /// - Parameter linesAreTexts: If true, every line is a text of its own.
  public init(linesAreTexts: Bool = false) {
    endsAtLines = linesAreTexts
  }

  /// The texts one by one.
  public var texts: some Sequence<ArraySlice<Unicode.Scalar>> {
    zip([0] + ends, ends).lazy.map { scalars[$0..<$1] }
  }

  /// Adds the texts of a file. O(bytes). Invalid UTF-8 becomes U+FFFD.
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
    // U+FEFF begins some files and has no meaning.
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

extension NormalizedText {
  /// Adds the texts of files and of all files below folders, in the order of their names.
  ///
  /// - Throws: ``LanguageModelError`` if a path does not exist or cannot be read.
  public mutating func append(contentsOf paths: [String]) throws(LanguageModelError) {
    for path in paths {
      for file in Self.files(path) {
        let mapped = try MappedBytes.mapping(file)
        withExtendedLifetime(mapped) { append($0.bytes) }
      }
    }
  }

  /// The path itself, or the regular files below it, except hidden ones.
  private static func files(_ path: String) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
      let names = FileManager.default.enumerator(atPath: path)
    else { return [path] }
    var files: [String] = []
    for case let name as String in names {
      let file = path.hasSuffix("/") ? path + name : path + "/" + name
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      var isNested: ObjCBool = false
      if !isHidden, FileManager.default.fileExists(atPath: file, isDirectory: &isNested),
        !isNested.boolValue
      {
        files.append(file)
      }
    }
    return files.sorted()
  }
}

extension NormalizedText {
  /// The number of words of a sentence, and of sentences of a paragraph, in ``init(words:count:)``.
  private static let (sentenceLength, paragraphLength) = (12, 8)

  /// Makes a text from a word list, for languages without a text: paragraphs of sentences that
  /// begin with a capital and end with a full stop. Words occur with their frequencies, in random
  /// order. The same list gives the same text.
  ///
  /// - Parameters:
  ///   - words: Each occurs at least once, for any frequency.
  ///   - count: The approximate number of words, or the number of entries if that is greater.
  public init(words: [WordList.Entry], count: Int = 1_000_000) {
    self.init()
    let total = max(words.reduce(0) { $0 + $1.frequency }, .leastNormalMagnitude)
    var order: [Int32] = []
    for (index, entry) in words.enumerated() {
      let share = (entry.frequency / total * Double(count)).rounded()
      order += Array(repeating: Int32(index), count: max(1, Int(min(share, Double(count)))))
    }
    // Fisher-Yates shuffle with our own generator, so that the order is the same on all systems.
    var generator = SplitMix(state: 1)
    for index in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(index, Int(generator.next() % UInt64(index + 1)))
    }
    var paragraph: [String] = []
    for start in stride(from: 0, to: order.count, by: Self.sentenceLength) {
      let sentence = order[start..<min(start + Self.sentenceLength, order.count)]
        .map { words[Int($0)].word }.joined(separator: " ")
      paragraph.append(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
      if paragraph.count == Self.paragraphLength {
        append(paragraph.joined(separator: " "))
        paragraph = []
      }
    }
    append(paragraph.joined(separator: " "))
  }
}

/// Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
