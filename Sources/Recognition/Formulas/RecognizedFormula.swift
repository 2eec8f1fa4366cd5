/// A formula that was read.
public struct RecognizedFormula: Hashable, Sendable {
  /// A symbol with its ink.
  public struct Symbol: Hashable, Sendable {
    /// A character, or a command of LaTeX such as `\alpha`. The bar of a fraction is `-`.
    public var symbol: String
    /// The indices of its strokes, ascending.
    public var strokes: [Int]
    /// The probability of the symbol, 0 to 1.
    public var confidence: Double
    /// The symbols that the ink may be, likeliest first; empty if there is only one.
    public var candidates: [String]

    /// Makes a symbol.
    public init(
      symbol: String, strokes: [Int], confidence: Double, candidates: [String] = []
    ) {
      self.symbol = symbol
      self.strokes = strokes
      self.confidence = confidence
      self.candidates = candidates
    }
  }

  /// A value, as plain text and as LaTeX.
  public struct Value: Hashable, Sendable {
    /// The value as plain text: `5/6`.
    public var text: String
    /// The value as LaTeX.
    public var latex: String

    /// Makes a value.
    public init(text: String, latex: String) {
      self.text = text
      self.latex = latex
    }
  }

  /// The formula as plain text.
  public var text: String
  /// The formula as LaTeX.
  public var latex: String
  /// The formula as presentation MathML.
  public var mathML: String
  /// The symbols, in reading order.
  public var symbols: [Symbol]
  /// The value of a formula of numbers, and of one that ends with `=`; nil for others and for a plain
  /// number.
  public var result: Value?
  /// True or false for an equation or comparison of numbers, nil for others.
  public var isTrue: Bool?

  /// Makes a formula.
  public init(
    text: String, latex: String, mathML: String, symbols: [Symbol], result: Value? = nil,
    isTrue: Bool? = nil
  ) {
    self.text = text
    self.latex = latex
    self.mathML = mathML
    self.symbols = symbols
    self.result = result
    self.isTrue = isTrue
  }
}
