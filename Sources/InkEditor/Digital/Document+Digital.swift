import InkCore
import Layout
import Typesetting

// Items that are no ink: where they are put, and the words of typed text.
extension Document {
  /// Puts an item that is no ink into its block; no model is asked about it.
  func placeDigital(_ item: Int) {
    guard let stroke = strokes[item] else { return }
    let home = home(of: stroke)
    switch home.type {
    case .drawing, .math: put([item], into: home)
    case _ where stroke.typed != nil || home.type == .text: placeText(item)
    case _ where stroke.picture != nil:
      let block = addBlock(.drawing, in: home, session: stroke.session)
      block.isForced = true
      put([item], into: block)
    default: placeDrawing(item)
    }
  }

  /// True if a run is typed text. Ink never joins it. O(1).
  func isTyped(_ run: TextRun) -> Bool {
    run.items.first.flatMap { strokes[$0] }?.typed != nil
  }

  /// Gives a run of typed text its word: the pieces in reading order are one word, which keeps its
  /// candidates as long as its text is the same. O(characters).
  func settle(_ run: TextRun) {
    let pieces = run.items.compactMap { strokes[$0] }.filter { $0.typed != nil }
    guard let box = BoundingBox(holding: pieces.map(\.box)) else { return }
    let frame = ReadingFrame(
      WritingDirection(of: pieces.compactMap(\.typed?.text).joined()) ?? .leftToRight)
    let ordered = pieces.sorted { one, other in
      let (a, b) = (frame.x(one.points.first?.x ?? 0), frame.x(other.points.first?.x ?? 0))
      return a == b ? one.id < other.id : a < b
    }
    let label = ordered.compactMap(\.typed?.text).joined()
    let before = run.words.count == 1 ? run.words.first { $0.label == label } : nil
    let characters = ordered.flatMap { $0.typedCharacters }
    var word = TextWord(
      label: label, candidates: before?.candidates ?? [TextCandidate(text: label, probability: 1)],
      characters: characters, items: inOrder(run.items), box: box)
    word.isChosen = before?.isChosen ?? false
    (word.formula, word.formulas) = (before?.formula, before?.formulas ?? [])
    run.take([word], makeID: makeWordID)
    run.isFixed = true
    run.box = box
  }

  /// Adds lines of typed words to a block, each as a run of its own.
  ///
  /// - Parameters:
  ///   - lines: The pieces of the words of each line in logical order, at their places.
  ///   - block: A text.
  /// - Returns: The new items.
  @discardableResult
  func addTyped(_ lines: [[[InkStroke]]], to block: BlockNode) -> [Int] {
    var added: [Int] = []
    for words in lines where !words.isEmpty {
      guard let box = BoundingBox(holding: words.joined().map(\.box)) else { continue }
      let line = addLine(to: block, box: box)
      for pieces in words {
        for piece in pieces {
          var piece = piece
          piece.number = makeNumber()
          take(piece)
          added.append(piece.id)
        }
        line.runs.append(makeRun(pieces.map(\.id), in: line))
      }
      orderRuns(of: line)
      measureAll(line)
      for item in line.items {
        if let stroke = strokes[item] { grouper.remember(stroke.measure, line: line.id) }
      }
    }
    orderLines(of: block)
    refresh(block)
    return added
  }
}

extension InkStroke {
  /// The characters of typed text with their points and the boxes of their glyphs.
  var typedCharacters: [TextCharacter] {
    guard let typed else { return [] }
    let count = TypedGlyphs.pointsPerCharacter
    return typed.text.enumerated().compactMap { index, character in
      let range = count * index..<count * (index + 1)
      guard range.upperBound <= points.count else { return nil }
      let (from, to) = (points[range.lowerBound + 1], points[range.lowerBound + 2])
      let label = String(character)
      return TextCharacter(
        label: label, candidates: [TextCandidate(text: label, probability: 1)],
        parts: [ItemPart(item: id, points: range)],
        box: BoundingBox(
          minX: min(from.x, to.x), minY: min(from.y, to.y), maxX: max(from.x, to.x),
          maxY: max(from.y, to.y)))
    }
  }
}

extension TypedGlyphs {
  /// True if a text is written from right to left.
  static func isLeftward(_ text: String) -> Bool {
    WritingDirection(of: text) == .rightToLeft
  }
}
