import Foundation

/// The weight of a font, from the thinnest to the heaviest.
public enum FontWeight: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// 100 in CSS.
  case ultraLight
  /// 200 in CSS.
  case thin
  /// 300 in CSS.
  case light
  /// 400 in CSS: the weight of plain text.
  case regular
  /// 500 in CSS.
  case medium
  /// 600 in CSS.
  case semibold
  /// 700 in CSS: the weight of bold text.
  case bold
  /// 800 in CSS.
  case heavy
  /// 900 in CSS.
  case black

  /// The number in CSS, 100 ... 900.
  public var cssValue: Int { 100 * (rawValue + 1) }

  /// Returns the heavier weight by a number of steps, within the range.
  func moved(by steps: Int) -> FontWeight {
    FontWeight(rawValue: min(max(rawValue + steps, 0), Self.black.rawValue)) ?? self
  }

  /// Compares how heavy weights are.
  public static func < (left: FontWeight, right: FontWeight) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A colour of hue, saturation, brightness and opacity, 0 ... 1 each.
public struct TextColor: Hashable, Sendable {
  /// The hue, 0 ... 1 for 0 ... 360 degrees.
  public let hue: Double
  /// The saturation, 0 ... 1.
  public let saturation: Double
  /// The brightness, 0 ... 1.
  public let brightness: Double
  /// The opacity, 0 ... 1.
  public let alpha: Double

  /// Makes a colour; numbers are kept in 0 ... 1, and NaN is 0.
  public init(hue: Double, saturation: Double, brightness: Double, alpha: Double = 1) {
    func kept(_ number: Double) -> Double { number.isNaN ? 0 : min(max(number, 0), 1) }
    self.hue = kept(hue)
    self.saturation = kept(saturation)
    self.brightness = kept(brightness)
    self.alpha = kept(alpha)
  }

  /// Opaque black.
  public static let black = TextColor(hue: 0, saturation: 0, brightness: 0)

  /// Red, green and blue, 0 ... 255 each.
  public var rgb: (red: Int, green: Int, blue: Int) {
    func channel(_ n: Double) -> Int {
      let k = (n + hue * 6).truncatingRemainder(dividingBy: 6)
      let value = brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
      return Int((255 * value).rounded())
    }
    return (channel(5), channel(3), channel(1))
  }

  /// Returns the colour with another opacity.
  public func withAlpha(_ alpha: Double) -> TextColor {
    TextColor(hue: hue, saturation: saturation, brightness: brightness, alpha: alpha)
  }
}

/// A shadow under a character.
public struct TextShadow: Hashable, Sendable {
  /// The colour.
  public let color: TextColor
  /// The blur in points.
  public let radius: Double

  /// Makes a shadow.
  public init(color: TextColor, radius: Double) {
    self.color = color
    self.radius = radius
  }
}

/// The font of a character: what its width and height depend on.
public struct TextFont: Hashable, Sendable {
  /// The weight.
  public var weight: FontWeight
  /// The size in points, at least 1.
  public var size: Double
  /// True for italic text.
  public var isItalic: Bool

  /// Makes a font; the size is at least 1.
  public init(weight: FontWeight = .regular, size: Double, isItalic: Bool = false) {
    self.weight = weight
    self.size = size.isNaN ? 1 : max(size, 1)
    self.isItalic = isItalic
  }

  /// Makes the font of base attributes.
  public init(_ base: BaseAttributes) {
    self.init(
      weight: base.isBold ? .bold : .regular, size: Double(base.size), isItalic: base.isItalic)
  }
}

/// The style that a scheme gives the characters of one bin.
public struct TextStyle: Hashable, Sendable {
  /// The font.
  public var font: TextFont
  /// The colour of the character.
  public var color = TextColor.black
  /// True for underlined text.
  public var isUnderlined: Bool
  /// True for text with a line through it.
  public var isStruckThrough: Bool
  /// A shadow, if there is one.
  public var shadow: TextShadow?
  /// The scale at which a character is drawn about its middle. It moves no other character.
  public var scale = 1.0

  /// Makes the style of base attributes, without any intensity.
  public init(_ base: BaseAttributes) {
    font = TextFont(base)
    isUnderlined = base.isUnderlined
    isStruckThrough = base.isStruckThrough
  }
}
