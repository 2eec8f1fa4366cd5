import Foundation

/// The answer to a ``RecognitionRequest``: candidates, or why there are none.
///
/// As JSON it is one object, described by ``ExchangeSchema``:
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
    /// The lines of the ink, in reading order; empty for glyphs, and where the request asks for no
    /// spans and the ink is one line.
    public var lines: [RecognizedLine]
    /// Whether words and characters are told with their strokes.
    public var includesSpans: Bool

    /// Makes a reading.
    public init(
      model: String, result: RecognitionResult, lines: [RecognizedLine] = [],
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

extension RecognizedLine {
  /// The line that a whole ink is: what was read as one line.
  init(_ result: RecognitionResult, strokeCount: Int) {
    self.init(
      block: 0, strokes: Array(0..<max(0, strokeCount - result.unreadStrokes)),
      candidates: result.candidates)
  }
}
