/// The readings of an ink, best first; empty where there is nothing to read.
public struct RecognitionResult: Hashable, Sendable {
  /// Best first.
  public var candidates: [RecognitionCandidate]

  /// Makes a result.
  public init(candidates: [RecognitionCandidate]) {
    self.candidates = candidates
  }
}
