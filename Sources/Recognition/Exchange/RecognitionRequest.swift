import InkCore

/// A request of another program: the common type of the pipe, the HTTP interface and the C
/// interface.
///
/// As JSON it is one object, described by ``ExchangeSchema``:
///
///     {"id": 1, "model": "latin-lines", "preContext": "Dear ",
///      "strokes": [{"x": [10, 12, 15], "y": [40, 22, 41], "t": [0, 8, 16]}]}
///
/// A line of labelled ink in the format of `ink:FILE.jsonl` is also a request: label, writer and
/// quality are not used.
public struct RecognitionRequest: Hashable, Sendable {
  /// The identifier of a request; its answer has the same one.
  public enum Identifier: Hashable, Sendable {
    /// A string.
    case string(String)
    /// A whole number, in the digits that were sent.
    case number(String)
  }

  /// The words that may be read or are preferred.
  public enum LexiconChoice: Hashable, Sendable {
    /// The words themselves.
    case words([String])
    /// A lexicon that the service knows by this name.
    case named(String)
  }

  /// The identifier, or nil.
  public var id: Identifier?
  /// The strokes, y down.
  public var ink: Ink
  /// The name of the model; nil for the model of the language, or else the service's default.
  public var model: String?
  /// The language of the text. It selects a model if none is named.
  public var language: String?
  /// The line that the ink was written on, or nil.
  public var writingArea: WritingArea?
  /// The text before the ink.
  public var preContext = ""
  /// The only characters that may be read, in the notation of `Alphabet(pattern:)`; nil for all.
  public var alphabet: String?
  /// The words that may be read or are preferred; nil for none.
  public var lexicon: LexiconChoice?
  /// The amount that each word of the lexicon adds to the score; nil to read no other words.
  package var lexiconBonus: Float?
  /// The layout of the strokes.
  package var layout = InkLayout.auto
  /// The largest number of candidates, at least 1.
  package var maximumCandidates = 5
  /// True if words, characters and lines include their strokes and points.
  package var includesSpans = false

  /// Makes a request for the ink only; all other members have their defaults.
  public init(ink: Ink) {
    self.ink = ink
  }
}
