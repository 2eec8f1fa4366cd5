import Foundation

/// A number that is known exactly, or to the precision of floating point.
package enum SolverValue: Hashable, Sendable {
  /// A fraction.
  case exact(Rational)
  /// A floating-point number, finite.
  case approximate(Double)

  /// The nearest floating-point number.
  package var double: Double {
    switch self {
    case .exact(let value): value.double
    case .approximate(let value): value
    }
  }

  /// The value if it is a whole number of 64 bits; nil otherwise.
  package var integer: Int? {
    switch self {
    case .exact(let value): value.integer
    case .approximate(let value): Int(exactly: value)
    }
  }

  /// True for 0.
  package var isZero: Bool { double == 0 }
}

extension Double {
  /// The real root of a whole degree.
  func root(_ degree: Int) -> Double {
    if degree == 2 { return squareRoot() }
    if self < 0, degree % 2 == 1 { return -(-self).root(degree) }
    return Foundation.pow(self, 1 / Double(degree))
  }
}

/// The text of numbers.
package struct NumberFormat: Hashable, Sendable {
  /// The most digits after the point.
  package var fractionDigits: Int
  /// The decimal separator: `.` or `,`.
  package var separator: Character

  /// Makes a format.
  package init(fractionDigits: Int = 3, separator: Character = ".") {
    self.fractionDigits = min(max(fractionDigits, 0), 15)
    self.separator = separator
  }

  /// The number, rounded, without zeros at its end; in scientific form if it is very large or small.
  package func text(_ value: Double) -> String {
    let size = abs(value)
    let isScientific = size >= 1e15 || (size > 0 && size < pow(10, -Double(fractionDigits)))
    var text = String(format: isScientific ? "%.\(fractionDigits)e" : "%.\(fractionDigits)f", value)
    var exponent = ""
    if isScientific, let mark = text.firstIndex(of: "e") {
      exponent = String(text[text.index(after: mark)...])
      text = String(text[..<mark])
    }
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    if text == "-0" { text = "0" }
    text = text.replacingAll(".", with: String(separator))
    guard let power = Int(exponent) else { return text }
    return "\(text) \\times 10 ^ { \(power) }"
  }
}
