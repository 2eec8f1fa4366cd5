/// The readings of an ink, best first; empty where there is nothing to read.
public struct RecognitionResult: Hashable, Sendable {
  /// Best first.
  public var candidates: [RecognitionCandidate]
  /// How many strokes at the end were not read because there were too many: 0 for all writing, more
  /// than 0 for ink of thousands of strokes given as one line.
  public var unreadStrokes: Int

  /// Makes a result.
  public init(candidates: [RecognitionCandidate], unreadStrokes: Int = 0) {
    self.candidates = candidates
    self.unreadStrokes = unreadStrokes
  }
}
