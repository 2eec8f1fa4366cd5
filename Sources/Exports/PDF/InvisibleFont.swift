/// The reach of a word's text from its baseline, in steps of a twentieth of its size.
///
/// Viewers take these figures from the font, so each pair is a font of its own: words of a line then
/// have one baseline and one size, and still the boxes of their ink.
struct TextReach: Hashable, Comparable {
  /// Steps above the baseline, 1 ... 20.
  let up: Int
  /// Steps below the baseline, 0 ... 8.
  let down: Int

  /// Steps of the size.
  private static let steps = 20.0
  /// The greatest shares of the size that viewers believe.
  static let (mostUp, mostDown) = (1.0, 0.4)

  /// Rounds shares of the size.
  init(up: Double, down: Double) {
    func rounded(_ share: Double, _ most: Double) -> Int {
      share.isFinite ? Int((min(max(share, 0), most) * Self.steps).rounded()) : 0
    }
    self.up = max(1, rounded(up, Self.mostUp))
    self.down = rounded(down, Self.mostDown)
  }

  /// The name of the font among the resources of a page.
  var name: String { "F\(up)x\(down)" }

  /// Thousandths of the size. Some viewers take a descent of 0 for a missing one.
  var ascent: Int { up * Int(1000 / Self.steps) }
  var descent: Int { down == 0 ? -1 : -down * Int(1000 / Self.steps) }

  static func < (left: TextReach, right: TextReach) -> Bool {
    (left.up, left.down) < (right.up, right.down)
  }
}

/// The font of the invisible text of a PDF: every sign is empty, half as wide as high, and stands
/// for one grapheme of Unicode.
///
/// A viewer finds and copies what the table of signs says. Signs are numbered as they appear, so a
/// document may mix all scripts.
struct InvisibleFont {
  /// The width of a sign as a share of the size.
  static let advance = 0.5

  /// The most signs: their numbers have two bytes, and 0 is that of an unknown one.
  private static let mostSigns = 0xFFFF
  /// The stand-in for an unknown sign.
  private static let unknown: Character = "\u{FFFD}"

  private var numbers: [Character: UInt16] = [:]
  private var signs: [Character] = []
  /// The objects of the fonts.
  private var objects: [TextReach: Int] = [:]

  /// Returns the number of a sign.
  mutating func number(of sign: Character) -> UInt16 {
    if let known = numbers[sign] { return known }
    guard signs.count < Self.mostSigns else { return 0 }
    signs.append(sign)
    let number = UInt16(signs.count)
    numbers[sign] = number
    return number
  }

  /// Returns fonts as entries of the resources of a page.
  mutating func resources(_ reaches: Set<TextReach>, _ file: inout PDFFile) -> String {
    reaches.sorted().map { reach in
      let number = objects[reach] ?? file.reserve()
      objects[reach] = number
      return "/\(reach.name) \(number) 0 R"
    }.joined(separator: " ")
  }

  /// Writes the objects of the fonts.
  func write(to file: inout PDFFile) {
    guard !objects.isEmpty else { return }
    let program = file.reserve()
    let map = file.reserve()
    let unicode = file.reserve()
    let font = EmptyTrueType.bytes
    file.write(program, stream: font, "/Length1 \(font.count)")
    // Sign 0 is glyph 0, all others are glyph 1.
    file.write(map, stream: [0, 0] + (0..<signs.count).flatMap { _ -> [UInt8] in [0, 1] })
    file.write(unicode, stream: Array(unicodeMap.utf8))
    let width = Int(Self.advance * 1000)
    for (reach, number) in objects.sorted(by: { $0.value < $1.value }) {
      let descendant = file.reserve()
      let descriptor = file.reserve()
      file.write(
        number,
        "<< /Type /Font /Subtype /Type0 /BaseFont /Invisible /Encoding /Identity-H "
          + "/DescendantFonts [\(descendant) 0 R] /ToUnicode \(unicode) 0 R >>")
      file.write(
        descendant,
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Invisible /CIDSystemInfo "
          + "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
          + "/FontDescriptor \(descriptor) 0 R /DW \(width) /CIDToGIDMap \(map) 0 R >>")
      file.write(
        descriptor,
        "<< /Type /FontDescriptor /FontName /Invisible /Flags 4 "
          + "/FontBBox [0 \(reach.descent) \(width) \(reach.ascent)] /ItalicAngle 0 "
          + "/Ascent \(reach.ascent) /Descent \(reach.descent) /CapHeight \(reach.ascent) "
          + "/StemV 80 /FontFile2 \(program) 0 R >>")
    }
  }

