import InkCore

/// The strokes of each formula of a page: symbols that are near each other or follow each other in a
/// row, with what stands over and under the bars of fractions.
struct FormulaGroups {
  private let boxes: [Int: BoundingBox]
  /// The height of the writing, in the unit of the ink.
  private let height: Double
  /// The strokes of formulas, and the bars among other strokes.
  private var strokes: [Int]
  /// A stroke of the same formula for each; a root has itself.
  private var parent: [Int: Int] = [:]

  // Distances are in heights of the writing, and were chosen by hand on pages of notes.

  /// The gap between symbols of a row: this, or a part of the height of the taller one, up to a limit.
  private static let (rowGap, rowPart, tallest) = (1.2, 0.8, 5.0)
  /// The gap between a bar and what is over or under it: this, or a part of the other's height.
  private static let (barGap, barPart) = (1.5, 0.8)
  /// The height of a flat stroke relative to its width.
  private static let flatness = 0.35
  /// The least part of the narrower one that lies over the other.
  private static let overlap = 0.5
  /// More groups than this are too many symbols to be joined by rows.
  private static let mostGroups = 300
  /// The kinds that bars of fractions are taken for.
  private static let barKinds: [StrokeKind] = [
    .underline, .divider, .strikeThrough, .connector, .drawing,
  ]

  /// Returns the groups, each ascending, in the order of their first strokes. They may have bars of
  /// other kinds. O(strokes²) in the worst case.
  ///
  /// - Parameters:
  ///   - strokes: The strokes of each kind.
  ///   - boxes: The boxes of the strokes that have points.
  ///   - height: The height of the writing, in the unit of the ink.
  static func found(
    in strokes: [StrokeKind: [Int]], _ boxes: [Int: BoundingBox], height: Double
  ) -> [[Int]] {
    guard let own = strokes[.formula], !own.isEmpty else { return [] }
    var groups = FormulaGroups(own, boxes, height: height)
    for near in StrokeGroups.near(own, boxes, within: MarkGroups.near * height) {
      for stroke in near.dropFirst() { groups.join(near[0], stroke) }
    }
    groups.joinBars(among: own + barKinds.flatMap { strokes[$0] ?? [] }, symbols: own)
    groups.joinEqualSigns()
    groups.joinRows()
    return groups.all
  }

  private init(_ strokes: [Int], _ boxes: [Int: BoundingBox], height: Double) {
    (self.strokes, self.boxes, self.height) = (strokes, boxes, height)
    for stroke in strokes { parent[stroke] = stroke }
  }

  // MARK: - Joining

  private func root(_ stroke: Int) -> Int {
    var stroke = stroke
    while let next = parent[stroke], next != stroke { stroke = next }
    return stroke
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (root(one), root(other))
    parent[max(first, second)] = min(first, second)
    // Paths stay short.
    (parent[one], parent[other]) = (min(first, second), min(first, second))
  }

  private var all: [[Int]] {
    Dictionary(grouping: strokes, by: root).values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// Joins bars with the symbols over and under them.
  private mutating func joinBars(among candidates: [Int], symbols: [Int]) {
    let known = Set(symbols)
    for bar in candidates {
      guard let box = boxes[bar], isFlat(box) else { continue }
      let around = symbols.filter { symbol in
        guard symbol != bar, let other = boxes[symbol], !isFlat(other) else { return false }
        let reach = max(
          Self.barGap * height, Self.barPart * min(other.height, Self.tallest * height))
        return Self.overlapX(box, other) >= Self.overlap * min(box.width, other.width)
          && max(box.minY - other.maxY, other.minY - box.maxY) <= reach
      }
      let over = around.filter { (boxes[$0]?.midY ?? 0) < box.minY }
      let under = around.filter { (boxes[$0]?.midY ?? 0) > box.maxY }
      guard !over.isEmpty, !under.isEmpty else { continue }
      if !known.contains(bar) {
        strokes.append(bar)
        parent[bar] = bar
      }
      for symbol in over + under { join(bar, symbol) }
    }
  }

  /// Joins the two bars of an equal sign.
  private mutating func joinEqualSigns() {
    let flat = strokes.compactMap { stroke in
      boxes[stroke].flatMap { isFlat($0) ? (stroke: stroke, box: $0) : nil }
    }
    for (index, one) in flat.enumerated() {
      for other in flat[(index + 1)...] {
        let (narrow, wide) = (
          min(one.box.width, other.box.width), max(one.box.width, other.box.width)
        )
        let gap = max(one.box.minY - other.box.maxY, other.box.minY - one.box.maxY)
        guard wide <= 2 * narrow, Self.overlapX(one.box, other.box) >= Self.overlap * narrow,
          gap <= max(Self.barGap * height, Self.barPart * narrow)
        else { continue }
        join(one.stroke, other.stroke)
      }
    }
  }

  /// Joins groups that follow each other in a row, until there are none.
  private mutating func joinRows() {
    var groups = all.map { ($0, StrokeGroups.box(of: $0, boxes)) }
    guard groups.count <= Self.mostGroups else { return }
    var isDone = false
    while !isDone {
      isDone = true
      search: for first in groups.indices {
        for second in groups.indices[(first + 1)...]
        where isRow(groups[first].1, groups[second].1) {
          join(groups[first].0[0], groups[second].0[0])
          groups[first].1.formUnion(groups[second].1)
          groups.remove(at: second)
          isDone = false
          break search
        }
      }
    }
  }

  // MARK: - Measures

  /// Returns whether two boxes are in one row, and near enough for one formula.
  private func isRow(_ one: BoundingBox, _ other: BoundingBox) -> Bool {
    let (low, high) = one.height < other.height ? (one, other) : (other, one)
    let isBeside =
      min(one.maxY, other.maxY) - max(one.minY, other.minY) >= 0.3 * low.height
      && low.midY > high.minY - 0.25 * high.height && low.midY < high.maxY + 0.25 * high.height
    let reach = max(
      Self.rowGap * height, Self.rowPart * min(high.height, Self.tallest * height))
    return isBeside && max(one.minX - other.maxX, other.minX - one.maxX) <= reach
  }

  private func isFlat(_ box: BoundingBox) -> Bool {
    box.width > 0 && box.height <= Self.flatness * box.width && box.height < height
  }

  private static func overlapX(_ one: BoundingBox, _ other: BoundingBox) -> Double {
    min(one.maxX, other.maxX) - max(one.minX, other.minX)
  }
}
