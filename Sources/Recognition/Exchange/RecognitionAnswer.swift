import Foundation

/// The answer to a ``RecognitionRequest``: candidates, or an error.
///
/// As JSON it is one object, described by ``ExchangeSchema``:
///
///     {"id":1,"model":"latin-lines","candidates":[{"text":"Tom","score":-0.02,"probability":0.98}]}
///     {"id":2,"error":{"code":"missingField","message":"…","field":"strokes"}}
public struct RecognitionAnswer: Sendable {
  /// The content of an answer.
  public enum Content: Sendable {
    /// The ink was read.
    case reading(Reading)
    /// The ink was not read.
    case failure(ExchangeError)
  }

  /// The readings of an ink.
  public struct Reading: Sendable {
    /// The identifier of the model that read it.
    public var model: String
    /// The candidates, best first.
    public var result: RecognitionResult
    /// The lines of the ink, in reading order. Empty for glyph models, for ink without text, and for
    /// ink of one line if the request asks for no spans.
    public var lines: [RecognizedLine]
    /// True if words and characters include their strokes.
    package var includesSpans: Bool

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

  /// The identifier of the request; nil if it has none, or if it could not be read.
  public var id: RecognitionRequest.Identifier?
  /// The place of the ink in its file, from 0; nil if it did not come from a file.
  public var index: Int?
  /// The content of the answer.
  public var content: Content

  /// Makes an answer.
  public init(id: RecognitionRequest.Identifier?, index: Int? = nil, _ content: Content) {
    self.id = id
    self.index = index
    self.content = content
  }

  /// The error, or nil if the ink was read.
  public var error: ExchangeError? {
    if case .failure(let error) = content { error } else { nil }
  }
}

extension RecognizedLine {
  /// Makes a line of the whole ink, if it was read as one line.
  init(_ result: RecognitionResult, strokeCount: Int) {
    self.init(
      block: 0, strokes: Array(0..<max(0, strokeCount - result.unreadStrokes)),
      candidates: result.candidates)
  }
}
