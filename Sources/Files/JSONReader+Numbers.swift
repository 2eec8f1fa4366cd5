extension JSONReader {
  /// Reads a finite number, rounded correctly.
  ///
  /// - Parameter value: The number, in the words of the caller's errors.
  package mutating func number(_ value: String) throws(JSONProblem) -> Double {
    let digits = try numberDigits(value)
    // Mantissa and power of ten are exact below these limits, so that only the division rounds.
    if digits.isExact, digits.mantissa < 1 << 53, digits.exponent >= -22 {
      let magnitude = Double(digits.mantissa) / JSONDigits.powersOfTen[-digits.exponent]
      return digits.isNegative ? -magnitude : magnitude
    }
    return try slowNumber(digits.start, value)
  }

  /// Reads a finite number, and the integer that it is if it has neither fraction nor exponent and
  /// fits an `Int`.
  mutating func numberOrInteger(
    _ value: String
  ) throws(JSONProblem) -> (double: Double, integer: Int?) {
    let digits = try numberDigits(value)
    if digits.isInteger, digits.isExact, digits.mantissa > 0 || !digits.isNegative,
      let magnitude = Int(exactly: digits.mantissa)
    {
      let integer = digits.isNegative ? -magnitude : magnitude
      return (Double(integer), integer)
    }
    if digits.isExact, digits.mantissa < 1 << 53, digits.exponent >= -22 {
      let magnitude = Double(digits.mantissa) / JSONDigits.powersOfTen[-digits.exponent]
      return (digits.isNegative ? -magnitude : magnitude, nil)
    }
    let integer = digits.isInteger ? Int(text(from: digits.start)) : nil
    return (try slowNumber(digits.start, value), integer)
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads a number: its text, and whether it has neither fraction nor exponent.
  package mutating func numberText(
    _ value: String
  ) throws(JSONProblem) -> (text: String, isInteger: Bool) {
    let digits = try numberDigits(value)
    return (text(from: digits.start), digits.isInteger)
  }

  @inline(__always)
  private mutating func numberDigits(_ value: String) throws(JSONProblem) -> JSONDigits {
    guard let first = peek(), first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
      throw unexpected(value, "a number")
    }
    var number = JSONDigits(start: position, isNegative: first == UInt8(ascii: "-"))
    if number.isNegative { position += 1 }
    let digits = position
    digitRun(&number.mantissa)
    let whole = position - digits
    guard whole == 1 || (whole > 1 && bytes[digits] != 0x30) else {
      throw malformedNumber(value, "a number", number.start)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      digitRun(&number.mantissa)
      guard position > fraction else { throw malformedNumber(value, "a digit", position) }
      number.exponent = fraction - position
      number.isInteger = false
    }
    // The mantissa is wrong where there are more digits than it always holds.
    number.isExact = whole - number.exponent <= JSONDigits.mostDigits
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D {
        position += 1
      }
      let power = position
      var ignored: UInt64 = 0
      digitRun(&ignored)
      guard position > power else { throw malformedNumber(value, "a digit", position) }
      number.isExact = false
      number.isInteger = false
    }
    return number
  }

  @inline(__always)
  mutating func digitRun(_ mantissa: inout UInt64) {
    var (here, value) = (position, mantissa)
    while here < bytes.count {
      let digit = bytes[here] &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      here &+= 1
    }
    (position, mantissa) = (here, value)
  }

  @inline(never)
  func slowNumber(_ start: Int, _ value: String) throws(JSONProblem) -> Double {
    guard let number = Double(text(from: start)), number.isFinite else {
      throw fault(
        .nonFiniteNumber, value, grammar: "a number in the range of Double", at: start,
        found: "a number too large for a double")
    }
    return number
  }

  @inline(never)
  func malformedNumber(_ value: String, _ grammar: StaticString, _ offset: Int) -> JSONProblem {
    guard position < bytes.count else {
      return fault(
        .truncated, value, grammar: "\(grammar)", at: offset, found: "the end of the line")
    }
    if bytes[position] == UInt8(ascii: "I") {
      return fault(.nonFiniteNumber, value, grammar: "\(grammar)", at: offset, found: "-Infinity")
    }
    return fault(
      .malformed, value, grammar: "\(grammar)", at: offset,
      found: "a number that JSON does not allow")
  }
}

/// The parts of a number as read.
struct JSONDigits {
  let start: Int
  let isNegative: Bool
  var mantissa: UInt64 = 0
  /// The power of ten of the mantissa, from the digits of the fraction.
  var exponent = 0
  /// True if mantissa and exponent represent the whole number.
  var isExact = true
  var isInteger = true

  init(start: Int, isNegative: Bool) {
    self.start = start
    self.isNegative = isNegative
  }

  /// The most digits that a mantissa of 64 bits holds, whatever they are.
  static let mostDigits = 19

  static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
