import InkCore

/// The information about an ink in addition to its strokes.
public struct RecognitionContext: Hashable, Sendable {
  /// The text before the ink; empty if it is unknown. Line models use its last 20 characters and,
  /// with a vocabulary, the whole word at its end. Glyph models do not use it.
  public var preContext: String
  /// The line the ink was written on, in the ink's units, or nil.
  public var writingArea: WritingArea?

  /// Makes a context.
  public init(preContext: String = "", writingArea: WritingArea? = nil) {
    self.preContext = preContext
    self.writingArea = writingArea
  }
}
