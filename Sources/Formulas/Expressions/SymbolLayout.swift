/// The place of a symbol relative to its parent in a ``SymbolLayout``.
package enum FormulaRelation: Int, CaseIterable, Sendable, Codable {
  /// The next symbol of the row.
  case right
  /// The first symbol of a superscript.
  case superscript
  /// The first symbol of a subscript.
  case `subscript`
  /// The first symbol above: a numerator, an upper limit, the degree of a root.
  case above
  /// The first symbol below: a denominator, a lower limit.
  case below
  /// The first symbol under a root.
  case inside
}

/// One symbol of a formula: its name and its ink.
package struct FormulaSymbol: Hashable, Sendable {
  /// The LaTeX token, in the spelling of ``LatexTokens/canonical(_:)``: `x`, `\alpha`, `\sqrt`, or
  /// `-` for a minus and for the bar of a fraction.
  package var label: String
  /// The indices of the strokes, ascending. Empty for a symbol without ink.
  package var strokes: [Int]
  /// The probability of the label, 0 to 1.
  package var confidence: Double

  /// Makes a symbol.
  package init(_ label: String, strokes: [Int] = [], confidence: Double = 1) {
    self.label = label
    self.strokes = strokes
    self.confidence = confidence
  }
}

/// The symbols of a formula as a tree: each symbol except the first has a parent and a relation to
/// it (a symbol layout tree, Zanibbi et al. 2002).
///
/// A symbol has at most one child of each relation, so a row is a chain of ``FormulaRelation/right``.
package struct SymbolLayout: Hashable, Sendable {
  /// A parent and the relation to it.
  package struct Link: Hashable, Sendable {
    /// The index of the parent.
    package var parent: Int
    /// The place relative to the parent.
    package var relation: FormulaRelation

    /// Makes a link.
    package init(_ parent: Int, _ relation: FormulaRelation) {
      self.parent = parent
      self.relation = relation
    }
  }

  /// The symbols, in any order.
  package var symbols: [FormulaSymbol]
  /// The link of each symbol; nil for the first symbol of the formula.
  package var links: [Link?]

  /// Makes a layout.
  ///
  /// - Throws: ``FormulaError/notATree(symbol:)`` if a link leads nowhere, to a cycle, to a used
  ///   place, or if there is not exactly one symbol without a link.
  package init(symbols: [FormulaSymbol], links: [Link?]) throws(FormulaError) {
    self.symbols = symbols
    self.links = links
    try check()
  }

  /// The index of the first symbol; nil if there are no symbols.
  package var root: Int? { links.firstIndex { $0 == nil } }

  /// The children of each symbol, by relation.
  var children: [[FormulaRelation: Int]] {
    var result = [[FormulaRelation: Int]](repeating: [:], count: symbols.count)
    for (index, link) in links.enumerated() {
      if let link { result[link.parent][link.relation] = index }
    }
    return result
  }

  private func check() throws(FormulaError) {
    guard links.count == symbols.count else { throw .notATree(symbol: links.count) }
    var used: Set<Link> = []
    var roots = 0
    for (index, link) in links.enumerated() {
      guard let link else {
        roots += 1
        guard roots == 1 else { throw .notATree(symbol: index) }
        continue
      }
      guard links.indices.contains(link.parent), used.insert(link).inserted else {
        throw .notATree(symbol: index)
      }
    }
    // Every symbol must lead to the root in fewer steps than there are symbols.
    var isGood = [Bool](repeating: false, count: symbols.count)
    for start in symbols.indices {
      var path: [Int] = []
      var place: Int? = start
      while let here = place, !isGood[here] {
        path.append(here)
        guard path.count <= symbols.count else { throw .notATree(symbol: start) }
        place = links[here]?.parent
      }
      for index in path { isGood[index] = true }
    }
    guard symbols.isEmpty || roots == 1 else { throw .notATree(symbol: 0) }
  }
}
