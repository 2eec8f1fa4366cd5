import Formulas
import Foundation
import InkCore
import Layout

/// A formula inside of a line of text that was read.
package struct ReadInlineFormula: Sendable {
  /// The strokes and their place.
  package var place: InlineFormula
  /// The formula; the strokes of its symbols are counted in the ink of the page.
  package var formula: RecognizedFormula
  /// The probability of the reading, 0 ... 1.
  package var confidence: Double

  /// Makes a formula that was read.
  package init(place: InlineFormula, formula: RecognizedFormula, confidence: Double) {
    (self.place, self.formula, self.confidence) = (place, formula, confidence)
  }
}

/// Decides which candidates are formulas: a model of formulas and the network of text both look at
/// their ink.
package struct InlineFormulaReader {
  /// Reads one ink as one formula.
  let recognizer: any Recognizer
  /// The text of ink by the network alone, and the mean probability of its characters.
  let text: (Ink) throws -> (text: String, certainty: Float)

  /// Makes a reader.
  package init(
    _ recognizer: any Recognizer, text: @escaping (Ink) throws -> (text: String, certainty: Float)
  ) {
    self.recognizer = recognizer
    self.text = text
  }

  /// Returns the formulas among candidates.
  package func read(_ candidates: [InlineFormula], of ink: Ink) throws -> [ReadInlineFormula] {
    var taken: Set<Int> = []
    return try candidates.compactMap { candidate in
      var candidate = candidate
      candidate.before.removeAll(where: taken.contains)
      candidate.after.removeAll(where: taken.contains)
      guard let found = try formula(candidate, of: ink) else { return nil }
      taken.formUnion(found.place.strokes)
      return found
    }
  }

  /// The formula of a candidate, with the operands beside it that it needs; nil if it is none.
  private func formula(_ candidate: InlineFormula, of ink: Ink) throws -> ReadInlineFormula? {
    guard var read = try reading(candidate, of: ink), var rules = read.rules else { return nil }
    var best = rules.isFormula ? (read, rules) : nil
    for _ in 0..<Self.mostAdded where rules.lacksFirst || rules.lacksLast {
      let place = read.place
      let next = rules.lacksFirst ? place.before.first : place.after.first
      guard let next, isNear(next, place, of: ink),
        let more = try reading(place.extended(by: [next], of: ink), of: ink),
        let moreRules = more.rules
      else { break }
      (read, rules) = (more, moreRules)
      if rules.isFormula, !rules.lacksFirst, !rules.lacksLast { best = (read, rules) }
    }
    guard let (found, measures) = best, !found.formula.text.isEmpty else { return nil }
    return try isText(found, measures, of: ink) ? nil : found
  }

  /// The most strokes of operands that are added.
  private static let mostAdded = 6
  /// An operand is nearer, in heights of the words, and no wider: a word is.
  private static let (operandGap, operandWidth) = (1.2, 1.6)

  private func isNear(_ stroke: Int, _ place: InlineFormula, of ink: Ink) -> Bool {
    guard let box = Ink(strokes: [ink.strokes[stroke]]).boundingBox else { return false }
    let gap = max(box.minX - place.place.maxX, place.place.minX - box.maxX)
    let height = place.place.height
    return gap < Self.operandGap * height && box.width < Self.operandWidth * height
  }

  /// True if the ink is more likely a word or a number: the network of text is sure of letters, or the
  /// networks of kinds and of formulas are not sure.
  private func isText(
    _ read: ReadInlineFormula, _ rules: InlineFormulaRules, of ink: Ink
  ) throws -> Bool {
    let symbols = read.formula.symbols.map(\.confidence)
    let sure = symbols.reduce(0, +) / Double(max(1, symbols.count))
    let plain = try text(Ink(strokes: read.place.strokes.map { ink.strokes[$0] }))
    guard sure >= Self.leastSymbols,
      read.place.certainty >= (rules.isPower ? Self.surePower : Self.leastKind)
    else { return true }
    return plain.certainty >= Self.sureWord && Self.isWords(plain.text)
  }

  /// The least mean confidence of the symbols.
  private static let leastSymbols = 0.4
  /// The least certainty of a candidate, and that of a power alone.
  private static let (leastKind, surePower): (Float, Float) = (0.3, 0.5)
  /// The certainty of letters above which they are words.
  private static let sureWord: Float = 0.7

  /// True for a text of letters alone, with a word of three or more.
  private static func isWords(_ text: String) -> Bool {
    let words = text.split { !$0.isLetter && $0 != "'" }
    return text.allSatisfy { $0.isLetter || $0.isWhitespace || ".,'-".contains($0) }
      && words.contains { $0.count >= 3 }
  }

  private func reading(_ candidate: InlineFormula, of ink: Ink) throws -> ReadInlineFormula? {
    let part = Ink(strokes: candidate.strokes.map { ink.strokes[$0] })
    let candidates = try? recognizer.recognize(
      part, context: RecognitionContext(), maximumCandidates: 1
    ).candidates
    guard let best = candidates?.first, var formula = best.formula else { return nil }
    for symbol in formula.symbols.indices {
      formula.symbols[symbol].strokes = formula.symbols[symbol].strokes.map {
        candidate.strokes[$0]
      }
    }
    return ReadInlineFormula(place: candidate, formula: formula, confidence: exp(best.score))
  }
}

extension ReadInlineFormula {
  /// The measures of the formula; nil for LaTeX that cannot be read.
  fileprivate var rules: InlineFormulaRules? {
    (try? Formula(latex: formula.latex)).map(InlineFormulaRules.init)
  }
}
