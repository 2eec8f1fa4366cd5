import InkCore

/// What a `.SEGMENT` line says.
struct UNIPENSegment: Sendable {
  /// A place in the pen data: a component and, where given, a point in it.
  struct Position: Hashable, Sendable {
    var component: Int
    var point: Int?
  }

  /// A run of points, both ends included.
  struct Span: Hashable, Sendable {
    var first: Position
    var last: Position
  }

  var level: InkRecord.Level
  var spans: [Span]
  var quality: LabeledInk.Quality?
  var label: String
}

extension UNIPENSegment {
  /// Parses what follows `.SEGMENT ` on its line: `CHARACTER 3:10-4:20,6 OK "a"`.
  init(
    parsing bytes: UnsafeBufferPointer<UInt8>, at location: SourceLocation
  ) throws(InkFormatError) {
    var scanner = Scanner(bytes: bytes, location: location)
    level = try scanner.level()
    spans = try scanner.spans()
    quality = try scanner.quality()
    label = try scanner.label()
  }

  /// Walks over the bytes of one line.
  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let location: SourceLocation
    var position = 0

    /// The next byte, or nil at the line's end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func error(
      _ code: InkFormatError.Code, expected: String, found: String
    ) -> InkFormatError {
      InkFormatError(
        code, at: location, expected: expected, found: found,
        advice: "correct the .SEGMENT line")
    }

    mutating func skipBlanks() {
      while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0D { position += 1 }
    }

    /// The bytes up to the next blank.
    mutating func word() -> Slice<UnsafeBufferPointer<UInt8>> {
      skipBlanks()
      let start = position
      while let byte = peek, byte != 0x20, byte != 0x09, byte != 0x0D { position += 1 }
      return bytes[start..<position]
    }

    mutating func level() throws(InkFormatError) -> InkRecord.Level {
      let name = word()
      for level in InkRecord.Level.allCases
      where name.elementsEqual(level.rawValue.uppercased().utf8) {
        return level
      }
      throw error(
        .malformed, expected: "CHARACTER, WORD or TEXT after .SEGMENT",
        found: name.isEmpty ? "the end of the line" : "another word of \(name.count) bytes")
    }

    mutating func number() throws(InkFormatError) -> Int {
      let start = position
      var value = 0
      while let byte = peek, byte >= 0x30, byte <= 0x39, position - start < 10 {
        value = value * 10 + Int(byte - 0x30)
        position += 1
      }
      guard position > start else {
        throw error(
          .malformed, expected: "a component number in the segment's range",
          found: peek == nil ? "the end of the line" : "another character")
      }
      return value
    }

    mutating func place() throws(InkFormatError) -> Position {
      let component = try number()
      guard peek == UInt8(ascii: ":") else { return Position(component: component) }
      position += 1
      return Position(component: component, point: try number())
    }

    mutating func spans() throws(InkFormatError) -> [Span] {
      skipBlanks()
      var spans: [Span] = []
      repeat {
        if !spans.isEmpty { position += 1 }
        let first = try place()
        var last = first
        if peek == UInt8(ascii: "-") {
          position += 1
          last = try place()
        }
        spans.append(Span(first: first, last: last))
      } while peek == UInt8(ascii: ",")
      guard let byte = peek, byte == 0x20 || byte == 0x09 else {
        throw error(
          .malformed, expected: "ranges such as 169-170 or 3:10-4:20,6 and then a blank",
          found: peek == nil ? "the end of the line" : "another character")
      }
      return spans
    }

    mutating func quality() throws(InkFormatError) -> LabeledInk.Quality? {
      skipBlanks()
      if peek == UInt8(ascii: "\"") || peek == nil { return nil }
      let name = word()
      if name.elementsEqual("?".utf8) { return nil }
      for quality in LabeledInk.Quality.allCases
      where name.elementsEqual(quality.rawValue.uppercased().utf8) {
        return quality
      }
      throw error(
        .malformed, expected: "the quality GOOD, OK, BAD or ?",
        found: "another word of \(name.count) bytes")
    }

    /// The quoted label; `\"` and `\\` stand for `"` and `\`, other backslashes for themselves.
    mutating func label() throws(InkFormatError) -> String {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else {
        throw error(
          .missingKey, expected: "a label in double quotes",
          found: peek == nil ? "the end of the line" : "unquoted text")
      }
      position += 1
      var scalars = String.UnicodeScalarView()
      while let byte = peek {
        position += 1
        if byte == UInt8(ascii: "\"") { return String(scalars) }
        if byte == UInt8(ascii: "\\"), let next = peek,
          next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
        {
          scalars.append(Unicode.Scalar(next))
          position += 1
        } else {
          scalars.append(Unicode.Scalar(byte))
        }
      }
      throw error(
        .truncated, expected: "a closing double quote after the label",
        found: "the end of the line")
    }
  }
}
