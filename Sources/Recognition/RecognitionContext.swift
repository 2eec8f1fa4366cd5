import InkCore

/// What is known about an ink apart from its strokes.
public struct RecognitionContext: Hashable, Sendable {
  /// The text before the ink; empty if unknown. Line models use its last 20 characters, and the
  /// whole last word if they have a vocabulary. Glyph models do not use it.
  public var preContext: String
  /// The line the ink was written on, in the ink's units, or nil.
  public var writingArea: WritingArea?
  /// How the strokes stand on the page. Glyph models always take the ink as one character.
  public var layout: InkLayout

  /// Makes a context.
  public init(
    preContext: String = "", writingArea: WritingArea? = nil, layout: InkLayout = .auto
  ) {
    self.preContext = preContext
    self.writingArea = writingArea
    self.layout = layout
  }
}

/// How the strokes of an ink stand on the page.
public enum InkLayout: String, Hashable, Sendable, CaseIterable, Codable {
  /// A line or a page: line models look at the strokes.
  case auto
  /// A page: blocks and lines are found first, and drawing is told from writing.
  case page
  /// One line of writing: all strokes are read, in the order they are given.
  case line
  /// One character.
  case glyph
}
