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

  /// The candidates of one formula. Only ``RecognitionContext/knownSymbols`` of the context are used.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`, or
  ///   ``RecognitionError/tooManyStrokes(found:limit:)``.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try ink.validate()
    let candidates: [FormulaCandidate]
    do throws(FormulaError) {
      candidates = try reader.read(
        ink, known: context.knownSymbols, maximumCandidates: max(1, maximumCandidates))
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

extension RecognizedFormula {
  /// Converts a candidate, and calculates it if it consists of numbers.
  init(_ candidate: FormulaCandidate) {
    // A symbol is known by its first stroke: in the formula, bars may have other names.
    let places = Dictionary(
      candidate.symbols.compactMap { read in
        read.symbol.strokes.first.map { ($0, (read.symbol, read.candidates)) }
      }, uniquingKeysWith: { first, _ in first })
    var symbols: [Symbol] = []
    candidate.formula.forEachSymbol { symbol in
      guard let (known, candidates) = symbol.strokes.first.flatMap({ places[$0] }) else { return }
      symbols.append(
        Symbol(
          symbol: known.label, strokes: known.strokes, confidence: known.confidence,
          candidates: candidates))
    }
    self.init(
      text: candidate.text, latex: candidate.latex, mathML: candidate.mathML, symbols: symbols)
    (result, isTrue) = FormulaCalculation().outcome(of: candidate.formula, text: candidate.text)
  }
}
