import Formulas
import Foundation
import InkCore
import Layout
import Recognition
import Testing

/// Formulas between the words of a line.
@Suite("Formulas inside of lines of text")
struct InlineFormulaTests {
  @Test(
    "Relations, sums, fractions, roots and powers are formulas",
    arguments: [
      "x ^ { 2 } + y ^ { 2 } = r ^ { 2 }", #"a = \frac { b } { 2 }"#, "x = 3", "2 + 3 =",
      #"\frac { 1 } { 2 }"#, #"\sqrt { 2 a }"#, "x ^ { 2 }", "a _ { n }", "a + b",
      #"\sum _ { i = 1 } ^ { n } i"#, #"x \in A"#, "f ( x ) = 2 x", "( a + b ) ^ { 2 }",
    ])
  func formulas(latex: String) throws {
    #expect(InlineFormulaRules(try Formula(latex: latex)).isFormula)
  }

  @Test(
    "Letters, numbers, dates, times, prices and words are none",
    arguments: [
      "2", "x", "A - B", "2 5 - 3 - 1 9 9 8", "1 2 / 5 / 9 8", "1 2 : 3 0", "3 . 5 0",
      "0 1 7 1 - 5 5 5 - 2 3", "1 ^ { s t }", "2 ^ { n d }", "t h e n = a", "=", "+", "x =",
      "= 2", "a n d ^ { s }", "( 2 )", "1 , 0 0 0", "I I I", "C _ { l e a r }",
      #"2 \cdot 5"#, #"B \cdot C . : -"#,
    ])
  func text(latex: String) throws {
    #expect(!InlineFormulaRules(try Formula(latex: latex)).isFormula)
  }

  /// Letters of 8 units in a row, 10 apart; spaces have no ink.
  private static func line(_ text: String) -> (ink: Ink, candidate: RecognitionCandidate) {
    var strokes: [Stroke] = []
    var characters: [CharacterInk] = []
    for (place, letter) in text.enumerated() {
      guard letter != " " else {
        characters.append(CharacterInk(parts: []))
        continue
      }
      characters.append(CharacterInk(parts: [.init(stroke: strokes.count, points: 0..<2)]))
      let x = 10 * Double(place)
      strokes.append(Stroke(points: [StrokePoint(x: x, y: 0), StrokePoint(x: x + 8, y: 10)]))
    }
    var start = 0
    let words = text.split(separator: " ", omittingEmptySubsequences: false).compactMap {
      (word: Substring) -> RecognizedWord? in
      defer { start += word.count + 1 }
      guard !word.isEmpty else { return nil }
      return RecognizedWord(
        text: String(word), characters: start..<start + word.count, confidence: 0.5)
    }
    return (
      Ink(strokes: strokes),
      RecognitionCandidate(text: text, score: -1, characters: characters, words: words)
    )
  }