  /// The map from signs to Unicode, as a program of PostScript.
  private var unicodeMap: String {
    var text = """
      /CIDInit /ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
      /CMapName /Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000> <FFFF>
      endcodespacerange

      """
    // A block has at most 100 lines.
    let all = [(0, Self.unknown)] + signs.enumerated().map { ($0.offset + 1, $0.element) }
    for start in stride(from: 0, to: all.count, by: 100) {
      let block = all[start..<min(start + 100, all.count)]
      text += "\(block.count) beginbfchar\n"
      for (number, sign) in block {
        let unicode = String(sign).utf16.map(PDFFile.digits).joined()
        text += "<\(PDFFile.digits(UInt16(number)))> <\(unicode)>\n"
      }
      text += "endbfchar\n"
    }
    return text + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
  }
}

/// A TrueType font with two empty glyphs, half as wide as they are high. Viewers that ask for a font
/// program get one that draws nothing.
enum EmptyTrueType {
  private static let glyphs = 2
  private static let unitsPerEm = 1000

  /// The bytes of the font.
  static var bytes: [UInt8] {
    let tables: [(tag: String, content: [UInt8])] = [
      ("OS/2", metrics), ("cmap", characters), ("glyf", [0, 0, 0, 0]), ("head", head),
      ("hhea", horizontalHead), ("hmtx", words([500, 0, 500, 0])),
      ("loca", words([0, 0, 0])),
      ("maxp", words([1, 0, glyphs, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 8))),
      ("name", words([0, 0, 6])), ("post", words([3, 0] + Array(repeating: 0, count: 14))),
    ]
    var directory = words([1, 0, tables.count, 128, 3, tables.count * 16 - 128])
    var body: [UInt8] = []
    let start = 12 + 16 * tables.count
    for (tag, content) in tables {
      directory += tag.utf8
      directory += long(checksum(content))
      directory += long(UInt32(start + body.count))
      directory += long(UInt32(content.count))
      body += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var font = directory + body
    // The adjustment makes the sum of the whole file a certain number.
    let headStart =
      start
      + tables.prefix { $0.tag != "head" }.reduce(0) {
        $0 + ($1.content.count + 3) / 4 * 4
      }
    let adjustment = 0xB1B0_AFBA &- checksum(font)
    font.replaceSubrange(headStart + 8..<headStart + 12, with: long(adjustment))
    return font
  }

  private static var head: [UInt8] {
    words([1, 0, 1, 0]) + long(0) + long(0x5F0F_3CF5) + words([0, unitsPerEm])
      + [UInt8](repeating: 0, count: 16) + words([0, 0, 500, 1000, 0, 8, 2, 0, 0])
  }

  private static var horizontalHead: [UInt8] {
    words([1, 0, 1000, 0, 0, 500, 0, 0, 500, 1, 0, 0, 0, 0, 0, 0, 0, glyphs])
  }

  /// Version 3; a font that may be embedded, of no script.
  private static var metrics: [UInt8] {
    words([3, 500, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0])
      + [UInt8](repeating: 0, count: 10 + 16) + Array("NONE".utf8)
      + words([0x40, 0, 0, 1000, 0, 0, 1000, 0, 0, 0, 0, 0, 500, 1000, 0, 32, 1])
  }

  /// One table of format 4 without characters.
  private static var characters: [UInt8] {
    words([0, 1, 3, 1]) + long(12)
      + words([4, 24, 0, 2, 2, 0, 0, 0xFFFF, 0, 0xFFFF, 1, 0])
  }

  private static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  private static func long(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0
    for start in stride(from: 0, to: bytes.count, by: 4) {
      var word: UInt32 = 0
      for index in start..<start + 4 {
        word = word << 8 | UInt32(index < bytes.count ? bytes[index] : 0)
      }
      sum &+= word
    }
    return sum
  }
}
