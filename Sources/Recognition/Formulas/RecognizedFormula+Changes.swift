import Formulas

extension RecognizedFormula {
  /// True if LaTeX can be read and has symbols.
  package static func hasSymbols(latex: String) -> Bool {
    (try? Formula(latex: latex)).map { !$0.symbolLabels.isEmpty } ?? false
  }

  /// Makes a formula of LaTeX, without symbols that have ink; nil for LaTeX that cannot be read.
  public init?(latex: String) {
    guard let formula = try? Formula(latex: latex) else { return nil }
    self.init(formula, symbols: [])
  }

  /// Makes a formula of LaTeX whose symbols have known ink; nil for LaTeX that cannot be read, and if
  /// the number of its symbols is another.
  ///
  /// - Parameter strokes: The strokes of each symbol, in reading order.
  package init?(latex: String, strokes: [[Int]]) {
    guard let formula = try? Formula(latex: latex) else { return nil }
    let labels = formula.symbolLabels
    guard labels.count == strokes.count else { return nil }
    self.init(
      formula,
      symbols: zip(labels, strokes).map { label, strokes in
        Symbol(symbol: label, strokes: strokes, confidence: 1)
      })
  }

  private init(_ formula: Formula, symbols: [Symbol]) {
    self.init(
      text: formula.text, latex: formula.latex, mathML: formula.mathML, symbols: symbols)
  }

  /// The formula with another symbol in the same place; without a result, which belongs to the old one.
  ///
  /// - Parameters:
  ///   - symbol: A character, or a command of LaTeX.
  ///   - index: The index in ``symbols``.
  /// - Returns: nil if there is no such symbol, or if LaTeX cannot say it there.
  public func replacing(symbolAt index: Int, with symbol: String) -> RecognizedFormula? {
    guard symbols.indices.contains(index), let formula = matched else { return nil }
    let changed = formula.mapSymbols { $0 == index ? FormulaSymbol(symbol) : $1 }
    return RecognizedFormula(latex: changed.latex).flatMap { renamed(as: $0) }
  }

  /// A formula of LaTeX with the ink of this one; nil if it has other places for symbols.
  ///
  /// - Parameter other: A formula, whose symbols are not used.
  public func renamed(as other: RecognizedFormula) -> RecognizedFormula? {
    guard let formula = matched, let changed = try? Formula(latex: other.latex),
      formula.hasStructure(of: changed)
    else { return nil }
    var result = RecognizedFormula(changed, symbols: symbols)
    for (index, (old, new)) in zip(formula.symbolLabels, changed.symbolLabels).enumerated()
    where old != new {
      result.symbols[index].symbol = new
      result.symbols[index].confidence = 1
    }
    return result
  }

  /// The formula with other strokes of its symbols.
  ///
  /// - Parameter map: Returns the new strokes of a symbol.
  package func mappingStrokes(_ map: ([Int]) -> [Int]) -> RecognizedFormula {
    var result = self
    for symbol in symbols.indices { result.symbols[symbol].strokes = map(symbols[symbol].strokes) }
    return result
  }

  /// The formula of the LaTeX, if its symbols are ``symbols``.
  private var matched: Formula? {
    guard let formula = try? Formula(latex: latex), formula.symbolLabels.count == symbols.count
    else { return nil }
    return formula
  }
}
