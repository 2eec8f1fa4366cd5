import InkCore
import Recognition

/// The errors of an evaluation that are worth looking at: the most confident ones, and the first
/// inks that were refused.
///
/// Where a model is sure and wrong, label or ink is often at fault. Keeps at most twice `limit`
/// inks, whatever the number of errors.
public struct ErrorGallery: Hashable, Sendable {
  /// How many of each kind are kept.
  public let limit: Int
  /// Errors with an answer, the most confident first, equal ones in the order they came.
  public private(set) var mostConfident: [MisreadInk] = []
  /// The first inks without an answer.
  public private(set) var refused: [MisreadInk] = []

  /// Begins without errors.
  ///
  /// - Parameter limit: How many of each kind are kept; below 0 is taken as 0.
  public init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Adds an error, and drops the least confident where there are too many. O(limit).
  public mutating func add(_ labeled: LabeledInk, candidates: [RecognitionCandidate]) {
    guard limit > 0 else { return }
    let error = MisreadInk(labeled: labeled, candidates: candidates)
    guard !candidates.isEmpty else {
      if refused.count < limit { refused.append(error) }
      return
    }
    let place =
      mostConfident.firstIndex { $0.confidence < error.confidence } ?? mostConfident.count
    guard place < limit else { return }
    mostConfident.insert(error, at: place)
    if mostConfident.count > limit { mostConfident.removeLast() }
  }
}
