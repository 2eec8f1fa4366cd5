import InkCore

/// Strokes of one kind that belong together: a line of dashes, the sides of a box, one formula.
package struct MarkGroups {
  /// The kind of all its strokes.
  package var kind: StrokeKind
  /// The strokes, ascending.
  package var strokes: [Int]

  /// Parts of one drawing or formula are nearer, in heights of the writing.
  static let near = 0.8
  /// The strokes of one box are nearer.
  private static let touching = 0.3
  /// The kinds of strokes that are marks.
  private static let marks: [StrokeKind] = [
    .frame, .divider, .underline, .strikeThrough, .bullet, .tickBox,
  ]

  /// The marks of a page: the dashes of a line are one mark; so are the strokes of a box that touch.
  /// O(strokes log strokes).
  ///
  /// - Parameters:
  ///   - ink: The page.
  ///   - strokes: The strokes of each kind.
  ///   - boxes: The boxes of the strokes that have points.
  ///   - height: The height of the writing, in the unit of the ink.
  static func marks(
    in ink: Ink, of strokes: [StrokeKind: [Int]], _ boxes: [Int: BoundingBox], height: Double
  ) -> [MarkGroups] {
    let dashed = DashedLines.found(in: ink)
    return marks.flatMap { kind -> [MarkGroups] in
      let own = strokes[kind] ?? []
      guard !own.isEmpty else { return [] }
      let isOwn = Set(own)
      let lines = dashed.map { $0.filter(isOwn.contains) }.filter { !$0.isEmpty }
      let inLines = Set(lines.flatMap(\.self))
      let single = own.filter { !inLines.contains($0) }
      let isBox = kind == .tickBox || kind == .frame
      let groups =
        isBox
        ? StrokeGroups.near(single, boxes, within: touching * height) : single.map { [$0] }
      return (lines + groups).map { MarkGroups(kind: kind, strokes: $0) }
    }
  }

  /// The marks, formulas and rules of a page whose strokes have kinds.
  ///
  /// - Parameters:
  ///   - ink: The page.
  ///   - kinds: The kind of each stroke.
  package static func found(in ink: Ink, kinds: [StrokeKind]) -> [MarkGroups] {
    var (strokes, boxes): ([StrokeKind: [Int]], [Int: BoundingBox]) = ([:], [:])
    for (index, stroke) in ink.strokes.enumerated() {
      guard let box = Ink(strokes: [stroke]).boundingBox else { continue }
      boxes[index] = box
      strokes[kinds[index], default: []].append(index)
    }
    let page = PageInk(ink)
    let height = page.height / page.scale
    let formulas = FormulaGroups.found(in: strokes, boxes, height: height)
    let inFormulas = Set(formulas.flatMap(\.self))
    strokes = strokes.mapValues { $0.filter { !inFormulas.contains($0) } }
    let rules = StrokeGroups.near(strokes[.tableRule] ?? [], boxes, within: near * height)
    return marks(in: ink, of: strokes, boxes, height: height)
      + formulas.map { MarkGroups(kind: .formula, strokes: $0) }
      + rules.map { MarkGroups(kind: .tableRule, strokes: $0) }
  }
}
