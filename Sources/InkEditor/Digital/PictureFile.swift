import Files
import Foundation

/// Checks the file of a picture and finds its size, without decoding it.
package struct PictureFile: Hashable, Sendable {
  /// The media type: `image/png`, `image/jpeg` or `image/svg+xml`.
  package let type: String
  /// The width and the height in pixels; of SVG in the unit of its file.
  package let width: Double
  package let height: Double
  /// The pixels of an inch.
  package var dotsPerInch: Double { Self.usualDots }

  /// The pixels of an inch, as browsers take them.
  private static let usualDots = 96.0
  /// Pixels in the units of lengths in SVG.
  private static let units: [String: Double] = [
    "": 1, "px": 1, "in": usualDots, "mm": usualDots / ViewTransform.millimetresPerInch,
    "cm": 10 * usualDots / ViewTransform.millimetresPerInch, "pt": usualDots / 72,
  ]

  /// The types that are known.
  package static let types = ["image/png", "image/jpeg", "image/svg+xml"]
  /// The most bytes of a picture.
  package static let mostBytes = 32 << 20
  /// The longest side of a picture in pixels.
  private static let longestSide = 65_535.0

  /// Checks a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - type: The media type that its owner states; nil to find it.
  /// - Throws: ``EditorError/unusableImport(what:expected:found:)``.
  package init(_ bytes: [UInt8], type: String? = nil) throws(EditorError) {
    guard bytes.count <= Self.mostBytes else {
      throw .unusableImport(
        what: "picture", expected: "at most \(Self.mostBytes >> 20) MB",
        found: "\(bytes.count >> 20) MB")
    }
    let found: (type: String, size: (Double, Double)?)
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      found = ("image/png", Self.sizeOfPNG(bytes))
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      found = ("image/jpeg", Self.sizeOfJPEG(bytes))
    } else if let size = Self.sizeOfSVG(bytes) {
      found = ("image/svg+xml", size)
    } else {
      throw .unusableImport(
        what: "picture", expected: Self.types.joined(separator: ", "), found: "other bytes")
    }
    if let type, type.lowercased() != found.type {
      throw .unusableImport(what: "picture", expected: type, found: found.type)
    }
    guard let size = found.size, size.0 > 0, size.1 > 0, size.0 <= Self.longestSide,
      size.1 <= Self.longestSide
    else {
      throw .unusableImport(
        what: "picture", expected: "a \(found.type) of 1 to \(Int(Self.longestSide)) pixels a side",
        found: "a damaged file, or another size")
    }
    (self.type, width, height) = (found.type, size.0, size.1)
  }

  private static func sizeOfPNG(_ bytes: [UInt8]) -> (Double, Double)? {
    // Length, "IHDR", width, height; the file ends with the chunk IEND.
    guard bytes.count >= 45, Array(bytes[12..<16]) == Array("IHDR".utf8),
      bytes.suffix(8).prefix(4).elementsEqual("IEND".utf8)
    else { return nil }
    func number(_ start: Int) -> Double {
      Double(bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    return (number(16), number(20))
  }

  private static func sizeOfJPEG(_ bytes: [UInt8]) -> (Double, Double)? {
    var place = 2
    while place + 9 < bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2, marker != 0xD9, marker != 0xDA else { return nil }
      // A frame, but not a table of codes or arithmetic conditions.
      if (0xC0...0xCF).contains(marker), marker != 0xC4, marker != 0xC8, marker != 0xCC {
        func number(_ start: Int) -> Double {
          Double(Int(bytes[start]) << 8 | Int(bytes[start + 1]))
        }
        return (number(place + 7), number(place + 5))
      }
      place += 2 + length
    }
    return nil
  }

  /// Returns the size that the first element of an SVG states, or that of its view box. Scripts and
  /// entities are refused.
  private static func sizeOfSVG(_ bytes: [UInt8]) -> (Double, Double)? {
    guard let text = String(validating: bytes, as: UTF8.self),
      let start = text.range(of: "<svg")?.lowerBound,
      let end = text[start...].firstIndex(of: ">"),
      text.contains("</svg>") || text[..<end].last == "/"
    else { return nil }
    let lower = text.lowercased()
    guard !["<script", "<!entity", "<foreignobject", "javascript:"].contains(where: lower.contains)
    else { return nil }
    let head = String(text[start..<end])
    func attribute(_ name: String) -> String? {
      let pattern = "\\s\(name)\\s*=\\s*(\"[^\"]*\"|'[^']*')"
      guard let found = head.range(of: pattern, options: .regularExpression) else { return nil }
      let value = head[found].drop { $0 != "\"" && $0 != "'" }
      return String(value.dropFirst().dropLast())
    }
    func length(_ name: String) -> Double? {
      guard let value = attribute(name) else { return nil }
      let digits = value.prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits), let unit = units[String(value.dropFirst(digits.count))]
      else { return nil }
      return number * unit
    }
    if let width = length("width"), let height = length("height") { return (width, height) }
    let box = (attribute("viewBox") ?? "").split { $0 == " " || $0 == "," }.compactMap {
      Double($0)
    }
    return box.count == 4 ? (box[2], box[3]) : nil
  }
}
