import Foundation
import InkCore

/// Evaluates rows of a formula by recursive descent.
struct FormulaCalculator {
  /// The most steps of a calculation.
  private static let mostSteps = 20_000
  /// The deepest nesting of brackets, signs and functions.
  private static let deepest = 200

  private let solver: FormulaSolver
  private var steps = 0
  private var depth = 0

  init(_ solver: FormulaSolver) {
    self.solver = solver
  }

  /// The value of a row.
  mutating func value(of row: Formula.Row) throws(SolverError) -> SolverValue {
    var place = 0
    let value = try sum(row, &place)
    guard place == row.count else { throw unexpected(row, place) }
    return value
  }

  // MARK: - Grammar

  private mutating func sum(_ row: Formula.Row, _ place: inout Int) throws(SolverError)
    -> SolverValue
  {
    try enter()
    defer { depth -= 1 }
    var value = try product(row, &place)
    while let sign = label(row, place), sign == "+" || sign == "-" {
      place += 1
      let other = try product(row, &place)
      value = try sign == "+" ? Arithmetic.sum(value, other) : Arithmetic.difference(value, other)
    }
    return value
  }

  private mutating func product(_ row: Formula.Row, _ place: inout Int) throws(SolverError)
    -> SolverValue
  {
    var value = try signed(row, &place)
    while place < row.count {
      switch label(row, place) {
      case #"\times"#, #"\cdot"#, "*":
        place += 1
        value = try Arithmetic.product(value, signed(row, &place))
      case #"\div"#, "/", ":":
        place += 1
        value = try Arithmetic.quotient(value, signed(row, &place))
      case "+", "-", ")", "]", #"\}"#, "|": return value
      default:
        // Two factors without a sign between them.
        value = try Arithmetic.product(value, operand(row, &place))
      }
    }
    return value
  }

  private mutating func signed(_ row: Formula.Row, _ place: inout Int) throws(SolverError)
    -> SolverValue
  {
    guard let sign = label(row, place), sign == "+" || sign == "-" else {
      return try operand(row, &place)
    }
    try enter()
    defer { depth -= 1 }
    place += 1
    let value = try signed(row, &place)
    return try sign == "-" ? Arithmetic.difference(.exact(Rational(0)), value) : value
  }

