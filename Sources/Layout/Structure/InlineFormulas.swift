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

  /// The formula with each stroke replaced by the number at that index.
  package func renumbered(_ numbers: [Int]) -> InlineFormula {
    var result = self
    result.strokes = result.strokes.map { numbers[$0] }
    result.before = result.before.map { numbers[$0] }
    result.after = result.after.map { numbers[$0] }
    return result
  }
}

/// Finds what may be formulas inside of lines of text, by the kinds of strokes. A model of formulas has
/// to agree: the network of kinds alone takes some words for formulas.
struct InlineFormulas {
  /// The probability above which a stroke may be a symbol.
  private static let least: Float = 0.3
  /// The widest gap between a formula and the word beside it, and the widest of the words that are
  /// looked at, in heights of the writing.
  private static let (wordGap, wordReach) = (3.0, 6.0)
  /// The width that the words beside a formula have at least on one side, in heights of the writing.
  private static let wordWidth = 1.2
  /// This share of a stroke lies inside of the formula that it belongs to.
  private static let inside = 0.6
  /// The strokes beside a formula that are looked at, on each side.
  private static let neighbours = 6
  /// More strokes are no formula inside a line.
  private static let mostStrokes = 60

  /// Returns the candidates in the order of their first strokes; no stroke is in two.
  /// O(strokes²) in the worst case, and O(strokes) if no stroke may be a symbol.
  ///
  /// - Parameters:
  ///   - ink: Upright ink.
  ///   - probabilities: The probabilities of each stroke by ``StrokeKind/allCases``.
  ///   - kinds: The kind of each stroke; nil if the ink is one line.
  ///   - known: The strokes of formulas that are known; their certainty is 1.
  static func found(
    in ink: Ink, _ probabilities: [[Float]], kinds: [StrokeKind]?, known: [[Int]] = []
  ) -> [InlineFormula] {
    let formula = StrokeKind.formula.index
    let certain = Set(known.flatMap(\.self))
    let seeds = probabilities.indices.filter {
      !certain.contains($0) && probabilities[$0][formula] >= least
    }
    guard !seeds.isEmpty || !known.isEmpty else { return [] }
    var boxes: [Int: BoundingBox] = [:]
    for (index, stroke) in ink.strokes.enumerated() {
      if let box = Ink(strokes: [stroke]).boundingBox { boxes[index] = box }
    }
    let page = PageInk(ink)
    let height = page.height / page.scale
    let isSeed = Set(seeds)
    var strokes: [StrokeKind: [Int]] = [.formula: seeds.filter { boxes[$0] != nil }]
    for index in kinds?.indices ?? 0..<0 where !isSeed.contains(index) && boxes[index] != nil {
      guard let kind = kinds?[index], kind != .formula else { continue }
      strokes[kind, default: []].append(index)
    }
    var groups = FormulaGroups.found(in: strokes, boxes, height: height)
    var taken = certain.union(groups.flatMap(\.self))
    for index in groups.indices {
      let box = StrokeGroups.box(of: groups[index], boxes)
      let inner = boxes.keys.filter { !taken.contains($0) && isInside(boxes[$0], of: box) }
      taken.formUnion(inner)
      groups[index] = (groups[index] + inner).sorted()
    }
    groups += known
    let words = boxes.filter { stroke, _ in
      !taken.contains(stroke) && (kinds.map { $0[stroke] == .text } ?? true)
    }
    return groups.compactMap { group in
      guard let first = group.first, group.count <= mostStrokes else { return nil }
      let certainty =
        certain.contains(first)
        ? 1 : group.map { probabilities[$0][formula] }.reduce(0, +) / Float(group.count)
      return candidate(
        group, StrokeGroups.box(of: group, boxes), among: words, height: height,
        certainty: certainty)
    }
  }

  private static func isInside(_ stroke: BoundingBox?, of box: BoundingBox) -> Bool {
    guard let stroke else { return false }
    let width = min(box.maxX, stroke.maxX) - max(box.minX, stroke.minX)
    let height = min(box.maxY, stroke.maxY) - max(box.minY, stroke.minY)
    return width >= inside * stroke.width && height >= inside * stroke.height && width >= 0
      && height >= 0
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
