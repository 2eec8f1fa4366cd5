import InkCore

/// The content that a gesture changes.
struct GestureTarget: Sendable {
  /// Strokes that are hit as a whole.
  var items: Set<Int> = []
  /// The ink of the characters that are hit.
  var parts: [ItemPart] = []
  /// Nodes and edges that are hit as a whole.
  var blocks: [String] = []
  /// The ids of the words that are hit, as far as they are read.
  var words: [Int] = []
  /// The line, for gestures on one row.
  var line: Int?
  /// The block of the line.
  var block: String?
  /// The place of an upright line.
  var place: GesturePlace?
}

/// The place in a row where a space or a break comes or goes. Lengths and places are in the frame of the
/// row's line, where "left" is before and "right" is behind.
struct GesturePlace: Hashable, Sendable {
  /// The kind of place.
  enum Kind: String, Hashable, Sendable {
    /// Inside a word.
    case word
    /// Between two words.
    case space
    /// Between the end of a line and the beginning of the next.
    case lineBreak = "break"
  }

  var kind: Kind
  /// Millimetres.
  var x: Double
  /// The ink of the character to the left, or of the last of the line above.
  var left: ItemPart
  /// The ink of the character to the right, or of the first of the line below.
  var right: ItemPart
  /// The gap between both in millimetres; it is below 0 if they overlap.
  var gap: Double
  /// The end of the ink to the left, and the beginning of that to the right.
  var leftEnd: Double
  var rightStart: Double
}

/// The result of looking at a stroke: a gesture with its target, or ink, and why.
struct GestureDecision: Sendable {
  /// The gesture, or nil for ink.
  var kind: GestureKind?
  var target = GestureTarget()
  /// One line for each rule that was tried, in order. They contain no ink and no text.
  var reasons: [String] = []

  static func ink(_ reason: String) -> GestureDecision { GestureDecision(reasons: [reason]) }
}
