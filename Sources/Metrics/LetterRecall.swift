import Foundation

/// The share of letters that are read right, by letter.
///
/// Each text is aligned with its reference by the fewest edits. A character error rate over all
/// letters hides the errors in letters with marks, because they are few.
public struct LetterRecall: Hashable, Sendable {
  /// The readings of one letter.
  public struct Count: Hashable, Sendable, Codable {
    /// How often the references have the letter.
    public var total = 0
    /// How often it was read right.
    public var right = 0

    /// The share that was read right, 0 … 1; nil without any.
    public var rate: Double? { total > 0 ? Double(right) / Double(total) : nil }

    /// Makes a count of nothing.
    public init() {}
  }

  /// The counts by the letters of the references.
  public private(set) var counts: [Character: Count] = [:]

  /// Makes a recall without texts.
  public init() {}

  /// Adds a text; nil if the ink was refused. O(n m) in characters.
  public mutating func add(reference: String, hypothesis: String?) {
    let reference = Array(TextErrorRate.normalized(reference))
    let hypothesis = Array(TextErrorRate.normalized(hypothesis ?? ""))
    let places = EditAlignment.counterparts(of: reference, in: hypothesis)
    for (letter, place) in zip(reference, places) where letter.isLetter {
      counts[letter, default: Count()].total += 1
      if let place, hypothesis[place] == letter { counts[letter]?.right += 1 }
    }
  }

  /// The sum of the counts of some letters.
  public func sum(where isIncluded: (Character) -> Bool) -> Count {
    counts.reduce(into: Count()) { sum, entry in
      guard isIncluded(entry.key) else { return }
      sum.total += entry.value.total
      sum.right += entry.value.right
    }
  }

  /// The sum of the counts of the letters beyond a to z.
  public var beyondASCII: Count { sum { !$0.isASCII } }
}
