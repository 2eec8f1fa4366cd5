import InkCore

/// A formula in ink with its transcription and, if the data has them, its symbols and structure.
package struct LabeledFormula: Sendable {
  /// The name of the record, for reports.
  package var name: String
  /// The first folder of its file below the data, such as a part of a collection; nil for none.
  package var source: String?
  /// The writer, if known.
  package var writer: String?
  /// The strokes, y down.
  package var ink: Ink
  /// The transcription, in the spelling of the data.
  package var latex: String
  /// The symbols with their strokes; their labels are canonical. Empty if the data has no groups.
  package var symbols: [FormulaSymbol]
  /// The symbols and their structure; nil without MathML that refers to the groups.
  package var layout: SymbolLayout?

  /// Makes a record.
  package init(
    name: String, writer: String?, ink: Ink, latex: String, symbols: [FormulaSymbol] = [],
    layout: SymbolLayout? = nil
  ) {
    self.name = name
    self.writer = writer
    self.ink = ink
    self.latex = latex
    self.symbols = symbols
    self.layout = layout
  }

  /// True if the MathML of the record is another formula than its LaTeX.
  package var isContradictory: Bool {
    guard let layout, let formula = try? Formula(layout) else { return false }
    return NormalForm.of(formula) != NormalForm.of(latex: latex)
  }
}
