import Foundation

/// A formula that has no value.
package enum SolverError: Error, Hashable, Sendable {
  /// Division by zero, or zero to a negative power.
  case divisionByZero
  /// A result that is too large for floating point.
  case overflow
  /// A function outside its domain: the root or logarithm of a negative number.
  case outOfDomain(function: String)
  /// A symbol without a value.
  case unknownSymbol(String)
  /// A symbol in a place where it has no meaning.
  case unexpected(String)
  /// A formula that ends too early: an operator without its operand.
  case incomplete
  /// More steps, or deeper nesting, than the limit.
  case tooLong(limit: Int)
}

extension SolverError: LocalizedError, CustomStringConvertible {
  /// The problem and the way out.
  package var description: String {
    switch self {
    case .divisionByZero: "division by zero"
    case .overflow: "the result is too large for floating point"
    case .outOfDomain(let function): "\(function): expected a number in its domain, found another"
    case .unknownSymbol(let symbol): "\(symbol) has no value; give it one as a variable"
    case .unexpected(let symbol): "\(symbol): expected a number or an operator in its place"
    case .incomplete: "expected an operand, found the end"
    case .tooLong(let limit): "expected a calculation of at most \(limit) steps, found a longer one"
    }
  }

  /// The same text.
  package var errorDescription: String? { description }
}
