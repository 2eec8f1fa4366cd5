import Formulas

/// A formula as a tree of operators and operands, for programs that calculate or speak it.
///
/// Types are `number` and `symbol`; `=`, `<` and the other relations; `+`, `-`, `×`, `÷` and `/`, where
/// two factors without a sign are a `×`; `opposite` for a sign before an operand; `fraction`, `power`,
/// `subscript`, `square root`, `root` (radicand, degree), `factorial`, `percent`, `group` (its label
/// has the brackets), `function`, `accent`, `large operator` (limits below and above, operand), `matrix`
/// (its label has the brackets) of `row`, and `lines` for formulas one below the other.
/// Anything that is not mathematics, such as a sign without an operand, is a `symbol`.
public struct FormulaExpression: Hashable, Sendable {
  /// The type.
  public var type: String
  /// The text of a number or a symbol, the name of a function, the brackets of a group.
  public var label: String?
  /// The operands, in reading order.
  public var operands: [FormulaExpression]

  init(_ type: String, label: String? = nil, _ operands: [FormulaExpression] = []) {
    (self.type, self.label, self.operands) = (type, label, operands)
  }
}

extension RecognizedFormula {
  /// The formula as a tree; nil if it is empty.
  public var expression: FormulaExpression? {
    (try? Formula(latex: latex)).flatMap { FormulaParser.expression(of: $0.row) }
  }
}

/// Makes a tree of a row by precedence: relations, sums, products, signs, scripts.
private struct FormulaParser {
  private let row: Formula.Row
  /// The places of closing brackets by those of the opening ones.
  private let closings: [Int: Int]
  private var place = 0

