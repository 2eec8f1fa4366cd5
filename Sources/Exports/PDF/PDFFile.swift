import Files

/// Writes the objects of a PDF file one after the other (PDF 1.7, ISO 32000-1).
///
/// The bytes can be taken away while the file grows, so that memory does not grow with the pages. The
/// same objects give the same bytes.
struct PDFFile {
  /// The bytes that were not taken away.
  private(set) var bytes: [UInt8] = []
  private var taken = 0
  /// The place of each object in the file, by its number minus 1; nil until it is written.
  private var offsets: [Int?] = []

  /// Begins a file.
  init() {
    append("%PDF-1.7\n%")
    // Four bytes above 127 tell programs of transfer that the file is no text.
    bytes += [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
  }

  /// Returns the bytes so far, and forgets them.
  mutating func takeBytes() -> [UInt8] {
    defer {
      taken += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    return bytes
  }

  /// Returns the number of an object that is written later.
  mutating func reserve() -> Int {
    offsets.append(nil)
    return offsets.count
  }

  /// Writes an object of a reserved number.
  mutating func write(_ number: Int, _ value: String) {
    begin(number)
    append(value)
    append("\nendobj\n")
  }

  /// Writes a stream of a reserved number, deflated.
  ///
  /// - Parameter entries: Entries of its dictionary, without the length and the filter.
  mutating func write(_ number: Int, stream: [UInt8], _ entries: String = "") {
    let packed = Deflate.zlib(stream)
    begin(number)
    let content = packed ?? stream
    let filter = packed == nil ? "" : " /Filter /FlateDecode"
    append(
      "<< /Length \(content.count)\(filter)\(entries.isEmpty ? "" : " " + entries) >>\nstream\n")
    bytes += content
    append("\nendstream\nendobj\n")
  }

  /// Writes a stream of a reserved number whose bytes are packed already.
  ///
  /// - Parameter entries: Entries of its dictionary, without the length.
  mutating func write(_ number: Int, packed content: [UInt8], _ entries: String) {
    begin(number)
    append("<< /Length \(content.count) \(entries) >>\nstream\n")
    bytes += content
    append("\nendstream\nendobj\n")
  }

  /// Writes the table of objects and the end of the file.
  ///
  /// - Parameters:
  ///   - root: The number of the catalogue.
  ///   - info: The number of the object with the title.
  mutating func finish(root: Int, info: Int) {
    let start = taken + bytes.count
    append("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
    for offset in offsets {
      let digits = String(offset ?? 0)
      append(String(repeating: "0", count: 10 - digits.count) + digits)
      append(offset == nil ? " 65535 f \n" : " 00000 n \n")
    }
    append("trailer\n<< /Size \(offsets.count + 1) /Root \(root) 0 R /Info \(info) 0 R >>\n")
    append("startxref\n\(start)\n%%EOF\n")
  }

  private mutating func begin(_ number: Int) {
    offsets[number - 1] = taken + bytes.count
    append("\(number) 0 obj\n")
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }

  /// Returns a text as a string of PDF: UTF-16 in hexadecimal digits.
  static func string(_ text: String) -> String {
    "<FEFF" + text.utf16.map(digits).joined() + ">"
  }

  /// Returns four hexadecimal digits.
  static func digits(_ unit: UInt16) -> String {
    let text = String(unit, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
