import Foundation

/// Calculates formulas of numbers: `1/2 + 1/3 =` is 5/6, `2 + 2 = 5` is false.
///
/// Calculates with fractions as long as they fit in 64 bits, then with floating point. Time and size
/// are bounded. Thread-safe.
///
///     let solver = FormulaSolver()
///     let solution = try solver.solve(Formula(latex: #"\frac{1}{2} + \frac{1}{3} ="#))
///     print(solution.results.map(\.latex))  // ["\frac { 5 } { 6 }", "0 . 8 3 3"]
package struct FormulaSolver: Sendable {
  /// The unit of angles.
  package enum AngleUnit: String, Sendable, CaseIterable {
    /// A full circle is 2π.
    case radian
    /// A full circle is 360.
    case degree
  }

  /// The unit of the arguments and results of trigonometric functions.
  package var angleUnit: AngleUnit
  /// The form of decimal numbers.
  package var format: NumberFormat
  /// The values of variables by their symbols, such as `x` and `\alpha`.
  package var variables: [String: SolverValue]

  /// Makes a solver.
  package init(
    angleUnit: AngleUnit = .radian, format: NumberFormat = NumberFormat(),
    variables: [String: SolverValue] = [:]
  ) {
    self.angleUnit = angleUnit
    self.format = format
    self.variables = variables
  }

  /// The result of a formula.
  package enum Outcome: Hashable, Sendable {
    /// The value of an expression.
    case value(SolverValue)
    /// True if all relations of an equation or a comparison hold.
    case verdict(Bool)
  }

  /// A formula with its result.
  package struct Solution: Sendable {
    /// The result.
    package let outcome: Outcome
    /// The result as formulas: the exact fraction, if there is one, then the decimal number. Empty
    /// for a verdict.
    package let results: [Formula]
    /// The formula with its result after the last `=`; nil unless it ends with `=`.
    package let answered: Formula?
  }

  /// The largest difference, relative to the size, of two floating-point numbers that are equal.
  static let tolerance = 1e-9

  private static let relations: Set<String> = ["=", #"\neq"#, "<", ">", #"\leq"#, #"\geq"#]

  /// Calculates a formula.
  ///
  /// - Throws: ``SolverError``.
  package func solve(_ formula: Formula) throws(SolverError) -> Solution {
    if formula.row.count == 1, case .table(let table)? = formula.row.first?.kind, table.isLines {
      return try solve(lines: table.cells.map { Formula(row: $0[0]) })
    }
    var sides: [Formula.Row] = [[]]
    var signs: [String] = []
    for item in formula.row {
      if case .symbol(let symbol) = item.kind, item.lower.isEmpty, item.upper.isEmpty,
        Self.relations.contains(LatexTokens.canonical(symbol.label))
      {
        signs.append(LatexTokens.canonical(symbol.label))
        sides.append([])
      } else {
        sides[sides.count - 1].append(item)
      }
    }
    let isQuestion = sides.count > 1 && sides[sides.count - 1].isEmpty && signs.last == "="
    if isQuestion {
      sides.removeLast()
      signs.removeLast()
    }
    var calculator = FormulaCalculator(self)
    var values: [SolverValue] = []
    for side in sides { values.append(try calculator.value(of: side)) }
    guard let last = values.last else { throw .incomplete }
    guard signs.isEmpty else {
      var holds = true
      for (index, sign) in signs.enumerated() {
        holds = holds && Self.holds(values[index], sign, values[index + 1])
      }
      return Solution(outcome: .verdict(holds), results: [], answered: nil)
    }
    let results = results(last)
    let answered = isQuestion ? results.first.map { Formula(row: formula.row + $0.row) } : nil
    return Solution(outcome: .value(last), results: results, answered: answered)
  }

  /// Calculates formulas one below the other: a verdict about all if each has one, else the last value.
  private func solve(lines: [Formula]) throws(SolverError) -> Solution {
    var verdicts: [Bool] = []
    var last: (line: Formula, solution: Solution)?
    for line in lines {
      let solution = try solve(line)
      if case .verdict(let isTrue) = solution.outcome { verdicts.append(isTrue) }
      last = (line, solution)
    }
    guard let (line, solution) = last else { throw .incomplete }
    if verdicts.count == lines.count {
      return Solution(outcome: .verdict(!verdicts.contains(false)), results: [], answered: nil)
    }
    // A plain number is its own value.
    let isNews = solution.results.first.map { $0.row != line.row } ?? false
    return Solution(
      outcome: solution.outcome, results: isNews ? solution.results : [], answered: nil)
  }

  private static func holds(_ left: SolverValue, _ sign: String, _ right: SolverValue) -> Bool {
    let isEqual: Bool
    if case .exact(let first) = left, case .exact(let second) = right {
      isEqual = first == second
    } else {
      let size = max(abs(left.double), abs(right.double), 1e-300)
      isEqual = abs(left.double - right.double) <= tolerance * size
    }
    let isLess = !isEqual && left.double < right.double
    return switch sign {
    case "=": isEqual
    case #"\neq"#: !isEqual
    case "<": isLess
    case ">": !isEqual && !isLess
    case #"\leq"#: isEqual || isLess
    default: isEqual || !isLess
    }
  }

  private func results(_ value: SolverValue) -> [Formula] {
    var results: [Formula] = []
    if case .exact(let value) = value {
      guard value.denominator > 1 else { return [number("\(value.numerator)")] }
      let fraction = Formula.Item(
        .fraction(
          FormulaSymbol("-"), number("\(abs(value.numerator))").row,
          number("\(value.denominator)").row))
      let sign = value.numerator < 0 ? [Formula.Item(.symbol(FormulaSymbol("-")))] : []
      results.append(Formula(row: sign + [fraction]))
    }
    results.append(number(format.text(value.double)))
    return results
  }

  /// A number as a row of digits.
  private func number(_ text: String) -> Formula {
    (try? Formula(latex: text.map { $0 == " " ? " " : String($0) }.joined())) ?? Formula()
  }
}
