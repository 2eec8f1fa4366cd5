/// A way to show intensities: a number of bins, and the style of each.
///
/// A scheme of your own needs a name, steps and a style:
///
///     struct Slant: IntensityScheme {
///       let name = "slant"
///       let steps = 2
///       func style(bin: Int, base: BaseAttributes) -> TextStyle {
///         var style = TextStyle(base)
///         style.font.isItalic = bin == 1
///         return style
///       }
///     }
public protocol IntensityScheme: Sendable {
  /// The name in JSON and preferences.
  var name: String { get }
  /// The number of bins, at least 1.
  var steps: Int { get }
  /// Returns the style of a bin, 0 ..< steps.
  func style(bin: Int, base: BaseAttributes) -> TextStyle
  /// The layers of an animated text; nil if the scheme stays still.
  var layers: SchemeLayers? { get }
  /// Returns the style of a bin in a layer of an animated text. Its font is not used: both layers
  /// have the font of ``style(bin:base:)``, so that characters lie upon each other.
  func style(bin: Int, base: BaseAttributes, layer: TextLayer) -> TextStyle
}

extension IntensityScheme {
  /// The scheme stays still.
  public var layers: SchemeLayers? { nil }

  /// Returns the style of the bin, in both layers.
  public func style(bin: Int, base: BaseAttributes, layer: TextLayer) -> TextStyle {
    style(bin: bin, base: base)
  }

  /// Returns the bin of an intensity: steps × intensity / 100 as integers, within 0 ..< steps.
  public func bin(of intensity: Int) -> Int {
    min(max(steps * intensity / 100, 0), max(steps, 1) - 1)
  }
}

/// A layer of an animated text.
public enum TextLayer: Hashable, Sendable, CaseIterable {
  /// The layer above.
  case top
  /// The layer below.
  case bottom
}

/// The opacities between which the layers of an animated text go to and fro.
public struct SchemeLayers: Hashable, Sendable {
  /// The opacity of the layer above, at the beginning and at the end of one way.
  public let top: (from: Double, to: Double)
  /// The opacity of the layer below.
  public let bottom: (from: Double, to: Double)

  /// Makes layers; a layer that stays has equal ends.
  public init(top: (from: Double, to: Double), bottom: (from: Double, to: Double)) {
    self.top = top
    self.bottom = bottom
  }

  /// Compares all opacities.
  public static func == (left: SchemeLayers, right: SchemeLayers) -> Bool {
    left.top == right.top && left.bottom == right.bottom
  }

  /// Hashes all opacities.
  public func hash(into hasher: inout Hasher) {
    for number in [top.from, top.to, bottom.from, bottom.to] { hasher.combine(number) }
  }

  /// Returns the opacity of a layer at a progress of 0 ... 1.
  public func opacity(of layer: TextLayer, at progress: Double) -> Double {
    let ends = layer == .top ? top : bottom
    return ends.from + (ends.to - ends.from) * min(max(progress, 0), 1)
  }
}

/// The schemes that a host knows, by their names.
///
/// A text keeps the name of a scheme that is not known, and is shown in the first one.
public struct IntensitySchemes: Sendable {
  private var schemes: [any IntensityScheme]

  /// Makes the four schemes: weight, size, alpha and hue.
  public init() { schemes = [WeightScheme(), SizeScheme(), AlphaScheme(), HueScheme()] }

  /// The names, in the order in which they were registered.
  public var names: [String] { schemes.map(\.name) }

  /// The scheme for texts that name none: weight.
  public var standard: any IntensityScheme { schemes.first ?? WeightScheme() }

  /// Adds a scheme.
  ///
  /// - Throws: ``IntensityTextError`` if the name is taken or empty, or the scheme has no steps.
  public mutating func register(_ scheme: some IntensityScheme) throws(IntensityTextError) {
    guard !scheme.name.isEmpty, !names.contains(scheme.name) else {
      throw IntensityTextError(
        .nameTaken, "name", expected: "another name than \(names.joined(separator: ", "))",
        found: scheme.name.isEmpty ? "an empty name" : scheme.name)
    }
    guard scheme.steps > 0 else {
      throw IntensityTextError(
        .invalidNumber, "steps", expected: "at least 1", found: "\(scheme.steps)")
    }
    schemes.append(scheme)
  }

  /// Returns the scheme of a name, or the standard one for nil and for names that are not known.
  public func scheme(named name: String?) -> any IntensityScheme {
    schemes.first { $0.name == name } ?? standard
  }

  /// Returns the scheme of a name.
  ///
  /// - Throws: ``IntensityTextError`` for a name that is not known.
  public func knownScheme(named name: String) throws(IntensityTextError) -> any IntensityScheme {
    guard let scheme = schemes.first(where: { $0.name == name }) else {
      throw IntensityTextError(
        .unknownName, "scheme", expected: "one of \(names.joined(separator: ", "))",
        found: "another name")
    }
    return scheme
  }
}
