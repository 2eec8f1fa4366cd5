import InkCore

/// What is known besides the ink.
public struct RecognitionContext: Hashable, Sendable {
  /// The text before the ink; empty where nothing is known of it. Line models use its last 20
  /// characters, and the whole of the word that it ends in where they have a vocabulary; glyph models
  /// none.
  public var preContext: String
  /// The line the ink was written on, in the ink's units, or nil.
  public var writingArea: WritingArea?

  /// Makes a context.
  public init(preContext: String = "", writingArea: WritingArea? = nil) {
    self.preContext = preContext
    self.writingArea = writingArea
  }
}
