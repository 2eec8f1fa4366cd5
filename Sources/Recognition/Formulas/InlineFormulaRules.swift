import Formulas

/// Measures of a formula that tell it from words, numbers and dates.
package struct InlineFormulaRules {
  /// The signs between two sides.
  private static let relations: Set<String> = [
    "=", "<", ">", #"\leq"#, #"\geq"#, #"\neq"#, #"\in"#, #"\rightarrow"#, #"\Rightarrow"#,
    #"\approx"#, #"\equiv"#, #"\sim"#, #"\subset"#, #"\leftrightarrow"#, #"\propto"#,
  ]
  /// The signs between two operands. Dashes, slashes and dots are in dates, numbers and names as well.
  private static let operators: Set<String> = [
    "+", #"\times"#, #"\div"#, #"\pm"#, #"\cup"#, #"\cap"#,
  ]
  /// Signs with limits.
  private static let large: Set<String> = [#"\sum"#, #"\int"#, #"\prod"#, #"\lim"#]

  /// True if a relation or an operator begins or ends the formula: an operand is missing.
  package private(set) var lacksFirst = false, lacksLast = false
  /// The relations and operators with something on both sides.
  private(set) var signs = 0
  /// The dashes with something on both sides: numbers, dates and names have them as well.
  private var dashes = 0
  /// The brackets, the single letters, and the Greek letters and functions.
  private var brackets = 0, variables = 0, names = 0
  /// The fractions, roots and large signs.
  private(set) var structures = 0
  /// The scripts that variables, brackets and functions have.
  private(set) var scripts = 0
  /// The scripts of digits and words: ordinals, marks of footnotes, letters that are raised.
  private(set) var oddScripts = 0
  /// The most letters in a row.
  private(set) var longestWord = 0
  /// The symbols.
  private(set) var count = 0
  /// The tables, which no line of text has.
  private(set) var tables = 0
  /// The places that break the rules of formulas.
  let faults: Int

  /// Measures a formula. O(symbols).
  package init(_ formula: Formula) {
    faults = FormulaFaults.count(in: formula)
    lacksFirst = formula.row.first.map { Self.isSign($0) } ?? false
    lacksLast = formula.row.last.map { Self.isSign($0) } ?? false
    measure(formula.row, isScript: false)
  }

  /// True if it is written as formulas alone are.
  package var isFormula: Bool {
    guard faults == 0, tables == 0, longestWord <= Self.longestProduct, count >= 2 else {
      return false
    }
    if structures > 0 || signs > 0 { return count >= 3 }
    if scripts > 0, oddScripts == 0 { return dashes > 0 || count <= Self.mostOfPower }
    return dashes > 0 && (names > 0 || brackets > 0 && variables > 0)
  }

  /// More letters in a row are a word.
  private static let longestProduct = 3
  /// Powers and indices alone have at most so many symbols.
  private static let mostOfPower = 4

  private static func isSign(_ item: Formula.Item) -> Bool {
    guard case .symbol(let symbol) = item.kind else { return false }
    return relations.contains(symbol.label) || operators.contains(symbol.label)
  }

  private static func isLetter(_ item: Formula.Item) -> Bool {
    guard case .symbol(let symbol) = item.kind, symbol.label.count == 1 else { return false }
    return symbol.label.first?.isLetter == true
  }

  private mutating func measure(_ row: Formula.Row, isScript: Bool) {
    var letters = 0
    for (index, item) in row.enumerated() {
      count += 1
      letters = Self.isLetter(item) ? letters + 1 : 0
      longestWord = max(longestWord, letters)
      if Self.isSign(item), index > 0, index < row.count - 1, !isScript { signs += 1 }
      if !item.lower.isEmpty || !item.upper.isEmpty {
        if isBase(item), letters <= 2 { scripts += 1 } else { oddScripts += 1 }
      }
      switch item.kind {
      case .symbol(let symbol):
        let label = symbol.label
        if Self.large.contains(label) { structures += 1 }
        if label == "-", index > 0, index < row.count - 1, !isScript { dashes += 1 }
        if label == "(" || label == "|" { brackets += 1 }
        if Self.isLetter(item), letters == 1 { variables += 1 }
        if label.hasPrefix("\\"), label.dropFirst().allSatisfy(\.isLetter), !Self.isSign(item),
          label != #"\cdot"#
        {
          names += 1
        }
      case .empty: break
      case .fraction(_, let upper, let lower):
        structures += 1
        measure(upper, isScript: isScript)
        measure(lower, isScript: isScript)
      case .root(_, let degree, let radicand):
        structures += 1
        measure(degree, isScript: true)
        measure(radicand, isScript: isScript)
      case .accent(_, let base): measure(base, isScript: isScript)
      case .table: tables += 1
      }
      measure(item.lower, isScript: true)
      measure(item.upper, isScript: true)
    }
  }

  /// True for what has powers and indices in a text: a variable, a bracket, a function.
  private func isBase(_ item: Formula.Item) -> Bool {
    switch item.kind {
    case .symbol(let symbol):
      Self.isLetter(item) || symbol.label.count > 2 || [")", "]", "|"].contains(symbol.label)
    case .empty, .table: false
    case .fraction, .root, .accent: true
    }
  }
}
