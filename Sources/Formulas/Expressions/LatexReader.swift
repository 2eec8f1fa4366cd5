/// Reads the tokens of LaTeX to a row of items, in one pass.
struct LatexReader {
  private let tokens: [String]
  private var place = 0
  private var depth = 0

  init(_ tokens: [String]) {
    self.tokens = tokens
  }

  /// Reads all tokens.
  mutating func formula() throws(FormulaError) -> Formula.Row {
    let row = try row(until: [])
    guard place == tokens.count else { throw error("the end or an opening brace") }
    return row
  }

  private func error(_ expected: String) -> FormulaError {
    .malformedLatex(
      token: place, expected: expected,
      found: place < tokens.count ? "another token" : "the end")
  }

  /// Reads items until one of some tokens, which is left, or until the end.
  ///
  /// - Parameter isScript: True in a script, where a prime is a symbol of its own.
  private mutating func row(
    until stops: Set<String>, isScript: Bool = false
  ) throws(FormulaError) -> Formula.Row {
    depth += 1
    defer { depth -= 1 }
    guard depth < Formula.deepest else { throw .tooDeep(limit: Formula.deepest) }
    var row: Formula.Row = []
    // A script belongs to the item directly before it; braces in between end that item.
    var mayTakeScript = false
    while place < tokens.count, !stops.contains(tokens[place]) {
      if isScriptMark(isScript) {
        let (lower, upper) = try scripts(isScript)
        if mayTakeScript, let last = row.indices.last {
          row[last].lower = lower
          row[last].upper = upper
        } else {
          row.append(Formula.Item(.empty, lower: lower, upper: upper))
        }
        mayTakeScript = false
      } else {
        let items = try items()
        row += items
        mayTakeScript = items.last.map { $0.lower.isEmpty && $0.upper.isEmpty } ?? false
      }
    }
    return row
  }

  private func isScriptMark(_ isScript: Bool) -> Bool {
    tokens[place] == "_" || tokens[place] == "^" || (tokens[place] == "'" && !isScript)
  }

  /// Reads adjacent scripts in any order.
  private mutating func scripts(
    _ isScript: Bool
  ) throws(FormulaError) -> (lower: Formula.Row, upper: Formula.Row) {
    var lower: Formula.Row = []
    var upper: Formula.Row = []
    while place < tokens.count, ["_", "^", "'"].contains(tokens[place]) {
      let mark = tokens[place]
      place += 1
      switch mark {
      case "'": upper.append(Formula.Item(.symbol(FormulaSymbol("'"))))
      case "_": lower += try argument(isScript: true)
      default: upper += try argument(isScript: true)
      }
    }
    return (lower, upper)
  }

  /// Reads a row in braces, or the items of one token. Empty at the end.
  private mutating func argument(isScript: Bool = false) throws(FormulaError) -> Formula.Row {
    guard place < tokens.count else { return [] }
    guard tokens[place] == "{" else { return try items() }
    return try braces(isScript: isScript)
  }

  private mutating func braces(isScript: Bool = false) throws(FormulaError) -> Formula.Row {
    place += 1
    let row = try row(until: ["}"], isScript: isScript)
    guard place < tokens.count else { throw error("a closing brace") }
    place += 1
    return row
  }

  /// Reads what begins with the next token: a symbol, a command with its arguments, or a group.
  private mutating func items() throws(FormulaError) -> Formula.Row {
    depth += 1
    defer { depth -= 1 }
    guard depth < Formula.deepest else { throw .tooDeep(limit: Formula.deepest) }
    let token = tokens[place]
    switch token {
    case #"\frac"#:
      place += 1
      let upper = try argument()
      let lower = try argument()
      return [Formula.Item(.fraction(FormulaSymbol("-"), upper, lower))]
    case #"\sqrt"#:
      place += 1
      let degree = try degree()
      return [Formula.Item(.root(FormulaSymbol(token), degree: degree, try argument()))]
    case "{":
      return try braces()
    case "}":
      throw error("an opening brace before a closing one")
    case _ where token.hasPrefix(#"\begin"#):
      return [Formula.Item(.table(try table(token)))]
    case _ where token.hasPrefix(#"\end"#):
      throw error(#"\begin before \end"#)
    case #"\"#:
      throw error("the name of a command")
    case "&", #"\\"#:
      // Outside of a table these would be cells when they are written.
      throw error("cells in an environment")
    case _ where LatexTokens.accents.contains(token):
      place += 1
      return [Formula.Item(.accent(FormulaSymbol(token), try argument()))]
    default:
      place += 1
      return [Formula.Item(.symbol(FormulaSymbol(token)))]
    }
  }

  /// Reads the cells of an environment up to its end.
  private mutating func table(_ begin: String) throws(FormulaError) -> Formula.Table {
    let name = String(begin.dropFirst(#"\begin{"#.count).dropLast())
    guard Formula.Table.names.contains(name) else {
      throw error("an environment that is a matrix, cases or lines")
    }
    place += 1
    skipOption()
    // The columns of an array: how they are aligned does not matter.
    if name == "array", place < tokens.count, tokens[place] == "{" { _ = try braces() }
    let end = #"\end{"# + name + "}"
    var cells: [[Formula.Row]] = [[]]
    while true {
      cells[cells.count - 1].append(try row(until: ["&", #"\\"#, end]))
      guard place < tokens.count else { throw error(end) }
      let token = tokens[place]
      place += 1
      if token == end { break }
      if token == #"\\"# {
        skipOption()
        cells.append([])
      }
    }
    let columns = cells.map(\.count).max() ?? 0
    guard cells.count * columns <= Formula.Table.mostCells else {
      throw error("at most \(Formula.Table.mostCells) cells")
    }
    // The last row may end as the others do.
    if cells.count > 1, cells.last?.allSatisfy(\.isEmpty) == true { cells.removeLast() }
    if Formula.Table.lineEnvironments.contains(name) {
      return Formula.Table(lines: cells.map { $0.flatMap { $0 } })
    }
    let (open, close) = Formula.Table.brackets(of: name)
    return Formula.Table(open: open, cells: cells, close: close)
  }

  /// Skips an alignment or a gap in square brackets, which are short words and lengths.
  private mutating func skipOption() {
    guard place < tokens.count, tokens[place] == "[",
      let end = tokens[place...].prefix(8).firstIndex(of: "]"), end > place + 1,
      tokens[(place + 1)..<end].allSatisfy({ $0 == "." || $0.count == 1 && $0 != "&" })
    else { return }
    let text = tokens[(place + 1)..<end].joined()
    let isLength = ["pt", "em", "ex", "mm", "cm"].contains { text.hasSuffix($0) }
    if isLength || ["t", "c", "b"].contains(text) { place = end + 1 }
  }

  /// Reads the degree of a root in square brackets; empty if there is none.
  private mutating func degree() throws(FormulaError) -> Formula.Row {
    guard place < tokens.count, tokens[place] == "[" else { return [] }
    var end = place + 1
    var braces = 0
    while end < tokens.count, tokens[end] != "]" || braces > 0 {
      if tokens[end] == "{" { braces += 1 }
      if tokens[end] == "}" { braces -= 1 }
      end += 1
    }
    var inner = LatexReader(Array(tokens[(place + 1)..<end]))
    inner.depth = depth
    let row = try inner.formula()
    place = min(end + 1, tokens.count)
    return row
  }
}
