import Foundation

/// The answer to a ``RecognitionRequest``: candidates, or why there are none.
///
/// As JSON it is one object, described by ``ExchangeSchema/answer``:
///
///     {"id":1,"model":"latin-lines","candidates":[{"text":"Tom","score":-0.02,"probability":0.98}]}
///     {"id":2,"error":{"code":"missingField","message":"…","field":"strokes"}}
public struct RecognitionAnswer: Sendable {
  /// What an answer says.
  public enum Content: Sendable {
    /// The ink was read.
    case reading(Reading)
    /// It was not.
    case failure(ExchangeError)
  }

  /// The readings of an ink.
  public struct Reading: Sendable {
    /// The identifier of the model that read it.
    public var model: String
    /// The candidates, best first.
    public var result: RecognitionResult
    /// The lines of the ink, in reading order; empty where the request asks for no spans and the ink
    /// was not read as a page.
    public var lines: [RecognizedTextLine]
    /// Whether words and characters are told with their strokes.
    public var includesSpans: Bool

    /// Makes a reading.
    public init(
      model: String, result: RecognitionResult, lines: [RecognizedTextLine] = [],
      includesSpans: Bool = false
    ) {
      self.model = model
      self.result = result
      self.lines = lines
      self.includesSpans = includesSpans
    }
  }

  /// The identifier of the request; nil where it has none or it could not be read.
  public var id: RecognitionRequest.Identifier?
  /// What the answer says.
  public var content: Content

  /// Makes an answer.
  public init(id: RecognitionRequest.Identifier?, _ content: Content) {
    self.id = id
    self.content = content
  }

  /// The error, or nil where the ink was read.
  public var error: ExchangeError? {
    if case .failure(let error) = content { error } else { nil }
  }
}

/// One line of writing within an ink, with its words.
public struct RecognizedTextLine: Hashable, Sendable {
  /// A word of a line.
  public struct Word: Hashable, Sendable {
    /// The word, without the spaces around it.
    public var text: String
    /// The calibrated probability that it is right, 0 ... 1.
    public var confidence: Double
    /// The strokes of the ink that have a part in it, ascending.
    public var strokes: [Int]

    /// Makes a word.
    public init(text: String, confidence: Double, strokes: [Int]) {
      self.text = text
      self.confidence = confidence
      self.strokes = strokes
    }
  }

  /// The readings of the line, best first; their strokes count within the whole ink.
  public var candidates: [RecognitionCandidate]
  /// The words of the first candidate.
  public var words: [Word]
  /// The strokes of the ink that belong to the line, ascending.
  public var strokes: [Int]

  /// Makes a line.
  public init(candidates: [RecognitionCandidate], words: [Word], strokes: [Int]) {
    self.candidates = candidates
    self.words = words
    self.strokes = strokes
  }

  /// The line that a whole ink is: what a recogniser of one line read.
  public init(_ result: RecognitionResult, strokeCount: Int) {
    candidates = result.candidates
    words =
      result.candidates.first.map { candidate in
        candidate.words.map {
          Word(
            text: $0.text, confidence: $0.confidence,
            strokes: candidate.strokes(of: $0.characters))
        }
      } ?? []
    strokes = Array(0..<max(0, strokeCount - result.unreadStrokes))
  }
}

extension RecognitionCandidate {
  /// The strokes that have a part in some characters, ascending.
  func strokes(of range: Range<Int>) -> [Int] {
    Set(characters[range.clamped(to: 0..<characters.count)].flatMap(\.parts).map(\.stroke)).sorted()
  }
}
