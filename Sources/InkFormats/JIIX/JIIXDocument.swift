import Foundation

/// A block of a JIIX 3 document: handwriting, its recognition result, and its place.
///
/// Lengths are millimetres, y down; angles are radians. The root has `version` "3". Missing fields
/// are nil and are not written. Points are written as pairs {x, y}, and read from pairs or flat
/// arrays.
public struct JIIXBlock: Codable, Hashable, Sendable {
  /// "Text", "Raw Content", "Drawing", "Node" or "Edge".
  public var type: String
  /// The version of the format, "3"; in the root only.
  public var version: String?
  /// The id, if it was requested.
  public var id: String?
  /// The box of the ink.
  public var boundingBox: JIIXBox?
  /// The place of the ink among the strokes of the part.
  public var range: [JIIXRange]?
  /// The whole text: lines separated by line breaks, cells of a row by tabs.
  public var label: String?
  /// Words, spaces, tabs between the cells of a table, and line breaks, in reading order.
  public var words: [JIIXWord]?
  /// Characters, spaces, tabs and line breaks, in reading order.
  public var chars: [JIIXCharacter]?
  /// The lines, from top to bottom.
  public var lines: [JIIXLine]?
  /// The decorations of the characters.
  public var decorations: [JIIXDecoration]?
  /// The spaces between words of a text that were set or taken out by hand, if strokes have ids.
  public var spaces: [JIIXSpace]?
  /// The headings of a text.
  public var headings: [JIIXHeading]?
  /// The items of lists of a text.
  public var listItems: [JIIXListItem]?
  /// The tables of a text.
  public var tables: [JIIXTable]?
  /// The nested blocks.
  public var elements: [JIIXBlock]?
  /// The ink of blocks that are not text.
  public var items: [JIIXStroke]?
  /// The shape of a node or edge; the mark that a drawing is, such as "underline" or "divider".
  public var kind: String?
  /// A formula as LaTeX and as presentation MathML; its `label` is plain text, and its `candidates` are
  /// LaTeX, best first.
  public var latex, mathml: String?
  /// A formula as a tree.
  public var expressions: [JIIXExpression]?
  /// The symbols of a formula, in reading order.
  public var symbols: [JIIXSymbol]?
  /// The value of a formula of numbers, or `true` or `false` for an equation of numbers.
  public var value: String?
  /// The words that a mark is about.
  public var markedWords: [JIIXMarkedWord]?
  /// Labels of the shape, best first.
  public var candidates: [String]?
  /// The edges of a rectangle.
  public var x, y, width, height: Double?
  /// Centre and radii of a circle or ellipse.
  public var cx, cy, r, rx, ry: Double?
  /// The ends of a line.
  public var x1, y1, x2, y2: Double?
  /// The corners of a polygon or polyedge.
  public var points: JIIXPoints?
  /// The decoration at the start of an edge: "arrow-head" or none.
  public var startDecoration: String?
  /// The decoration at the end of an edge: "arrow-head" or none.
  public var endDecoration: String?
  /// The ids of the nodes at the start and end of an edge.
  public var connected: [String]?

  /// The version that this type reads and writes.
  public static let currentVersion = "3"

  enum CodingKeys: String, CodingKey {
    case type, version, id, range, label, words, chars, lines, elements, items, kind, candidates
    case decorations, spaces, headings, tables, latex, mathml, expressions, symbols, value
    case listItems = "list-items"
    case x, y, width, height, cx, cy, r, rx, ry, x1, y1, x2, y2, points, connected
    case boundingBox = "bounding-box"
    case markedWords = "marked-words"
    case startDecoration = "start-decoration"
    case endDecoration = "end-decoration"
  }

  /// Makes a block of a type, with no other fields.
  public init(type: String) {
    self.type = type
  }
}

/// A box in millimetres.
public struct JIIXBox: Codable, Hashable, Sendable {
  /// The edges.
  public var x, y, width, height: Double

