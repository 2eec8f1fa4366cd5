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

/// Decides which candidates are formulas, and where they begin and end: a model of formulas and the
/// network of text both look at their ink.
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
  ///
  /// - Parameters:
  ///   - candidates: What may be formulas.
  ///   - probabilities: The probability of each stroke that it is of a formula.
  ///   - evidence: What the words that were read say about each stroke.
  package func read(
    _ candidates: [InlineFormula], of ink: Ink, _ probabilities: [Float], evidence: [Float]
  ) throws -> [ReadInlineFormula] {
    let page = InlineFormulaPage(ink: ink, probabilities: probabilities, evidence: evidence)
    var taken: Set<Int> = []
    return try candidates.compactMap { candidate in
      var candidate = candidate
      candidate.before = Array(candidate.before.prefix { taken.isDisjoint(with: $0) })
      candidate.after = Array(candidate.after.prefix { taken.isDisjoint(with: $0) })
      guard let found = try formula(candidate, on: page) else { return nil }
      taken.formUnion(found.place.strokes)
      return found
    }
  }

  /// The formula of a candidate in its likeliest bounds; nil if it is none.
  private func formula(
    _ candidate: InlineFormula, on page: InlineFormulaPage
  ) throws -> ReadInlineFormula? {
    guard var best = try reading(candidate, on: page), best.measures.formula > Self.hopeless
    else { return nil }
    var tried: Set<[Int]> = [candidate.strokes]
    for _ in 0..<Self.rounds {
      let last = best
      for other in variants(of: last.read.place, on: page)
      where tried.insert(other.strokes).inserted {
        if let next = try reading(other, on: page), next.measures.bounds > best.measures.bounds {
          best = next
        }
      }
      if best.read.place.strokes == last.read.place.strokes { break }
    }
    guard best.rules.isFormula, best.measures.formula > Self.least,
      !best.read.formula.text.isEmpty
    else { return nil }
    return best.read
  }

  /// The rounds in which the bounds of a formula are moved.
  private static let rounds = 4
  /// The log-odds that a formula has, and those of ink whose bounds are not worth moving: each costs
  /// about six readings.
  private static let (least, hopeless): (Double, Double) = (1, -2)

  /// The formula with one column or one word more or less at each end.
  private func variants(of place: InlineFormula, on page: InlineFormulaPage) -> [InlineFormula] {
    let ink = page.ink
    let own = InlineFormulas.columns(of: place.strokes, in: ink)
    let height = place.place.height
    func word(_ columns: [[Int]]) -> Int {
      page.firstGap(in: columns, wider: Self.wordGap * height) ?? columns.count
    }
    var variants: [InlineFormula?] = []
    let (first, last) = (word(own), word(own.reversed()))
    for count in Set([1, first]) { variants.append(place.shortened(first: count, of: ink)) }
    for count in Set([1, last]) { variants.append(place.shortened(last: count, of: ink)) }
    for count in Set([1, word(place.before)]) where isNear(place.before.first, place, of: ink) {
      variants.append(place.extended(before: count, of: ink))
    }
    for count in Set([1, word(place.after)]) where isNear(place.after.first, place, of: ink) {
      variants.append(place.extended(after: count, of: ink))
    }
    return variants.compactMap(\.self).filter { $0.strokes.count <= Self.mostStrokes }
  }

  /// The gap between words, and the widest one inside of a formula, in heights of the words.
  private static let (wordGap, operandGap) = (0.4, 1.5)
  /// More strokes are no formula inside of a line.
  private static let mostStrokes = 60

  private func isNear(_ column: [Int]?, _ place: InlineFormula, of ink: Ink) -> Bool {
    guard let column,
      let box = Ink(strokes: column.map { ink.strokes[$0] }).boundingBox
    else { return false }
    let gap = max(box.minX - place.place.maxX, place.place.minX - box.maxX)
    return gap < Self.operandGap * place.place.height
  }

  private func reading(
    _ candidate: InlineFormula, on page: InlineFormulaPage
  ) throws -> (read: ReadInlineFormula, rules: InlineFormulaRules, measures: InlineFormulaMeasures)?
  {
    let part = Ink(strokes: candidate.strokes.map { page.ink.strokes[$0] })
    let candidates = try? recognizer.recognize(
      part, context: RecognitionContext(), maximumCandidates: Self.mostReadings
    ).candidates
    guard let best = candidates?.first, let first = best.formula,
      let parsed = try? Formula(latex: first.latex)
    else { return nil }
    let readings = (candidates ?? []).compactMap(\.formula).map { formula in
      formula.mappingStrokes { strokes in strokes.map { candidate.strokes[$0] } }
    }
    var read = ReadInlineFormula(
      place: candidate, formula: readings[0], confidence: exp(best.score), readings: readings)
    let rules = InlineFormulaRules(parsed)
    let plain = try text(part)
    read.plainText = plain.text
    let measures = InlineFormulaMeasures(read, rules, certainty: plain.certainty, on: page)
    return (read, rules, measures)
  }

  /// The readings that are kept. The reader ranks more of them in any case.
  private static let mostReadings = 5
}

/// The ink that formulas are looked for in.
struct InlineFormulaPage {
  var ink: Ink
  /// The probability of each stroke that it is of a formula.
  var probabilities: [Float]
  /// What the words that were read say about each stroke.
  var evidence: [Float]

  /// The number of columns before the first gap between them that is wider; nil without one.
  func firstGap(in columns: [[Int]], wider width: Double) -> Int? {
    let boxes = columns.map { Ink(strokes: $0.map { ink.strokes[$0] }).boundingBox }
    return zip(boxes, boxes.dropFirst()).enumerated().first { _, pair in
      guard let one = pair.0, let other = pair.1 else { return false }
      return max(one.minX - other.maxX, other.minX - one.maxX) > width
    }.map { $0.offset + 1 }
  }
}
