import InkCore

/// How large a character is and where it stands on its line, as the starter set's prototypes have it.
struct LetterExtent: Hashable, Sendable {
  /// The larger side of its box, in heights of capitals.
  let size: Double
  /// Height of the middle of its box over the baseline, in heights of capitals.
  let middle: Double

  /// Characters that have prototypes, each the mean over its forms that stand alone, by weight.
  static let ofCharacters: [String: LetterExtent] = {
    guard let library = try? PrototypeLibrary.characters.get() else { return [:] }
    return library.prototypes.compactMapValues { prototypes in
      let alone = prototypes.filter { !$0.isJoining }
      let total = alone.reduce(0) { $0 + $1.weight }
      guard total > 0 else { return nil }
      func mean(_ value: (BoundingBox) -> Double) -> Double {
        alone.reduce(0) { $0 + $1.weight * value($1.box) } / total / 100
      }
      return LetterExtent(size: mean { max($0.width, $0.height) }, middle: mean(\.midY))
    }
  }()
}
