/// The largest request that is read. Larger ones get an error, and nothing else happens.
public struct ExchangeLimits: Hashable, Sendable {
  /// Bytes of one line of the pipe, or of one body over HTTP.
  public var bytes: Int
  /// Strokes of one ink.
  public var strokes: Int
  /// Points of all strokes of one ink.
  public var points: Int
  /// Candidates that may be asked for.
  public var candidates: Int
  /// Words of an inline lexicon.
  public var words: Int
  /// Requests in one array.
  public var batch: Int

  /// Makes limits; without arguments those of the pipe and of `ductus serve`.
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

  /// The largest magnitude of a coordinate: beyond it squares of distances lose their meaning.
  static let coordinate = 1e9
  /// The most characters of an identifier, a model's name or a language.
  static let nameLength = 256
  /// The most characters of a text before the ink, of an alphabet, or of a word.
  static let textLength = 10_000
}
