/// A fraction of two 64-bit integers in lowest terms, denominator above 0.
///
/// Every operation returns nil if a result does not fit.
package struct Rational: Hashable, Sendable {
  /// The numerator, with the sign.
  package let numerator: Int
  /// The denominator, above 0.
  package let denominator: Int

  /// Makes a whole number.
  package init(_ value: Int) {
    numerator = value
    denominator = 1
  }

  /// Makes a fraction in lowest terms; nil for a denominator of 0 or numbers that do not fit.
  package init?(_ numerator: Int, _ denominator: Int) {
    guard denominator != 0, numerator != .min, denominator != .min else { return nil }
    let divisor = Self.divisor(abs(numerator), abs(denominator)) * (denominator < 0 ? -1 : 1)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  private static func divisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
  }

  /// The nearest floating-point number.
  package var double: Double { Double(numerator) / Double(denominator) }

  /// The value if it is whole; nil otherwise.
  package var integer: Int? { denominator == 1 ? numerator : nil }

  /// The sum.
  package func adding(_ other: Rational) -> Rational? {
    let divisor = Self.divisor(denominator, other.denominator)
    guard let left = numerator.times(other.denominator / divisor),
      let right = other.numerator.times(denominator / divisor), let sum = left.plus(right),
      let bottom = denominator.times(other.denominator / divisor)
    else { return nil }
    return Rational(sum, bottom)
  }

  /// The negative.
  package var negated: Rational? { Rational(0).subtracting(self) }

  /// The difference.
  package func subtracting(_ other: Rational) -> Rational? {
    guard other.numerator != .min else { return nil }
    return Rational(-other.numerator, other.denominator).flatMap { adding($0) }
  }

  /// The product.
  package func multiplied(by other: Rational) -> Rational? {
    // Dividing first keeps the products small.
    let first = Self.divisor(abs(numerator), other.denominator)
    let second = Self.divisor(abs(other.numerator), denominator)
    guard let top = (numerator / first).times(other.numerator / second),
      let bottom = (denominator / second).times(other.denominator / first)
    else { return nil }
    return Rational(top, bottom)
  }

  /// The quotient; nil for a division by 0.
  package func divided(by other: Rational) -> Rational? {
    guard let inverse = Rational(other.denominator, other.numerator) else { return nil }
    return multiplied(by: inverse)
  }

  /// A whole power. O(log exponent).
  package func power(_ exponent: Int) -> Rational? {
    guard exponent > -64, exponent < 64 || abs(numerator) <= 1 && denominator == 1 else {
      return nil
    }
    var result = Rational(1)
    var square = self
    var rest = abs(exponent)
    while rest > 0 {
      if rest % 2 == 1 {
        guard let product = result.multiplied(by: square) else { return nil }
        result = product
      }
      rest /= 2
      if rest > 0 {
        guard let product = square.multiplied(by: square) else { return nil }
        square = product
      }
    }
    return exponent < 0 ? Rational(1).divided(by: result) : result
  }

  /// The root of a whole degree above 0 if it is a fraction; nil otherwise.
  package func root(_ degree: Int) -> Rational? {
    guard degree > 0, numerator >= 0 || degree % 2 == 1,
      let top = Self.root(abs(numerator), degree), let bottom = Self.root(denominator, degree)
    else { return nil }
    return Rational(numerator < 0 ? -top : top, bottom)
  }

  private static func root(_ value: Int, _ degree: Int) -> Int? {
    guard value > 1 else { return value }
    guard degree < 63 else { return nil }
    // The floating-point root is off by one at most.
    let guess = Int(Double(value).root(degree).rounded())
    return [guess - 1, guess, guess + 1].first {
      $0 > 0 && Rational($0).power(degree)?.numerator == value
    }
  }
}

extension Int {
  fileprivate func times(_ other: Int) -> Int? {
    let (result, overflows) = multipliedReportingOverflow(by: other)
    return overflows || result == .min ? nil : result
  }

  fileprivate func plus(_ other: Int) -> Int? {
    let (result, overflows) = addingReportingOverflow(other)
    return overflows || result == .min ? nil : result
  }
}
