/// Takes the strings of pictures out of JSON as it comes, so that notes with pictures of any size
/// need the memory of their strokes alone.
struct LongStringFilter {
  /// Strings longer than this are pictures. No text that people type comes near.
  static let longest = 1 << 18

  /// The bytes that are kept.
  private(set) var kept: [UInt8] = []
  /// The strings that were taken out.
  private(set) var count = 0
  /// The blanks in a row outside of strings.
  private(set) var blanks = 0
  /// More of them are a bomb.
  static let mostBlanks = 8 << 20
  private var isInString = false
  private var isEscaped = false
  private var isLong = false
  private var start = 0

  /// Takes the next bytes.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      guard isInString else {
        blanks = byte <= 0x20 ? blanks + 1 : 0
        if blanks <= 1 || byte == 0x0A { kept.append(byte) }
        if byte == UInt8(ascii: "\"") {
          (isInString, isLong) = (true, false)
          start = kept.count
        }
        continue
      }
      if !isEscaped, byte == UInt8(ascii: "\"") {
        isInString = false
        kept.append(byte)
        continue
      }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      guard !isLong else { continue }
      kept.append(byte)
      if kept.count - start > Self.longest {
        kept.removeLast(kept.count - start)
        (isLong, count) = (true, count + 1)
      }
    }
  }
}

extension InkInput {
  /// Returns JSON without its pictures, unpacked if it is compressed by gzip.
  ///
  /// - Parameter member: The file that is meant if the content is a ZIP archive.
  func jsonWithoutPictures(
    member: String = ""
  ) throws(InkFormatError) -> (bytes: [UInt8], pictures: Int) {
    let stream = try stream(member: member)
    var filter = LongStringFilter()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = try buffer.withUnsafeMutableBufferPointer { (raw) throws(InkFormatError) in
        try stream.read(into: UnsafeMutableRawBufferPointer(raw))
      }
      guard got > 0 else { return (filter.kept, filter.count) }
      buffer.withUnsafeBytes { filter.take(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
      guard filter.kept.count <= ByteFile.largest, filter.blanks <= LongStringFilter.mostBlanks
      else {
        throw ByteFile.error(
          .tooLarge(limit: ByteFile.largest), path: path, limit: ByteFile.largest)
      }
    }
  }
}

extension InkFormatError {
  /// The warning of pictures beside strokes.
  static func pictures(_ count: Int, path: String) -> InkFormatError {
    InkFormatError(
      .unsupported, at: SourceLocation(path: path), expected: "strokes",
      found: count == 1 ? "a picture beside them" : "\(count) pictures beside them",
      advice: "the strokes are read without it, handwriting in a picture is not")
  }

  /// The notice of a file of a later version than is known.
  static func laterVersion(
    _ found: String, known: String, path: String
  ) -> InkFormatError {
    InkFormatError(
      .unsupported, at: SourceLocation(path: path), expected: "a version up to \(known)",
      found: "version \(found)", advice: "what is known of it is read; compare it with the original"
    )
  }
}
