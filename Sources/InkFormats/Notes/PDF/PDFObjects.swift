import Files
import Foundation

/// A value of a PDF file.
indirect enum PDFValue {
  case number(Double)
  case name(String)
  case array([PDFValue])
  case dictionary([String: PDFValue])
  /// A reference to an object by its number.
  case reference(Int)
  /// Texts, truth values, null.
  case other
}

/// The objects of a PDF file (ISO 32000), read when they are needed.
///
/// Objects are found by their headings, not by the table of places at the end, so that damaged files
/// and files with several tables are read alike. The last object of a number counts.
final class PDFObjects {
  /// The most objects of a file.
  private static let mostObjects = 2_000_000
  /// The most bytes that a stream of objects, and all of them, unpack to.
  private static let largestStream = 64 << 20
  private static let largestStreams = 256 << 20

  let path: String
  private let bytes: [UInt8]
  /// The place behind the heading of each object.
  private var places: [Int: Int] = [:]
  /// Objects of streams: their bytes and the place in them.
  private var packed: [Int: (stream: Int, place: Int)] = [:]
  private var streams: [[UInt8]] = []
  private(set) var isEncrypted = false

  /// Finds the objects of a file. O(bytes).
  init(_ bytes: [UInt8], path: String) throws(InkFormatError) {
    (self.bytes, self.path) = (bytes, path)
    try findObjects()
    try unpackStreams()
  }

  /// The numbers of all objects, in order.
  var numbers: [Int] { Set(places.keys).union(packed.keys).sorted() }

  /// The trailers of the file: where one names the catalog, its number.
  private(set) var root: Int?

