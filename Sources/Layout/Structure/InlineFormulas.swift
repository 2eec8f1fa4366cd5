import InkCore

/// Strokes between the words of a line that may be a formula.
package struct InlineFormula: Hashable, Sendable {
  /// The strokes, ascending.
  package var strokes: [Int]
  /// The place in the line: as wide as the formula, as high as the words beside it.
  package var place: BoundingBox
  /// The columns of strokes before and after it in its row, nearest first. Parts of the formula may be
  /// among them.
  package var before, after: [[Int]]
  /// The strokes of the words beside it.
  package var words: [Int]

  /// Makes a candidate.
  package init(
    strokes: [Int], place: BoundingBox, before: [[Int]] = [], after: [[Int]] = [],
    words: [Int] = []
  ) {
    (self.strokes, self.place) = (strokes, place)
    (self.before, self.after, self.words) = (before, after, words)
  }

  /// Returns the formula with columns before or after it. O(strokes).
  package func extended(before first: Int = 0, after last: Int = 0, of ink: Ink) -> InlineFormula {
    var result = self
    result.strokes += (before.prefix(first) + after.prefix(last)).joined()
    result.before.removeFirst(min(first, before.count))
    result.after.removeFirst(min(last, after.count))
    return result.fitted(to: ink)
  }

  /// Returns the formula without its first or last columns; nil if none would be left. O(strokes).
  package func shortened(first: Int = 0, last: Int = 0, of ink: Ink) -> InlineFormula? {
    let columns = InlineFormulas.columns(of: strokes, in: ink)
    guard first + last < columns.count else { return nil }
    var result = self
    result.strokes = columns[first..<columns.count - last].flatMap(\.self)
    result.before = columns.prefix(first).reversed() + before
    result.after = columns.suffix(last) + after
    return result.fitted(to: ink)
  }

  /// The formula in the width of its strokes, which are ascending.
  private func fitted(to ink: Ink) -> InlineFormula {
    var result = self
    result.strokes.sort()
    let own = Set(strokes)
    result.words.removeAll(where: own.contains)
    if let box = Ink(strokes: strokes.map { ink.strokes[$0] }).boundingBox {
      result.place = BoundingBox(
        minX: box.minX, minY: place.minY, maxX: box.maxX, maxY: place.maxY)
    }
    return result
  }
}

extension InlineFormula {
  /// The formula with its strokes counted among some strokes, which are ascending. O(strokes).
  func counted(in strokes: [Int]) -> InlineFormula {
    let places = Dictionary(
      uniqueKeysWithValues: strokes.enumerated().map { ($0.element, $0.offset) })
    var result = self
    result.strokes = result.strokes.compactMap { places[$0] }
    result.before = result.before.map { $0.compactMap { places[$0] } }
    result.after = result.after.map { $0.compactMap { places[$0] } }
    result.words = result.words.compactMap { places[$0] }
    return result
  }
}

