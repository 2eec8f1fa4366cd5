/// A formula as a row of items: symbols, fractions, roots and accents with their scripts.
///
/// A value that LaTeX is read to, that a layout of symbols is converted to, and that LaTeX, MathML
/// and plain text are written from.
///
///     let formula = try Formula(latex: #"\frac{1}{2} x^2"#)
///     print(formula.text)  // 1/2 x²
package struct Formula: Hashable, Sendable {
  /// A sequence of items on one baseline.
  package typealias Row = [Item]

  /// The kinds of item.
  package indirect enum Kind: Hashable, Sendable {
    /// Nothing: the base of a script without one.
    case empty
    /// A symbol.
    case symbol(FormulaSymbol)
    /// A numerator over a denominator, with the symbol of the bar.
    case fraction(FormulaSymbol, Row, Row)
    /// A root with its sign, its degree, which may be empty, and its radicand.
    case root(FormulaSymbol, degree: Row, Row)
    /// A mark over or under a row: `\overline`, `\hat`, `\vec`.
    case accent(FormulaSymbol, Row)
    /// Rows of cells: a matrix, cases, or formulas one below the other.
    case table(Table)
  }

  /// An item with its scripts or limits.
  package struct Item: Hashable, Sendable {
    /// The item without scripts.
    package var kind: Kind
    /// The subscript or lower limit; empty for none.
    package var lower: Row
    /// The superscript or upper limit; empty for none.
    package var upper: Row

    /// Makes an item.
    package init(_ kind: Kind, lower: Row = [], upper: Row = []) {
      self.kind = kind
      self.lower = lower
      self.upper = upper
    }
  }

  /// The items of the outermost row.
  package var row: Row

  /// The deepest nesting of rows.
  package static let deepest = 100

  /// Makes a formula.
  package init(row: Row = []) {
    self.row = row
  }

  /// Reads LaTeX.
  ///
  /// - Throws: ``FormulaError/malformedLatex(token:expected:found:)`` or ``FormulaError/tooDeep(limit:)``.
  package init(latex: String) throws(FormulaError) {
    var reader = LatexReader(LatexTokens.tokens(of: latex))
    row = try reader.formula()
  }

  /// Converts the layout of symbols. O(symbols).
  ///
  /// - Throws: ``FormulaError/tooDeep(limit:)``.
  package init(_ layout: SymbolLayout) throws(FormulaError) {
    let children = layout.children
    row =
      try layout.root.map { (root) throws(FormulaError) in
        try Self.row(from: root, layout, children, depth: 0)
      } ?? []
  }

  private static func row(
    from first: Int, _ layout: SymbolLayout, _ children: [[FormulaRelation: Int]], depth: Int
  ) throws(FormulaError) -> Row {
    guard depth < deepest else { throw .tooDeep(limit: deepest) }
    var row: Row = []
    var place: Int? = first
    while let here = place {
      row.append(try item(here, layout, children, depth: depth))
      place = children[here][.right]
    }
    return row
  }

  private static func item(
    _ index: Int, _ layout: SymbolLayout, _ children: [[FormulaRelation: Int]], depth: Int
  ) throws(FormulaError) -> Item {
    func row(_ relation: FormulaRelation) throws(FormulaError) -> Row {
      guard let child = children[index][relation] else { return [] }
      return try Self.row(from: child, layout, children, depth: depth + 1)
    }
    let symbol = layout.symbols[index]
    let above = try row(.above)
    let below = try row(.below)
    let lower = try row(.subscript)
    let upper = try row(.superscript)
    let inside = try row(.inside)
    switch symbol.label {
    case "-" where !above.isEmpty && !below.isEmpty:
      return Item(.fraction(symbol, above, below), lower: lower, upper: upper)
    case "-" where !above.isEmpty:
      return Item(.accent(symbol.named(#"\underline"#), above), lower: lower, upper: upper)
    case #"\sqrt"#:
      return Item(.root(symbol, degree: above, inside), lower: lower + below, upper: upper)
    case _ where !below.isEmpty && above.isEmpty:
      let isSingle = below.count == 1 && below[0].lower.isEmpty && below[0].upper.isEmpty
      if let accent = AccentSigns.accent(of: symbol.label, isSingle: isSingle) {
        return Item(.accent(symbol.named(accent), below), lower: lower, upper: upper)
      }
      return Item(.symbol(symbol), lower: lower + below, upper: upper)
    default:
      return Item(.symbol(symbol), lower: lower + below, upper: upper + above)
    }
  }
}

extension FormulaSymbol {
  /// The same ink with another label.
  func named(_ label: String) -> FormulaSymbol {
    FormulaSymbol(label, strokes: strokes, confidence: confidence)
  }
}

extension Formula {
  /// Calls `body` with each symbol, in reading order. O(symbols).
  package func forEachSymbol(_ body: (FormulaSymbol) -> Void) {
    Self.visit(row, body)
  }

  private static func visit(_ row: Row, _ body: (FormulaSymbol) -> Void) {
    for item in row {
      switch item.kind {
      case .empty: break
      case .symbol(let symbol): body(symbol)
      case .fraction(let bar, let upper, let lower):
        body(bar)
        visit(upper, body)
        visit(lower, body)
      case .root(let sign, let degree, let radicand):
        body(sign)
        visit(degree, body)
        visit(radicand, body)
      case .accent(let mark, let base):
        body(mark)
        visit(base, body)
      case .table(let table): table.visit(symbol: body) { visit($0, body) }
      }
      visit(item.lower, body)
      visit(item.upper, body)
    }
  }
}

extension Formula {
  /// The formula with other symbols in the same places. O(symbols).
  ///
  /// - Parameter change: Gets the index of a symbol in reading order, that of ``forEachSymbol(_:)``,
  ///   and the symbol.
  package func mapSymbols(_ change: (Int, FormulaSymbol) -> FormulaSymbol) -> Formula {
    var count = 0
    return Formula(
      row: Self.map(row) { symbol in
        defer { count += 1 }
        return change(count, symbol)
      })
  }

  private static func map(_ row: Row, _ change: (FormulaSymbol) -> FormulaSymbol) -> Row {
    row.map { item in
      let kind: Kind
      switch item.kind {
      case .empty: kind = .empty
      case .symbol(let symbol): kind = .symbol(change(symbol))
      case .fraction(let bar, let upper, let lower):
        kind = .fraction(change(bar), map(upper, change), map(lower, change))
      case .root(let sign, let degree, let radicand):
        kind = .root(change(sign), degree: map(degree, change), map(radicand, change))
      case .accent(let mark, let base): kind = .accent(change(mark), map(base, change))
      case .table(let table): kind = .table(table.mapped(symbol: change) { map($0, change) })
      }
      let lower = map(item.lower, change)
      return Item(kind, lower: lower, upper: map(item.upper, change))
    }
  }

  /// The labels of the symbols, in reading order.
  package var symbolLabels: [String] {
    var labels: [String] = []
    forEachSymbol { labels.append($0.label) }
    return labels
  }

  /// Returns whether another formula has symbols in the same places. O(symbols).
  package func hasStructure(of other: Formula) -> Bool {
    let blank = FormulaSymbol("")
    return mapSymbols { _, _ in blank } == other.mapSymbols { _, _ in blank }
  }
}
