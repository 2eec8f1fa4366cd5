/// The readings of an ink, best first; empty if there is nothing to read.
public struct RecognitionResult: Hashable, Sendable {
  /// The whole text, best reading first. Lines of a page are separated by line breaks.
  public var candidates: [RecognitionCandidate]
  /// The lines of a page in reading order, each with candidates of its own. Empty for glyph models
  /// and for ink that was read as one line or one character because the context says so.
  public var lines: [RecognizedLine]
  /// The indices of strokes of a page that are no writing.
  public var drawing: [Int]
  /// The blocks of a page in reading order. With ``edges`` and ``marks`` they hold every stroke of the
  /// page once. Empty where ``lines`` is.
  public var blocks: [RecognizedBlock] = []
  /// The lines and arrows that join blocks.
  public var edges: [RecognizedEdge] = []
  /// Underlines, frames, bullets and the like.
  public var marks: [RecognizedMark] = []
  /// The number of strokes at the end that were not read because there were too many. It is above 0
  /// only for ink of thousands of strokes that was given as one line.
  public var unreadStrokes: Int
  /// The tag of the language that the text was read in; nil if it is not known or there is none. For
  /// a text in two languages, both tags with a comma between them.
  public var language: String?
  /// True if ``language`` is the preferred one because the text did not tell: it was too short, or no
  /// language explains it. False where a model or a language was named.
  public var languageIsDefault = false

  /// Makes a result.
  public init(
    candidates: [RecognitionCandidate], lines: [RecognizedLine] = [], drawing: [Int] = [],
    unreadStrokes: Int = 0, language: String? = nil
  ) {
    self.language = language
    self.candidates = candidates
    self.lines = lines
    self.drawing = drawing
    self.unreadStrokes = unreadStrokes
  }
}

/// A line of a page, and what it says.
public struct RecognizedLine: Hashable, Sendable {
  /// The block that it belongs to, from 0, in reading order.
  public var block: Int
  /// The indices of its strokes in the ink of the page, in reading order.
  public var strokes: [Int]
  /// The readings, best first; empty if there is nothing to read. Strokes are counted on the page.
  public var candidates: [RecognitionCandidate]
  /// The level of an item of a list that begins with this line: 1 for items at the left, more for those
  /// that are indented; 0 for other lines.
  public var level = 0

  /// The best reading; empty if there is none.
  public var text: String { candidates.first?.text ?? "" }

  /// Makes a line.
  public init(block: Int, strokes: [Int], candidates: [RecognitionCandidate]) {
    self.block = block
    self.strokes = strokes
    self.candidates = candidates
  }
}

/// One reading of an ink.
public struct RecognitionCandidate: Hashable, Sendable {
  /// A label of a glyph model, or the text of a word, a line or a page. After text before the ink it
  /// may begin with a space: a new word begins.
  public var text: String
  /// The natural logarithm of the calibrated probability that this reading is right: at most 0,
  /// higher is better.
  public var score: Double
  /// The ink of each character of the text, in order. Empty if unknown, and for glyphs, whose whole
  /// ink is the label.
  public var characters: [CharacterInk]
  /// The words of the text with their confidences; empty for glyphs.
  public var words: [RecognizedWord]
  /// The formula that ``text`` is the plain text of; nil for other readings.
  public var formula: RecognizedFormula?

  /// Makes a candidate.
  public init(
    text: String, score: Double, characters: [CharacterInk] = [], words: [RecognizedWord] = []
  ) {
    self.text = text
    self.score = score
    self.characters = characters
    self.words = words
  }

  /// The indices of the strokes that a word has ink of, in ascending order. O(parts).
  public func strokes(of word: RecognizedWord) -> [Int] {
    let range = word.characters.clamped(to: characters.indices)
    return Set(characters[range].flatMap { $0.parts.map(\.stroke) }).sorted()
  }
}

/// A word of a candidate.
public struct RecognizedWord: Hashable, Sendable {
  /// The word, without the spaces around it.
  public var text: String
  /// The characters of the candidate that it is made of.
  public var characters: Range<Int>
  /// The calibrated probability that the word is right, 0 ... 1.
  public var confidence: Double
  /// The formula that is this word; nil for plain words. Its plain text is ``text``, and
  /// the strokes of its symbols are counted as those of the characters.
  public var formula: RecognizedFormula?
  /// All readings of the ink of ``formula`` as one, likeliest first; empty for plain words.
  public var formulas: [RecognizedFormula] = []
  /// The ink of ``formula`` read as text; nil for plain words, and if it was not read as text.
  public var plainText: String?

  /// Makes a word.
  public init(text: String, characters: Range<Int>, confidence: Double) {
    self.text = text
    self.characters = characters
    self.confidence = confidence
  }
}

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

  /// In the order drawn; empty for a space and a character without ink of its own.
  public var parts: [Part]

  /// Makes the ink of a character.
  public init(parts: [Part]) {
    self.parts = parts
  }
}