  private static let relations: Set<String> = [
    "=", #"\neq"#, "<", ">", #"\leq"#, #"\geq"#, #"\approx"#, #"\equiv"#, #"\sim"#, #"\rightarrow"#,
    #"\in"#, #"\subset"#,
  ]
  private static let signs: Set<String> = ["+", "-", #"\pm"#]
  private static let products: Set<String> = [#"\times"#, #"\cdot"#, "*", #"\div"#, "/", ":"]
  private static let brackets = ["(": ")", "[": "]", #"\{"#: #"\}"#, "|": "|"]
  private static let digits = Set("0123456789".map(String.init))

  private init(_ row: Formula.Row) {
    self.row = row
    closings = Self.closings(in: row)
  }

  static func expression(of row: Formula.Row) -> FormulaExpression? {
    guard !row.isEmpty else { return nil }
    var parser = FormulaParser(row)
    return parser.relation()
  }

  /// The brackets that belong together. O(row).
  private static func closings(in row: Formula.Row) -> [Int: Int] {
    var result: [Int: Int] = [:]
    var open: [(place: Int, closing: String)] = []
    for place in row.indices {
      guard let name = name(of: row[place]) else { continue }
      if let last = open.lastIndex(where: { $0.closing == name }) {
        result[open[last].place] = place
        open.removeSubrange(last...)
      } else if let closing = brackets[name] {
        open.append((place, closing))
      }
    }
    return result
  }

  // MARK: - Operators

  private mutating func relation() -> FormulaExpression? {
    var left = sum()
    while let sign = name, Self.relations.contains(sign) {
      place += 1
      left = Self.joined(Self.type(of: sign), left, sum())
    }
    return left
  }

  private mutating func sum() -> FormulaExpression? {
    var left = product()
    while let sign = name, Self.signs.contains(sign) {
      place += 1
      left = Self.joined(Self.type(of: sign), left, product())
    }
    return left
  }

  private mutating func product() -> FormulaExpression? {
    var left = signed()
    while place < row.count, !endsProduct {
      if let sign = name, Self.products.contains(sign) {
        place += 1
        left = Self.joined(Self.type(of: sign), left, signed())
      } else {
        left = Self.joined("×", left, operand())
      }
    }
    return left
  }

  private mutating func signed() -> FormulaExpression? {
    guard let sign = name, Self.signs.contains(sign) else {
      guard place < row.count, !endsProduct, !(name.map(Self.products.contains) ?? false) else {
        return nil
      }
      return operand()
    }
    place += 1
    guard let operand = signed() else { return symbol(sign) }
    return FormulaExpression("opposite", label: Self.type(of: sign), [operand])
  }

  /// Joins operands of a sign from left to right; more operands of the same sum or product are added
  /// to it. A missing operand is left out.
  private static func joined(
    _ type: String, _ left: FormulaExpression?, _ right: FormulaExpression?
  ) -> FormulaExpression {
    guard let left, left.type == type, type == "+" || type == "×" else {
      return FormulaExpression(type, [left, right].compactMap(\.self))
    }
    return FormulaExpression(type, left.operands + [right].compactMap(\.self))
  }

  // MARK: - Operands

  private mutating func operand() -> FormulaExpression {
    var result = base()
    while let mark = name, ["!", "%", #"\%"#].contains(mark) {
      let item = row[place]
      place += 1
      result = Self.scripted(
        FormulaExpression(mark == "!" ? "factorial" : "percent", [result]), item)
    }
    return result
  }

  private mutating func base() -> FormulaExpression {
    let item = row[place]
    if case .symbol(let symbol) = item.kind {
      let name = LatexTokens.canonical(symbol.label)
      if Self.digits.contains(name) { return number() }
      if SymbolText.largeOperators.contains(name) || name == #"\int"# || name == #"\oint"# {
        return largeOperator(name)
      }
      if SymbolText.functions.contains(name) { return function(name) }
      if let closing = closings[place] { return group(name, to: closing) }
      place += 1
      return Self.scripted(self.symbol(name), item)
    }
    place += 1
    return Self.scripted(Self.structure(item.kind), item)
  }

  private static func structure(_ kind: Formula.Kind) -> FormulaExpression {
    switch kind {
    case .empty, .symbol: return FormulaExpression("symbol", label: "")
    case .fraction(_, let upper, let lower):
      return FormulaExpression(
        "fraction", [expression(of: upper), expression(of: lower)].compactMap(\.self))
    case .root(_, let degree, let radicand):
      return FormulaExpression(
        degree.isEmpty ? "square root" : "root",
        [expression(of: radicand), expression(of: degree)].compactMap(\.self))
    case .accent(let mark, let base):
      return FormulaExpression(
        "accent", label: String(mark.label.drop { $0 == "\\" }),
        [expression(of: base)].compactMap(\.self))
    case .table(let table):
      let rows = table.cells.map { cells in
        // An empty cell keeps its place.
        FormulaExpression(
          "row", cells.map { expression(of: $0) ?? FormulaExpression("symbol", label: "") })
      }
      if table.isLines {
        return FormulaExpression("lines", rows.flatMap(\.operands))
      }
      let brackets = [table.open, table.close].compactMap {
        $0.map { SymbolText.text(of: $0.label) }
      }
      return FormulaExpression("matrix", label: brackets.joined(), rows)
    }
  }

  private func symbol(_ name: String) -> FormulaExpression {
    FormulaExpression("symbol", label: SymbolText.text(of: name))
  }

  /// Adjacent digits, with at most one separator between them. Scripts belong to the whole number.
  private mutating func number() -> FormulaExpression {
    var digits = ""
    var hasSeparator = false
    var last = row[place]
    while let name {
      let isSeparator =
        (name == "." || name == ",") && !hasSeparator && place + 1 < row.count
        && Self.name(of: row[place + 1]).map(Self.digits.contains) ?? false
      guard Self.digits.contains(name) || isSeparator && !digits.isEmpty else { break }
      digits += name
      hasSeparator = hasSeparator || isSeparator
      last = row[place]
      place += 1
      if !last.upper.isEmpty || !last.lower.isEmpty { break }
    }
    return Self.scripted(FormulaExpression("number", label: digits), last)
  }

  private mutating func group(_ opening: String, to closing: Int) -> FormulaExpression {
    let inner = Self.expression(of: Array(row[place + 1..<closing]))
    place = closing + 1
    let brackets = SymbolText.text(of: opening) + (Self.name(of: row[closing]) ?? "")
    return Self.scripted(
      FormulaExpression(
        "group", label: brackets.filter { $0 != "\\" }, [inner].compactMap(\.self)),
      row[closing])
  }

  private mutating func function(_ name: String) -> FormulaExpression {
    let item = row[place]
    place += 1
    let head = Self.scripted(symbol(name), item)
    guard place < row.count, !endsProduct, !(self.name.map(Self.products.contains) ?? false) else {
      return head
    }
    let operands = (head.type == "symbol" ? [] : [head]) + [operand()]
    return FormulaExpression("function", label: SymbolText.text(of: name), operands)
  }

  private mutating func largeOperator(_ name: String) -> FormulaExpression {
    let item = row[place]
    place += 1
    let limits = [Self.expression(of: item.lower), Self.expression(of: item.upper)]
    return FormulaExpression(
      "large operator", label: SymbolText.text(of: name),
      (limits + [product()]).compactMap(\.self))
  }

  /// Adds the scripts of an item.
  private static func scripted(
    _ base: FormulaExpression, _ item: Formula.Item
  ) -> FormulaExpression {
    var result = base
    if let lower = expression(of: item.lower) {
      result = FormulaExpression("subscript", [result, lower])
    }
    if let upper = expression(of: item.upper) {
      result = FormulaExpression("power", [result, upper])
    }
    return result
  }

  // MARK: - Names

  /// The canonical name of the symbol here; nil for another item.
  private var name: String? { place < row.count ? Self.name(of: row[place]) : nil }

  private static func name(of item: Formula.Item) -> String? {
    guard case .symbol(let symbol) = item.kind else { return nil }
    return LatexTokens.canonical(symbol.label)
  }

  /// True at a sign of a sum or a relation.
  private var endsProduct: Bool {
    name.map { Self.signs.contains($0) || Self.relations.contains($0) } ?? false
  }

  private static func type(of sign: String) -> String {
    sign == "-" ? "-" : SymbolText.text(of: sign)
  }
}
