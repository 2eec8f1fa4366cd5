import InkCore
import Recognition

/// The most informative errors of an evaluation: the most confident ones, and the first refused
/// inks.
///
/// If a model is confident and wrong, the label or the ink is often at fault. Keeps at most twice
/// `limit` inks, for any number of errors.
public struct ErrorGallery: Hashable, Sendable {
  /// The number of inks to keep of each kind.
  package let limit: Int
  /// Errors with an answer, the most confident first; equal ones in the order of their addition.
  package private(set) var mostConfident: [MisreadInk] = []
  /// The first inks without an answer.
  package private(set) var refused: [MisreadInk] = []

  /// Makes an empty gallery.
  ///
  /// - Parameter limit: The number of inks to keep of each kind; values below 0 count as 0.
  public init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Adds an error, and drops the least confident one if there are too many. O(limit).
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
