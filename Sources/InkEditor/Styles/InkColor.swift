/// A colour of red, green, blue and opacity, 0 ... 255 each.
public struct InkColor: Hashable, Sendable, CustomStringConvertible {
  /// Red, 0 ... 255.
  public var red: UInt8
  /// Green, 0 ... 255.
  public var green: UInt8
  /// Blue, 0 ... 255.
  public var blue: UInt8
  /// Opacity: 0 is transparent, 255 opaque.
  public var alpha: UInt8

  /// Makes a colour.
  ///
  /// - Parameters:
  ///   - red: 0 ... 255.
  ///   - green: 0 ... 255.
  ///   - blue: 0 ... 255.
  ///   - alpha: 0 ... 255; opaque if it is left out.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Reads `#RRGGBB` or `#RRGGBBAA`; nil for another text.
  public init?(_ text: some StringProtocol) {
    guard text.first == "#", text.utf8.count == 7 || text.utf8.count == 9 else { return nil }
    let digits = text.utf8.dropFirst().compactMap(Self.digit)
    guard digits.count == text.utf8.count - 1 else { return nil }
    func pair(_ index: Int) -> UInt8 { digits[index] << 4 | digits[index + 1] }
    self.init(
      red: pair(0), green: pair(2), blue: pair(4), alpha: digits.count == 8 ? pair(6) : 255)
  }

  /// Black.
  public static let black = InkColor(red: 0, green: 0, blue: 0)

  /// The opacity, 0 ... 1.
  public var opacity: Double { Double(alpha) / 255 }

  /// The colour as `#RRGGBB`, without its opacity.
  public var opaqueText: String { "#" + [red, green, blue].map(Self.text).joined() }

  /// The colour as `#RRGGBB`, or as `#RRGGBBAA` unless it is opaque.
  public var description: String { alpha == 255 ? opaqueText : opaqueText + Self.text(alpha) }

  private static func text(_ value: UInt8) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return value < 16 ? "0" + text : text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
