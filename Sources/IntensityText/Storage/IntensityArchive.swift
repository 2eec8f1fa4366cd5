import Files
import Foundation

extension IntensityString {
  /// The version of archives that this program writes.
  public static let archiveVersion = 1

  /// Returns the text as an archive: a magic, a version, a checksum, and compact fields. O(n).
  public func archive() -> Data {
    var payload = ByteWriter()
    payload.options(options)
    payload.text(string)
    text.forEach { chunk, _ in payload.bytes += chunk.intensities }
    let attributes = attributeRuns.chunks
    payload.number(attributes.count)
    for run in attributes {
      payload.number(run.count)
      payload.number(run.value.rawValue)
    }
    let links = self.links
    payload.number(links.count)
    for link in links {
      payload.number(link.range.lowerBound)
      payload.number(link.range.count)
      payload.text(link.url.absoluteString)
    }
    let attachments = self.attachments
    payload.number(attachments.count)
    for placed in attachments {
      payload.number(placed.index)
      payload.attachment(placed.attachment)
    }
    var result = Data(Self.magic)
    result.append(UInt8(Self.archiveVersion))
    let checksum = payload.bytes.withUnsafeBytes { Checksum.crc32($0) }
    withUnsafeBytes(of: checksum.littleEndian) { result.append(contentsOf: $0) }
    return result + payload.bytes
  }

  /// Reads an archive. O(n).
  ///
  /// - Throws: ``IntensityTextError`` for an archive of a newer version, and for bytes that are not
  ///   an archive or are damaged.
  public init(archive: Data) throws(IntensityTextError) {
    let bytes = Array(archive)
    let headerLength = Self.magic.count + 5
    guard bytes.starts(with: Self.magic), bytes.count >= headerLength else {
      throw ByteReader.malformed("the header of an archive", "other bytes", at: 0)
    }
    let version = Int(bytes[Self.magic.count])
    guard (1...Self.archiveVersion).contains(version) else {
      throw IntensityTextError(
        .newerVersion, "archive", at: Self.magic.count,
        expected: "version 1 ... \(Self.archiveVersion)", found: "version \(version)")
    }
    let stored = bytes[Self.magic.count + 1..<headerLength].reversed().reduce(UInt32(0)) {
      $0 << 8 | UInt32($1)
    }
    let checksum = bytes[headerLength...].withUnsafeBytes { Checksum.crc32($0) }
    guard stored == checksum else {
      throw ByteReader.malformed(
        "the bytes that were written", "another checksum", at: headerLength)
    }
    var reader = ByteReader(bytes: bytes, position: headerLength)
    let options = try reader.options()
    let text = try reader.text()
    let numbers = try reader.take(text.utf16.count)
    try self.init(text, intensities: numbers.map(Int.init))
    self.options = options
    var start = 0
    for _ in 0..<(try reader.count()) {
      let count = try reader.number()
      let position = reader.position
      guard let attributes = BaseAttributes(rawValue: try reader.number()),
        count <= self.count - start
      else { throw ByteReader.malformed("a run of attributes", "another number", at: position) }
      try setAttributes(attributes, in: start..<start + count)
      start += count
    }
    for _ in 0..<(try reader.count()) {
      let position = reader.position
      let (start, count) = (try reader.number(), try reader.number())
      let url = URL(string: try reader.text(), encodingInvalidCharacters: false)
      guard let url, start <= self.count, count <= self.count - start else {
        throw ByteReader.malformed("a link in the text", "another", at: position)
      }
      try setLink(url, in: start..<start + count)
    }
    for _ in 0..<(try reader.count()) {
      let position = reader.position
      let index = try reader.number()
      let attachment = try reader.attachment()
      guard unit(at: index) == Self.attachmentUnit else {
        throw ByteReader.malformed("the index of a U+FFFC", "\(index)", at: position)
      }
      place(attachment, at: index)
    }
    guard reader.position == bytes.count else {
      throw ByteReader.malformed("the end", "more bytes", at: reader.position)
    }
  }

  private static let magic = Array("INTXT".utf8)
}

/// Writes numbers and texts of an archive.
struct ByteWriter {
  var bytes: [UInt8] = []

