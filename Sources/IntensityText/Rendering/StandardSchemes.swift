/// Shows intensity by the weight of the font, from ultra-light to black.
public struct WeightScheme: IntensityScheme, Hashable {
  /// `weight`.
  public let name = "weight"
  /// Nine weights.
  public let steps = 9

  /// Makes the scheme.
  public init() {}

  /// The steps by which bold text is heavier: from regular to bold would leave four bins equal, two
  /// keep most of them apart.
  private static let boldSteps = 2

  /// Returns the weight of the bin; bold text is heavier, at most black.
  public func style(bin: Int, base: BaseAttributes) -> TextStyle {
    var style = TextStyle(base)
    style.font.weight = FontWeight.ultraLight.moved(by: bin + (base.isBold ? Self.boldSteps : 0))
    return style
  }
}

/// Shows intensity by the size of the font: base - 5 + bin, at least 1.
public struct SizeScheme: IntensityScheme, Hashable {
  /// `size`.
  public let name = "size"
  /// Ten sizes.
  public let steps = 10

  /// Makes the scheme.
  public init() {}

  /// Returns the size of the bin.
  public func style(bin: Int, base: BaseAttributes) -> TextStyle {
    var style = TextStyle(base)
    style.font.size = Double(max(base.size - 5 + bin, 1))
    return style
  }
}

/// Shows intensity by opacity: (bin + 1) / 7, at most 1. Animated, an opaque layer fades below it.
public struct AlphaScheme: IntensityScheme, Hashable {
  /// `alpha`.
  public let name = "alpha"
  /// Eight opacities, of which the last two are 1.
  public let steps = 8

  /// Makes the scheme.
  public init() {}

  /// The layer above stays; the opaque one below it fades.
  public var layers: SchemeLayers? { SchemeLayers(top: (1, 1), bottom: (1, 0)) }

  /// Returns the opacity of the bin.
  public func style(bin: Int, base: BaseAttributes) -> TextStyle {
    var style = TextStyle(base)
    style.color = style.color.withAlpha(min(Double(bin + 1) / 7, 1))
    return style
  }

  /// Returns the opacity of the bin above, and opaque text below.
  public func style(bin: Int, base: BaseAttributes, layer: TextLayer) -> TextStyle {
    layer == .top ? style(bin: bin, base: base) : TextStyle(base)
  }
}

/// Shows intensity by hue, from green at 144 degrees to red at 7.2. Animated, a black layer above it
/// comes to half its opacity.
public struct HueScheme: IntensityScheme, Hashable {
  /// `hue`.
  public let name = "hue"
  /// Twenty hues.
  public let steps = 20

  /// Makes the scheme.
  public init() {}

  /// The layer below stays; the black one above it comes and goes.
  public var layers: SchemeLayers? { SchemeLayers(top: (0, 0.5), bottom: (1, 1)) }

  /// Returns the colour of the bin: hue 0.4 - 0.4 bin / 20, saturation 1, brightness 0.8.
  public func style(bin: Int, base: BaseAttributes) -> TextStyle {
    var style = TextStyle(base)
    style.color = TextColor(
      hue: 0.4 - 0.4 * Double(bin) / 20, saturation: 1, brightness: 0.8)
    return style
  }

  /// Returns black above, and the colour of the bin below.
  public func style(bin: Int, base: BaseAttributes, layer: TextLayer) -> TextStyle {
    layer == .top ? TextStyle(base) : style(bin: bin, base: base)
  }
}

/// Shows intensity by coloured shadows: the stronger, the wider and the redder. Animated, the shadow
/// comes and goes. It is not one of the standard schemes: a host registers it.
public struct ShadowScheme: IntensityScheme, Hashable {
  /// `shadow`.
  public let name = "shadow"
  /// Ten shadows; the first is none.
  public let steps = 10

  /// Makes the scheme.
  public init() {}

  /// The text above stays; the shadow below it comes and goes.
  public var layers: SchemeLayers? { SchemeLayers(top: (1, 1), bottom: (0.2, 1)) }

  /// Returns the shadow of the bin.
  public func style(bin: Int, base: BaseAttributes) -> TextStyle {
    var style = TextStyle(base)
    guard bin > 0 else { return style }
    let share = Double(bin) / Double(steps - 1)
    style.shadow = TextShadow(
      color: TextColor(hue: 0.6 - 0.6 * share, saturation: 1, brightness: 0.9),
      radius: Double(base.size) * 0.3 * share)
    return style
  }

  /// Returns the text alone above, and the text with its shadow below.
  public func style(bin: Int, base: BaseAttributes, layer: TextLayer) -> TextStyle {
    layer == .top ? TextStyle(base) : style(bin: bin, base: base)
  }
}
