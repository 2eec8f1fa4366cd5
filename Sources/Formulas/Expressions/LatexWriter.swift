extension Formula {
  /// The formula as LaTeX: tokens with single spaces, braces around every argument. O(symbols).
  ///
  /// Reading it gives a formula with the same normal form.
  package var latex: String {
    var tokens: [String] = []
    Self.write(row, to: &tokens)
    return tokens.joined(separator: " ")
  }

  private static func write(_ row: Row, to tokens: inout [String]) {
    for item in row {
      switch item.kind {
      case .empty: tokens += ["{", "}"]
      case .symbol(let symbol): tokens.append(symbol.label)
      case .fraction(_, let upper, let lower):
        tokens.append(#"\frac"#)
        writeArgument(upper, to: &tokens)
        writeArgument(lower, to: &tokens)
      case .root(_, let degree, let radicand):
        tokens.append(#"\sqrt"#)
        if !degree.isEmpty {
          tokens.append("[")
          write(degree, to: &tokens)
          tokens.append("]")
        }
        writeArgument(radicand, to: &tokens)
      case .accent(let mark, let base):
        tokens.append(mark.label)
        writeArgument(base, to: &tokens)
      case .table(let table): write(table, to: &tokens)
      }
      if !item.lower.isEmpty {
        tokens.append("_")
        writeArgument(item.lower, to: &tokens)
      }
      if !item.upper.isEmpty {
        tokens.append("^")
        writeArgument(item.upper, to: &tokens)
      }
    }
  }

  private static func write(_ table: Table, to tokens: inout [String]) {
    let (name, hasBrackets) = table.environment
    if !hasBrackets, let open = table.open { tokens.append(open.label) }
    tokens.append(#"\begin{"# + name + "}")
    for (index, cells) in table.cells.enumerated() {
      if index > 0 { tokens.append(#"\\"#) }
      for (column, cell) in cells.enumerated() {
        if column > 0 { tokens.append("&") }
        write(cell, to: &tokens)
      }
    }
    tokens.append(#"\end{"# + name + "}")
    if !hasBrackets, let close = table.close { tokens.append(close.label) }
  }

  private static func writeArgument(_ row: Row, to tokens: inout [String]) {
    tokens.append("{")
    write(row, to: &tokens)
    tokens.append("}")
  }
}
