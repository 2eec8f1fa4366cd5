import InkCore

/// A formula in ink with its transcription and, if the data has them, its symbols and structure.
public struct LabeledFormula: Sendable {
  /// The name of the record, for reports.
  public var name: String
  /// The writer, if known.
  public var writer: String?
  /// The strokes, y down.
  public var ink: Ink
  /// The transcription, in the spelling of the data.
  public var latex: String
  /// The symbols with their strokes; their labels are canonical. Empty if the data has no groups.
  public var symbols: [FormulaSymbol]
  /// The symbols and their structure; nil without MathML that refers to the groups.
  public var layout: SymbolLayout?

  /// Makes a record.
  public init(
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
  public var isContradictory: Bool {
    guard let layout, let formula = try? Formula(layout) else { return false }
    return NormalForm.of(formula) != NormalForm.of(latex: latex)
  }
}
