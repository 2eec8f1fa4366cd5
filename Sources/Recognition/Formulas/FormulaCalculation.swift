import Formulas

/// The settings by which formulas of numbers are calculated.
public struct FormulaCalculation: Hashable, Sendable {
  /// True if a full circle is 360, false if it is 2π.
  public var usesDegrees: Bool
  /// The most digits after the point of a result, 0 to 15.
  public var fractionDigits: Int
  /// The values of variables as LaTeX, such as `\frac 1 2`, by their symbols, such as `x` and
  /// `\alpha`. A value that is no number is not used.
  public var variables: [String: String]

  /// Makes settings.
  public init(
    usesDegrees: Bool = false, fractionDigits: Int = 3, variables: [String: String] = [:]
  ) {
    self.usesDegrees = usesDegrees
    self.fractionDigits = min(max(fractionDigits, 0), 15)
    self.variables = variables
  }

  private var solver: FormulaSolver {
    var solver = FormulaSolver(
      angleUnit: usesDegrees ? .degree : .radian,
      format: NumberFormat(fractionDigits: fractionDigits))
    let values = variables.compactMapValues { latex -> SolverValue? in
      guard let formula = try? Formula(latex: latex),
        case .value(let value)? = (try? solver.solve(formula))?.outcome
      else { return nil }
      return value
    }
    solver.variables = Dictionary(
      values.map { (LatexTokens.canonical($0), $1) }, uniquingKeysWith: { first, _ in first })
    return solver
  }

  /// Calculates a formula, if it consists of numbers and known variables.
  ///
  /// - Returns: The value, unless the formula is its own value, or whether an equation or comparison
  ///   holds.
  func outcome(
    of formula: Formula, text: String
  ) -> (result: RecognizedFormula.Value?, isTrue: Bool?) {
    guard let solution = try? solver.solve(formula) else { return (nil, nil) }
    switch solution.outcome {
    case .verdict(let holds): return (nil, holds)
    case .value:
      guard let best = solution.results.first, best.row != formula.row, best.text != text else {
        return (nil, nil)
      }
      return (RecognizedFormula.Value(text: best.text, latex: best.latex), nil)
    }
  }
}

extension RecognizedFormula {
  /// The formula, calculated with other settings.
  public func calculated(_ calculation: FormulaCalculation) -> RecognizedFormula {
    var copy = self
    guard let formula = try? Formula(latex: latex) else { return copy }
    (copy.result, copy.isTrue) = calculation.outcome(of: formula, text: text)
    return copy
  }
}
