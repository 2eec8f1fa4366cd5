import Foundation

/// A formula that cannot be read, written or computed.
package enum FormulaError: Error, Hashable, Sendable {
  /// LaTeX that is not a formula: the position counts tokens.
  case malformedLatex(token: Int, expected: String, found: String)
  /// LaTeX, or a layout of symbols, that nests deeper than the limit.
  case tooDeep(limit: Int)
  /// Links of symbols that are not one tree.
  case notATree(symbol: Int)
  /// A file of labelled formulas that is not as expected.
  case malformedFile(path: String, what: String)
  /// More strokes than a formula may have.
  case tooManyStrokes(found: Int, limit: Int)
  /// A coordinate that is not a finite number.
  case nonFiniteCoordinate(stroke: Int)
  /// A model bundle that is not a formula model.
  case malformedModel(path: String, what: String)
  /// Training data without usable formulas.
  case noFormulas(found: Int)
}

extension FormulaError: LocalizedError, CustomStringConvertible {
  /// The problem, its place, and the way out.
  package var description: String {
    switch self {
    case .malformedLatex(let token, let expected, let found):
      "LaTeX, token \(token + 1): expected \(expected), found \(found)"
    case .tooDeep(let limit):
      "the formula nests deeper than \(limit) levels; split it into several formulas"
    case .notATree(let symbol):
      "symbol \(symbol): expected links that form one tree, found another shape"
    case .malformedFile(let path, let what):
      "\(path): \(what)"
    case .tooManyStrokes(let found, let limit):
      "expected a formula of at most \(limit) strokes, found \(found); read it in parts"
    case .nonFiniteCoordinate(let stroke):
      "stroke \(stroke): expected finite coordinates, found NaN or infinity"
    case .malformedModel(let path, let what):
      "\(path): \(what); train it again with 'ductus train formulas'"
    case .noFormulas(let found):
      "expected formulas with symbol groups and MathML, found none in \(found) records"
    }
  }

  /// The same text.
  package var errorDescription: String? { description }
}
