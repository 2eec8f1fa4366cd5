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
  /// All readings as a formula, likeliest first.
  package var readings: [RecognizedFormula]
  /// The ink read as text; empty if it was not.
  package var plainText = ""

  /// Makes a formula that was read.
  ///
  /// - Parameter readings: All readings; nil if there is only one.
  package init(
    place: InlineFormula, formula: RecognizedFormula, confidence: Double,
    readings: [RecognizedFormula]? = nil
  ) {
    (self.place, self.formula, self.confidence) = (place, formula, confidence)
    self.readings = readings ?? [formula]
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
    guard var found = best?.0, let measures = best?.1, !found.formula.text.isEmpty,
      isSure(found, measures)
    else { return nil }
    let plain = try text(Ink(strokes: found.place.strokes.map { ink.strokes[$0] }))
    if plain.certainty >= Self.sureWord, Self.isWords(plain.text) { return nil }
    found.plainText = plain.text
    return found
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

  /// True if the networks of kinds and of formulas are sure enough of a formula.
  private func isSure(_ read: ReadInlineFormula, _ rules: InlineFormulaRules) -> Bool {
    let symbols = read.formula.symbols.map(\.confidence)
    let sure = symbols.reduce(0, +) / Double(max(1, symbols.count))
    return sure >= Self.leastSymbols
      && read.place.certainty >= (rules.isPower ? Self.surePower : Self.leastKind)
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
      part, context: RecognitionContext(), maximumCandidates: Self.mostReadings
    ).candidates
    guard let best = candidates?.first, best.formula != nil else { return nil }
    let readings = (candidates ?? []).compactMap(\.formula).map { formula in
      formula.mappingStrokes { strokes in strokes.map { candidate.strokes[$0] } }
    }
    return ReadInlineFormula(
      place: candidate, formula: readings[0], confidence: exp(best.score), readings: readings)
  }

  /// The readings that are kept. The reader ranks more of them in any case.
  private static let mostReadings = 5
}

extension ReadInlineFormula {
  /// The measures of the formula; nil for LaTeX that cannot be read.
  fileprivate var rules: InlineFormulaRules? {
    (try? Formula(latex: formula.latex)).map(InlineFormulaRules.init)
  }
}
