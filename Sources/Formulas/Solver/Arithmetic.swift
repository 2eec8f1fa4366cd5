import Foundation

/// Operations on values: exact while the results fit, then in floating point.
enum Arithmetic {
  /// The largest factorial that floating point holds.
  private static let largestFactorial = 170

  static func sum(_ first: SolverValue, _ second: SolverValue) throws(SolverError) -> SolverValue {
    try apply(first, second, { $0.adding($1) }, +)
  }

  static func difference(
    _ first: SolverValue, _ second: SolverValue
  ) throws(SolverError) -> SolverValue {
    try apply(first, second, { $0.subtracting($1) }, -)
  }

  static func product(
    _ first: SolverValue, _ second: SolverValue
  ) throws(SolverError) -> SolverValue {
    try apply(first, second, { $0.multiplied(by: $1) }, *)
  }

  static func quotient(
    _ first: SolverValue, _ second: SolverValue
  ) throws(SolverError) -> SolverValue {
    guard !second.isZero else { throw .divisionByZero }
    return try apply(first, second, { $0.divided(by: $1) }, /)
  }

  static func power(_ base: SolverValue, _ exponent: SolverValue) throws(SolverError)
    -> SolverValue
  {
    if base.isZero, exponent.double < 0 { throw .divisionByZero }
    if case .exact(let value) = base, case .exact(let power) = exponent {
      if let whole = power.integer, let result = value.power(whole) { return .exact(result) }
      if power.denominator > 1, let root = value.root(power.denominator),
        let result = root.power(power.numerator)
      {
        return .exact(result)
      }
    }
    if base.double < 0, exponent.integer == nil {
      guard case .exact(let power) = exponent, power.denominator % 2 == 1 else {
        throw .outOfDomain(function: "^")
      }
      let size = pow(-base.double, exponent.double)
      return try finite(power.numerator % 2 == 0 ? size : -size)
    }
    return try finite(pow(base.double, exponent.double))
  }

  static func root(_ value: SolverValue, _ degree: SolverValue) throws(SolverError) -> SolverValue {
    guard let whole = degree.integer, whole > 0 else { throw .outOfDomain(function: #"\sqrt"#) }
    if case .exact(let value) = value, let root = value.root(whole) { return .exact(root) }
    guard value.double >= 0 || whole % 2 == 1 else { throw .outOfDomain(function: #"\sqrt"#) }
    return try finite(value.double.root(whole))
  }

  static func factorial(_ value: SolverValue) throws(SolverError) -> SolverValue {
    guard let whole = value.integer, whole >= 0 else { throw .outOfDomain(function: "!") }
    guard whole <= largestFactorial else { throw .overflow }
    var result = SolverValue.exact(Rational(1))
    for factor in stride(from: 2, through: whole, by: 1) {
      result = try product(result, .exact(Rational(factor)))
    }
    return result
  }

  /// A floating-point result; throws unless it is finite.
  static func finite(_ value: Double) throws(SolverError) -> SolverValue {
    guard value.isFinite else { throw .overflow }
    return .approximate(value)
  }

  private static func apply(
    _ first: SolverValue, _ second: SolverValue, _ exact: (Rational, Rational) -> Rational?,
    _ approximate: (Double, Double) -> Double
  ) throws(SolverError) -> SolverValue {
    if case .exact(let left) = first, case .exact(let right) = second,
      let result = exact(left, right)
    {
      return .exact(result)
    }
    return try finite(approximate(first.double, second.double))
  }
}

/// Functions in letters.
enum SolverFunctions {
  /// The inverse of each trigonometric function.
  static let inverses = [
    #"\sin"#: #"\arcsin"#, #"\cos"#: #"\arccos"#, #"\tan"#: #"\arctan"#,
  ]

  /// The value of a function.
  static func value(
    of name: String, _ argument: SolverValue, base: SolverValue?,
    angleUnit: FormulaSolver.AngleUnit
  ) throws(SolverError) -> SolverValue {
    let x = argument.double
    let angle = angleUnit == .degree ? x * .pi / 180 : x
    let unit = angleUnit == .degree ? 180 / Double.pi : 1
    switch name {
    case #"\sin"#: return try rounded(sin(angle))
    case #"\cos"#: return try rounded(cos(angle))
    case #"\tan"#:
      guard abs(cos(angle)) > 1e-15 else { throw .outOfDomain(function: name) }
      return try rounded(tan(angle))
    case #"\cot"#:
      guard abs(sin(angle)) > 1e-15 else { throw .outOfDomain(function: name) }
      return try rounded(cos(angle) / sin(angle))
    case #"\arcsin"#, #"\arccos"#:
      guard abs(x) <= 1 else { throw .outOfDomain(function: name) }
      return try Arithmetic.finite(unit * (name == #"\arcsin"# ? asin(x) : acos(x)))
    case #"\arctan"#: return try Arithmetic.finite(unit * atan(x))
    case #"\sinh"#: return try Arithmetic.finite(sinh(x))
    case #"\cosh"#: return try Arithmetic.finite(cosh(x))
    case #"\tanh"#: return try Arithmetic.finite(tanh(x))
    case #"\exp"#: return try Arithmetic.finite(exp(x))
    case #"\ln"#: return try logarithm(x, base: M_E, name)
    case #"\log"#, #"\lg"#: return try logarithm(x, base: base?.double ?? 10, name)
    default: throw .unknownSymbol(name)
    }
  }

  private static func logarithm(
    _ x: Double, base: Double, _ name: String
  ) throws(SolverError) -> SolverValue {
    guard x > 0, base > 0, base != 1 else { throw .outOfDomain(function: name) }
    if base == 10 { return try rounded(log10(x)) }
    if base == 2 { return try rounded(log2(x)) }
    return try rounded(log(x) / log(base))
  }

  /// A result that is a whole number but for the last bits is that number: sin π is 0.
  private static func rounded(_ value: Double) throws(SolverError) -> SolverValue {
    let whole = value.rounded()
    if abs(value - whole) < 4e-16 * max(1, abs(value)), abs(whole) < 1e15 {
      return .exact(Rational(Int(whole)))
    }
    return try Arithmetic.finite(value)
  }
}
