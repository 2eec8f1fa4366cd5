import Formulas

/// One reading of a formula.
package struct FormulaCandidate: Sendable {
  /// A symbol with what else its ink may be.
  package struct Symbol: Sendable {
    /// The symbol with its strokes and its confidence.
    package var symbol: FormulaSymbol
    /// The labels that it may have, likeliest first, with its own; empty for bars, roots and symbols that
    /// the model is sure of.
    package var candidates: [String]
  }

  /// The log-probabilities of the groups, of their classes and of the relations.
  package struct Parts: Sendable {
    package var groups: Float
    package var labels: Float
    package var relations: Float
    /// The places that break the rules of formulas, ``FormulaFaults``.
    package var faults: Float

    /// The sums of two readings.
    static func + (first: Parts, second: Parts) -> Parts {
      Parts(
        groups: first.groups + second.groups, labels: first.labels + second.labels,
        relations: first.relations + second.relations, faults: first.faults + second.faults)
    }
  }

  /// The symbols and their structure; nil for a reading with a table.
  package let layout: SymbolLayout?
  /// All symbols, in no order.
  package let symbols: [Symbol]
  /// The formula.
  package let formula: Formula
  /// The probability among the candidates, 0 to 1.
  package internal(set) var probability = 0.0
  /// The parts of the score.
  package let parts: Parts
  /// The weighted sum of the parts.
  package let score: Float

  /// The formula as LaTeX.
  package var latex: String { formula.latex }
  /// The formula as presentation MathML.
  package var mathML: String { formula.mathML }
  /// The formula as plain text.
  package var text: String { formula.text }
}