  /// Makes a box.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A point in millimetres.
public struct JIIXPoint: Codable, Hashable, Sendable {
  /// Millimetres.
  public var x, y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A run of the ink of a part, both ends included.
public struct JIIXRange: Codable, Hashable, Sendable {
  /// A stroke of the part, from 0 in the order of writing, and one of its points, or nil for all
  /// its points.
  public struct Place: Codable, Hashable, Sendable {
    /// The stroke, from 0 in the order of writing.
    public var stroke: Int
    /// The point of the stroke, or nil.
    public var point: Int?

    /// Makes a place.
    public init(stroke: Int, point: Int? = nil) {
      self.stroke = stroke
      self.point = point
    }
  }

  /// The ends.
  public var from, to: Place

  /// Makes a range.
  public init(from: Place, to: Place) {
    self.from = from
    self.to = to
  }

  /// Returns the fewest ranges of whole strokes, ascending.
  public static func ranges(ofStrokes strokes: [Int]) -> [JIIXRange] {
    var result: [JIIXRange] = []
    for stroke in strokes.sorted() {
      if let last = result.last, stroke <= last.to.stroke + 1 {
        result[result.count - 1].to.stroke = stroke
      } else {
        result.append(JIIXRange(from: Place(stroke: stroke), to: Place(stroke: stroke)))
      }
    }
    return result
  }

  /// Returns the strokes of ranges, including partial ones.
  public static func strokes(of ranges: [JIIXRange]) -> [Int] {
    ranges.flatMap { $0.from.stroke <= $0.to.stroke ? Array($0.from.stroke...$0.to.stroke) : [] }
  }
}

/// A word, a space, or a line break.
public struct JIIXWord: Codable, Hashable, Sendable {
  /// The text.
  public var label: String
  /// The candidates, best first; for words only.
  public var candidates: [String]?
  /// The first and the last of its characters, if characters are written.
  public var firstChar, lastChar: Int?
  /// The box of the ink.
  public var boundingBox: JIIXBox?
  /// The ink.
  public var items: [JIIXStroke]?
  /// The place of the ink among the strokes of the part.
  public var range: [JIIXRange]?
  /// The formula that is this word, as LaTeX and as presentation MathML; nil for
  /// words. `label` is its plain text.
  public var latex, mathml: String?
  /// The symbols of the formula.
  public var symbols: [JIIXSymbol]?
  /// The readings of the ink as a formula, likeliest first, also of a word for which a text was chosen;
  /// nil if the word is the only one, and for plain words.
  public var formulas: [JIIXFormula]?

  enum CodingKeys: String, CodingKey {
    case label, candidates, items, range, latex, mathml, symbols, formulas
    case firstChar = "first-char"
    case lastChar = "last-char"
    case boundingBox = "bounding-box"
  }

  /// Makes a word.
  public init(label: String) {
    self.label = label
  }
}

/// A word that a mark is about.
public struct JIIXMarkedWord: Codable, Hashable, Sendable {
  /// The id of its text.
  public var text: String
  /// Its index among the words, spaces and line breaks of the text.
  public var word: Int

  /// Makes a reference to a word.
  public init(text: String, word: Int) {
    self.text = text
    self.word = word
  }
}

/// A character.
public struct JIIXCharacter: Codable, Hashable, Sendable {
  /// The text.
  public var label: String
  /// The candidates, best first; only for characters with ink.
  public var candidates: [String]?
  /// The index of its word.
  public var word: Int?
  /// The corners of its box: top left, top right, bottom right, bottom left.
  public var grid: JIIXPoints?
  /// The box of the ink.
  public var boundingBox: JIIXBox?
  /// The ink.
  public var items: [JIIXStroke]?
  /// The place of the ink among the strokes of the part.
  public var range: [JIIXRange]?

  enum CodingKeys: String, CodingKey {
    case label, candidates, word, grid, items, range
    case boundingBox = "bounding-box"
  }

  /// Makes a character.
  public init(label: String) {
    self.label = label
  }
}

/// A line of a text.
public struct JIIXLine: Codable, Hashable, Sendable {
  /// The first and the last of the characters; nil for a line without any.
  public var firstChar, lastChar: Int?
  /// The height of the baseline and of a small letter, in millimetres.
  public var baselineY, xHeight: Double

