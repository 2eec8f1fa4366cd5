extension Formula {
  /// The formula as plain Unicode text: `(a+b)/2`, `x²`, `√(x+1)`. Only formulas one below the other have
  /// several lines. O(symbols).
  ///
  /// A script without characters of its own is written with `^` or `_`.
  package var text: String { Self.text(of: row) }

  private static func text(of row: Row) -> String {
    var result = ""
    for (index, item) in row.enumerated() {
      let part = text(of: item)
      if needsSpace(row, before: index, result) { result += " " }
      result += part
    }
    return result
  }

  /// True after a function in letters, unless a bracket follows, and between a letter and one.
  private static func needsSpace(_ row: Row, before index: Int, _ text: String) -> Bool {
    guard index > 0 else { return false }
    if isFunction(row[index - 1]) { return !begins(row[index], with: "(") }
    return isFunction(row[index]) && text.last.map { $0.isLetter || $0.isNumber } == true
  }

  private static func isFunction(_ item: Item) -> Bool {
    guard case .symbol(let symbol) = item.kind else { return false }
    return SymbolText.functions.contains(symbol.label)
  }

  private static func begins(_ item: Item, with label: String) -> Bool {
    guard case .symbol(let symbol) = item.kind else { return false }
    return symbol.label == label
  }

  private static func text(of item: Item) -> String {
    let base: String
    switch item.kind {
    case .empty: base = ""
    case .symbol(let symbol): base = SymbolText.text(of: symbol.label)
    case .fraction(_, let upper, let lower):
      base = operand(upper) + "/" + operand(lower)
    case .root(_, let degree, let radicand):
      let sign = script(degree, "", SymbolText.superscript) + "√"
      base = sign + operand(radicand)
    case .accent(let mark, let row):
      base = text(of: row).map { String($0) + SymbolText.text(of: mark.label) }.joined()
    case .table(let table): base = text(of: table)
    }
    return base + script(item.lower, "_", SymbolText.subscript)
      + script(item.upper, "^", SymbolText.superscript)
  }

  /// Lines have lines of text; the rows of a matrix are separated by semicolons.
  private static func text(of table: Table) -> String {
    let rows = table.cells.map { $0.map(text(of:)).joined(separator: ", ") }
    if table.isLines { return rows.joined(separator: "\n") }
    func sign(_ symbol: FormulaSymbol?) -> String {
      symbol.map { SymbolText.text(of: $0.label) } ?? ""
    }
    return sign(table.open) + rows.joined(separator: "; ") + sign(table.close)
  }

  /// A row as an operand: in brackets if it is more than a number or a symbol.
  private static func operand(_ row: Row) -> String {
    let text = text(of: row)
    let isSimple = text.count <= 1 || text.allSatisfy { $0.isNumber || $0 == "." }
    return isSimple ? text : "(\(text))"
  }

  private static func script(
    _ row: Row, _ mark: String, _ small: (Character) -> Character?
  ) -> String {
    guard !row.isEmpty else { return "" }
    let text = text(of: row)
    let characters = text.compactMap(small)
    if characters.count == text.count { return String(characters) }
    return mark + operand(row)
  }
}
