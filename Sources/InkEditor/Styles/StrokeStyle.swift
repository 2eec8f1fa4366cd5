import Foundation

/// The kind of pen that draws a stroke.
public enum InkBrush: String, Hashable, Sendable, CaseIterable, Codable {
  /// A round pen, wider with more force.
  case pen
  /// A round pen of constant width.
  case fineliner
  /// A round tip that is wider the flatter the pen is held.
  case marker
  /// A flat tip: wide across its edge, narrow along it. The roll of the pen turns it.
  case nib

  /// The width that a marker gains when it lies flat. Widths.
  static let tiltGain = 2.0

  /// The width at force 0 as a share of the usual one, if a style does not say.
  public var usualLeastShare: Double { self == .pen ? Chosen.penShare : 1 }
}

/// The width of a stroke by force: `base` at an average force, a share of it at force 0.
///
/// The width is linear in the force, so twice as much above the average is added as is missing
/// below it.
public struct WidthLaw: Hashable, Sendable {
  /// The width at force 0.5, and where the force is unknown.
  public let base: Double
  /// The width at force 0 as a share of `base`, 0 ... 1; 1 for a constant width.
  public let leastShare: Double

  /// Makes a law. A share outside of 0 ... 1 is moved to the nearest limit.
  ///
  /// - Parameters:
  ///   - base: The width at force 0.5.
  ///   - leastShare: The width at force 0 as a share of `base`.
  public init(base: Double, leastShare: Double) {
    self.base = base
    self.leastShare = min(max(leastShare, 0), 1)
  }

  /// Returns the width at a force of 0 ... 1. It never decreases with the force.
  ///
  /// - Parameter force: The force as a share of the largest; a force outside of 0 ... 1 counts as
  ///   the nearest limit, an unknown one as 0.5.
  public func width(force: Double?) -> Double {
    let force = min(max(force ?? 0.5, 0), 1)
    return base * (leastShare + (1 - leastShare) * 2 * force)
  }

  /// The greatest width.
  public var greatest: Double { width(force: 1) }
}

/// The look of ink: colour, width, brush, and how the width follows the force.
///
///     let red = try StrokeStyle(color: "#C02020", width: 0.8, brush: .fineliner)
///     editor.tools.setStyle(red, for: .pen)
public struct StrokeStyle: Hashable, Sendable {
  /// The colour, as `#RRGGBB` or `#RRGGBBAA`.
  public let color: String
  /// The width in millimetres at an average force.
  public let width: Double
  /// The kind of pen.
  public let brush: InkBrush
  /// The width at force 0 as a share of `width`, 0 ... 1.
  public let leastShare: Double

  /// Makes a style.
  ///
  /// - Parameters:
  ///   - color: `#RRGGBB` or `#RRGGBBAA`.
  ///   - width: Millimetres, above 0 and at most 1,000.
  ///   - brush: The kind of pen.
  ///   - leastShare: The width at force 0 as a share of `width`, 0 ... 1; nil for the usual one of
  ///     the brush.
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)`` if the colour is written
  ///   otherwise or a number is out of range.
  public init(
    color: String, width: Double, brush: InkBrush = .pen, leastShare: Double? = nil
  ) throws(EditorError) {
    guard InkColor(color) != nil else {
      throw .invalidArgument("colour", expected: "#RRGGBB or #RRGGBBAA", found: "another text")
    }
    guard width.isFinite, width > 0, width <= Self.greatestWidth else {
      throw .invalidArgument(
        "width", expected: "a number above 0 and at most \(Self.greatestWidth)", found: "\(width)")
    }
    let share = leastShare ?? brush.usualLeastShare
    guard (0...1).contains(share) else {
      throw .invalidArgument("least share", expected: "a number in 0 ... 1", found: "\(share)")
    }
    (self.color, self.width, self.brush, self.leastShare) = (color, width, brush, share)
  }

  /// Makes a style of values that are known to be valid.
  init(_ color: InkColor, width: Double, brush: InkBrush, leastShare: Double) {
    (self.color, self.width) = (color.description, width)
    (self.brush, self.leastShare) = (brush, leastShare)
  }

  static let greatestWidth = 1000.0

  /// Black ink of 0.6 mm, drawn by a pen.
  public static let standard = StrokeStyle(
    .black, width: Chosen.inkWidth, brush: .pen, leastShare: InkBrush.pen.usualLeastShare)

  /// The colour as numbers.
  public var inkColor: InkColor { InkColor(color) ?? .black }

  /// The width by force.
  public var law: WidthLaw { WidthLaw(base: width, leastShare: leastShare) }

  /// The greatest width that ink of the style has, at any force, tilt and direction.
  public var greatestWidth: Double {
    law.greatest * (brush == .marker ? 1 + InkBrush.tiltGain : 1)
  }

  /// The style as declarations of a style sheet:
  /// `color: #000000; width: 0.6mm; brush: pen; least-width: 45%`.
  public var declarations: String {
    "color: \(color); width: \(width)mm; brush: \(brush.rawValue); least-width: \(leastShare * 100)%"
  }

  /// Reads ``declarations``. What is left out is as in ``standard``.
  ///
  /// - Throws: ``StyleSheetError``.
  public init(declarations: String) throws(StyleSheetError) {
    var parser = StyleSheetParser(declarations)
    let found = try parser.declarations(until: nil)
    self = found.applied(to: .standard)
  }
}

extension StrokeStyle: Codable {
  private enum CodingKeys: String, CodingKey {
    case color, width, brush, leastShare
  }

  /// Reads a style, and checks its values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      color: try values.decode(String.self, forKey: .color),
      width: try values.decode(Double.self, forKey: .width),
      brush: try values.decodeIfPresent(InkBrush.self, forKey: .brush) ?? .pen,
      leastShare: try values.decodeIfPresent(Double.self, forKey: .leastShare))
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  // The numbers below were chosen by eye, at up to eight times the size of paper, on pages of
  // IAM-OnDB as SVG in a browser.
  /// Widths.
  static let penShare = 0.45
  /// The usual width of ink, and its share at force 0 for a pen. Millimetres.
  static let inkWidth = 0.6
}

extension StrokeStyle {
  /// The style as JSON, for packages.
  package var storedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Its numbers are finite.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads a style that ``storedText`` wrote; nil for another text.
  package init?(storedText: String) {
    guard let style = try? JSONDecoder().decode(StrokeStyle.self, from: Data(storedText.utf8))
    else {
      return nil
    }
    self = style
  }
}
