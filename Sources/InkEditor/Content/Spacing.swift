import InkCore

/// A space that was inserted or taken out by hand, between two strokes.
struct Spacing: Hashable, Sendable {
  /// The kind of place.
  enum Kind: Int, Hashable, Sendable {
    /// There is a space, whatever is read.
    case space
    /// There is none, whatever is read.
    case none

    /// The name in JIIX.
    var name: String {
      switch self {
      case .space: "space"
      case .none: "none"
      }
    }

    /// Makes a kind from its name in JIIX; nil for another name.
    init?(name: String) {
      guard let kind = [Kind.space, .none].first(where: { $0.name == name }) else { return nil }
      self = kind
    }
  }

  var kind: Kind
  /// The stroke before it, which is to the left in text from left to right.
  var left: Int
  /// The stroke behind it.
  var right: Int
}

/// The spaces of a document that were set by hand, by the stroke behind them.
struct SpacingTable: Hashable, Sendable {
  private var byRight: [Int: Spacing] = [:]

  var isEmpty: Bool { byRight.isEmpty }

  /// All, sorted by stroke.
  var all: [Spacing] { byRight.values.sorted { $0.right < $1.right } }

  /// Sets what is between two strokes.
  mutating func set(_ spacing: Spacing) { byRight[spacing.right] = spacing }

  /// Removes what was set beside strokes that are gone.
  mutating func forget(_ items: Set<Int>) {
    guard !byRight.isEmpty else { return }
    byRight = byRight.filter { !items.contains($0.key) && !items.contains($0.value.left) }
  }

  /// Gives the pieces of strokes the places of the strokes: the last piece is before a space, the first
  /// behind it.
  mutating func follow(_ pieces: [Int: [Int]]) {
    guard !byRight.isEmpty else { return }
    let known = byRight.values
    byRight = [:]
    for var spacing in known {
      if let last = pieces[spacing.left]?.last { spacing.left = last }
      if let first = pieces[spacing.right]?.first { spacing.right = first }
      set(spacing)
    }
  }

  /// Returns what is set beside strokes, with the ids of a copy.
  func copy(_ items: [Int: Int]) -> [Spacing] {
    all.compactMap { spacing in
      guard let left = items[spacing.left], let right = items[spacing.right] else { return nil }
      return Spacing(kind: spacing.kind, left: left, right: right)
    }
  }

  /// Returns words with the spaces that were set by hand. O(words + places).
  func applied(to words: [TextWord]) -> [TextWord] {
    guard !byRight.isEmpty else { return words }
    var result = words
    for spacing in all {
      guard let left = result.lastIndex(where: { $0.items.contains(spacing.left) }),
        let right = result.firstIndex(where: { $0.items.contains(spacing.right) })
      else { continue }
      switch spacing.kind {
      case .none where left + 1 == right:
        result[left] = result[left].joined(result[right])
        result.remove(at: right)
      case .space where left == right:
        guard let halves = result[left].split(before: spacing.right) else { continue }
        result.replaceSubrange(left...left, with: [halves.0, halves.1])
      default: break
      }
    }
    return result
  }
}

extension TextWord {
  /// Returns the word that it makes with the next one.
  func joined(_ next: TextWord) -> TextWord {
    var readings: [TextCandidate] = []
    for first in candidates.prefix(Self.joinedReadings) {
      for second in next.candidates.prefix(Self.joinedReadings) {
        readings.append(
          TextCandidate(
            text: first.text + second.text, probability: first.probability * second.probability))
      }
    }
    readings.sort { $0.probability > $1.probability }
    var box = box
    box.formUnion(next.box)
    return TextWord(
      label: label + next.label, candidates: readings, characters: characters + next.characters,
      items: items + next.items, box: box, isChosen: isChosen && next.isChosen, id: id)
  }

  /// The readings of each word that are combined.
  private static let joinedReadings = 3

  /// Returns the parts of the word before and from a stroke on; nil if a character, or no
  /// character, is on both sides.
  func split(before item: Int) -> (TextWord, TextWord)? {
    guard
      let place = characters.firstIndex(where: { letter in
        letter.parts.contains { $0.item == item }
      }), place > 0
    else { return nil }
    let (first, second) = (Array(characters[..<place]), Array(characters[place...]))
    let right = Set(second.flatMap(\.parts).map(\.item))
    let left = Set(first.flatMap(\.parts).map(\.item))
    guard left.isDisjoint(with: right) else { return nil }
    return (
      part(first, items: items.filter { !right.contains($0) }),
      part(second, items: items.filter { right.contains($0) })
    )
  }

  private func part(_ letters: [TextCharacter], items: [Int]) -> TextWord {
    let label = letters.map(\.label).joined()
    return TextWord(
      label: label, candidates: [TextCandidate(text: label, probability: 1)], characters: letters,
      items: items, box: BoundingBox(holding: letters.compactMap(\.box)) ?? box)
  }
}
