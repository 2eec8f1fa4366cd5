import Formulas
import InkCore
import Layout

/// What speaks for and against a formula in some ink, as numbers of about 0 ... 1.
struct InlineFormulaMeasures {
  /// The measures, in the order of the weights.
  let values: [Double]

  /// Measures a reading. O(strokes).
  ///
  /// - Parameter textCertainty: How sure the ink was read as text, 0 ... 1.
  init(
    _ read: ReadInlineFormula, _ rules: InlineFormulaRules,
    certainty textCertainty: Float, on page: InlineFormulaPage
  ) {
    let own = read.place.strokes
    func mean(_ values: [Float], _ strokes: [Int]) -> Double {
      strokes.isEmpty ? 0 : Double(strokes.reduce(0) { $0 + values[$1] }) / Double(strokes.count)
    }
    let columns = InlineFormulas.columns(of: own, in: page.ink)
    let symbols = read.formula.symbols.map(\.confidence)
    let sure = symbols.reduce(0, +) / Double(max(1, symbols.count))
    let ends = [columns.first, columns.last].map { $0 ?? [] }
    let plain = read.plainText.filter { !$0.isWhitespace }
    let letters = Double(plain.count(where: \.isLetter)) / Double(max(1, plain.count))
    let certainty = plain.isEmpty ? 0 : Double(textCertainty)
    let signs: Set<Character> = ["=", "+", "<", ">"]
    let shared = signs.count { plain.contains($0) && read.formula.text.contains($0) }
    let unread = read.formula.symbols.count {
      Self.functions.contains($0.symbol)
        && !plain.lowercased().contains($0.symbol.dropFirst())
    }
    let against = own.reduce(0) { $0 + max(0, -Double(page.evidence[$1])) }
    let sides = [read.place.before, read.place.after].map { $0.first ?? [] }
    values = [
      1,
      // The network of kinds and the readings of the words: the ink, its ends, what is beside it.
      mean(page.probabilities, own), Double(own.map { page.probabilities[$0] }.max() ?? 0),
      mean(page.evidence, own), ends.map { mean(page.evidence, $0) }.min() ?? 0,
      ends.map { mean(page.probabilities, $0) }.min() ?? 0,
      sides.map { $0.isEmpty ? 0 : mean(page.probabilities, $0) }.max() ?? 0,
      sides.map { $0.isEmpty ? -1 : mean(page.evidence, $0) }.max() ?? 0,
      mean(page.evidence, read.place.words), read.place.words.isEmpty ? 1 : 0,
      // The model of formulas.
      sure, symbols.min() ?? 0, read.confidence,
      // The rules.
      Double(min(rules.faults, 3)), rules.lacksFirst || rules.lacksLast ? 1 : 0,
      rules.isFormula ? 1 : 0, Double(min(rules.signs, 2)), Double(min(rules.structures, 2)),
      Double(min(rules.scripts, 2)), Double(min(rules.oddScripts, 2)),
      Double(min(rules.longestWord, 5)) / 5, Double(min(rules.count, 12)) / 12,
      // The network of text.
      certainty, letters, letters * certainty, Double(min(shared, 1)), Double(min(unread, 3)),
      min(against, 6) / 3,
    ]
  }

  /// The functions that words are taken for.
  private static let functions: Set<String> = [
    #"\log"#, #"\ln"#, #"\sin"#, #"\cos"#, #"\tan"#, #"\cot"#, #"\lim"#, #"\exp"#, #"\max"#,
    #"\min"#, #"\sinh"#, #"\cosh"#, #"\tanh"#, #"\det"#, #"\sec"#, #"\csc"#, #"\ldots"#,
  ]

  // Logistic regression on lines of UNIPEN (category 8, train) with composed formulas between their words, in
  // letters of UNIPEN's validation writers and virtual ones, and on texts without formulas: UNIPEN category 8
  // (train), lines of languages by virtual writers. Ink whose licence forbids commercial use only measures.

  /// The log-odds of these bounds, to compare bounds.
  var bounds: Double { sum(Self.boundsWeights) }

  /// The log-odds of a formula in the best bounds.
  var formula: Double { sum(Self.formulaWeights) + bounds * Self.boundsWeight }

  private func sum(_ weights: [Double]) -> Double {
    zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 }
  }

  private static let boundsWeights: [Double] = [
    -7.74, 0.65, 0.46, 1.30, 0.06, 0.09, -0.68, -0.56, -0.78, -0.59,
    5.17, -0.38, 0.91, 0.25, 0.25, 0.87, 0.23, -0.21, -0.04, -0.31,
    -1.82, 2.78, -1.96, -0.19, 0.78, 0.32, -0.43, -0.44,
  ]
  private static let formulaWeights: [Double] = [
    -1.48, 0.93, 1.30, -0.30, -0.14, 0.33, 0.28, 0.96, -0.73, -1.01,
    1.37, 0.49, 2.22, 0, 0.04, 0, 0.23, 1.29, 0.39, 0.29,
    0.58, 0.14, -1.30, 0.56, -0.12, 1.45, -0.35, 0.14,
  ]
  private static let boundsWeight = 1.34
}
