import InkCore

/// The word that was chosen or emphasised last.
struct WordEmphasis: Hashable, Sendable {
  /// The id of the word, as in ``TypedWord/id``.
  var word: Int
  /// The number of the next stroke at that time: a later stroke takes the emphasis.
  var nextNumber: Int
}

/// Makes the typed text of a block.
struct TypedTextBuilder {
  let document: Document
  let transform: ViewTransform
  let generation: Int
  /// The largest number of candidates of a word; nil for all.
  let limit: Int?

  private struct Entry {
    var word: TextWord
    var line: Int
    var isUnread: Bool
  }

  /// The typed text of a block; nil for the ink that is in no block yet.
  func text(of node: BlockNode?) -> TypedText {
    var entries: [Entry] = []
    if let node {
      for (index, line) in node.lines.enumerated() {
        let frame = document.frame(of: line)
        entries += line.runs.flatMap { self.entries(of: $0, line: index, frame) }
      }
    } else if let unread = unread(document.unsorted, line: 0) {
      entries = [unread]
    }
    var text = ""
    var ranges: [Range<Int>] = []
    for (index, entry) in entries.enumerated() {
      if index > 0 { text += entries[index - 1].line == entry.line ? " " : "\n" }
      let start = text.utf16.count
      text += entry.word.label
      ranges.append(start..<text.utf16.count)
    }
    let words = zip(entries, ranges).map { entry, range in typed(entry, range, in: text) }
    return TypedText(
      block: node?.id, text: text, words: words, emphasized: emphasized(among: words))
  }

  /// The words of a run, and its ink that no word has.
  private func entries(of run: TextRun, line: Int, _ frame: ReadingFrame) -> [Entry] {
    let known = Set(run.words.flatMap(\.items))
    var result = run.words.map { word in
      Entry(
        word: word, line: line,
        isUnread: run.state == .dirty && !run.moved.isDisjoint(with: word.items))
    }
    if let rest = unread(run.items.filter { !known.contains($0) }, line: line) {
      let middle = frame.middle(rest.word.box)
      let place = result.firstIndex { frame.middle($0.word.box) > middle } ?? result.count
      result.insert(rest, at: place)
    }
    return result
  }

  private func unread(_ items: [Int], line: Int) -> Entry? {
    let items = document.inOrder(items)
    guard let first = items.first,
      let box = BoundingBox(holding: items.compactMap { document.strokes[$0]?.box })
    else { return nil }
    var word = TextWord(
      label: TypedText.unreadLabel, candidates: [], characters: [], items: items, box: box)
    word.id = -first
    return Entry(word: word, line: line, isUnread: true)
  }

  private func typed(_ entry: Entry, _ range: Range<Int>, in text: String) -> TypedWord {
    let word = entry.word
    let (from, to) = (
      transform.view(x: word.box.minX, y: word.box.minY),
      transform.view(x: word.box.maxX, y: word.box.maxY)
    )
    return TypedWord(
      id: word.id, label: word.label,
      range: String.Index(
        utf16Offset: range.lowerBound, in: text)..<String.Index(
          utf16Offset: range.upperBound, in: text),
      utf16Range: range, line: entry.line,
      candidates: word.id < 0
        ? [] : TextCandidate.shown(word.candidates, label: word.label, limit: limit),
      characters: word.characters, items: word.items, box: word.box,
      viewBox: BoundingBox(minX: from.x, minY: from.y, maxX: to.x, maxY: to.y),
      isChosen: word.isChosen, isUnread: entry.isUnread, reading: word.candidates.map(\.text),
      generation: generation)
  }

  private func emphasized(among words: [TypedWord]) -> Int? {
    if let emphasis = document.emphasis, emphasis.nextNumber == document.nextNumber {
      return words.firstIndex { word in
        // Ink that was emphasised unread and has been read since.
        word.id == emphasis.word || (emphasis.word < 0 && word.items.contains(-emphasis.word))
      }
    }
    // The newest stroke of all that were ever drawn; nil if it was erased.
    guard let last = document.order.last, document.strokes[last]?.number == document.nextNumber - 1
    else { return nil }
    return words.firstIndex { $0.items.contains(last) }
  }
}
