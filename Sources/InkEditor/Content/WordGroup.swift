import InkCore

/// Words of a run that share ink, as two that are joined by one stroke do: they are kept, or read again,
/// together.
struct WordGroup {
  private(set) var words: [TextWord]
  /// All ink that the words' characters lie on.
  private(set) var ink: Set<Int>

  /// The items that belong to the words.
  var items: [Int] { words.flatMap(\.items) }

  /// The middle of the words in x.
  var midX: Double { BoundingBox(holding: words.map(\.box))?.midX ?? 0 }

  private init(_ word: TextWord) {
    words = [word]
    ink = Set(word.items + word.characters.flatMap(\.parts).map(\.item))
  }

  private mutating func join(_ other: WordGroup) {
    words += other.words
    ink.formUnion(other.ink)
  }

  /// Words in reading order as groups that share no ink.
  static func groups(of words: [TextWord]) -> [WordGroup] {
    var result: [WordGroup] = []
    for word in words {
      result.append(WordGroup(word))
      guard
        let first = result.firstIndex(where: { !$0.ink.isDisjoint(with: result.last?.ink ?? []) })
      else { continue }
      while result.count > first + 1 {
        let last = result.removeLast()
        result[result.count - 1].join(last)
      }
    }
    return result
  }
}
