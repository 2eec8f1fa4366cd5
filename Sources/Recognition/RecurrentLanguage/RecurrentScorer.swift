import Foundation
import LanguageModels
import LinearAlgebra
import Networks

/// Scores texts with a recurrent language model; common prefixes are computed once. Not
/// thread-safe; reuses its memory.
package final class RecurrentScorer {
  private let symbols: SymbolTable
  private let states: RecurrentStates

  /// Makes a scorer of a model; nil if its network is not unidirectional, which does not occur in
  /// models.
  ///
  /// - Parameter unit: The unit for products; nil for BLAS.
  package init?(_ model: RecurrentLanguageModel, unit: BFloat16Unit? = BFloat16Unit()) {
    guard
      let states = RecurrentStates(model.network, parameters: model.parameters, unit: unit)
    else { return nil }
    symbols = model.symbols
    self.states = states
  }

  /// Returns ln p of texts after another text.
  ///
  /// - Parameters:
  ///   - texts: The texts, without their ends, which are not scored.
  ///   - context: The text before them.
  ///   - isWhole: True if the context is everything before them, so that it begins its text.
  /// - Throws: `CancellationError` if the task is cancelled.
  package func logProbabilities(
    of texts: [String], after context: String, isWhole: Bool
  ) throws -> [Float] {
    let whole = isWhole && !context.isEmpty
    states.begin(with: Int(whole ? SymbolTable.startOfText : SymbolTable.startOfLine))
    for symbol in symbolsOf(context) { states.advance([.init(state: 0, input: symbol)]) }
    let texts = texts.map(symbolsOf)
    var scores = [Float](repeating: 0, count: texts.count)
    // The state after the characters of each text so far.
    var places = [Int](repeating: 0, count: texts.count)
    let longest = texts.reduce(0) { max($0, $1.count) }
    for position in 0..<longest {
      try Task.checkCancellation()
      var steps: [RecurrentStates.Step] = []
      var known: [RecurrentStates.Step: Int] = [:]
      for (index, text) in texts.enumerated() where position < text.count {
        let step = RecurrentStates.Step(state: places[index], input: text[position])
        scores[index] += states.logProbabilities(step.state)[step.input]
        guard position + 1 < text.count else { continue }
        if let place = known[step] {
          places[index] = place
        } else {
          known[step] = steps.count
          places[index] = steps.count
          steps.append(step)
        }
      }
      if !steps.isEmpty { states.advance(steps) }
    }
    return scores
  }

  /// The symbols of a text, with runs of spaces as one.
  private func symbolsOf(_ text: String) -> [Int] {
    var isAfterSpace = false
    var result: [Int] = []
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if !(isSpace && isAfterSpace) {
        result.append(Int(symbols.symbol(of: isSpace ? " " : scalar)))
      }
      isAfterSpace = isSpace
    }
    return result
  }
}
