import Files

extension Formula {
  /// The namespace of ``officeMath``.
  package static let officeMathNamespace =
    "http://schemas.openxmlformats.org/officeDocument/2006/math"

  /// The formula as an element `m:oMath` of Office Open XML, which Word shows typeset and edits
  /// (ISO/IEC 29500-1, chapter 22.1). O(symbols).
  package var officeMath: String { "<m:oMath>\(Self.officeMath(of: row))</m:oMath>" }

  private static func officeMath(of row: Row) -> String {
    var result = ""
    var index = 0
    while index < row.count {
      let item = row[index]
      if let end = bracketEnd(row, index) {
        result += bracketed(row, from: index, to: end)
        index = end + 1
      } else if case .symbol(let symbol) = item.kind, let sign = sums[symbol.label] {
        let end = operandEnd(row, after: index)
        result += sum(item, sign: sign, symbol.label, of: Array(row[(index + 1)..<end]))
        index = end
      } else if let number = number(row, from: index) {
        result += run(of: number)
        index += number.count
      } else {
        result += element(item)
        index += 1
      }
    }
    return result
  }

  /// The digits from an index on, which are one number; nil if there are fewer than two. A digit with a
  /// script is not one of them.
  private static func number(_ row: Row, from index: Int) -> String? {
    let digits = row[index...].prefix { item in
      guard let label = label(item), label.count == 1, let sign = label.first else { return false }
      return item.lower.isEmpty && item.upper.isEmpty && (sign.isNumber || sign == ".")
    }
    return digits.count > 1 ? digits.compactMap(label).joined() : nil
  }

  private static func element(_ item: Item) -> String {
    switch item.kind {
    case .empty: return scripts(item, "")
    case .symbol(let symbol):
      let base = run(symbol.label)
      return SymbolText.largeOperators.contains(symbol.label)
        ? limits(item, base) : scripts(item, base)
    case .fraction(_, let upper, let lower):
      return scripts(item, "<m:f>\(argument("num", upper))\(argument("den", lower))</m:f>")
    case .root(_, let degree, let radicand):
      let hidden =
        degree.isEmpty ? "<m:radPr><m:degHide m:val=\"1\"/></m:radPr>" : ""
      return scripts(
        item, "<m:rad>\(hidden)\(argument("deg", degree))\(argument("e", radicand))</m:rad>")
    case .accent(let mark, let base):
      return scripts(item, accent(mark.label, base))
    case .table(let table): return scripts(item, element(table))
    }
  }

  private static func element(_ table: Table) -> String {
    let inner =
      table.columns == 1 && table.open == nil
      ? "<m:eqArr>" + table.cells.map { argument("e", $0[0]) }.joined() + "</m:eqArr>"
      : "<m:m>"
        + table.cells.map { cells in
          "<m:mr>" + cells.map { argument("e", $0) }.joined() + "</m:mr>"
        }.joined() + "</m:m>"
    guard table.open != nil || table.close != nil else { return inner }
    func sign(_ symbol: FormulaSymbol?) -> String {
      XMLText.escaped(symbol.map { SymbolText.text(of: $0.label) } ?? "")
    }
    return "<m:d><m:dPr><m:begChr m:val=\"\(sign(table.open))\"/>"
      + "<m:endChr m:val=\"\(sign(table.close))\"/></m:dPr><m:e>\(inner)</m:e></m:d>"
  }

  /// Names are upright, letters stand as Word sets them.
  private static func run(_ label: String) -> String {
    run(of: SymbolText.text(of: label), isUpright: SymbolText.functions.contains(label))
  }

  private static func run(of text: String, isUpright: Bool = false) -> String {
    let style = isUpright ? "<m:rPr><m:sty m:val=\"p\"/></m:rPr>" : ""
    return "<m:r>\(style)<m:t xml:space=\"preserve\">\(XMLText.escaped(text))</m:t></m:r>"
  }

  private static func argument(_ name: String, _ row: Row) -> String {
    row.isEmpty ? "<m:\(name)/>" : "<m:\(name)>\(officeMath(of: row))</m:\(name)>"
  }

  private static func accent(_ label: String, _ base: Row) -> String {
    switch label {
    case #"\overline"#, #"\bar"#:
      return "<m:bar><m:barPr><m:pos m:val=\"top\"/></m:barPr>\(argument("e", base))</m:bar>"
    case #"\underline"#:
      return "<m:bar><m:barPr><m:pos m:val=\"bot\"/></m:barPr>\(argument("e", base))</m:bar>"
    default:
      let mark = XMLText.escaped(SymbolText.text(of: label))
      return
        "<m:acc><m:accPr><m:chr m:val=\"\(mark)\"/></m:accPr>\(argument("e", base))</m:acc>"
    }
  }

