import Formulas
import Recognition

/// The differences of a reading from the truth.
///
/// A symbol is found if a symbol of the reading has the same strokes, and read if it has the same
/// label too. A relation is right if both symbols are found and have the same relation. The limits
/// of an operator count as its scripts.
package struct FormulaComparison: Hashable, Sendable {
  /// True if both formulas have the same normal form.
  package var isSame: Bool
  /// The symbols of the truth.
  package var symbols = 0
  /// The symbols of the reading.
  package var readSymbols = 0
  /// The symbols that are found.
  package var found = 0
  /// The symbols that are found and have the right label.
  package var named = 0
  /// The relations of the truth.
  package var relations = 0
  /// The relations of the reading.
  package var readRelations = 0
  /// The relations that are right.
  package var rightRelations = 0
  /// The symbols with a wrong label, group or relation: the larger number of both formulas.
  package var wrongSymbols = 0

  /// Compares a reading with a record.
  ///
  /// - Parameters:
  ///   - layout: The symbols of the reading; nil if nothing was read, and for a reading with a table.
  ///   - latex: The reading; nil for that of the layout.
  ///   - truth: The record. Without symbols, only ``isSame`` is measured.
  package init(_ layout: SymbolLayout?, latex: String? = nil, with truth: LabeledFormula) {
    // The reading is what its LaTeX says: there, a prime in a row is a superscript.
    let read = latex ?? layout.flatMap { try? Formula($0).latex }
    isSame = read.map { NormalForm.of(latex: $0) } == NormalForm.of(latex: truth.latex)
    symbols = truth.symbols.count
    readSymbols = layout?.symbols.count ?? 0
    var places: [[Int]: Int] = [:]
    for (index, symbol) in (layout?.symbols ?? []).enumerated() { places[symbol.strokes] = index }
    var right = 0
    let links = truth.layout?.links
    relations = links.map { $0.compactMap(\.self).count } ?? 0
    readRelations = max(0, readSymbols - 1)
    for (index, symbol) in truth.symbols.enumerated() {
      guard let layout, let place = places[symbol.strokes] else { continue }
      found += 1
      let isNamed = layout.symbols[place].label == symbol.label
      if isNamed { named += 1 }
      let isPlaced = links.map { Self.isSame($0[index], truth.symbols, layout, place) } ?? true
      if isPlaced && links?[index] != nil { rightRelations += 1 }
      if isNamed && isPlaced { right += 1 }
    }
    wrongSymbols = isSame ? 0 : max(1, symbols - right, readSymbols - right)
  }

  private static func isSame(
    _ link: SymbolLayout.Link?, _ symbols: [FormulaSymbol], _ layout: SymbolLayout, _ place: Int
  ) -> Bool {
    guard let link else { return layout.links[place] == nil }
    guard let other = layout.links[place] else { return false }
    return symbols[link.parent].strokes == layout.symbols[other.parent].strokes
      && kind(link.relation, symbols[link.parent].label)
        == kind(other.relation, layout.symbols[other.parent].label)
  }

  /// The relation, or the script for a limit.
  private static func kind(_ relation: FormulaRelation, _ parent: String) -> FormulaRelation {
    guard parent != "-", parent != #"\sqrt"# else { return relation }
    switch relation {
    case .above: return .superscript
    case .below: return .subscript
    default: return relation
    }
  }
}

/// The sums of comparisons, with their rates.
package struct FormulaFigures: Sendable {
  /// The formulas.
  package private(set) var formulas = 0
  /// The formulas that are right.
  package private(set) var right = 0
  /// The formulas with at most one wrong symbol, and with at most two.
  package private(set) var within = [0, 0]
  /// The sums of all comparisons.
  package private(set) var total: FormulaComparison?

  /// Makes empty figures.
  package init() {}

  /// Adds a comparison.
  package mutating func add(_ comparison: FormulaComparison) {
    formulas += 1
    if comparison.isSame { right += 1 }
    for limit in within.indices where comparison.wrongSymbols <= limit + 1 { within[limit] += 1 }
    guard var sum = total else {
      total = comparison
      return
    }
    sum.symbols += comparison.symbols
    sum.readSymbols += comparison.readSymbols
    sum.found += comparison.found
    sum.named += comparison.named
    sum.relations += comparison.relations
    sum.readRelations += comparison.readRelations
    sum.rightRelations += comparison.rightRelations
    sum.wrongSymbols += comparison.wrongSymbols
    total = sum
  }

  /// The share of a count of something; 0 of nothing.
  private static func rate(_ part: Int?, _ whole: Int?) -> Double {
    Double(part ?? 0) / Double(max(1, whole ?? 0))
  }

  /// The share of formulas that are right.
  package var expressionRate: Double { Self.rate(right, formulas) }
  /// The share of formulas with at most one wrong symbol.
  package var withinOne: Double { Self.rate(within[0], formulas) }
  /// The share of formulas with at most two wrong symbols.
  package var withinTwo: Double { Self.rate(within[1], formulas) }
  /// The share of the truth's symbols that are found.
  package var symbolsFound: Double { Self.rate(total?.found, total?.symbols) }
  /// The share of the truth's symbols that are found and read.
  package var symbolsRead: Double { Self.rate(total?.named, total?.symbols) }
  /// The share of the reading's symbols that are in the truth with the same label.
  package var symbolPrecision: Double { Self.rate(total?.named, total?.readSymbols) }
  /// The share of the truth's relations that are right.
  package var relationsRight: Double { Self.rate(total?.rightRelations, total?.relations) }
  /// The share of the reading's relations that are right.
  package var relationPrecision: Double { Self.rate(total?.rightRelations, total?.readRelations) }
}
