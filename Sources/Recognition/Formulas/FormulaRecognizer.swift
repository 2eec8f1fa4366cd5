import Formulas
import Foundation
import InkCore

/// Reads one ink as one formula.
///
/// The candidates have the formula as LaTeX, MathML and plain text, its symbols with their strokes,
/// and the result of a formula of numbers. Thread-safe.
///
///     let recognizer = try FormulaRecognizer(model: model)
///     let result = try recognizer.recognize(ink)
///     print(result.candidates.first?.formula?.latex ?? "nothing to read")
public final class FormulaRecognizer: Recognizer {
  /// The model in use.
  public let model: FormulaModel
  private let reader: FormulaReader

  /// Makes a recogniser of a model in memory.
  ///
  /// - Throws: ``ModelError/malformed(path:what:expected:found:)`` for a network without the class of
  ///   groups that are not symbols.
  public init(model: FormulaModel) throws(ModelError) {
    self.model = model
    do throws(FormulaError) {
      reader = try FormulaReader(model)
    } catch {
      throw .malformed(
        path: "formulas", what: "classes", expected: SymbolClassifier.none, found: "none of them")
    }
  }

  /// Nil, because there is no list of all formulas.
  public var labels: [String]? { nil }

  /// The candidates of one formula. The context is not used.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`, or
  ///   ``RecognitionError/tooManyStrokes(found:limit:)``.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try ink.validate()
    let candidates: [FormulaCandidate]
    do throws(FormulaError) {
      candidates = try reader.read(ink, maximumCandidates: max(1, maximumCandidates))
    } catch {
      switch error {
      case .tooManyStrokes(let found, let limit):
        throw RecognitionError.tooManyStrokes(found: found, limit: limit)
      case .nonFiniteCoordinate(let stroke):
        throw InkError.nonFiniteCoordinate(stroke: stroke, point: 0)
      default: throw error
      }
    }
    return RecognitionResult(
      candidates: candidates.map { candidate in
        var result = RecognitionCandidate(
          text: candidate.text, score: log(max(candidate.probability, .leastNormalMagnitude)))
        result.formula = RecognizedFormula(candidate)
        return result
      })
  }
}

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

    /// Makes a symbol.
    public init(symbol: String, strokes: [Int], confidence: Double) {
      self.symbol = symbol
      self.strokes = strokes
      self.confidence = confidence
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

  /// Converts a candidate, and calculates it if it consists of numbers.
  init(_ candidate: FormulaCandidate) {
    self.init(
      text: candidate.text, latex: candidate.latex, mathML: candidate.mathML,
      symbols: candidate.layout.symbols.map {
        Symbol(symbol: $0.label, strokes: $0.strokes, confidence: $0.confidence)
      })
    guard let solution = try? FormulaSolver().solve(candidate.formula) else { return }
    switch solution.outcome {
    case .verdict(let holds): isTrue = holds
    case .value:
      guard let best = solution.results.first, best.row != candidate.formula.row,
        best.text != candidate.text
      else { return }
      result = Value(text: best.text, latex: best.latex)
    }
  }
}
