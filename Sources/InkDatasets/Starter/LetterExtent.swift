import InkCore

/// How large a character is and where it stands on its line, as the starter set's prototypes have it.
struct LetterExtent: Hashable, Sendable {
  /// The larger side of its box, in heights of capitals.
  let size: Double
  /// Height of the middle of its box over the baseline, in heights of capitals.
  let middle: Double

  /// Characters that have prototypes, each the mean over its forms that stand alone.
  static let ofCharacters: [String: LetterExtent] = {
    guard let library = try? PrototypeLibrary.characters.get() else { return [:] }
    var result: [String: LetterExtent] = [:]
    for label in library.labels {
      let boxes = library.formsAlone(of: label).map { ($0.prototype.box, $0.share / 100) }
      guard !boxes.isEmpty else { continue }
      result[label] = LetterExtent(
        size: boxes.reduce(0) { $0 + max($1.0.width, $1.0.height) * $1.1 },
        middle: boxes.reduce(0) { $0 + $1.0.midY * $1.1 })
    }
    return result
  }()
}
