import InkCore

/// A place in a file of a dataset.
public struct SourceLocation: Hashable, Sendable {
  /// The path of the file, as opened.
  public var path: String
  /// The line, counted from 1, or nil if the format has no lines.
  public var line: Int?

  /// Makes a location.
  public init(path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `PATH:LINE`, or `PATH`.
  public var description: String {
    line.map { "\(path):\($0)" } ?? path
  }
}

/// One ink of a dataset, labelled or not, and its location there.
public struct InkRecord: Hashable, Sendable {
  /// The amount of text in a record, if the format states it.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// One character or symbol.
    case character
    /// One word.
    case word
    /// A line or several words.
    case text
  }

  /// The ink, its label and its writer.
  public var labeled: LabeledInk
  /// The file and line of the record.
  public var location: SourceLocation
  /// The file's path relative to the dataset's folder, with `/` between components. For UNIPEN it
  /// is relative to `data/`, as in split files: `1a/aga/amywldrp.dat`.
  public var source: String
  /// The record's position among the records of its file, good and bad, from 0.
  public var indexInSource: Int
  /// The amount of text in the record, or nil if the format does not state it.
  public var level: Level?
  /// The character of the label that each point was drawn for, or nil if it is not known.
  public var segmentation: CharacterSegmentation?
  /// The problems that a reader corrected or found in the ink.
  public var notes: Set<Note>
  /// The identifier that the file gives the ink, or nil.
  public var id: String?
  /// Problems of the file that cost no ink, such as a missing include. Only the first record of a
  /// file has them.
  public var warnings: [InkFormatError]
  /// The width of the pen in the unit of the ink, if the file states it; of several pens that of
  /// most strokes.
  public var penWidth: Double?
  /// The pen of each stroke, if the file states colours or widths; else empty.
  public var pens: [Pen] = []
  /// The sheet of paper in the unit of the ink, if the file states its size.
  public var sheet: BoundingBox?

  /// The typed text of the page, in the order of the file; empty where the format has none, and in
  /// records smaller than a page.
  public var texts: [PlacedText] = []

  /// The look of a stroke, as far as its file states it.
  public struct Pen: Hashable, Sendable {
    /// The colour, as `#RRGGBB` or `#RRGGBBAA`.
    public var color: String?
    /// The width in the unit of the ink.
    public var width: Double?

    /// Makes a pen.
    public init(color: String? = nil, width: Double? = nil) {
      (self.color, self.width) = (color, width)
    }
  }

  /// Makes a record.
  public init(
    labeled: LabeledInk, location: SourceLocation, source: String, indexInSource: Int,
    level: Level? = nil, segmentation: CharacterSegmentation? = nil, notes: Set<Note> = [],
    id: String? = nil, warnings: [InkFormatError] = [], penWidth: Double? = nil
  ) {
    self.labeled = labeled
    self.location = location
    self.source = source
    self.indexInSource = indexInSource
    self.level = level
    self.segmentation = segmentation
    self.notes = notes
    self.id = id
    self.warnings = warnings
    self.penWidth = penWidth
  }

  /// Returns the width of most pens, given that of each stroke; 0 is an unknown width.
  static func penWidth(of widths: [Double]) -> Double? {
    let known = widths.filter { $0 > 0 && $0.isFinite }.sorted()
    return known.isEmpty ? nil : known[known.count / 2]
  }

  /// True if the ink has a label. Without one, the label is the empty text.
  public var isLabelled: Bool { !labeled.label.isEmpty }
}

extension InkRecord {
  /// The page of its file: `source` without the number of a line, so that `a01-000u-03.xml` belongs
  /// to the page `a01-000u`; nil if the name contains no page.
  public var page: String? {
    guard let dash = source.lastIndex(of: "-"), source.hasSuffix(".xml") else { return nil }
    let number = source[source.index(after: dash)...].dropLast(4)
    guard !number.isEmpty, number.allSatisfy(\.isNumber) else { return nil }
    return String(source[..<dash])
  }
}

/// Typed text on a page of ink.
public struct PlacedText: Hashable, Sendable {
  /// The text; it may have several lines.
  public var text: String
  /// The place in the unit of the ink. Where the file states the size of the letters alone, the
  /// width is an estimate.
  public var box: BoundingBox

  /// Makes a text at a place.
  public init(text: String, box: BoundingBox) {
    (self.text, self.box) = (text, box)
  }

  /// Makes a text from its upper left corner and the size of its letters.
  init(_ text: String, x: Double, y: Double, size: Double) {
    let size = size.isFinite && size > 0 ? size : 12
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let longest = lines.map(\.count).max() ?? 0
    self.init(
      text: text,
      box: BoundingBox(
        minX: x, minY: y, maxX: x + 0.55 * size * Double(longest),
        maxY: y + 1.2 * size * Double(max(1, lines.count))))
  }
}

/// The direction of a file's y axis.
public enum YAxis: String, Hashable, Sendable, CaseIterable {
  /// y grows upward; a reader negates it.
  case up
  /// y grows downward, as in `StrokePoint`.
  case down
}

extension InkRecord {
  /// A problem that a reader corrected or noticed in an ink that it kept, or in its text.
  public enum Note: String, Hashable, Sendable, CaseIterable {
    /// The clock ran backward: these steps take no time.
    case clockRanBackward
    /// More than 10 s between two neighbouring points. The times are as in the file.
    case longPause
    /// The text is a row of tokens: it has spaces before closing marks, next to quotation marks and
    /// within contractions (`it 's`). The text is unchanged.
    case spacedTokens
  }
}

/// The amount of ink in one record, if a file has several levels.
public enum InkUnit: String, Hashable, Sendable, CaseIterable {
  /// A page with all its strokes.
  case page
  /// A whole file.
  case file
  /// A group of the writing program: a group of traces, a block, a layer.
  case group
  /// A line of text.
  case line
  /// A word.
  case word
  /// A single stroke.
  case stroke
}
