import Files

/// The parts of a PNG (ISO 15948).
struct PNGContent {
  /// The sorts of pixels, by their numbers in the file.
  enum Colors: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgbAlpha = 6

    /// The numbers of a pixel.
    var channels: Int {
      switch self {
      case .gray, .palette: 1
      case .rgb: 3
      case .grayAlpha: 2
      case .rgbAlpha: 4
      }
    }
  }

  let width: Int
  let height: Int
  /// The bits of a number.
  let bits: Int
  let colors: Colors
  let isInterlaced: Bool
  /// The colours of a palette, three bytes each.
  private(set) var palette: [UInt8] = []
  /// The opacities of a palette.
  private var paletteAlpha: [UInt8] = []
  /// The one colour that is transparent, in pictures without opacities.
  private(set) var transparentColor: [Int]?
  /// The packed rows.
  private(set) var packed: [UInt8] = []

  /// The most pixels that are unpacked.
  private static let mostPixels = 100_000_000

  /// Reads the parts; nil for a damaged file.
  init?(_ bytes: [UInt8]) {
    func number(_ place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard PictureKind(of: bytes) == .png, bytes.count > 33,
      bytes[12..<16].elementsEqual("IHDR".utf8), let colors = Colors(rawValue: bytes[25]),
      [1, 2, 4, 8, 16].contains(bytes[24])
    else { return nil }
    (width, height, bits) = (number(16), number(20), Int(bytes[24]))
    (self.colors, isInterlaced) = (colors, bytes[28] != 0)
    guard width > 0, height > 0, width <= Self.mostPixels / height else { return nil }
    var place = 33
    while place + 12 <= bytes.count {
      let length = number(place)
      guard length <= bytes.count - place - 12 else { return nil }
      let content = bytes[place + 8..<place + 8 + length]
      switch String(decoding: bytes[place + 4..<place + 8], as: UTF8.self) {
      case "PLTE": palette = Array(content)
      case "IDAT": packed += content
      case "tRNS": addTransparency(Array(content))
      default: break
      }
      place += 12 + length
    }
    guard !packed.isEmpty else { return nil }
    if colors == .palette {
      guard !palette.isEmpty, palette.count.isMultiple(of: 3), palette.count <= 768, bits <= 8
      else { return nil }
    }
  }

  private mutating func addTransparency(_ content: [UInt8]) {
    switch colors {
    case .palette: paletteAlpha = content
    case .gray, .rgb:
      guard content.count == 2 * colors.channels else { return }
      transparentColor = (0..<colors.channels).map {
        Int(content[2 * $0]) << 8 | Int(content[2 * $0 + 1])
      }
    case .grayAlpha, .rgbAlpha: break
    }
  }

  /// True if pixels have opacities of their own.
  var hasMixedAlpha: Bool {
    colors == .grayAlpha || colors == .rgbAlpha || !paletteAlpha.isEmpty
  }

  /// Returns the pixels of a picture that is not interlaced; nil if the rows are damaged.
  func pixels() -> PicturePixels? {
    guard !isInterlaced, let rows = rows() else { return nil }
    let rowBytes = (width * colors.channels * bits + 7) / 8
    var result = PicturePixels(rgb: [], alpha: [])
    result.rgb.reserveCapacity(3 * width * height)
    result.alpha.reserveCapacity(width * height)
    for y in 0..<height {
      /// Returns a number of the row in 8 bits; of a palette, its place.
      func sample(_ index: Int) -> UInt8 {
        let bit = index * bits
        let byte = rows[y * rowBytes + bit / 8]
        if bits >= 8 { return byte }
        let value = Int(byte) >> (8 - bits - bit % 8) & (1 << bits - 1)
        return UInt8(colors == .palette ? value : value * 255 / (1 << bits - 1))
      }
      for x in 0..<width {
        let first = x * colors.channels
        switch colors {
        case .gray, .grayAlpha:
          let gray = sample(first)
          result.rgb += [gray, gray, gray]
          result.alpha.append(colors == .grayAlpha ? sample(first + 1) : 255)
        case .rgb, .rgbAlpha:
          result.rgb += [sample(first), sample(first + 1), sample(first + 2)]
          result.alpha.append(colors == .rgbAlpha ? sample(first + 3) : 255)
        case .palette:
          let place = Int(sample(first))
          guard 3 * place + 3 <= palette.count else { return nil }
          result.rgb += palette[3 * place..<3 * place + 3]
          result.alpha.append(place < paletteAlpha.count ? paletteAlpha[place] : 255)
        }
      }
    }
    return result
  }

  /// Returns the rows without their filters.
  private func rows() -> [UInt8]? {
    let rowBytes = (width * colors.channels * bits + 7) / 8
    let step = max(1, colors.channels * bits / 8)
    let count = (rowBytes + 1) * height
    guard let filtered = try? Gzip.unpack(packed, limit: count + 1), filtered.count >= count else {
      return nil
    }
    var rows = [UInt8](repeating: 0, count: rowBytes * height)
    for y in 0..<height {
      let filter = filtered[y * (rowBytes + 1)]
      guard filter <= 4 else { return nil }
      for x in 0..<rowBytes {
        let place = y * rowBytes + x
        let left = x >= step ? Int(rows[place - step]) : 0
        let above = y > 0 ? Int(rows[place - rowBytes]) : 0
        let corner = x >= step && y > 0 ? Int(rows[place - rowBytes - step]) : 0
        let guess: Int
        switch filter {
        case 1: guess = left
        case 2: guess = above
        case 3: guess = (left + above) / 2
        case 4:
          // Paeth: the neighbour that is nearest to left + above - corner.
          let sum = left + above - corner
          let (a, b, c) = (abs(sum - left), abs(sum - above), abs(sum - corner))
          guess = a <= b && a <= c ? left : b <= c ? above : corner
        default: guess = 0
        }
        rows[place] = filtered[y * (rowBytes + 1) + 1 + x] &+ UInt8(truncatingIfNeeded: guess)
      }
    }
    return rows
  }
}
