/// The limits of a request. A larger one gets an error, and has no other effect.
public struct ExchangeLimits: Hashable, Sendable {
  /// Bytes of one line of the pipe, or of one body over HTTP.
  public var bytes: Int
  /// Strokes of one ink.
  public var strokes: Int
  /// Points of all strokes of one ink.
  public var points: Int
  /// Candidates that may be requested.
  public var candidates: Int
  /// Words of an inline lexicon.
  public var words: Int
  /// Requests in one array.
  public var batch: Int

  /// Makes limits; the defaults are those of `ductus recognize -` and of `ductus serve`.
  public init(
    bytes: Int = 32 << 20, strokes: Int = 20_000, points: Int = 500_000, candidates: Int = 100,
    words: Int = 100_000, batch: Int = 256
  ) {
    self.bytes = bytes
    self.strokes = strokes
    self.points = points
    self.candidates = candidates
    self.words = words
    self.batch = batch
  }

  /// The largest magnitude of a coordinate: above it, squares of distances lose their precision.
  static let coordinate = 1e9
  /// The largest number of characters of an identifier, a model's name or a language.
  static let nameLength = 256
  /// The largest number of characters of a text before the ink, of an alphabet, or of a word.
  static let textLength = 10_000
}
