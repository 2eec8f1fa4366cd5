import Formulas
import Foundation
import InkCore

// Formulas one below the other, matrices and cases. Each part is read by itself, and a table takes the
// place of one symbol in the formula around it.
extension FormulaReader {
  /// The advantage that a reading with a table must have over one without it, in log-probabilities of
  /// relations: a limit below a sum looks like a row of its own. Lines need less, because they begin below
  /// each other. Chosen by hand on formulas of the training set of CROHME, which have no tables.
  private static let (advantage, advantageOfLines): (Float, Float) = (2, 0.5)
  /// The readings of a part that alternatives are made of.
  private static let alternatives = 3
  private static let openings: Set<String> = ["(", "[", "|", #"\{"#, #"\|"#]
  /// Those that may stand alone, before cases.
  private static let braces: Set<String> = [#"\{"#]
  private static let closings: Set<String> = [")", "]", "|", #"\}"#, #"\|"#]
  /// The most strokes of ink that is searched for tables. Chosen by hand, so that the time is bounded.
  private static let mostStrokes = 200
  /// The least probability of a bracket.
  private static let leastBracket: Float = 0.1

  /// The readings with tables; empty if the ink is likelier to have none.
  ///
  /// - Parameters:
  ///   - strokes: The names of the strokes in the candidates.
  ///   - joint: The readings without tables.
  func tables(
    in ink: FormulaInk, _ groups: ClassifiedGroups, strokes: [Int], joint: [FormulaCandidate]
  ) throws(FormulaError) -> [FormulaCandidate] {
    guard ink.strokes.count <= Self.mostStrokes else { return [] }
    let finder = TableFinder(ink: ink)
    let best = joint.map(\.score).max() ?? -.infinity
    let least = best + Self.advantage * model.weights.relations
    let lines = finder.lines()
    if lines.count > 1 {
      let found = try self.lines(lines, ink, strokes)
      if let score = found.map(\.score).max(),
        score > best + Self.advantageOfLines * model.weights.relations
      {
        return found
      }
    }
    let found = try matrices(finder, ink, groups, strokes)
    guard let score = found.map(\.score).max(), score > least else { return [] }
    return found
  }

  // MARK: - Lines

  private func lines(
    _ lines: [[Int]], _ ink: FormulaInk, _ strokes: [Int]
  ) throws(FormulaError) -> [FormulaCandidate] {
    var parts: [[FormulaCandidate]] = []
    for line in lines {
      let own = try ink.part(line)
      let names = line.map { strokes[$0] }
      let groups = classified(own)
      let plain = readings(of: own, groups, strokes: names)
      let found = try matrices(TableFinder(ink: own), own, groups, names)
      let least =
        (plain.map(\.score).max() ?? -.infinity) + Self.advantage * model.weights.relations
      let better = (found.map(\.score).max() ?? -.infinity) > least ? found : plain
      parts.append(Self.best(better))
    }
    return combined(parts) { rows in
      Formula(row: [Formula.Item(.table(Formula.Table(lines: rows.map(\.row))))])
    }
  }

  /// The best readings, best first.
  private static func best(_ candidates: [FormulaCandidate]) -> [FormulaCandidate] {
    var seen: Set<String> = []
    return Array(
      candidates.sorted { $0.score > $1.score }.filter { seen.insert($0.latex).inserted }
        .prefix(alternatives))
  }

  /// Readings of several parts as one: the best of all, and each with another reading of one part.
  ///
  /// - Parameter join: Makes one formula of those of the parts.
  private func combined(
    _ parts: [[FormulaCandidate]], _ join: ([Formula]) -> Formula
  ) -> [FormulaCandidate] {
    guard parts.allSatisfy({ !$0.isEmpty }) else { return [] }
    var choices = [[Int](repeating: 0, count: parts.count)]
    for (index, part) in parts.enumerated() {
      for other in part.indices.dropFirst() {
        choices.append(choices[0])
        choices[choices.count - 1][index] = other
      }
    }
    return choices.map { choice in
      let chosen = zip(parts, choice).map { $0[$1] }
      let sum = chosen.dropFirst().reduce(chosen[0].parts) { $0 + $1.parts }
      return FormulaCandidate(
        layout: nil, symbols: chosen.flatMap(\.symbols), formula: join(chosen.map(\.formula)),
        parts: sum, score: model.weights.score(of: sum))
    }
  }

  // MARK: - Matrices

  /// The readings with the tables between brackets; empty if there is no place for one.
  private func matrices(
    _ finder: TableFinder, _ ink: FormulaInk, _ classified: ClassifiedGroups, _ strokes: [Int]
  ) throws(FormulaError) -> [FormulaCandidate] {
    // Most formulas have no tall stroke, and need no second look.
    guard ink.boxes.contains(where: { $0.height > 1.5 * ink.unit && $0.width < $0.height }) else {
      return []
    }
    let places = classified.groups.indices.filter { classified.groups[$0].count <= 3 }
    let groups = places.map { classified.groups[$0] }
    let scores = try bracketScores(
      groups, known: places.map { classified.labelScores($0) }, in: ink)
    let labels = model.symbols.labels
    func likely(_ known: Set<String>) -> [[Int]] {
      zip(groups, scores).filter { _, row in
        labels.indices.contains { known.contains(labels[$0]) && exp(row[$0]) > Self.leastBracket }
      }.map(\.0)
    }
    let regions = finder.regions(
      openings: likely(Self.openings), closings: likely(Self.closings), braces: likely(Self.braces))
    guard !regions.isEmpty else { return [] }
    func label(_ group: [Int], _ known: Set<String>) -> FormulaSymbol {
      let row = groups.firstIndex(of: group).map { scores[$0] } ?? []
      let place = row.indices.filter { known.contains(labels[$0]) }.max { row[$0] < row[$1] }
      return FormulaSymbol(
        place.map { labels[$0] } ?? "(", strokes: group.map { strokes[$0] },
        confidence: place.map { Double(exp(row[$0])) } ?? 0)
    }
    // The formula around the tables, with a box in the place of each.
    let hidden = Set(regions.flatMap(\.strokes))
    let outside = ink.strokes.indices.filter { !hidden.contains($0) }
    let boxes = regions.map { Self.placeholder($0, ink) }
    let outer = try ink.part(outside, with: boxes, label: "A")
    // Placeholders have names of their own, which no stroke has.
    let names = outside.map { strokes[$0] } + regions.indices.map { -1 - $0 }
    let around = Self.best(
      readings(of: outer, self.classified(outer), strokes: names))
    var parts = [around]
    for region in regions {
      for cell in region.cells.joined() where !cell.isEmpty {
        let own = try ink.part(cell)
        parts.append(
          Self.best(readings(of: own, self.classified(own), strokes: cell.map { strokes[$0] })))
      }
    }
    let brackets = regions.map { region in
      let open = label(region.open, region.close == nil ? Self.braces : Self.openings)
      return (open, region.close.map { label($0, Self.closings) })
    }
    let found = combined(parts) { formulas in
      var next = 1
      var tables: [Int: Formula.Table] = [:]
      for (index, region) in regions.enumerated() {
        let cells = region.cells.map { row in
          row.map { cell -> Formula.Row in
            guard !cell.isEmpty else { return [] }
            defer { next += 1 }
            return formulas[next].row
          }
        }
        tables[-1 - index] = Formula.Table(
          open: brackets[index].0, cells: cells, close: brackets[index].1)
      }
      return formulas[0].replacing(tables)
    }
    let extra = brackets.flatMap { [$0.0, $0.1].compactMap(\.self) }
    return found.compactMap { candidate in
      // A placeholder that was read as a bar or a root has no place for a table.
      guard candidate.formula.tableCount == regions.count else { return nil }
      let own = candidate.symbols.filter { ($0.symbol.strokes.first ?? 0) >= 0 }
      return FormulaCandidate(
        layout: nil,
        symbols: own + extra.map { FormulaCandidate.Symbol(symbol: $0, candidates: []) },
        formula: candidate.formula, parts: candidate.parts, score: candidate.score)
    }
  }

  /// The log-probabilities of the classes of groups. Groups that are much taller than symbols are looked at
  /// as if they were lower: a bracket around many rows is as narrow as one around a letter, and would
  /// look like a bar.
  private func bracketScores(
    _ groups: [[Int]], known: [[Float]], in ink: FormulaInk
  ) throws(FormulaError) -> [[Float]] {
    var strokes: [Stroke] = []
    var lowered: [(place: Int, strokes: [Int])] = []
    for (place, group) in groups.enumerated() {
      let box = ink.box(of: group)
      let height = Self.bracketHeight * ink.unit
      guard box.height > height, box.width < height,
        group.allSatisfy({ ink.known[$0] == nil })
      else { continue }
      lowered.append((place, Array(strokes.count..<(strokes.count + group.count))))
      strokes += group.map { index in
        Stroke(
          points: ink.strokes[index].points.map {
            StrokePoint(x: $0.x, y: box.minY + ($0.y - box.minY) * height / box.height)
          })
      }
    }
    // As many as a formula may have strokes: more are no brackets.
    guard !lowered.isEmpty, strokes.count <= FormulaInk.mostStrokes else { return known }
    let low = try FormulaInk(Ink(strokes: strokes), unit: ink.unit)
    var result = known
    for (group, row) in zip(lowered, classifier.labelScores(of: lowered.map(\.strokes), in: low)) {
      result[group.place] = row
    }
    return result
  }

  /// The height of a bracket that the glyph model knows well, in typical strokes. Chosen by hand.
  private static let bracketHeight = 2.0

  /// A box that is as wide as a table and as tall as a symbol, in its middle.
  private static func placeholder(_ region: TableFinder.Region, _ ink: FormulaInk) -> Stroke {
    let box = ink.box(of: region.strokes)
    let (top, bottom) = (box.midY - ink.unit / 2, box.midY + ink.unit / 2)
    let corners = [
      (box.minX, top), (box.maxX, top), (box.maxX, bottom), (box.minX, bottom), (box.minX, top),
    ]
    return Stroke(points: corners.map { StrokePoint(x: $0.0, y: $0.1) })
  }
}

extension Formula {
  /// The formula with tables in the place of symbols, by their first stroke.
  fileprivate func replacing(_ tables: [Int: Table]) -> Formula {
    Formula(row: Self.replacing(row, tables))
  }

  private static func replacing(_ row: Row, _ tables: [Int: Table]) -> Row {
    row.map { item in
      var item = item
      switch item.kind {
      case .symbol(let symbol):
        if let table = symbol.strokes.first.flatMap({ tables[$0] }) { item.kind = .table(table) }
      case .fraction(let bar, let upper, let lower):
        item.kind = .fraction(bar, replacing(upper, tables), replacing(lower, tables))
      case .root(let sign, let degree, let radicand):
        item.kind = .root(sign, degree: replacing(degree, tables), replacing(radicand, tables))
      case .accent(let mark, let base): item.kind = .accent(mark, replacing(base, tables))
      case .empty, .table: break
      }
      item.lower = replacing(item.lower, tables)
      item.upper = replacing(item.upper, tables)
      return item
    }
  }

  /// The number of tables, without those in cells.
  fileprivate var tableCount: Int { Self.tableCount(row) }

  private static func tableCount(_ row: Row) -> Int {
    row.reduce(0) { sum, item in
      var own = tableCount(item.lower) + tableCount(item.upper)
      switch item.kind {
      case .table: own += 1
      case .fraction(_, let upper, let lower): own += tableCount(upper) + tableCount(lower)
      case .root(_, let degree, let radicand): own += tableCount(degree) + tableCount(radicand)
      case .accent(_, let base): own += tableCount(base)
      case .symbol, .empty: break
      }
      return sum + own
    }
  }
}
