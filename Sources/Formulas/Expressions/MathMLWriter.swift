import Files

extension Formula {
  /// The formula as presentation MathML. O(symbols).
  package var mathML: String {
    #"<math xmlns="http://www.w3.org/1998/Math/MathML">"# + Self.mathML(of: row) + "</math>"
  }

  /// A row as one element.
  private static func mathML(of row: Row) -> String {
    let parts = elements(of: row)
    return parts.count == 1 ? parts[0] : "<mrow>\(parts.joined())</mrow>"
  }

  /// The elements of a row. Adjacent digits are one number.
  private static func elements(of row: Row) -> [String] {
    var parts: [String] = []
    var index = 0
    while index < row.count {
      var number = ""
      while index < row.count, let digit = digit(row[index]), isPlain(row[index]) {
        number += digit
        index += 1
      }
      // The scripts of a number belong to its last digit.
      if index < row.count, let digit = digit(row[index]), !number.isEmpty {
        parts.append(scripts(row[index], base: "<mn>\(number + digit)</mn>", isLarge: false))
        index += 1
      } else if !number.isEmpty {
        parts.append("<mn>\(number)</mn>")
      } else if index < row.count {
        parts.append(element(row[index]))
        index += 1
      }
    }
    return parts
  }

  private static func isPlain(_ item: Item) -> Bool { item.lower.isEmpty && item.upper.isEmpty }

  private static func digit(_ item: Item) -> String? {
    guard case .symbol(let symbol) = item.kind, symbol.label.count == 1,
      let character = symbol.label.first, character.isNumber || character == "."
    else { return nil }
    return symbol.label
  }

  private static func element(_ item: Item) -> String {
    switch item.kind {
    case .empty: return scripts(item, base: "<mrow/>", isLarge: false)
    case .symbol(let symbol):
      return scripts(
        item, base: element(symbol),
        isLarge: SymbolText.largeOperators.contains(symbol.label))
    case .fraction(_, let upper, let lower):
      return scripts(
        item, base: "<mfrac>\(mathML(of: upper))\(mathML(of: lower))</mfrac>", isLarge: false)
    case .root(_, let degree, let radicand):
      let base =
        degree.isEmpty
        ? "<msqrt>\(mathML(of: radicand))</msqrt>"
        : "<mroot>\(mathML(of: radicand))\(mathML(of: degree))</mroot>"
      return scripts(item, base: base, isLarge: false)
    case .accent(let mark, let row):
      return scripts(item, base: accent(mark, row), isLarge: false)
    case .table(let table): return scripts(item, base: element(table), isLarge: false)
    }
  }

  private static func element(_ table: Table) -> String {
    let rows = table.cells.map { cells in
      "<mtr>" + cells.map { "<mtd>\(mathML(of: $0))</mtd>" }.joined() + "</mtr>"
    }
    let style = table.isLines ? #" displaystyle="true" columnalign="left""# : ""
    let inner = "<mtable\(style)>\(rows.joined())</mtable>"
    guard table.open != nil || table.close != nil else { return inner }
    return "<mrow>" + (table.open.map(element) ?? "") + inner + (table.close.map(element) ?? "")
      + "</mrow>"
  }

  private static func accent(_ mark: FormulaSymbol, _ row: Row) -> String {
    let sign: String
    switch mark.label {
    case #"\overline"#, #"\bar"#, #"\underline"#: sign = "¯"
    case #"\hat"#: sign = "^"
    case #"\vec"#, #"\overrightarrow"#: sign = "→"
    case #"\dot"#: sign = "˙"
    default: sign = "~"
    }
    let inner = mathML(of: row) + "<mo>\(sign)</mo>"
    return mark.label == #"\underline"#
      ? "<munder>\(inner)</munder>" : #"<mover accent="true">"# + inner + "</mover>"
  }

  private static func element(_ symbol: FormulaSymbol) -> String {
    let text = XMLText.escaped(SymbolText.text(of: symbol.label))
    if symbol.label.count == 1, symbol.label.first?.isNumber == true { return "<mn>\(text)</mn>" }
    let isLetter =
      SymbolText.functions.contains(symbol.label) || symbol.label == #"\infty"#
      || text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
    return isLetter ? "<mi>\(text)</mi>" : "<mo>\(text)</mo>"
  }

  private static func scripts(_ item: Item, base: String, isLarge: Bool) -> String {
    let (sub, sup) = isLarge ? ("munder", "mover") : ("msub", "msup")
    let both = isLarge ? "munderover" : "msubsup"
    switch (item.lower.isEmpty, item.upper.isEmpty) {
    case (true, true): return base
    case (false, true): return "<\(sub)>\(base)\(mathML(of: item.lower))</\(sub)>"
    case (true, false): return "<\(sup)>\(base)\(mathML(of: item.upper))</\(sup)>"
    case (false, false):
      return "<\(both)>\(base)\(mathML(of: item.lower))\(mathML(of: item.upper))</\(both)>"
    }
  }
}
