import InkCore

/// The labels of gestures in mobile handwriting APIs, and the labels of `gestures` that they
/// correspond to.
///
/// The mobile labels say on which side of the line of text a mark is, ours say what it does: `join`
/// is an arch above or below the gap that it closes. A mobile label has one of our labels or none;
/// one of ours needs the ink to tell `above` from `below`.
///
///     let best = try recognizer.recognize(ink).candidates.first?.text ?? "writing"
///     let mobile = MobileGestureLabel(best, of: ink)  // .archAbove for an arch that opens downward
public enum MobileGestureLabel: String, CaseIterable, Hashable, Sendable {
  /// An arch that opens downward, above a gap.
  case archAbove = "arch:above"
  /// An arch that opens upward, below a gap.
  case archBelow = "arch:below"
  /// A caret whose tip points down, from above the line.
  case caretAbove = "caret:above"
  /// A caret whose tip points up, from below the line.
  case caretBelow = "caret:below"
  /// A closed loop around text.
  case circle
  /// A corner that goes down, then left: a line break.
  case cornerDownLeft = "corner:downleft"
  /// A zigzag over text.
  case scribble
  /// A line through text.
  case strike
  /// A vertical line between or in words.
  case verticalBar = "verticalbar"
  /// No gesture.
  case writing

  /// The label of `gestures`; nil for ``cornerDownLeft``, which `gestures` does not have.
  public var label: String? {
    switch self {
    case .archAbove, .archBelow: "join"
    case .caretAbove, .caretBelow: "caret"
    case .circle: "surround"
    case .cornerDownLeft: nil
    case .scribble: "scratch-out"
    case .strike: "strike-through"
    case .verticalBar: "insert"
    case .writing: "writing"
    }
  }

  /// Makes the mobile label of a label of `gestures`; nil for labels that the mobile APIs lack:
  /// `underline`, `tick`, `cross`.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - ink: The ink that has this label. It decides between `above` and `below`: an arch or caret
  ///     whose middle is higher than its ends opens downward. y grows downward.
  public init?(_ label: String, of ink: Ink) {
    switch label {
    case "join": self = Self.opensDownward(ink) ? .archAbove : .archBelow
    case "caret": self = Self.opensDownward(ink) ? .caretBelow : .caretAbove
    case "surround": self = .circle
    case "scratch-out": self = .scribble
    case "strike-through": self = .strike
    case "insert": self = .verticalBar
    case "writing": self = .writing
    default: return nil
    }
  }

  /// Returns whether the middle of the ink is above its two ends.
  private static func opensDownward(_ ink: Ink) -> Bool {
    let points = ink.strokes.flatMap(\.points)
    guard let first = points.first, let last = points.last, let box = ink.boundingBox else {
      return false
    }
    return (first.y + last.y) / 2 > box.midY
  }
}

/// The labels of shapes in mobile handwriting APIs, and the labels of `shapes` that they correspond
/// to.
public enum MobileShapeLabel: String, CaseIterable, Hashable, Sendable {
  /// A rectangle, also a square.
  case rectangle = "RECTANGLE"
  /// A triangle.
  case triangle = "TRIANGLE"
  /// An arrow with one tip or two.
  case arrow = "ARROW"
  /// An ellipse, also a circle.
  case ellipse = "ELLIPSE"

  /// The labels of `shapes`, the most frequent first.
  public var labels: [String] {
    switch self {
    case .rectangle: ["rectangle"]
    case .triangle: ["triangle"]
    case .arrow: ["arrow", "double-arrow"]
    case .ellipse: ["ellipse"]
    }
  }

  /// Makes the mobile label of a label of `shapes`; nil for shapes that the mobile APIs lack.
  public init?(_ label: String) {
    guard let found = Self.allCases.first(where: { $0.labels.contains(label) }) else { return nil }
    self = found
  }
}
