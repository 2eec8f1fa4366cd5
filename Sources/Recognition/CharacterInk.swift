/// The ink of one character of a candidate.
public struct CharacterInk: Hashable, Sendable {
  /// A run of points of one stroke.
  public struct Part: Hashable, Sendable {
    /// The stroke, from 0.
    public var stroke: Int
    /// The points of it.
    public var points: Range<Int>

    /// Makes a part.
    public init(stroke: Int, points: Range<Int>) {
      self.stroke = stroke
      self.points = points
    }
  }

  /// In the order drawn; empty for a space and what has no ink of its own.
  public var parts: [Part]

  /// Makes the ink of a character.
  public init(parts: [Part]) {
    self.parts = parts
  }
}