  /// A formula `x²` with two strokes about a place, which are put at the end of the ink.
  private static func formula(at x: Double, in ink: inout Ink) throws -> ReadInlineFormula {
    let first = ink.strokes.count
    for offset in [-1.0, 1] {
      ink.strokes.append(
        Stroke(
          points: [
            StrokePoint(x: x + offset, y: 0), StrokePoint(x: x + offset, y: 5),
            StrokePoint(x: x + offset, y: 10),
          ]))
    }
    let place = BoundingBox(minX: x - 1, minY: 0, maxX: x + 1, maxY: 10)
    return ReadInlineFormula(
      place: InlineFormula(strokes: [first, first + 1], place: place),
      formula: try #require(
        RecognizedFormula(latex: "x ^ { 2 }", strokes: [[first], [first + 1]])),
      confidence: 0.5)
  }

  @Test(
    "A formula stands between the words beside it",
    arguments: [
      ("ab cd", 25.0, "ab x² cd"), ("ab cd", -5, "x² ab cd"), ("ab cd", 60, "ab cd x²"),
      (" ab cd", 35, " ab x² cd"), (" ab cd", -5, " x² ab cd"), ("abcd", 19, "ab x² cd"),
      ("ab , cd", 25, "ab x², cd"), ("( cd", 5, "(x² cd"), ("(cd", 9, "(x² cd"), ("", 0, "x²"),
    ])
  func place(text: String, x: Double, expected: String) throws {
    var (ink, candidate) = Self.line(text)
    let read = try Self.formula(at: x, in: &ink)
    candidate.insert(read, of: ink)
    #expect(candidate.text == expected)
    #expect(candidate.characters.count == candidate.text.count)
    let letters = Array(candidate.text)
    for word in candidate.words { #expect(String(letters[word.characters]) == word.text) }
    let starts = candidate.words.map(\.characters.lowerBound)
    #expect(starts == starts.sorted())
    let formula = try #require(candidate.words.first { $0.formula != nil })
    #expect(formula.text == "x²" && candidate.strokes(of: formula) == read.place.strokes)
    // Each stroke is in one word.
    let all = candidate.words.flatMap { candidate.strokes(of: $0) }
    #expect(all.sorted() == Array(ink.strokes.indices))
    #expect(abs(candidate.score - (-1 + log(0.5))) < 1e-12)
  }

  /// Reads any ink as one formula, with one symbol for each stroke.
  private struct OneFormula: Recognizer {
    var latex: [Int: String]
    var labels: [String]? { nil }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      guard let latex = latex[ink.strokes.count] else { return RecognitionResult(candidates: []) }
      var candidate = RecognitionCandidate(text: latex, score: -0.1)
      candidate.formula = RecognizedFormula(
        latex: latex, strokes: ink.strokes.indices.map { [$0] })
      return RecognitionResult(candidates: [candidate])
    }
  }

  /// What is known of strokes that are surely a formula, beside sure words.
  private static func known(
    _ formula: [Int], in ink: Ink
  ) -> (probabilities: [Float], evidence: [Float]) {
    let own = Set(formula)
    return (
      ink.strokes.indices.map { own.contains($0) ? 0.95 : 0.01 },
      ink.strokes.indices.map { own.contains($0) ? 0.4 : -0.8 }
    )
  }

  @Test("A formula begins and ends where it is likeliest")
  func bounds() throws {
    var (ink, _) = Self.line("abcdef")
    // The candidate has lost its first operand, and has a letter of the word after it.
    let found = try Self.formula(at: 84, in: &ink)
    for stroke in ink.strokes.indices.suffix(2) {
      for point in ink.strokes[stroke].points.indices {
        ink.strokes[stroke].points[point].x = 10 * Double(stroke) + Double(point)
      }
    }
    let (probabilities, evidence) = Self.known([5, 6, 7], in: ink)
    var candidate = found.place
    candidate.strokes = [6, 7]
    candidate.place = BoundingBox(minX: 60, minY: 0, maxX: 72, maxY: 10)
    (candidate.before, candidate.words) = ([[5], [4]], [0, 1, 2, 3, 4])
    let model = OneFormula(latex: [2: "= 2", 3: "b = 2", 4: "a b = 2"])
    let reader = InlineFormulaReader(model) { _ in ("b=2", 0.5) }
    let read = try reader.read([candidate], of: ink, probabilities, evidence: evidence)
    #expect(read.map(\.place.strokes) == [[5, 6, 7]])
    #expect(read.first?.formula.symbols.map(\.strokes) == [[5], [6], [7]])
    let wide = try reader.read(
      [candidate.extended(before: 2, of: ink)], of: ink, probabilities, evidence: evidence)
    #expect(wide.map(\.place.strokes) == [[5, 6, 7]])
    let nothing = InlineFormulaReader(OneFormula(latex: [2: "= 2"])) { _ in ("", 0) }
    #expect(
      try nothing.read([candidate], of: ink, probabilities, evidence: evidence).isEmpty)
  }

  @Test("Ink that is surely a word is no formula")
  func word() throws {
    var (ink, _) = Self.line("ab")
    var candidate = try Self.formula(at: 24, in: &ink).place
    candidate.strokes = [1, 2, 3]
    candidate.words = [0]
    let model = OneFormula(latex: [3: "a + b"])
    let formula = InlineFormulaReader(model) { _ in ("a+b", 0.95) }
    let (probabilities, evidence) = Self.known([1, 2, 3], in: ink)
    let read = try formula.read([candidate], of: ink, probabilities, evidence: evidence)
    #expect(read.count == 1)
    // What else the ink may be is kept, for choices.
    #expect(read.first?.plainText == "a+b")
    #expect(read.first?.readings.map(\.latex) == ["a + b"])
    let word = InlineFormulaReader(model) { _ in ("water", 0.95) }
    let (unlikely, words) = Self.known([], in: ink)
    #expect(try word.read([candidate], of: ink, unlikely, evidence: words).isEmpty)
  }

  @Test("Signs, digits beside letters, arguments and unsure numbers speak for a formula")
  func evidence() {
    for text in ["a+b", "x=3", "2x", "f(x)"] {
      #expect(FormulaEvidence.score(of: text, confidence: 0.9) > 0.35)
    }
    #expect(FormulaEvidence.score(of: "178161", confidence: 0.3) > 0.35)
    for text in ["1998", "(2)", "water", "(water)"] {
      #expect(FormulaEvidence.score(of: text, confidence: 0.9) <= 0)
    }
  }
}