  enum CodingKeys: String, CodingKey {
    case firstChar = "first-char"
    case lastChar = "last-char"
    case baselineY = "baseline-y"
    case xHeight = "x-height"
  }

  /// Makes a line.
  public init(firstChar: Int?, lastChar: Int?, baselineY: Double, xHeight: Double) {
    self.firstChar = firstChar
    self.lastChar = lastChar
    self.baselineY = baselineY
    self.xHeight = xHeight
  }
}

/// A decoration of characters, such as an underline.
public struct JIIXDecoration: Codable, Hashable, Sendable {
  /// "underline", "double-underline", "strike-through", "highlight" or "surround".
  public var kind: String
  /// The first and the last of its characters. They are counted as in the characters of the text,
  /// with spaces and line breaks, also if the characters are not written.
  public var firstChar, lastChar: Int
  /// The look as declarations of a style sheet, such as `color: #C02020; width: 0.5mm`; nil if the
  /// decoration has no style of its own.
  public var style: String?

  enum CodingKeys: String, CodingKey {
    case kind, style
    case firstChar = "first-char"
    case lastChar = "last-char"
  }

  /// Makes a decoration.
  public init(kind: String, firstChar: Int, lastChar: Int, style: String? = nil) {
    (self.kind, self.firstChar, self.lastChar) = (kind, firstChar, lastChar)
    self.style = style
  }
}

/// What was set by hand between two strokes, whatever is read.
public struct JIIXSpace: Codable, Hashable, Sendable {
  /// "space" if there is one, "none" if the words are one word.
  public var kind: String
  /// The ids of the strokes before and after the place.
  public var left, right: String

  /// Makes a space.
  public init(kind: String, left: String, right: String) {
    (self.kind, self.left, self.right) = (kind, left, right)
  }
}

/// A stroke: columns of equal length.
public struct JIIXStroke: Codable, Hashable, Sendable {
  /// "stroke"; "line" for a line that is straight from point to point, "glyph" for typed characters,
  /// "image" for a picture.
  public var type: String
  /// The id, if it was requested.
  public var id: String?
  /// The time of pen-down, `YYYY-MM-DD HH:MM:SS.ssssss` in UTC.
  public var timestamp: String?
  /// Millimetres.
  public var X, Y: [Double]?
  /// Force.
  public var F: [Double]?
  /// Milliseconds since pen-down. Fractions that other programs write are rounded.
  public var T: [Int]?
  /// The direction of the pen's projection on the surface, in radians.
  public var azimuth: [Double]?
  /// The angle between pen and surface, in radians.
  public var altitude: [Double]?
  /// The rotation of the pen about its own axis, in radians.
  public var roll: [Double]?
  /// The type of the pointer, such as `pen` or `mouse`; nil for a pen.
  public var pointerType: String?
  /// The look of the stroke as declarations of a style sheet, such as
  /// `color: #000000; width: 0.6mm`; nil if the stroke has no style of its own.
  public var style: String?
  /// The characters of a glyph. Each has four points: the pen before it, the upper left and the lower
  /// right corner of what is drawn, the pen behind it.
  public var label: String?
  /// The font of a glyph: its family, its size in millimetres, "bold", "italic".
  public var fontFamily: String?
  /// The size of the font in millimetres.
  public var fontSize: Double?
  /// "bold" or nil.
  public var fontWeight: String?
  /// "italic" or nil.
  public var fontStyle: String?
  /// The media type of an image.
  public var mediaType: String?
  /// The file of an image as base64.
  public var data: Data?

  enum CodingKeys: String, CodingKey {
    case type, id, timestamp, X, Y, F, T, azimuth, altitude, roll, style, label, data
    case pointerType = "pointer-type"
    case fontFamily = "font-family"
    case fontSize = "font-size"
    case fontWeight = "font-weight"
    case fontStyle = "font-style"
    case mediaType = "media-type"
  }

  /// The types of items that are no ink of a pen.
  package static let (lineType, glyphType, imageType) = ("line", "glyph", "image")

  /// Makes a stroke without columns.
  public init(id: String?) {
    type = "stroke"
    self.id = id
  }
}
