/// A part of a formula: an operator with its operands, a number or a symbol.
public struct JIIXExpression: Codable, Hashable, Sendable {
  /// "number", "symbol", an operator such as "+" and "=", or a structure such as "fraction".
  public var type: String
  /// The text of a number or a symbol, the name of a function, the brackets of a group.
  public var label: String?
  /// The value of a number, if a double holds it.
  public var value: Double?
  /// The operands, in reading order.
  public var operands: [JIIXExpression]?

  /// Makes an expression.
  public init(
    type: String, label: String? = nil, value: Double? = nil, operands: [JIIXExpression]? = nil
  ) {
    (self.type, self.label, self.value, self.operands) = (type, label, value, operands)
  }
}

/// A reading of the ink of a word as a formula.
public struct JIIXFormula: Codable, Hashable, Sendable {
  /// The formula as plain text.
  public var label: String
  /// The formula as LaTeX.
  public var latex: String
  /// The symbols, in reading order.
  public var symbols: [JIIXSymbol]?

  /// Makes a reading.
  public init(label: String, latex: String, symbols: [JIIXSymbol]? = nil) {
    (self.label, self.latex, self.symbols) = (label, latex, symbols)
  }
}

/// A symbol of a formula.
public struct JIIXSymbol: Codable, Hashable, Sendable {
  /// A character, or a command of LaTeX.
  public var label: String
  /// The probability, 0 to 1.
  public var confidence: Double?
  /// The labels that the ink may have, likeliest first; nil if there is only one.
  public var candidates: [String]?
  /// The ids of its strokes, if ids are written.
  public var strokes: [String]?

  /// Makes a symbol.
  public init(
    label: String, confidence: Double? = nil, candidates: [String]? = nil,
    strokes: [String]? = nil
  ) {
    (self.label, self.confidence) = (label, confidence)
    (self.candidates, self.strokes) = (candidates, strokes)
  }
}
