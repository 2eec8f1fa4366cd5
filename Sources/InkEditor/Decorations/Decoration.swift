/// The kind of a decoration of characters.
public enum DecorationKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// A line below the characters.
  case underline
  /// Two lines below the characters.
  case doubleUnderline = "double-underline"
  /// A line through the middle of the characters.
  case strikeThrough = "strike-through"
  /// A coloured area behind the characters.
  case highlight
  /// A line around the characters.
  case surround

  /// The kinds that are drawn at the same place. A character has at most one of them.
  var rivals: Set<DecorationKind> {
    switch self {
    case .underline, .doubleUnderline: [.underline, .doubleUnderline]
    case .strikeThrough, .highlight, .surround: [self]
    }
  }
}

/// The look of a decoration where it differs from the theme.
public struct DecorationStyle: Hashable, Sendable {
  /// The colour, or nil for that of the theme.
  public let color: InkColor?
  /// The width of its lines in millimetres, or nil for that of the theme.
  public let width: Double?

  /// Makes a style.
  ///
  /// - Parameters:
  ///   - color: The colour, or nil for that of the theme.
  ///   - width: Millimetres, above 0 and at most 1,000; nil for the width of the theme.
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)`` if the width is out of range.
  public init(color: InkColor? = nil, width: Double? = nil) throws(EditorError) {
    if let width {
      guard width.isFinite, width > 0, width <= StrokeStyle.greatestWidth else {
        throw .invalidArgument(
          "width", expected: "a number above 0 and at most \(StrokeStyle.greatestWidth)",
          found: "\(width)")
      }
    }
    (self.color, self.width) = (color, width)
  }

  /// Makes a style of a colour, with the width of the theme.
  init(_ color: InkColor) { (self.color, width) = (color, nil) }

  /// True if it says nothing: the theme decides.
  var isEmpty: Bool { color == nil && width == nil }

  /// The style as declarations of a style sheet, such as `color: #C02020; width: 0.5mm`.
  public var declarations: String {
    var parts: [String] = []
    if let color { parts.append("color: \(color)") }
    if let width { parts.append("width: \(width)mm") }
    return parts.joined(separator: "; ")
  }

  /// Reads ``declarations``. Other properties have no effect.
  ///
  /// - Throws: ``StyleSheetError``.
  public init(declarations: String) throws(StyleSheetError) {
    var parser = StyleSheetParser(declarations)
    let found = try parser.declarations(until: nil)
    (color, width) = (found.color, found.width)
  }
}

/// A decoration of characters: an attribute of their ink, not ink of its own.
///
/// It is anchored in the ink of the characters, so it stays with them when the ink moves, is copied
/// or is read again, and goes when the ink is erased.
public struct Decoration: Hashable, Sendable, Identifiable {
  /// The id, unique in the part.
  public let id: Int
  /// The kind.
  public let kind: DecorationKind
  /// The look, or nil for that of the theme.
  public let style: DecorationStyle?
  /// The decorated ink, sorted by item and point. The parts do not overlap.
  public let parts: [ItemPart]

  /// Makes a decoration of ink that is not empty.
  package init(id: Int, kind: DecorationKind, style: DecorationStyle?, parts: [ItemPart]) {
    (self.id, self.kind, self.style, self.parts) = (id, kind, style, parts)
  }

  /// Returns the decoration with other ink.
  func with(_ anchor: InkAnchor) -> Decoration {
    Decoration(id: id, kind: kind, style: style, parts: anchor.parts)
  }
}

/// Characters of a text block that a decoration covers.
public struct DecorationSpan: Hashable, Sendable {
  /// The id of the decoration.
  public let decoration: Int
  /// The kind.
  public let kind: DecorationKind
  /// The look, or nil for that of the theme.
  public let style: DecorationStyle?
  /// The characters of the block, counted as in JIIX: a space between two words and a line break
  /// between two lines are characters too.
  public let characters: Range<Int>
}
