import InkCore

/// The transform between pixels of the view and millimetres of the document.
public struct ViewTransform: Hashable, Sendable {
  /// Pixels per inch at scale 1.
  public let dpiX: Double
  /// Pixels per inch at scale 1.
  public let dpiY: Double
  /// The magnification of the document in the view.
  public let scale: Double
  /// The pixel of the document's origin.
  public let offsetX: Double
  /// The pixel of the document's origin.
  public let offsetY: Double
  let millimetresX: Double
  let millimetresY: Double

  private static let millimetresPerInch = 25.4

  /// Makes a transform.
  ///
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)`` if dpi or scale is not a finite
  ///   number above 0 or an offset is not finite.
  public init(
    dpiX: Double = 96, dpiY: Double = 96, scale: Double = 1, offsetX: Double = 0,
    offsetY: Double = 0
  ) throws(EditorError) {
    let millimetresX = Self.millimetresPerInch / (dpiX * scale)
    let millimetresY = Self.millimetresPerInch / (dpiY * scale)
    for (name, value) in [("dpi", dpiX), ("dpi", dpiY), ("scale", scale)]
    where !(value.isFinite && value > 0) {
      throw .invalidArgument(name, expected: "a finite number above 0", found: "\(value)")
    }
    guard offsetX.isFinite, offsetY.isFinite, millimetresX.isFinite, millimetresY.isFinite,
      millimetresX > 0, millimetresY > 0
    else {
      throw .invalidArgument(
        "view transform", expected: "a finite scale and offset", found: "other numbers")
    }
    self.init(dpiX, dpiY, scale, offsetX, offsetY, millimetresX, millimetresY)
  }

  private init(
    _ dpiX: Double, _ dpiY: Double, _ scale: Double, _ offsetX: Double, _ offsetY: Double,
    _ millimetresX: Double, _ millimetresY: Double
  ) {
    self.dpiX = dpiX
    self.dpiY = dpiY
    self.scale = scale
    self.offsetX = offsetX
    self.offsetY = offsetY
    self.millimetresX = millimetresX
    self.millimetresY = millimetresY
  }

  /// 96 dpi at scale 1.
  public static let standard = ViewTransform(
    96, 96, 1, 0, 0, millimetresPerInch / 96, millimetresPerInch / 96)

  /// The transform in which one pixel is one millimetre.
  public static let millimetres = ViewTransform(
    millimetresPerInch, millimetresPerInch, 1, 0, 0, 1, 1)

  /// Returns the position of a pixel in the document, in millimetres.
  @inline(__always)
  public func document(x: Double, y: Double) -> (x: Double, y: Double) {
    ((x - offsetX) * millimetresX, (y - offsetY) * millimetresY)
  }

  /// Returns the pixel of a position in the document.
  public func view(x: Double, y: Double) -> (x: Double, y: Double) {
    (x / millimetresX + offsetX, y / millimetresY + offsetY)
  }
}

/// The sizes of printed text in the host's fonts.
public protocol FontMetrics: Sendable {
  /// Returns the box of each character of a text that begins at x = 0, with its baseline at y = 0.
  /// The boxes are in millimetres, and y grows downward.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - size: The font size in millimetres.
  func characterBoxes(of text: String, size: Double) -> [BoundingBox]
}

/// Metrics of no particular font: widths by classes of characters, as in common sans-serif fonts.
public struct DefaultFontMetrics: FontMetrics {
  /// Makes the metrics.
  public init() {}

  /// Returns boxes from the ascender, 0.75 sizes above the baseline, to the descender, 0.22 below.
  public func characterBoxes(of text: String, size: Double) -> [BoundingBox] {
    var x = 0.0
    return text.map { character in
      let width = size * Self.width(of: character)
      defer { x += width }
      return BoundingBox(
        minX: x, minY: -Tuning.Font.ascender * size, maxX: x + width,
        maxY: Tuning.Font.descender * size)
    }
  }

  /// Returns a width in sizes.
  private static func width(of character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": Tuning.Font.narrow
    case " ", "f", "t", "r", "-", "(", ")", "\"", "/": Tuning.Font.slim
    case "m", "M", "w", "W", "@", "%": Tuning.Font.wide
    default: character.isUppercase ? Tuning.Font.capital : Tuning.Font.small
    }
  }
}