  private func findObjects() throws(InkFormatError) {
    let count = bytes.count
    var found: [(number: Int, place: Int)] = []
    bytes.withUnsafeBufferPointer { bytes in
      var index = 4
      while index + 2 < count {
        guard let base = bytes.baseAddress,
          let next = memchr(base + index, Int32(UInt8(ascii: "o")), count - index - 2)
        else { break }
        index = UnsafeRawPointer(next) - UnsafeRawPointer(base)
        defer { index += 1 }
        guard bytes[index + 1] == UInt8(ascii: "b"), bytes[index + 2] == UInt8(ascii: "j") else {
          if found.count > Self.mostObjects { break }
          continue
        }
        // NUMBER GENERATION obj
        var place = index - 1
        func blanks() -> Bool {
          let start = place
          while place >= 0, PDFParser.isBlank(bytes[place]) { place -= 1 }
          return place < start
        }
        func digits() -> Int? {
          var (value, unit, length) = (0, 1, 0)
          while place >= 0, length < 10, bytes[place] &- 0x30 < 10 {
            value += Int(bytes[place] - 0x30) * unit
            (unit, length, place) = (unit * 10, length + 1, place - 1)
          }
          return length == 0 ? nil : value
        }
        _ = blanks()
        guard digits() != nil, blanks(), let number = digits() else { continue }
        found.append((number, index + 3))
      }
    }
    guard found.count <= Self.mostObjects else {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: path),
        expected: "at most \(Self.mostObjects) objects", found: "more", advice: "split the file")
    }
    for object in found { places[object.number] = object.place }
    findTrailers()
  }

  private func findTrailers() {
    let word = Array("trailer".utf8)
    var from = 0
    bytes.withUnsafeBufferPointer { bytes in
      while let place = Self.find(word, in: bytes, from: from) {
        from = place + word.count
        var parser = PDFParser(bytes, at: from)
        if case .dictionary(let trailer) = parser.value() { take(trailer: trailer) }
      }
    }
  }

  private func take(trailer: [String: PDFValue]) {
    if trailer["Encrypt"] != nil { isEncrypted = true }
    if case .reference(let number) = trailer["Root"] { root = number }
  }

  /// Returns the place of a word, or nil.
  fileprivate static func find(
    _ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let base = bytes.baseAddress, start >= 0 else { return nil }
    var from = start
    while from + word.count <= bytes.count,
      let next = memchr(base + from, Int32(word[0]), bytes.count - from - word.count + 1)
    {
      let place = UnsafeRawPointer(next) - UnsafeRawPointer(base)
      if memcmp(base + place, word, word.count) == 0 { return place }
      from = place + 1
    }
    return nil
  }

  /// Reads the objects that are packed in streams, and the trailers that are streams.
  private func unpackStreams() throws(InkFormatError) {
    var total = 0
    for (number, place) in places.sorted(by: { $0.value < $1.value }) {
      guard mayBePacked(place) else { continue }
      let (value, end) = bytes.withUnsafeBufferPointer { bytes in
        var parser = PDFParser(bytes, at: place)
        let value = parser.value()
        return (value, parser.position)
      }
      guard case .dictionary(let dictionary) = value, case .name(let type) = dictionary["Type"]
      else { continue }
      if type == "XRef" { take(trailer: dictionary) }
      guard type == "ObjStm", !isEncrypted, case .number(let count) = dictionary["N"],
        case .number(let first) = dictionary["First"], count >= 0, count <= 1e6, first >= 0,
        first <= 1e9, let content = stream(dictionary, from: end, number)
      else { continue }
      total += content.count
      guard total <= Self.largestStreams else {
        throw InkFormatError(
          .tooLarge, at: SourceLocation(path: path),
          expected: "objects of at most \(Self.largestStreams >> 20) MB", found: "more",
          advice: "split the file")
      }
      streams.append(content)
      content.withUnsafeBufferPointer { content in
        var parser = PDFParser(content, at: 0)
        for _ in 0..<Int(count) {
          guard case .number(let number) = parser.value(),
            case .number(let offset) = parser.value(),
            number >= 0, number <= 1e9, offset >= 0, offset <= 1e9
          else { return }
          packed[Int(number)] = (streams.count - 1, Int(first) + Int(offset))
        }
      }
    }
  }

  /// Whether the start of an object has the type of a packed one; looks at some bytes alone.
  private func mayBePacked(_ place: Int) -> Bool {
    let end = min(bytes.count, place + 1024)
    return bytes.withUnsafeBufferPointer { bytes in
      let part = UnsafeBufferPointer(rebasing: bytes[place..<end])
      return Self.find(Array("ObjStm".utf8), in: part, from: 0) != nil
        || Self.find(Array("XRef".utf8), in: part, from: 0) != nil
    }
  }

  /// The unpacked bytes of a stream; nil if they are packed in another way, or damaged.
  private func stream(
    _ dictionary: [String: PDFValue], from end: Int, _ number: Int
  ) -> [UInt8]? {
    let word = Array("stream".utf8)
    let close = Array("endstream".utf8)
    let range: Range<Int>? = bytes.withUnsafeBufferPointer { bytes in
      guard let start = Self.find(word, in: bytes, from: end), start - end < 64 else { return nil }
      var first = start + word.count
      if first < bytes.count, bytes[first] == 0x0D { first += 1 }
      if first < bytes.count, bytes[first] == 0x0A { first += 1 }
      if case .number(let length) = dictionary["Length"], length >= 0,
        length <= Double(bytes.count - first)
      {
        return first..<(first + Int(length))
      }
      return Self.find(close, in: bytes, from: first).map { first..<$0 }
    }
    guard let range else { return nil }
    let raw = Array(bytes[range])
    let filter: PDFValue? =
      if case .array(let list) = dictionary["Filter"] {
        list.count == 1 ? list[0] : .other
      } else {
        dictionary["Filter"]
      }
    switch filter {
    case nil: return raw
    case .name("FlateDecode"):
      guard dictionary["DecodeParms"] == nil else { return nil }
      let stream = UnpackingStream(ByteSource(raw), packing: .gzip)
      var output: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let got = buffer.withUnsafeMutableBytes { (try? stream.read(into: $0)) ?? 0 }
        guard got > 0 else { return output }
        output += buffer[..<got]
        if output.count > Self.largestStream { return nil }
      }
    default: return nil
    }
  }

  /// Returns the object of a number.
  func object(_ number: Int) -> PDFValue {
    if let place = places[number] {
      return bytes.withUnsafeBufferPointer { bytes in
        var parser = PDFParser(bytes, at: place)
        return parser.value()
      }
    }
    guard let (stream, place) = packed[number] else { return .other }
    return streams[stream].withUnsafeBufferPointer { bytes in
      var parser = PDFParser(bytes, at: place)
      return parser.value()
    }
  }

  /// Returns a value, or the object that it refers to.
  func resolved(_ value: PDFValue?) -> PDFValue {
    var value = value ?? .other
    for _ in 0..<8 {
      guard case .reference(let number) = value else { return value }
      value = object(number)
    }
    return .other
  }

  /// The dictionary that a value is or refers to.
  func dictionary(_ value: PDFValue?) -> [String: PDFValue]? {
    if case .dictionary(let members) = resolved(value) { members } else { nil }
  }

  /// The array that a value is or refers to.
  func array(_ value: PDFValue?) -> [PDFValue]? {
    if case .array(let elements) = resolved(value) { elements } else { nil }
  }

  /// The number that a value is or refers to.
  func number(_ value: PDFValue?) -> Double? {
    if case .number(let number) = resolved(value) { number } else { nil }
  }
}

