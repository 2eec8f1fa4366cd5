import InkCore

/// Strokes between the words of a line that may be a formula.
package struct InlineFormula: Hashable, Sendable {
  /// The strokes, ascending.
  package var strokes: [Int]
  /// The place in the line: as wide as the formula, as high as the words beside it.
  package var place: BoundingBox
  /// The strokes of the line before and after it, nearest first. An operand of the formula may be among
  /// them.
  package var before, after: [Int]
  /// The mean probability of a formula by the network of kinds, 0 ... 1.
  package var certainty: Float

  /// Makes a candidate.
  package init(
    strokes: [Int], place: BoundingBox, before: [Int] = [], after: [Int] = [], certainty: Float = 1
  ) {
    (self.strokes, self.place) = (strokes, place)
    (self.before, self.after, self.certainty) = (before, after, certainty)
  }

  /// Returns the formula with more strokes, which are in its row.
  package func extended(by more: [Int], of ink: Ink) -> InlineFormula {
    var result = self
    result.strokes = (strokes + more).sorted()
    let own = Set(more)
    result.before.removeAll(where: own.contains)
    result.after.removeAll(where: own.contains)
    if let box = Ink(strokes: more.map { ink.strokes[$0] }).boundingBox {
      result.place = BoundingBox(
        minX: min(place.minX, box.minX), minY: place.minY, maxX: max(place.maxX, box.maxX),
        maxY: place.maxY)
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
    result.before = result.before.compactMap { places[$0] }
    result.after = result.after.compactMap { places[$0] }
    return result
  }
}

/// Finds what may be formulas inside of lines of text: by the kinds of strokes, and by what they are
/// like when they are read as text. A model of formulas has to agree.
package enum InlineFormulas {
  // The numbers below were chosen on lines of IAM-OnDB with formulas of CROHME between their words.

  /// The score above which a stroke may be a symbol, and the probability by the network of kinds that
  /// one stroke of a formula has at least.
  private static let (least, leastProbability): (Float, Float) = (0.2, 0.15)
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
  /// The strokes beside a formula that are looked at, on each side.
  private static let neighbours = 6
  /// More strokes are no formula inside a line.
  private static let mostStrokes = 60
  /// The kinds that are never part of a formula.
  private static let otherKinds: Set<StrokeKind> = [
    .frame, .connector, .tableRule, .tickBox, .bullet,
  ]

  /// Returns true if no stroke may be part of a formula. O(strokes).
  package static func areNone(_ probabilities: [Float]) -> Bool {
    !probabilities.contains { $0 >= leastProbability }
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
  ///   - known: The strokes of formulas that are known; their certainty is 1.
  package static func found(
    in ink: Ink, _ probabilities: [Float], evidence: [Float], kinds: [StrokeKind]?,
    known: [[Int]] = []
  ) -> [InlineFormula] {
    guard !areNone(probabilities) || !known.isEmpty else { return [] }
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
      guard !group.isEmpty, group.contains(where: { probabilities[$0] >= leastProbability })
      else { continue }
      taken.formUnion(group)
      groups.append(group)
    }
    let words = boxes.filter { stroke, _ in
      !taken.contains(stroke) && (kinds.map { $0[stroke] == .text } ?? true)
    }
    return groups.compactMap { group in
      guard let first = group.first, group.count <= mostStrokes else { return nil }
      let sum = group.reduce(0) { $0 + min(1, max(0, scores[$1])) }
      return candidate(
        group, StrokeGroups.box(of: group, boxes), among: words, height: height,
        certainty: certain.contains(first) ? 1 : sum / Float(group.count))
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

  /// The strokes that follow each other in a row and have the highest sum of scores, ascending. What
  /// stands above each other is taken as a whole. O(columns²).
  private static func segment(
    of row: [Int], _ boxes: [Int: BoundingBox], _ scores: [Float], height: Double
  ) -> [Int] {
    var columns: [(strokes: [Int], minX: Double, maxX: Double, score: Float)] = []
    for stroke in row {
      guard let box = boxes[stroke] else { continue }
      let score = scores[stroke] - neutral
      if let last = columns.last, box.minX <= last.maxX {
        columns[columns.count - 1].strokes.append(stroke)
        columns[columns.count - 1].maxX = max(last.maxX, box.maxX)
        columns[columns.count - 1].score += score
      } else {
        columns.append(([stroke], box.minX, box.maxX, score))
      }
    }
    var best = (sum: Float(0), range: 0..<0)
    for first in columns.indices {
      var sum: Float = 0
      for last in first..<columns.count {
        if last > first {
          let gap = (columns[last].minX - columns[last - 1].maxX) / height
          sum -= gapCost * Float(max(0, gap - freeGap))
        }
        sum += columns[last].score
        if sum > best.sum { best = (sum, first..<last + 1) }
      }
    }
    return columns[best.range].flatMap(\.strokes).sorted()
  }

  /// The candidate of a group, or nil if no word is beside it.
  private static func candidate(
    _ group: [Int], _ box: BoundingBox, among words: [Int: BoundingBox], height: Double,
    certainty: Float
  ) -> InlineFormula? {
    func row(isBefore: Bool) -> [Int] {
      let near = words.compactMap { stroke, other -> (stroke: Int, gap: Double)? in
        let gap = isBefore ? box.minX - other.maxX : other.minX - box.maxX
        let isBeside =
          isBefore ? other.midX < box.minX : other.midX > box.maxX
        guard isBeside, gap < wordReach * height, other.midY > box.minY, other.midY < box.maxY
        else { return nil }
        return (stroke, gap)
      }
      guard let first = near.map(\.gap).min(), first < wordGap * height else { return [] }
      return near.sorted { ($0.gap, $0.stroke) < ($1.gap, $1.stroke) }.map(\.stroke)
    }
    let (before, after) = (row(isBefore: true), row(isBefore: false))
    let hasWords = [before, after].contains { side in
      side.reduce(0.0) { $0 + (words[$1]?.width ?? 0) } >= wordWidth * height
    }
    guard hasWords else { return nil }
    let near = (before.prefix(neighbours) + after.prefix(neighbours)).compactMap { words[$0] }
    let letters = near.filter { $0.height > 0.3 * height }
    guard !letters.isEmpty else { return nil }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let (top, bottom) = (median(letters.map(\.minY)), median(letters.map(\.maxY)))
    guard top < bottom else { return nil }
    return InlineFormula(
      strokes: group,
      place: BoundingBox(minX: box.minX, minY: top, maxX: box.maxX, maxY: bottom),
      before: Array(before.prefix(neighbours)), after: Array(after.prefix(neighbours)),
      certainty: certainty)
  }
}
