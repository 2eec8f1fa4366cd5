extension Formula {
  /// Rows of cells: a matrix, cases, or formulas one below the other.
  package struct Table: Hashable, Sendable {
    /// The bracket before the cells; nil for none.
    package var open: FormulaSymbol?
    /// The cells, row by row. All rows have as many.
    package var cells: [[Row]]
    /// The bracket behind the cells; nil for none.
    package var close: FormulaSymbol?

    /// Makes a table. Rows that are too short get empty cells.
    package init(open: FormulaSymbol? = nil, cells: [[Row]], close: FormulaSymbol? = nil) {
      (self.open, self.close) = (open, close)
      let columns = cells.map(\.count).max() ?? 0
      self.cells = cells.map { $0 + [Row](repeating: [], count: columns - $0.count) }
    }

    /// Formulas one below the other.
    package init(lines: [Row]) { self.init(cells: lines.map { [$0] }) }

    /// The most cells, so that rows of unlike length cannot make a small text large.
    /// Chosen by hand.
    package static let mostCells = 2000

    /// The number of cells of a row.
    package var columns: Int { cells.first?.count ?? 0 }

    /// True for formulas one below the other.
    package var isLines: Bool { open == nil && close == nil && columns == 1 }

    /// The environments of LaTeX by their brackets.
    private static let environments: [(name: String, open: String?, close: String?)] = [
      ("pmatrix", "(", ")"), ("bmatrix", "[", "]"), ("vmatrix", "|", "|"),
      ("Vmatrix", #"\|"#, #"\|"#), ("Bmatrix", #"\{"#, #"\}"#), ("cases", #"\{"#, nil),
      ("matrix", nil, nil),
    ]

    /// The environments of LaTeX whose cells are parts of one line.
    static let lineEnvironments: Set<String> = [
      "aligned", "align", "align*", "gather", "gather*", "gathered", "split", "eqnarray",
      "eqnarray*",
    ]
    /// All environments that can be read.
    static let names: Set<String> = lineEnvironments.union(environments.map(\.name))
      .union(["array", "smallmatrix"])

    /// The brackets of an environment.
    static func brackets(of name: String) -> (open: FormulaSymbol?, close: FormulaSymbol?) {
      let known = environments.first { $0.name == name }
      return (
        (known?.open).map { FormulaSymbol($0) }, (known?.close).map { FormulaSymbol($0) }
      )
    }

    /// The environment that writes the table, and whether it writes the brackets as well.
    var environment: (name: String, hasBrackets: Bool) {
      if isLines { return ("aligned", true) }
      let known = Self.environments.first { $0.open == open?.label && $0.close == close?.label }
      return known.map { ($0.name, true) } ?? ("matrix", false)
    }

    /// Calls `body` with the symbols of the table alone and with its cells, in reading order.
    func visit(symbol: (FormulaSymbol) -> Void, cell: (Row) -> Void) {
      if let open { symbol(open) }
      for row in cells { for item in row { cell(item) } }
      if let close { symbol(close) }
    }

    /// The table with other symbols and cells in the same places.
    func mapped(symbol: (FormulaSymbol) -> FormulaSymbol, cell: (Row) -> Row) -> Table {
      var result = self
      // The order is that of reading.
      result.open = open.map(symbol)
      result.cells = cells.map { $0.map(cell) }
      result.close = close.map(symbol)
      return result
    }
  }
}
