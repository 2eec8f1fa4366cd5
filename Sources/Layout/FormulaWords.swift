import InkCore

/// Formulas inside of lines, each of which stands for one stroke while lines are found: as high as the
/// words beside it, so that fractions and limits do not disturb the lines.
struct FormulaWords {
  /// All their strokes.
  let strokes: Set<Int>
  private let formulas: [InlineFormula]
  /// The formula of each stroke that stands for one.
  private let places: [Int: Int]
  private let measures: [StrokeMeasure]

  /// Measures formulas. Those without points are left out. O(strokes).
  init(_ formulas: [InlineFormula], _ page: PageInk) {
    self.formulas = formulas
    guard !formulas.isEmpty else {
      (strokes, places, measures) = ([], [:], [])
      return
    }
    let known = Dictionary(uniqueKeysWithValues: page.strokes.map { ($0.item, $0.number) })
    var (strokes, places, measures): (Set<Int>, [Int: Int], [StrokeMeasure]) = ([], [:], [])
    for (place, formula) in formulas.enumerated() {
      guard let first = formula.strokes.first(where: { known[$0] != nil }),
        let number = known[first]
      else { continue }
      strokes.formUnion(formula.strokes)
      places[first] = place
      let box = formula.place
      measures.append(
        StrokeMeasure(
          item: first, number: number,
          box: BoundingBox(
            minX: box.minX * page.scale, minY: box.minY * page.scale, maxX: box.maxX * page.scale,
            maxY: box.maxY * page.scale), meanY: box.midY * page.scale,
          length: (box.width + box.height) * page.scale))
    }
    (self.strokes, self.places, self.measures) = (strokes, places, measures)
  }

  /// Returns strokes in the order of writing with one for each formula.
  func placed(among writing: [StrokeMeasure]) -> [StrokeMeasure] {
    guard !measures.isEmpty else { return writing }
    return (writing.filter { !strokes.contains($0.item) } + measures).sorted {
      $0.number < $1.number
    }
  }

  /// Removes lines of formulas alone: they are no text.
  ///
  /// - Returns: Their strokes.
  func takeLone(_ lines: inout [LineShape]) -> Set<Int> {
    guard !measures.isEmpty else { return [] }
    let lone = lines.filter { $0.members.allSatisfy { places[$0.item] != nil } }
    guard !lone.isEmpty else { return [] }
    let ids = Set(lone.map(\.id))
    lines.removeAll { ids.contains($0.id) }
    return Set(
      lone.flatMap(\.members).compactMap { places[$0.item] }.flatMap { formulas[$0].strokes })
  }

  /// Returns all strokes of a line in reading order, and its formulas; nil if it has none.
  func spelled(_ items: [Int]) -> (strokes: [Int], formulas: [Int])? {
    let own = items.compactMap { places[$0] }
    guard !own.isEmpty else { return nil }
    return (items.flatMap { item in places[item].map { formulas[$0].strokes } ?? [item] }, own)
  }
}
