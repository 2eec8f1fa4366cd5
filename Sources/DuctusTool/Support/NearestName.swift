import Metrics

/// Finds the names that a misspelt one may stand for.
package enum NearestName {
  /// The most edits that a suggestion may be away; short words allow fewer.
  private static let mostEdits = 3

  /// The most names to suggest.
  private static let mostNames = 3

  /// Returns the names with the fewest edits, in the given order; empty if none is near.
  ///
  /// A name that begins with the word is near, so that `eval` finds `evaluate`; so is its opposite,
  /// so that `log` finds `no-log`.
  package static func nearest(to word: String, among names: [String]) -> [String] {
    let word = word.lowercased()
    let limit = min(mostEdits, (word.count + 1) / 2)
    let beginnings = names.filter {
      word.count > 2 && ($0.hasPrefix(word) || $0 == "no-\(word)")
    }
    if !beginnings.isEmpty { return Array(beginnings.prefix(mostNames)) }
    let distances = names.map { name in
      EditDistance(reference: Array(name), hypothesis: Array(word)).total
    }
    guard let least = distances.min(), least <= limit else { return [] }
    return Array(
      zip(names, distances).filter { $0.1 == least && $0.1 < $0.0.count }.map(\.0)
        .prefix(mostNames))
  }
}
