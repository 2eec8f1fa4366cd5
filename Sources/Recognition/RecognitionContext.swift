import InkCore

/// The context of an ink, apart from its strokes.
public struct RecognitionContext: Hashable, Sendable {
  /// The text before the ink; empty if unknown. Line models use its last 20 characters, and the
  /// whole last word if they have a vocabulary. Glyph models do not use it.
  public var preContext: String
  /// The line the ink was written on, in the ink's units, or nil.
  public var writingArea: WritingArea?
  /// The layout of the strokes. Glyph models always read the ink as one character.
  public var layout: InkLayout

  /// The size of the line the ink was written on if its place is unknown, or nil.
  /// ``DigitalInkRecognizer`` puts it around the ink. A ``writingArea`` takes precedence.
  public var writingSize: WritingSize?

  /// The symbols of a formula that some of its strokes are known to be, as LaTeX, by the number of the
  /// stroke. Each is a symbol of its own, whose ink tells only where it is and how large. Empty for ink.
  public var knownSymbols: [Int: String] = [:]

  /// Reads formulas inside of the lines of a page; nil to read these lines as text alone.
  package var formulas: FormulaSource?

  /// Makes a context.
  public init(
    preContext: String = "", writingArea: WritingArea? = nil, layout: InkLayout = .auto
  ) {
    self.preContext = preContext
    self.writingArea = writingArea
    self.layout = layout
  }

  /// Makes a context of a line of which only the size is known.
  public init(
    preContext: String = "", writingSize: WritingSize?, layout: InkLayout = .auto
  ) {
    self.preContext = preContext
    self.writingSize = writingSize
    self.layout = layout
  }
}

/// The size of one line of a field for writing, in the units of the ink. It has no place: ink that is
/// written elsewhere on the field is read the same.
public struct WritingSize: Hashable, Sendable {
  /// Units of the ink.
  public var width: Double
  /// The height of one line, in units of the ink.
  public var height: Double

  /// Makes a size. One that is not finite and above 0 is as good as none.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// The layout of the strokes of an ink.
public enum InkLayout: String, Hashable, Sendable, CaseIterable, Codable {
  /// A line or a page: line models decide by the strokes.
  case auto
  /// A page: its blocks and lines are found first, and drawings are separated from writing.
  case page
  /// One line of writing: all strokes are read, in the order they are given.
  case line
  /// One character.
  case glyph
  /// One formula: a service and ``DigitalInkRecognizer`` read it with the model `formulas`, unless
  /// the model that is named reads formulas itself. A line model alone takes it for ``auto``.
  case formula
}
