import Files

/// A grey picture of strokes: black lines on white. It needs no library, so that a training on any
/// machine can draw.
package struct GrayPicture: Hashable, Sendable {
  /// Pixels.
  package let width: Int
  /// Pixels.
  package let height: Int
  /// The rows from the top, a byte for each pixel; 255 is white.
  package private(set) var pixels: [UInt8]

  /// The space around the ink, in pixels.
  private static let margin: Float = 6
  /// Points beyond are left out, and so are those that are not finite.
  private static let farthest: Float = 1e30
  /// Half of the width of a line, in pixels.
  private static let reach: Float = 1.1

  /// Draws strokes as large as they fit. Points that are not finite, or are very far
  /// away, are left out.
  ///
  /// - Parameters:
  ///   - strokes: The coordinates of each stroke, y growing downward.
  ///   - height: The largest height of the picture, in pixels.
  ///   - mostWidth: The largest width.
  package init(strokes: [(x: [Float], y: [Float])], height: Int = 96, mostWidth: Int = 960) {
    let strokes = strokes.map { stroke in
      zip(stroke.x, stroke.y).filter { max($0.0.magnitude, $0.1.magnitude) <= Self.farthest }
    }
    let points = strokes.joined()
    let (left, right) = (points.map(\.0).min() ?? 0, points.map(\.0).max() ?? 0)
    let (top, bottom) = (points.map(\.1).min() ?? 0, points.map(\.1).max() ?? 0)
    let (inkWidth, inkHeight) = (max(right - left, 1e-6), max(bottom - top, 1e-6))
    let scale = min(
      (Float(height) - 2 * Self.margin) / inkHeight,
      (Float(mostWidth) - 2 * Self.margin) / inkWidth)
    func size(_ length: Float, _ most: Int) -> Int {
      min(most, max(16, Int((length * scale + 2 * Self.margin).rounded(.up))))
    }
    width = size(inkWidth, mostWidth)
    self.height = size(inkHeight, height)
    pixels = [UInt8](repeating: 255, count: width * self.height)
    for stroke in strokes {
      let places = stroke.map {
        (x: ($0.0 - left) * scale + Self.margin, y: ($0.1 - top) * scale + Self.margin)
      }
      if places.count == 1 { draw(places[0], places[0]) }
      for (first, second) in zip(places, places.dropFirst()) { draw(first, second) }
    }
  }

  /// Darkens the pixels near a segment. O(pixels of its box).
  private mutating func draw(_ first: (x: Float, y: Float), _ second: (x: Float, y: Float)) {
    let reach = Self.reach + 1
    func range(_ one: Float, _ other: Float, _ count: Int) -> Range<Int> {
      let lower = max(0, Int(min(one, other) - reach))
      return lower..<max(lower, min(count, Int(max(one, other) + reach) + 1))
    }
    let (dx, dy) = (second.x - first.x, second.y - first.y)
    let square = max(dx * dx + dy * dy, 1e-9)
    for y in range(first.y, second.y, height) {
      for x in range(first.x, second.x, width) {
        let (px, py) = (Float(x) + 0.5 - first.x, Float(y) + 0.5 - first.y)
        let place = min(1, max(0, (px * dx + py * dy) / square))
        let (ex, ey) = (px - place * dx, py - place * dy)
        let distance = (ex * ex + ey * ey).squareRoot()
        let light = min(1, max(0, distance - Self.reach + 0.5))
        let pixel = y * width + x
        pixels[pixel] = min(pixels[pixel], UInt8(255 * light))
      }
    }
  }

  /// The picture as PNG (ISO 15948); nil if there is no memory.
  package var png: [UInt8]? {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (width + 1))
    for row in 0..<height {
      // Filter 0: the row unchanged.
      rows.append(0)
      rows.append(contentsOf: pixels[row * width..<(row + 1) * width])
    }
    guard let packed = Deflate.zlib(rows) else { return nil }
    // 8 bits of grey, the one method of packing and of filters, not interlaced.
    let header = Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
      + Self.chunk("IDAT", packed) + Self.chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + content
    return bytes(UInt32(content.count)) + checked
      + bytes(checked.withUnsafeBytes { Checksum.crc32($0) })
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