  /// A number of 0 or more, in groups of seven bits (LEB128).
  mutating func number(_ value: Int) {
    var rest = UInt64(max(value, 0))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func double(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
  }

  mutating func text(_ text: String) {
    number(text.utf8.count)
    bytes += text.utf8
  }

  mutating func options(_ options: IntensityOptions) {
    text(options.scheme ?? "")
    text(options.smoothing?.shortName ?? "")
    number(options.animates.map { $0 ? 2 : 1 } ?? 0)
    number(options.animation == nil ? 0 : 1)
    if let animation = options.animation {
      double(animation.duration)
      double(animation.offset)
    }
  }

  mutating func attachment(_ attachment: Attachment) {
    text(attachment.typeName)
    text(attachment.mimeType)
    text(attachment.name)
    switch attachment.kind {
    case .image(let full, let thumbnail, let width, let height):
      double(width)
      double(height)
      content(full)
      number(thumbnail == nil ? 0 : 1)
      if let thumbnail { content(thumbnail) }
    case .place(let latitude, let longitude, let span):
      double(latitude)
      double(longitude)
      double(span)
    case .file(let content): self.content(content)
    }
  }

  private mutating func content(_ content: Attachment.Content) {
    switch content {
    case .data(let data):
      number(0)
      number(data.count)
      bytes += data
    case .reference(let text):
      number(1)
      self.text(text)
    }
  }
}

/// Reads numbers and texts of an archive; nothing is read beyond its end.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var position: Int

  init(bytes: [UInt8], position: Int) {
    self.bytes = bytes
    self.position = position
  }

  static func malformed(
    _ expected: String, _ found: String, at position: Int
  ) -> IntensityTextError {
    IntensityTextError(.malformed, "archive", at: position, expected: expected, found: found)
  }

  mutating func take(_ count: Int) throws(IntensityTextError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else {
      throw Self.malformed("\(count) more bytes", "\(bytes.count - position)", at: position)
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func number() throws(IntensityTextError) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      let byte = try take(1).first ?? 0
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Self.malformed("a number of at most 8 bytes", "a longer one", at: position)
  }

  /// A count of things that take at least a byte each.
  mutating func count() throws(IntensityTextError) -> Int {
    let start = position
    let count = try number()
    guard count <= bytes.count - position else {
      throw Self.malformed("at most \(bytes.count - position)", "\(count)", at: start)
    }
    return count
  }

  mutating func double() throws(IntensityTextError) -> Double {
    let bits = try take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Double(bitPattern: bits)
  }

  mutating func text() throws(IntensityTextError) -> String {
    let start = position
    let slice = try take(number())
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw Self.malformed("UTF-8", "other bytes", at: start)
    }
    return text
  }

  mutating func options() throws(IntensityTextError) -> IntensityOptions {
    let start = position
    let scheme = try text()
    let smoothing = try text()
    let animates = try number()
    guard smoothing.isEmpty || IntensitySmoothing(name: smoothing) != nil, animates <= 2 else {
      throw Self.malformed("options", "others", at: start)
    }
    var animation: AnimationOptions?
    if try number() == 1 {
      animation = try AnimationOptions(duration: double(), offset: double())
    }
    return IntensityOptions(
      scheme: scheme.isEmpty ? nil : scheme, smoothing: IntensitySmoothing(name: smoothing),
      animates: animates == 0 ? nil : animates == 2, animation: animation)
  }

  mutating func attachment() throws(IntensityTextError) -> Attachment {
    let start = position
    let type = try text()
    let mimeType = try text()
    let name = try text()
    switch type {
    case "image":
      let (width, height) = (try double(), try double())
      let full = try content()
      let thumbnail = try number() == 1 ? content() : nil
      return try Attachment(
        image: full, thumbnail: thumbnail, width: width, height: height, mimeType: mimeType,
        name: name)
    case "place":
      return try Attachment(
        latitude: double(), longitude: double(), span: double(), name: name)
    case "file": return Attachment(file: try content(), mimeType: mimeType, name: name)
    default: throw Self.malformed("image, place or file", "another type", at: start)
    }
  }

  private mutating func content() throws(IntensityTextError) -> Attachment.Content {
    try number() == 0 ? .data(Data(take(number()))) : .reference(text())
  }
}