/// Finds what may be formulas inside of lines of text: by the kinds of strokes, and by what they are
/// like when they are read as text. A model of formulas has to agree.
package enum InlineFormulas {
  // The numbers below were chosen on lines of IAM-OnDB with formulas of CROHME between their words.

  /// The score above which a stroke may be a symbol, and the probability by the network of kinds that
  /// one stroke of a formula has at least.
  private static let (least, leastProbability): (Float, Float) = (0.2, 0.05)
  /// The score of a stroke that says as much for a formula as against it.
  private static let neutral: Float = 0.1
  /// A gap wider than this counts against a formula, in heights of the writing, and how much.
  private static let (freeGap, gapCost) = (0.5, Float(0.5))
  /// Strokes are looked at so far beside those that may be symbols, and so far above and below them, in
  /// heights of the writing.
  private static let (reach, rowMargin) = (6.0, 0.2)
  /// The widest gap between a formula and the word beside it, and the widest of the words that are
  /// looked at, in heights of the writing.
  private static let (wordGap, wordReach) = (3.0, 6.0)
  /// The width that the words beside a formula have at least on one side, in heights of the writing.
  private static let wordWidth = 1.2
  /// The strokes beside a formula that tell the height of the words, on each side.
  private static let neighbours = 6
  /// The evidence of a word that makes a candidate without the network of kinds: signs.
  private static let leastEvidence: Float = 0.35
  /// More strokes are no formula inside a line.
  private static let mostStrokes = 60
  /// The kinds that are never part of a formula.
  private static let otherKinds: Set<StrokeKind> = [
    .frame, .connector, .tableRule, .tickBox, .bullet,
  ]

  /// Returns true if no stroke may be part of a formula. O(strokes).
  package static func areNone(_ probabilities: [Float], evidence: [Float]) -> Bool {
    !zip(probabilities, evidence).contains { isSeed($0, $1) }
  }

  /// True for a stroke that each candidate has one of.
  private static func isSeed(_ probability: Float, _ evidence: Float) -> Bool {
    probability >= leastProbability || evidence >= leastEvidence
  }

  /// Returns the candidates; no stroke is in two. O(strokes²) in the worst case, and O(strokes) if no
  /// stroke may be a symbol.
  ///
  /// - Parameters:
  ///   - ink: Upright ink.
  ///   - probabilities: The probability of each stroke that it is of a formula.
  ///   - evidence: Numbers that are added to these: above 0 for strokes that are read as no word, below
  ///     for words.
  ///   - kinds: The kind of each stroke; nil if the ink is one line.
  ///   - known: The strokes of formulas that are known; none is in another candidate.
  package static func found(
    in ink: Ink, _ probabilities: [Float], evidence: [Float], kinds: [StrokeKind]?,
    known: [[Int]] = []
  ) -> [InlineFormula] {
    guard !areNone(probabilities, evidence: evidence) || !known.isEmpty else { return [] }
    let certain = Set(known.flatMap(\.self))
    let scores = zip(probabilities, evidence).map { $0 + $1 }
    var boxes: [Int: BoundingBox] = [:]
    for (index, stroke) in ink.strokes.enumerated() {
      if let box = Ink(strokes: [stroke]).boundingBox { boxes[index] = box }
    }
    let page = PageInk(ink)
    let height = page.height / page.scale
    var strokes: [StrokeKind: [Int]] = [:]
    for index in ink.strokes.indices where boxes[index] != nil && !certain.contains(index) {
      let kind = scores[index] >= least ? .formula : kinds?[index] ?? .text
      if scores[index] >= least || kind != .formula { strokes[kind, default: []].append(index) }
    }
    let seeds = FormulaGroups.found(in: strokes, boxes, height: height)
      .map { group in (strokes: group, score: group.reduce(0) { $0 + scores[$1] }) }
      .sorted { ($1.score, $0.strokes[0]) < ($0.score, $1.strokes[0]) }
    var taken = certain
    var groups: [[Int]] = known
    for seed in seeds where taken.isDisjoint(with: seed.strokes) {
      let row = row(of: seed.strokes, boxes, height: height) { stroke in
        !taken.contains(stroke) && !otherKinds.contains(kinds?[stroke] ?? .text)
      }
      let group = segment(of: row, boxes, scores, height: height)
      guard group.contains(where: { isSeed(probabilities[$0], evidence[$0]) }) else { continue }
      taken.formUnion(group)
      groups.append(group)
    }
    let free = boxes.filter { !taken.contains($0.key) }
    return groups.compactMap { group in
      guard !group.isEmpty, group.count <= mostStrokes else { return nil }
      return candidate(
        group, StrokeGroups.box(of: group, boxes), among: free, kinds: kinds, height: height)
    }
  }

  /// The strokes at the height of some seeds, and those beside them, from left to right.
  private static func row(
    of seeds: [Int], _ boxes: [Int: BoundingBox], height: Double, isFree: (Int) -> Bool
  ) -> [Int] {
    let own = Set(seeds)
    let box = StrokeGroups.box(of: seeds, boxes)
    let (top, bottom) = (box.minY - rowMargin * height, box.maxY + rowMargin * height)
    return boxes.filter { stroke, other in
      own.contains(stroke)
        || other.midY > top && other.midY < bottom && other.maxX > box.minX - reach * height
          && other.minX < box.maxX + reach * height && isFree(stroke)
    }.sorted { ($0.value.minX, $0.key) < ($1.value.minX, $1.key) }.map(\.key)
  }

  /// Returns the columns of some strokes, from left to right: what stands above each other is one
  /// column. O(strokes log strokes).
  package static func columns(of strokes: [Int], in ink: Ink) -> [[Int]] {
    var boxes: [Int: BoundingBox] = [:]
    for stroke in strokes { boxes[stroke] = Ink(strokes: [ink.strokes[stroke]]).boundingBox }
    return columns(of: strokes, boxes).map(\.strokes)
  }

  private static func columns(of strokes: [Int], _ boxes: [Int: BoundingBox]) -> [Column] {
    var columns: [Column] = []
    let placed = strokes.compactMap { stroke in boxes[stroke].map { (stroke, $0) } }
    for (stroke, box) in placed.sorted(by: { ($0.1.minX, $0.0) < ($1.1.minX, $1.0) }) {
      if let last = columns.last, box.minX <= last.maxX {
        columns[columns.count - 1].strokes.append(stroke)
        columns[columns.count - 1].maxX = max(last.maxX, box.maxX)
      } else {
        columns.append(Column(strokes: [stroke], minX: box.minX, maxX: box.maxX))
      }
    }
    return columns
  }

  /// Strokes above each other.
  private struct Column {
    var strokes: [Int]
    var minX, maxX: Double
  }

  /// The columns that follow each other in a row and have the highest sum of scores: their strokes,
  /// ascending. O(columns²).
  private static func segment(
    of row: [Int], _ boxes: [Int: BoundingBox], _ scores: [Float], height: Double
  ) -> [Int] {
    let columns = columns(of: row, boxes)
    var best = (sum: Float(0), range: 0..<0)
    for first in columns.indices {
      var sum: Float = 0
      for last in first..<columns.count {
        if last > first {
          let gap = (columns[last].minX - columns[last - 1].maxX) / height
          sum -= gapCost * Float(max(0, gap - freeGap))
        }
        sum += columns[last].strokes.reduce(0) { $0 + scores[$1] - neutral }
        if sum > best.sum { best = (sum, first..<last + 1) }
      }
    }
    return columns[best.range].flatMap(\.strokes).sorted()
  }

  /// The candidate of a group. Nil if no word is beside it on a page: such a formula is a block.
  private static func candidate(
    _ group: [Int], _ box: BoundingBox, among others: [Int: BoundingBox], kinds: [StrokeKind]?,
    height: Double
  ) -> InlineFormula? {
    func row(isBefore: Bool) -> [Int] {
      others.compactMap { stroke, other -> (stroke: Int, gap: Double)? in
        let gap = isBefore ? box.minX - other.maxX : other.minX - box.maxX
        let isBeside =
          isBefore ? other.midX < box.minX : other.midX > box.maxX
        guard isBeside, gap < wordReach * height, other.midY > box.minY, other.midY < box.maxY,
          !otherKinds.contains(kinds?[stroke] ?? .text)
        else { return nil }
        return (stroke, gap)
      }.sorted { ($0.gap, $0.stroke) < ($1.gap, $1.stroke) }.map(\.stroke)
    }
    func words(among strokes: [Int], isBefore: Bool) -> [Int] {
      let words = strokes.filter { stroke in kinds.map { $0[stroke] == .text } ?? true }
      guard let first = words.first.flatMap({ others[$0] }),
        (isBefore ? box.minX - first.maxX : first.minX - box.maxX) < wordGap * height
      else { return [] }
      return words
    }
    let sides = (row(isBefore: true), row(isBefore: false))
    let (before, after) = (
      words(among: sides.0, isBefore: true), words(among: sides.1, isBefore: false)
    )
    let hasWords = [before, after].contains { side in
      side.reduce(0.0) { $0 + (others[$1]?.width ?? 0) } >= wordWidth * height
    }
    let isAlone = kinds == nil && sides.0.isEmpty && sides.1.isEmpty
    guard hasWords || isAlone else { return nil }
    let near = before.prefix(neighbours) + after.prefix(neighbours)
    let letters = (isAlone ? [box] : near.compactMap { others[$0] })
      .filter { $0.height > 0.3 * height }
    guard !letters.isEmpty else { return nil }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let (top, bottom) = (median(letters.map(\.minY)), median(letters.map(\.maxY)))
    guard top < bottom else { return nil }
    return InlineFormula(
      strokes: group,
      place: BoundingBox(minX: box.minX, minY: top, maxX: box.maxX, maxY: bottom),
      before: columns(of: sides.0, others).reversed().map(\.strokes),
      after: columns(of: sides.1, others).map(\.strokes), words: before + after)
  }
}
