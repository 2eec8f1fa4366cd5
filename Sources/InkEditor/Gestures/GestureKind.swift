/// A gesture that edits what is written.
public enum GestureKind: String, Hashable, Sendable, CaseIterable {
  /// A zigzag over content erases what it covers.
  case scratchOut = "scratch-out"
  /// A level line through the middle of words marks or erases them.
  case strikeThrough = "strike-through"
  /// A level line below words underlines them.
  case underline
  /// A second line below words that are underlined already.
  case doubleUnderline = "double-underline"
  /// A closed loop around content selects or highlights it.
  case surround
  /// A line upward between words, or at the end of a line, takes out the space or the break.
  case join
  /// A line downward inside a word or between words inserts a space or a line break.
  case insert
  /// A touch or a pen that leaves the view where it came down, at once.
  case tap
  /// Two taps at one place in a short time.
  case doubleTap = "double-tap"
  /// A touch or a pen that stays at one place.
  case longPress = "long-press"

  /// True if ink may be lost or moved.
  public var isDestructive: Bool {
    switch self {
    case .scratchOut, .join, .insert: true
    case .strikeThrough, .underline, .doubleUnderline, .surround, .tap, .doubleTap, .longPress:
      false
    }
  }

  /// The name in the keys of the configuration that list gestures; nil if no list names it.
  var listName: String? {
    switch self {
    case .doubleUnderline: GestureKind.underline.rawValue
    case .tap, .doubleTap: nil
    case .scratchOut, .strikeThrough, .underline, .surround, .join, .insert, .longPress: rawValue
    }
  }

  /// The names that keys of the configuration such as `text.pen.gestures` accept.
  public static let names = [
    "scratch-out", "underline", "insert", "join", "long-press", "strike-through", "surround",
  ]
}