  // MARK: - Scripts

  private static func scripts(_ item: Item, _ base: String) -> String {
    let e = "<m:e>\(base)</m:e>"
    switch (item.lower.isEmpty, item.upper.isEmpty) {
    case (true, true): return base
    case (false, true): return "<m:sSub>\(e)\(argument("sub", item.lower))</m:sSub>"
    case (true, false): return "<m:sSup>\(e)\(argument("sup", item.upper))</m:sSup>"
    case (false, false):
      return
        "<m:sSubSup>\(e)\(argument("sub", item.lower))\(argument("sup", item.upper))</m:sSubSup>"
    }
  }

  /// The limits of a function such as lim.
  private static func limits(_ item: Item, _ base: String) -> String {
    var result = base
    if !item.lower.isEmpty {
      result = "<m:limLow><m:e>\(result)</m:e>\(argument("lim", item.lower))</m:limLow>"
    }
    if !item.upper.isEmpty {
      result = "<m:limUpp><m:e>\(result)</m:e>\(argument("lim", item.upper))</m:limUpp>"
    }
    return result
  }

  // MARK: - Sums

  /// The signs of sums and integrals by their labels.
  private static let sums: [String: String] = [
    #"\sum"#: "∑", #"\prod"#: "∏", #"\int"#: "∫", #"\oint"#: "∮", #"\bigcup"#: "⋃",
    #"\bigcap"#: "⋂",
  ]
  /// What ends the operand of a sum.
  private static let sumEnds: Set<String> = [
    "+", "-", "=", "<", ">", ",", ")", "]", #"\}"#, #"\leq"#, #"\geq"#, #"\neq"#, #"\approx"#,
    #"\equiv"#, #"\pm"#, #"\mp"#, #"\rightarrow"#, #"\Rightarrow"#,
  ]

  /// The index behind the operand of a sum at `index`.
  private static func operandEnd(_ row: Row, after index: Int) -> Int {
    var place = index + 1
    while place < row.count {
      if let end = bracketEnd(row, place) {
        place = end + 1
      } else if case .symbol(let symbol) = row[place].kind, sumEnds.contains(symbol.label) {
        break
      } else {
        place += 1
      }
    }
    return place
  }

  private static func sum(
    _ item: Item, sign: String, _ label: String, of operand: Row
  ) -> String {
    let place = SymbolText.largeOperators.contains(label) ? "undOvr" : "subSup"
    func hidden(_ name: String, _ row: Row) -> String {
      row.isEmpty ? "<m:\(name)Hide m:val=\"1\"/>" : ""
    }
    return "<m:nary><m:naryPr><m:chr m:val=\"\(sign)\"/><m:limLoc m:val=\"\(place)\"/>"
      + hidden("sub", item.lower) + hidden("sup", item.upper) + "</m:naryPr>"
      + argument("sub", item.lower) + argument("sup", item.upper) + argument("e", operand)
      + "</m:nary>"
  }

  // MARK: - Brackets

  /// Brackets that grow with what is in them, by the label that opens.
  private static let brackets = [
    "(": ")", "[": "]", #"\{"#: #"\}"#, #"\langle"#: #"\rangle"#, #"\lfloor"#: #"\rfloor"#,
    #"\lceil"#: #"\rceil"#,
  ]

  private static func label(_ item: Item) -> String? {
    guard case .symbol(let symbol) = item.kind else { return nil }
    return symbol.label
  }

  /// The index of the bracket that closes the one at `index`; nil if it opens none.
  private static func bracketEnd(_ row: Row, _ index: Int) -> Int? {
    guard let open = label(row[index]), let close = brackets[open], row[index].lower.isEmpty,
      row[index].upper.isEmpty
    else { return nil }
    var depth = 0
    for place in (index + 1)..<max(index + 1, row.count) {
      if label(row[place]) == open {
        depth += 1
      } else if label(row[place]) == close {
        if depth == 0 { return place }
        depth -= 1
      }
    }
    return nil
  }

  private static func bracketed(_ row: Row, from start: Int, to end: Int) -> String {
    func sign(_ index: Int) -> String {
      XMLText.escaped(label(row[index]).map(SymbolText.text) ?? "")
    }
    let inner = argument("e", Array(row[(start + 1)..<end]))
    return scripts(
      row[end],
      "<m:d><m:dPr><m:begChr m:val=\"\(sign(start))\"/><m:endChr m:val=\"\(sign(end))\"/></m:dPr>"
        + inner + "</m:d>")
  }
}
