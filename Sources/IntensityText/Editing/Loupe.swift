/// The loupe that shows the text under the finger while the caret is moved.
///
/// A state machine: touches go in, the state and the place of the loupe are values.
public struct Loupe: Hashable, Sendable {
  /// What is shown.
  public enum State: Hashable, Sendable {
    /// Nothing.
    case hidden
    /// The text around a caret, in a box above the finger.
    case shown(caret: Int, source: TextBox, target: TextBox)
  }

  /// What is shown.
  public private(set) var state = State.hidden

  /// The magnification.
  public let magnification: Double
  /// The size of the loupe in points.
  public let size: (width: Double, height: Double)

  /// The space between the finger and the loupe, in points.
  private static let gap = 20.0

  /// Makes a loupe.
  public init(magnification: Double = 1.5, width: Double = 120, height: Double = 48) {
    self.magnification = magnification > 1 ? magnification : 1
    size = (max(width, 1), max(height, 1))
  }

  /// Compares the states and the sizes.
  public static func == (left: Loupe, right: Loupe) -> Bool {
    left.state == right.state && left.magnification == right.magnification
      && left.size == right.size
  }

  /// Hashes the state.
  public func hash(into hasher: inout Hasher) { hasher.combine(state) }

  /// Moves the finger to a place; the caret goes to the nearest character.
  ///
  /// - Returns: The index of the caret.
  @discardableResult
  public mutating func move(toX x: Double, y: Double, in layout: TextLayout) -> Int {
    let index = layout.index(atX: x, y: y)
    let caret = layout.caret(at: index)
    let (width, height) = (size.width / magnification, size.height / magnification)
    let source = TextBox(
      x: caret.x - width / 2, y: caret.y + caret.height / 2 - height / 2, width: width,
      height: height)
    // Above the finger, or below it at the upper edge; never outside at the sides.
    let above = y - Self.gap - size.height
    let left = min(max(x - size.width / 2, 0), max(layout.width - size.width, 0))
    let target = TextBox(
      x: left, y: above >= 0 ? above : y + Self.gap, width: size.width, height: size.height)
    state = .shown(caret: index, source: source, target: target)
    return index
  }

  /// Lifts the finger.
  public mutating func end() { state = .hidden }
}
