import InkCore
import Recognition

/// A candidate for a word or character.
public struct TextCandidate: Hashable, Sendable {
  /// The reading.
  public var text: String
  /// The probability, 0 ... 1, summed over the candidates of the line that contain it.
  public var probability: Double

  /// Makes a candidate.
  public init(text: String, probability: Double) {
    self.text = text
    self.probability = probability
  }
}

/// A range of points of an item of ink.
public struct ItemPart: Hashable, Sendable {
  /// The id returned by `pointerDown`.
  public var item: Int
  /// The range of points.
  public var points: Range<Int>

  /// Makes a part.
  public init(item: Int, points: Range<Int>) {
    self.item = item
    self.points = points
  }
}

/// A character of a word, with its ink.
public struct TextCharacter: Hashable, Sendable {
  /// The character.
  public var label: String
  /// The candidates, best first.
  public var candidates: [TextCandidate]
  /// The ink, in the order it was drawn.
  public var parts: [ItemPart]
  /// The box of the ink in millimetres, or nil if it has none.
  public var box: BoundingBox?
  /// The id of the character in its part. It is kept when the same ink is read again.
  public package(set) var id = 0

  /// Makes a character.
  package init(
    label: String, candidates: [TextCandidate], parts: [ItemPart], box: BoundingBox?, id: Int = 0
  ) {
    self.label = label
    self.candidates = candidates
    self.parts = parts
    self.box = box
    self.id = id
  }
}

/// A word of a text, with its ink.
public struct TextWord: Hashable, Sendable {
  /// The reading, or the chosen candidate.
  public var label: String
  /// The candidates, best first, including the label.
  public var candidates: [TextCandidate]
  /// The characters of the label. If a chosen label differs in length from the reading, each has
  /// the ink of the whole word.
  public var characters: [TextCharacter]
  /// The items that belong to the word, in the order they were written.
  public var items: [Int]
  /// The box of the items in millimetres.
  public var box: BoundingBox
  /// True if the label was chosen.
  public var isChosen = false
  /// The formula that is this word; nil for plain words, and if another text was chosen. Its
  /// plain text is ``label``; the strokes of its symbols are items.
  public var formula: RecognizedFormula?
  /// The readings of its ink as a formula, likeliest first; empty for plain words. They stay when
  /// another text or LaTeX is chosen, so that one of them can be chosen again.
  public var formulas: [RecognizedFormula] = []
  /// The id of the word in its part. It is kept when the same ink is read again.
  public package(set) var id = 0

  /// Makes a word.
  package init(
    label: String, candidates: [TextCandidate], characters: [TextCharacter], items: [Int],
    box: BoundingBox, isChosen: Bool = false, id: Int = 0
  ) {
    self.label = label
    self.candidates = candidates
    self.characters = characters
    self.items = items
    self.box = box
    self.isChosen = isChosen
    self.id = id
  }

  /// Takes over the ids of the earlier words that most of the ink belonged to. Other words get new
  /// ids.
  ///
  /// - Parameter taken: The ids that words already have.
  mutating func takeIDs(from earlier: [TextWord], taken: inout Set<Int>, makeID: () -> Int) {
    let own = Set(items)
    let shares = earlier.map { taken.contains($0.id) ? 0 : own.intersection($0.items).count }
    let best = shares.max() ?? 0
    let before = best > 0 && 2 * best >= own.count ? shares.firstIndex(of: best) : nil
    id = before.map { earlier[$0].id } ?? 0
    if id == 0 { id = makeID() }
    taken.insert(id)
    let letters = before.map { earlier[$0].characters } ?? []
    for index in characters.indices {
      let place = characters[index].parts.first.flatMap { part in
        letters.firstIndex { letter in
          letter.parts.contains { $0.item == part.item && $0.points.overlaps(part.points) }
        }
      }
      let known = place.map { letters[$0].id } ?? 0
      characters[index].id =
        known > 0 && !characters[..<index].contains { $0.id == known } ? known : makeID()
    }
  }

  /// Makes a chosen text the label. The text of a reading as a formula makes it that formula.
  mutating func choose(_ text: String, makeID: () -> Int) {
    guard text != label || !isChosen else { return }
    isChosen = true
    guard text != label else { return }
    formula = formulas.first { $0.text == text }
    relabel(as: text, makeID: makeID)
  }

  /// Makes a formula the reading, or, with nil, a text.
  mutating func choose(_ formula: RecognizedFormula?, as text: String, makeID: () -> Int) {
    isChosen = true
    self.formula = formula
    addCandidate(text)
    if text != label { relabel(as: text, makeID: makeID) }
  }

  /// The text that the word has if it is no formula: the likeliest that is not that of one.
  var plainText: String {
    let others = Set(formulas.map(\.text) + [formula?.text].compactMap { $0 })
    return candidates.first { !others.contains($0.text) }?.text ?? label
  }

  /// Adds a text to the candidates, unless it is one of them.
  mutating func addCandidate(_ text: String, probability: Double = 1) {
    guard !text.isEmpty, !candidates.contains(where: { $0.text == text }) else { return }
    candidates.append(TextCandidate(text: text, probability: probability))
  }

  private mutating func relabel(as text: String, makeID: () -> Int) {
    label = text
    let letters = text.map(String.init)
    if letters.count == characters.count {
      for index in letters.indices { characters[index].label = letters[index] }
      return
    }
    let parts = characters.flatMap(\.parts)
    characters = letters.map {
      TextCharacter(
        label: $0, candidates: [TextCandidate(text: $0, probability: 1)], parts: parts, box: box)
    }
    for index in characters.indices { characters[index].id = makeID() }
  }
}

/// A line of text: its words in logical order, which is the order of writing.
public struct TextLineReading: Hashable, Sendable {
  /// The words; empty before the line is recognised.
  public var words: [TextWord]
  /// The items of ink, recognised or not, in the order they were written.
  public var items: [Int]
  /// The box of the ink in millimetres.
  public var box: BoundingBox
  /// The level of a heading by the size of its letters: 1 for the largest, 0 for other lines.
  public var heading = 0
  /// The place of the line in a table; nil for all other lines.
  public var cell: TableCell?
  /// The item of a list that begins with the line; nil for all other lines.
  public var item: ListItem?
  /// The direction of most of its letters, or else of its block.
  public var direction = WritingDirection.leftToRight

  /// The words joined by spaces.
  public var text: String { words.map(\.label).joined(separator: " ") }
}

/// Words of a run that share ink, such as two words joined by one stroke. They are kept, or read
/// again, together.
struct WordGroup {
  private(set) var words: [TextWord]
  /// All ink of the words' characters.
  private(set) var ink: Set<Int>

  /// The items that belong to the words.
  var items: [Int] { words.flatMap(\.items) }

  /// The middle of the words in x on the page.
  var midX: Double { BoundingBox(holding: words.map(\.box))?.midX ?? 0 }

  private init(_ word: TextWord) {
    words = [word]
    ink = Set(word.items + word.characters.flatMap(\.parts).map(\.item))
  }

  private mutating func join(_ other: WordGroup) {
    words += other.words
    ink.formUnion(other.ink)
  }

  /// Returns groups of words, in reading order, that share no ink.
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