/// Reads values of PDF. Whatever is no value ends it.
struct PDFParser {
  private static let deepest = 32

  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
    (self.bytes, self.position) = (bytes, position)
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B || byte == 0
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    isBlank(byte) || "()<>[]{}/%".utf8.contains(byte)
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func skipBlanks() {
    while let byte = peek() {
      if byte == UInt8(ascii: "%") {
        while let byte = peek(), byte != 0x0A, byte != 0x0D { position += 1 }
      } else if Self.isBlank(byte) {
        position += 1
      } else {
        return
      }
    }
  }

  /// Returns the next value.
  mutating func value(depth: Int = 0) -> PDFValue {
    skipBlanks()
    guard let byte = peek(), depth <= Self.deepest else { return .other }
    switch byte {
    case UInt8(ascii: "/"): return .name(name())
    case UInt8(ascii: "["):
      position += 1
      var elements: [PDFValue] = []
      while true {
        skipBlanks()
        guard let next = peek() else { return .array(elements) }
        if next == UInt8(ascii: "]") {
          position += 1
          return .array(elements)
        }
        let before = position
        elements.append(value(depth: depth + 1))
        if position == before { position += 1 }
      }
    case UInt8(ascii: "<"):
      if peek(1) == UInt8(ascii: "<") { return dictionary(depth) }
      while let next = peek(), next != UInt8(ascii: ">") { position += 1 }
      position += 1
      return .other
    case UInt8(ascii: "("):
      skipText()
      return .other
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x30...0x39: return numeric()
    default:
      let before = position
      while let next = peek(), !Self.isDelimiter(next) { position += 1 }
      if position == before { position += 1 }
      return .other
    }
  }

  private mutating func name() -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek(), !Self.isDelimiter(byte) {
      position += 1
      if byte == UInt8(ascii: "#"), let high = peek().flatMap(Self.hex),
        let low = peek(1).flatMap(Self.hex)
      {
        text.append(high << 4 | low)
        position += 2
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    UInt8(exactly: Character(Unicode.Scalar(byte)).hexDigitValue ?? -1)
  }

  private mutating func skipText() {
    var depth = 0
    while let byte = peek() {
      position += 1
      if byte == UInt8(ascii: "\\") {
        position += 1
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { return }
      }
    }
  }

  private mutating func dictionary(_ depth: Int) -> PDFValue {
    position += 2
    var members: [String: PDFValue] = [:]
    while true {
      skipBlanks()
      guard let byte = peek() else { return .dictionary(members) }
      if byte == UInt8(ascii: ">") {
        position = min(position + 2, bytes.count)
        return .dictionary(members)
      }
      guard byte == UInt8(ascii: "/") else {
        let before = position
        _ = value(depth: depth + 1)
        if position == before { position += 1 }
        continue
      }
      let key = name()
      members[key] = value(depth: depth + 1)
    }
  }

  /// Reads a number, or the reference that begins with it.
  private mutating func numeric() -> PDFValue {
    guard let number = number() else { return .other }
    let after = position
    if number >= 0, number <= 1e9, number == number.rounded() {
      skipBlanks()
      if let next = peek(), next &- 0x30 < 10, let generation = self.number(), generation >= 0 {
        skipBlanks()
        if peek() == UInt8(ascii: "R"), peek(1).map(Self.isDelimiter) ?? true {
          position += 1
          return .reference(Int(number))
        }
      }
      position = after
    }
    return .number(number)
  }

  private mutating func number() -> Double? {
    var text: [UInt8] = []
    while let byte = peek(), text.count < 64, byte &- 0x30 < 10 || "+-.".utf8.contains(byte) {
      text.append(byte)
      position += 1
    }
    let value = Double(String(decoding: text, as: UTF8.self))
    if value == nil, text.isEmpty { position += 1 }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}
