import CCairo
import Files
import InkEditor

/// A picture as the objects of a PDF: the pixels, and how opaque they are.
struct PDFImage {
  /// The entries of the dictionary, without the length.
  let entries: String
  /// The packed pixels.
  let bytes: [UInt8]
  /// The opacities, of 8 bits each, unpacked; nil for a picture without transparency.
  private(set) var alpha: (width: Int, height: Int, bytes: [UInt8])?

  /// Takes a picture; nil for one of another format, or one that is damaged.
  init?(_ image: DrawImage) {
    switch PictureKind(of: image.bytes) {
    case .jpeg: self.init(jpeg: image.bytes)
    case .png: self.init(png: image.bytes)
    case .svg, nil: return nil
    }
  }

  private init(
    width: Int, height: Int, space: String, bits: Int, _ more: String, _ bytes: [UInt8],
    alpha: [UInt8]? = nil
  ) {
    entries =
      "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /ColorSpace \(space) "
      + "/BitsPerComponent \(bits) \(more)"
    self.bytes = bytes
    self.alpha = alpha.map { (width, height, $0) }
  }

  // MARK: - JPEG

  /// Takes the bytes as they are: PDF has the packing of JPEG.
  private init?(jpeg bytes: [UInt8]) {
    var place = 2
    var isAdobe = false
    while place + 9 < bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2 else { return nil }
      switch marker {
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        let height = Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
        let width = Int(bytes[place + 7]) << 8 | Int(bytes[place + 8])
        let spaces: [UInt8: String] = [1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"]
        guard width > 0, height > 0, let space = spaces[bytes[place + 9]] else { return nil }
        // Programs of Adobe store inks inverted.
        let decode = bytes[place + 9] == 4 && isAdobe ? "/Decode [1 0 1 0 1 0 1 0] " : ""
        self.init(
          width: width, height: height, space: space, bits: Int(bytes[place + 4]),
          "\(decode)/Filter /DCTDecode", bytes)
        return
      case 0xEE: isAdobe = bytes[(place + 4)...].starts(with: Array("Adobe".utf8))
      default: break
      }
      place += 2 + length
    }
    return nil
  }

  // MARK: - PNG

  /// Takes the packed pixels as they are, unless opacities lie between them.
  private init?(png bytes: [UInt8]) {
    guard let png = PNGContent(bytes) else { return nil }
    if png.isInterlaced || png.hasMixedAlpha {
      self.init(unpacked: png, bytes)
      return
    }
    let space: String
    switch png.colors {
    case .gray: space = "/DeviceGray"
    case .rgb: space = "/DeviceRGB"
    case .palette:
      let digits = png.palette.map { PDFFile.digits(UInt16($0)).dropFirst(2) }.joined()
      space = "[/Indexed /DeviceRGB \(png.palette.count / 3 - 1) <\(digits)>]"
    case .grayAlpha, .rgbAlpha: return nil
    }
    let mask = png.transparentColor.map { color in
      "/Mask [" + color.map { "\($0) \($0)" }.joined(separator: " ") + "] "
    }
    self.init(
      width: png.width, height: png.height, space: space, bits: png.bits,
      "\(mask ?? "")/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors "
        + "\(png.colors == .rgb ? 3 : 1) /BitsPerComponent \(png.bits) /Columns \(png.width) >>",
      png.packed)
  }

  /// Takes the pixels of a PNG one by one.
  private init?(unpacked png: PNGContent, _ bytes: [UInt8]) {
    guard let pixels = png.isInterlaced ? CairoPixels.of(png: bytes) : png.pixels(),
      let packed = Deflate.zlib(pixels.rgb)
    else { return nil }
    self.init(
      width: png.width, height: png.height, space: "/DeviceRGB", bits: 8, "/Filter /FlateDecode",
      packed, alpha: pixels.alpha.allSatisfy { $0 == 255 } ? nil : pixels.alpha)
  }
}

/// Pixels, row by row, as colours of 8 bits and opacities.
struct PicturePixels {
  var rgb: [UInt8]
  var alpha: [UInt8]
}

/// Unpacks PNG of any form by Cairo.
enum CairoPixels {
  static func of(png bytes: [UInt8]) -> PicturePixels? {
    guard let cairo = CairoLibrary.shared?.functions.pointee,
      let surface = CairoPainter.surface(ofPNG: bytes, cairo)
    else { return nil }
    defer { cairo.surface_destroy(surface) }
    let (width, height) = (
      Int(cairo.image_surface_get_width(surface)), Int(cairo.image_surface_get_height(surface))
    )
    let stride = Int(cairo.image_surface_get_stride(surface))
    // Formats 0 and 1 have 4 bytes each: blue, green, red, opacity, the colours multiplied by it.
    let format = cairo.image_surface_get_format(surface)
    guard format == 0 || format == 1, let data = cairo.image_surface_get_data(surface) else {
      return nil
    }
    var result = PicturePixels(rgb: [], alpha: [])
    result.rgb.reserveCapacity(3 * width * height)
    result.alpha.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = data + y * stride + 4 * x
        let alpha = format == 1 ? 255 : Int(pixel[3])
        for part in [2, 1, 0] {
          let value = alpha == 0 ? 0 : (Int(pixel[part]) * 255 + alpha / 2) / alpha
          result.rgb.append(UInt8(min(value, 255)))
        }
        result.alpha.append(UInt8(alpha))
      }
    }
    return result
  }
}
