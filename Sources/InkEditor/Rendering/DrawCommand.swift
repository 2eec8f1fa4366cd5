import InkCore

/// The end of a line.
public enum LineCap: String, Hashable, Sendable, CaseIterable {
  /// Cut at the end point.
  case butt
  /// A half disc around the end point.
  case round
  /// Half a square around the end point.
  case square
}

/// The corner of a line.
public enum LineJoin: String, Hashable, Sendable, CaseIterable {
  /// Pointed.
  case miter
  /// A disc around the corner.
  case round
  /// Cut off.
  case bevel
}

/// The look of a line along a path.
public struct LineStyle: Hashable, Sendable {
  /// The width, in the unit of the path.
  public var width: Double
  /// The ends.
  public var cap: LineCap
  /// The corners.
  public var join: LineJoin
  /// The lengths of dashes and gaps in turn; empty for a solid line.
  public var dash: [Double]

  /// Makes a style of lines.
  ///
  /// - Parameters:
  ///   - width: The width, in the unit of the path.
  ///   - cap: The ends.
  ///   - join: The corners.
  ///   - dash: The lengths of dashes and gaps in turn.
  public init(width: Double, cap: LineCap = .round, join: LineJoin = .round, dash: [Double] = []) {
    (self.width, self.cap, self.join, self.dash) = (width, cap, join, dash)
  }
}

/// A line of typeset text.
public struct DrawText: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The left end of the baseline.
  public var origin: PlanePoint
  /// The size of the font, in the unit of the place.
  public var size: Double
  /// The name of the font.
  public var family: String
  /// The colour.
  public var color: InkColor
  /// The width that the text has by the metrics that it was set with, or nil if it is not known. A
  /// painter whose font is wider or narrower fits it to this width.
  public var width: Double?
  /// True for the bold face.
  public var isBold: Bool
  /// True for the italic face.
  public var isItalic: Bool

  /// Makes a line of text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - origin: The left end of the baseline.
  ///   - size: The size of the font.
  ///   - family: The name of the font.
  ///   - color: The colour.
  ///   - width: The width that the text is fitted to; nil for that of the font.
  ///   - isBold: True for the bold face.
  ///   - isItalic: True for the italic face.
  public init(
    _ text: String, origin: PlanePoint, size: Double, family: String = "sans-serif",
    color: InkColor = .black, width: Double? = nil, isBold: Bool = false, isItalic: Bool = false
  ) {
    (self.text, self.origin, self.size) = (text, origin, size)
    (self.family, self.color, self.width) = (family, color, width)
    (self.isBold, self.isItalic) = (isBold, isItalic)
  }

  /// The box of the text if its width is known: from the ascent of usual fonts to their descent.
  var box: BoundingBox? {
    width.map {
      BoundingBox(
        minX: origin.x, minY: origin.y - Self.ascent * size, maxX: origin.x + $0,
        maxY: origin.y + Self.descent * size)
    }
  }

  /// Shares of the size, those of Liberation Sans.
  private static let (ascent, descent) = (0.905, 0.212)
}

/// A picture in a box.
public struct DrawImage: Hashable, Sendable {
  /// The bytes of the picture.
  public var bytes: [UInt8]
  /// The media type, such as `image/png`.
  public var type: String
  /// The place; the picture is stretched to it.
  public var box: BoundingBox

  /// Makes a picture.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the picture.
  ///   - type: The media type.
  ///   - box: The place.
  public init(bytes: [UInt8], type: String, box: BoundingBox) {
    (self.bytes, self.type, self.box) = (bytes, type, box)
  }
}

/// Commands that are drawn together.
public struct DrawGroup: Hashable, Sendable {
  /// A name, such as that of a layer; empty for none.
  public var name: String
  /// The opacity of the group as a whole, 0 ... 1.
  public var opacity: Double
  /// The map from the unit of the commands to that of the outside.
  public var transform: PlaneTransform
  /// The commands, from back to front.
  public var commands: [DrawCommand]

  /// Makes a group.
  ///
  /// - Parameters:
  ///   - name: A name, such as that of a layer.
  ///   - opacity: The opacity of the group as a whole, 0 ... 1.
  ///   - transform: The map from the unit of the commands to that of the outside.
  ///   - commands: The commands, from back to front.
  public init(
    name: String = "", opacity: Double = 1, transform: PlaneTransform = .identity,
    _ commands: [DrawCommand]
  ) {
    (self.name, self.opacity) = (name, opacity)
    (self.transform, self.commands) = (transform, commands)
  }
}

/// Something to draw, as a value.
///
/// Commands are in millimetres of the document unless a group maps them. A list is drawn from its
/// first command, the one at the back, to its last.
public indirect enum DrawCommand: Hashable, Sendable {
  /// Fills a path by the nonzero rule.
  case fill(DrawPath, InkColor)
  /// Draws a line along a path.
  case stroke(DrawPath, InkColor, LineStyle)
  /// Draws a line of text.
  case text(DrawText)
  /// Draws a picture.
  case image(DrawImage)
  /// Draws commands inside of a path only.
  case clip(DrawPath, [DrawCommand])
  /// Draws commands together.
  case group(DrawGroup)

  /// The box of what is drawn, without clipping; nil for an empty command and for text of unknown
  /// width, whose extent depends on the font. O(points).
  public var box: BoundingBox? {
    switch self {
    case .fill(let path, _): path.box
    case .stroke(let path, _, let style): path.box?.grown(by: style.width / 2)
    case .text(let text): text.box
    case .image(let image): image.box
    case .clip(_, let commands): BoundingBox(holding: commands.compactMap(\.box))
    case .group(let group):
      BoundingBox(holding: group.commands.compactMap(\.box)).map(group.transform.applied)
    }
  }
}

/// Draws commands: onto a screen, into a picture or a file. An app writes its own for its platform;
/// ``SVGPainter`` writes SVG.
///
///     struct Counter: Painter {
///       var count = 0
///       mutating func draw(_ command: DrawCommand) { count += 1 }
///     }
public protocol Painter {
  /// Draws one command. For groups and clips, the painter draws the commands inside of it.
  mutating func draw(_ command: DrawCommand)
}

extension Painter {
  /// Draws commands in order.
  public mutating func draw(_ commands: [DrawCommand]) {
    for command in commands { draw(command) }
  }
}
