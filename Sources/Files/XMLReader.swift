import Foundation

/// Reads the tags of a small UTF-8 XML text, and checks that they nest.
///
/// Text between tags is skipped unless it is requested; predefined and numeric entities are
/// decoded. A document type without declarations is skipped; one with declarations is refused, so
/// no entity can expand.
package struct XMLReader {
  /// The deepest nesting of elements.
  package static let deepest = 64
  /// The largest number of attributes of a tag. Finding one takes time proportional to their
  /// number.
  package static let mostAttributes = 64
  /// The most bytes between `&` and `;`: a number may begin with zeros.
  private static let longestEntity = 32

  private var bytes: UnsafeBufferPointer<UInt8>
  /// The position of the scanner, in bytes.
  package private(set) var position = 0
  private var open: [String] = []

  /// Starts at the first byte, after a byte order mark. The bytes must outlive the reader.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private func error(
    _ code: XMLProblem.Code, expected: String, found: String
  ) -> XMLProblem {
    XMLProblem(code: code, offset: position, expected: expected, found: found)
  }

  /// Returns the next tag, or nil at the end.
  package mutating func nextTag() throws(XMLProblem) -> XMLTag? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      guard next == UInt8(ascii: "!") || next == UInt8(ascii: "?") else {
        let tag = try tag()
        try nest(tag)
        return tag
      }
      if starts(with: "<!--") {
        try skip(past: "-->")
      } else if starts(with: "<?") {
        try skip(past: "?>")
      } else if starts(with: "<![CDATA[") {
        try skip(past: "]]>")
      } else {
        try skipDocumentType()
      }
    }
    try end()
    return nil
  }

  /// Goes on with other bytes, those after the tag or text that was read last. They must outlive
  /// the next calls.
  mutating func resume(on bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    position = 0
  }

  /// Checks that all elements have ended.
  func end() throws(XMLProblem) {
    guard open.isEmpty else {
      throw error(.truncated, expected: "the end tag of \(open.count) elements", found: "the end")
    }
  }

  /// Skips a document type, which names the vocabulary. One with declarations could define
  /// entities.
  mutating func skipDocumentType() throws(XMLProblem) {
    guard starts(with: "<!DOCTYPE") else {
      throw error(.malformed, expected: "elements", found: "a declaration")
    }
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      guard bytes[position] != UInt8(ascii: "[") else {
        throw error(
          .malformed, expected: "a document type without declarations", found: "declarations")
      }
      position += 1
    }
    guard position < bytes.count else { throw truncated("the end of the document type") }
    position += 1
  }

  /// Returns the text from here to the end tag of the element. Entities are decoded, comments and
  /// instructions left out, and CDATA kept unchanged. An element in the text is an error.
  package mutating func content() throws(XMLProblem) -> String {
    let text = try rawContent().withBytes { bytes in
      UTF8Check.isValid(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
    guard let text else {
      throw error(.invalidEncoding, expected: "UTF-8", found: "other bytes")
    }
    return text
  }

  /// Returns the bytes of ``content()``, without checking that they are UTF-8. If the text is
  /// plain, they are bytes of the file itself, so that nothing is copied.
  package mutating func rawContent() throws(XMLProblem) -> XMLContent {
    var parts: [UInt8] = []
    while true {
      let start = position
      if position < bytes.count, let base = bytes.baseAddress {
        let found = memchr(base + position, 0x3C, bytes.count - position)
        position = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
      }
      let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
      let hasEntities = text.contains(UInt8(ascii: "&"))
      if parts.isEmpty, !hasEntities, position == bytes.count || starts(with: "</") {
        return .file(text)
      }
      if hasEntities {
        parts += try decode(text)
      } else {
        parts += text
      }
      if starts(with: "<!--") {
        try skip(past: "-->")
      } else if starts(with: "<?") {
        try skip(past: "?>")
      } else if starts(with: "<![CDATA[") {
        let start = position + 9
        try skip(past: "]]>")
        parts += bytes[start..<(position - 3)]
      } else if position == bytes.count || starts(with: "</") {
        return .copy(parts)
      } else {
        throw error(
          .malformed, expected: "nothing but text in the element", found: "an element")
      }
    }
  }

  private mutating func nest(_ tag: XMLTag) throws(XMLProblem) {
    switch tag.kind {
    case .start:
      open.append(tag.name)
      guard open.count <= Self.deepest else {
        throw error(
          .nestingTooDeep, expected: "at most \(Self.deepest) nested elements", found: "more")
      }
    case .end:
      guard open.popLast() == tag.name else {
        throw error(
          .malformed, expected: "the end tag of the open element", found: "another end tag")
      }
    case .empty: break
    }
  }

  private func isAt(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  private mutating func skip(past text: StaticString) throws(XMLProblem) {
    while position < bytes.count {
      if starts(with: text) {
        position += text.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw truncated("the end of a comment or instruction")
  }

  private func truncated(_ expected: String) -> XMLProblem {
    error(.truncated, expected: expected, found: "the end of the file")
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  /// Reads a tag, starting at its `<`.
  private mutating func tag() throws(XMLProblem) -> XMLTag {
    position += 1
    var tag = XMLTag(kind: .start, name: "")
    if isAt("/") {
      tag.kind = .end
      position += 1
    }
    tag.name = String(decoding: try name(), as: UTF8.self)
    while true {
      skipBlanks()
      guard position < bytes.count else { throw truncated("the end of a tag") }
      if isAt(">") {
        position += 1
        return tag
      }
      if isAt("/"), starts(with: "/>"), tag.kind == .start {
        tag.kind = .empty
        position += 2
        return tag
      }
      guard tag.attributeCount < Self.mostAttributes else {
        throw error(
          .malformed, expected: "at most \(Self.mostAttributes) attributes in a tag", found: "more")
      }
      let key = try name()
      skipBlanks()
      guard isAt("=") else {
        throw position < bytes.count
          ? error(.malformed, expected: "= after an attribute's name", found: "another character")
          : truncated("an attribute's value")
      }
      position += 1
      guard try addAttribute(key, to: &tag) else {
        throw error(.malformed, expected: "each attribute once", found: "a repeated attribute")
      }
    }
  }

  private mutating func name() throws(XMLProblem) -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      let isLetter = (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
      let isOther = (0x2D...0x2E).contains(byte) || (0x30...0x3A).contains(byte) || byte == 0x5F
      guard isLetter || isOther else { break }
      position += 1
    }
    guard position > start else {
      throw position < bytes.count
        ? error(.malformed, expected: "a name in a tag", found: "another character")
        : truncated("a name in a tag")
    }
    return bytes[start..<position]
  }

  /// Reads the value of an attribute, and adds both to a tag.
  ///
  /// - Returns: false if the tag had an attribute with that name.
  private mutating func addAttribute(
    _ key: Slice<UnsafeBufferPointer<UInt8>>, to tag: inout XMLTag
  ) throws(XMLProblem) -> Bool {
    skipBlanks()
    guard position < bytes.count else { throw truncated("an attribute's value") }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error(.malformed, expected: "a quoted value", found: "an unquoted one")
    }
    position += 1
    let start = position
    var hasEntities = false
    // The bits of all bytes: none above 127 needs no check of UTF-8.
    var bits: UInt8 = 0
    while position < bytes.count, bytes[position] != quote {
      guard bytes[position] != UInt8(ascii: "<") else {
        throw error(.malformed, expected: "the end of a value", found: "<")
      }
      if bytes[position] == UInt8(ascii: "&") { hasEntities = true }
      bits |= bytes[position]
      position += 1
    }
    guard position < bytes.count else { throw truncated("the end of a value") }
    let text = bytes[start..<position]
    position += 1
    guard bits < 0x80 || UTF8Check.isValid(text) else {
      throw error(.invalidEncoding, expected: "UTF-8", found: "other bytes")
    }
    guard hasEntities else { return tag.add(key, text) }
    return tag.add(key, try decode(UnsafeBufferPointer(rebasing: text)))
  }

  /// Replaces entities. Works on bytes: a mark that combines may follow the `;`.
  private func decode(_ text: UnsafeBufferPointer<UInt8>) throws(XMLProblem) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var start = 0
    while start < text.count {
      guard text[start] == UInt8(ascii: "&") else {
        result.append(text[start])
        start += 1
        continue
      }
      let rest = text[(start + 1)...].prefix(Self.longestEntity + 1)
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.entity(String(decoding: rest[..<end], as: UTF8.self))
      else {
        throw error(
          .malformed, expected: "one of the entities lt, gt, amp, quot, apos or a number",
          found: "another entity")
      }
      result += String(scalar).utf8
      start = end + 1
    }
    return result
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    if name.hasPrefix("#x") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    return name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
  }
}
