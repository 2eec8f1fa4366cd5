/// The normal form of formulas: two formulas are the same if their normal forms are equal.
///
/// Ignored are spaces, braces around one symbol, the order of sub- and superscripts, sizes and
/// fonts; synonyms are one. LaTeX that cannot be read is only equal to LaTeX with the same tokens.
package enum NormalForm {
  /// Returns true if two LaTeX formulas have the same symbols in the same structure. O(length).
  ///
  ///     NormalForm.isSame(#"\frac 1 2"#, #"\frac{1}{2}"#)  // true
  package static func isSame(_ first: String, _ second: String) -> Bool {
    of(latex: first) == of(latex: second)
  }

  /// Returns the normal form of LaTeX.
  package static func of(latex: String) -> String {
    if let formula = try? Formula(latex: latex) { return of(formula) }
    return "tokens " + LatexTokens.tokens(of: latex).joined(separator: " ")
  }

  /// Returns the normal form of a formula. O(symbols).
  package static func of(_ formula: Formula) -> String {
    var text = ""
    write(formula.row, to: &text)
    return text
  }

  private static func write(_ row: Formula.Row, to text: inout String) {
    for item in row {
      switch item.kind {
      case .empty: break
      case .symbol(let symbol): text += LatexTokens.canonical(symbol.label) + " "
      case .fraction(_, let upper, let lower):
        write(#"\frac"#, [upper, lower], to: &text)
      case .root(_, let degree, let radicand):
        write(#"\sqrt"#, [degree, radicand], to: &text)
      case .accent(let mark, let base):
        write(accent(mark.label), [base], to: &text)
      case .table(let table):
        // Brackets that are written beside a table are those of a table.
        if let open = table.open { text += LatexTokens.canonical(open.label) + " " }
        for cells in table.cells { write("row", cells, to: &text) }
        if let close = table.close { text += LatexTokens.canonical(close.label) + " " }
      }
      if !item.lower.isEmpty || !item.upper.isEmpty {
        write("script", [item.lower, item.upper], to: &text)
      }
    }
  }

  /// Accents that look alike are one.
  private static func accent(_ label: String) -> String {
    switch label {
    case #"\bar"#: #"\overline"#
    case #"\overrightarrow"#: #"\vec"#
    default: LatexTokens.canonical(label)
    }
  }

  private static func write(_ name: String, _ rows: [Formula.Row], to text: inout String) {
    text += name + " "
    for row in rows {
      text += "{ "
      write(row, to: &text)
      text += "} "
    }
  }

  /// Returns the number of tokens to insert, delete or replace to convert one LaTeX formula to
  /// another. O(product of the lengths).
  package static func tokenErrors(_ answer: String, truth: String) -> Int {
    let first = LatexTokens.tokens(of: truth)
    let second = LatexTokens.tokens(of: answer)
    var row = Array(0...second.count)
    for (index, token) in first.enumerated() {
      var last = row[0]
      row[0] = index + 1
      for place in second.indices {
        let diagonal = last + (token == second[place] ? 0 : 1)
        last = row[place + 1]
        row[place + 1] = min(row[place + 1] + 1, row[place] + 1, diagonal)
      }
    }
    return row[second.count]
  }
}
