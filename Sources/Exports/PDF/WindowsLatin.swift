import Foundation

/// The characters of the fonts that every viewer of PDF has: Latin letters of Western Europe.
enum WindowsLatin {
  /// The characters of the bytes 0x80 ... 0x9F; those of no character are 0.
  private static let special: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  private static let bytes: [UInt32: UInt8] = Dictionary(
    uniqueKeysWithValues: special.enumerated().filter { $0.element != 0 }.map {
      ($0.element, UInt8(0x80 + $0.offset))
    })

  /// Returns the byte of a character; nil if the fonts lack it. Letters with marks may be decomposed.
  static func byte(of character: Character) -> UInt8? {
    let scalars = String(character).precomposedStringWithCanonicalMapping.unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1 else { return nil }
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xFF: return UInt8(scalar.value)
    default: return bytes[scalar.value]
    }
  }
}