  /// A number, a variable, a bracket, a fraction, a root or a function, with what follows it: a
  /// power, `!` and `%`.
  private mutating func operand(_ row: Formula.Row, _ place: inout Int) throws(SolverError)
    -> SolverValue
  {
    guard place < row.count else { throw .incomplete }
    try enter()
    defer { depth -= 1 }
    var value = try base(row, &place)
    while let mark = name(row, place), mark == "!" || mark == "%" || mark == #"\%"# {
      value =
        try mark == "!"
        ? Arithmetic.factorial(value)
        : Arithmetic.quotient(value, .exact(Rational(100)))
      value = try power(value, row[place])
      place += 1
    }
    return value
  }

  private mutating func base(_ row: Formula.Row, _ place: inout Int) throws(SolverError)
    -> SolverValue
  {
    let item = row[place]
    switch item.kind {
    case .empty:
      throw .incomplete
    case .fraction(_, let upper, let lower):
      place += 1
      let value = try Arithmetic.quotient(self.value(of: upper), self.value(of: lower))
      return try power(value, item)
    case .root(_, let degree, let radicand):
      place += 1
      let degree = degree.isEmpty ? .exact(Rational(2)) : try self.value(of: degree)
      return try power(Arithmetic.root(self.value(of: radicand), degree), item)
    case .accent(let mark, _):
      throw .unexpected(mark.label)
    case .table: throw .unexpected(#"\begin"#)
    case .symbol(let symbol):
      let label = LatexTokens.canonical(DigitSystem.folded(symbol.label))
      if isDigit(label) { return try number(row, &place) }
      if SymbolText.functions.contains(label) { return try function(label, row, &place) }
      if let end = Self.brackets[label] { return try bracket(end, row, &place) }
      place += 1
      return try power(constant(label, item), item)
    }
  }

  private static let brackets = ["(": ")", "[": "]", #"\{"#: #"\}"#, "|": "|"]

  private mutating func bracket(
    _ end: String, _ row: Formula.Row, _ place: inout Int
  ) throws(SolverError) -> SolverValue {
    place += 1
    var value = try sum(row, &place)
    guard place < row.count else { throw .incomplete }
    guard name(row, place) == end else { throw unexpected(row, place) }
    if end == "|", value.double < 0 {
      value = try Arithmetic.difference(.exact(Rational(0)), value)
    }
    let item = row[place]
    place += 1
    return try power(value, item)
  }

  /// Adjacent digits with at most one separator. A power belongs to the whole number.
  private mutating func number(_ row: Formula.Row, _ place: inout Int) throws(SolverError)
    -> SolverValue
  {
    var text = ""
    var item = row[place]
    while place < row.count, let digit = name(row, place), isDigit(digit) || isSeparator(digit) {
      if isSeparator(digit) {
        guard !text.contains("."), name(row, place + 1).map(isDigit) == true else { break }
        text += "."
      } else {
        text += digit
      }
      item = row[place]
      place += 1
      if !item.upper.isEmpty || !item.lower.isEmpty { break }
    }
    return try power(Self.number(text), item)
  }

  private static func number(_ text: String) throws(SolverError) -> SolverValue {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    if parts.count <= 2, let whole = Int(digits),
      let scale = Rational(10).power(parts.count == 2 ? parts[1].count : 0)?.integer,
      let value = Rational(whole, scale)
    {
      return .exact(value)
    }
    guard let value = Double(text), value.isFinite else { throw .overflow }
    return .approximate(value)
  }

  private func constant(_ label: String, _ item: Formula.Item) throws(SolverError) -> SolverValue {
    if let value = solver.variables[label] { return value }
    switch label {
    case #"\pi"#: return .approximate(.pi)
    case "e": return .approximate(M_E)
    default:
      if label.allSatisfy(\.isLetter) || label.hasPrefix("\\") { throw .unknownSymbol(label) }
      throw .unexpected(label)
    }
  }

  /// Raises a value to the upper script of an item. A lower script has no meaning here.
  private mutating func power(
    _ value: SolverValue, _ item: Formula.Item
  ) throws(SolverError) -> SolverValue {
    guard item.lower.isEmpty else { throw unexpected(item.lower, 0) }
    guard !item.upper.isEmpty else { return value }
    return try Arithmetic.power(value, self.value(of: item.upper))
  }

  // MARK: - Functions

  private mutating func function(
    _ label: String, _ row: Formula.Row, _ place: inout Int
  ) throws(SolverError) -> SolverValue {
    let item = row[place]
    place += 1
    let argument = try self.argument(row, &place)
    var base: SolverValue?
    if !item.lower.isEmpty {
      guard label == #"\log"# else { throw unexpected(item.lower, 0) }
      base = try value(of: item.lower)
    }
    var name = label
    var exponent: SolverValue?
    if !item.upper.isEmpty {
      let upper = try value(of: item.upper)
      // The power -1 of a function is its inverse.
      if upper == .exact(Rational(-1)), let inverse = SolverFunctions.inverses[label] {
        name = inverse
      } else {
        exponent = upper
      }
    }
    let result = try SolverFunctions.value(
      of: name, argument, base: base, angleUnit: solver.angleUnit)
    return try exponent.map { (exponent) throws(SolverError) in
      try Arithmetic.power(result, exponent)
    } ?? result
  }

  /// The argument of a function: a bracket, or the factors up to the next sign or function.
  private mutating func argument(
    _ row: Formula.Row, _ place: inout Int
  ) throws(SolverError) -> SolverValue {
    guard place < row.count else { throw .incomplete }
    if label(row, place) == "-" || label(row, place) == "+" { return try signed(row, &place) }
    let isBracket = name(row, place).map { Self.brackets[$0] != nil } ?? false
    var value = try operand(row, &place)
    while !isBracket, place < row.count, let next = name(row, place),
      isDigit(next) || next == #"\pi"# || solver.variables[next] != nil
    {
      value = try Arithmetic.product(value, operand(row, &place))
    }
    return value
  }

  // MARK: - Tokens

  private mutating func enter() throws(SolverError) {
    steps += 1
    depth += 1
    guard steps <= Self.mostSteps else { throw .tooLong(limit: Self.mostSteps) }
    guard depth <= Self.deepest else { throw .tooLong(limit: Self.deepest) }
  }

  /// The symbol at a place, with or without scripts; nil for another item.
  private func name(_ row: Formula.Row, _ place: Int) -> String? {
    guard row.indices.contains(place), case .symbol(let symbol) = row[place].kind else {
      return nil
    }
    // Numbers may have the digits of any script; results have those from 0 to 9.
    return LatexTokens.canonical(DigitSystem.folded(symbol.label))
  }

  /// The symbol without scripts at a place.
  private func label(_ row: Formula.Row, _ place: Int) -> String? {
    guard row.indices.contains(place), row[place].lower.isEmpty,
      row[place].upper.isEmpty || Self.brackets.values.contains(name(row, place) ?? "")
    else { return nil }
    return name(row, place)
  }

  private func isDigit(_ label: String) -> Bool {
    label.count == 1 && label.first.map { ("0"..."9").contains($0) } == true
  }

  private func isSeparator(_ label: String) -> Bool {
    label == "." || label == "\u{66B}" || label == String(solver.format.separator)
  }

  private func unexpected(_ row: Formula.Row, _ place: Int) -> SolverError {
    guard place < row.count else { return .incomplete }
    return .unexpected(name(row, place) ?? "a script")
  }
}
