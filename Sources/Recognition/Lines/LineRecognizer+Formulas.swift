import Foundation
import InkCore
import Layout

/// Formulas between the words of lines. Ink is read as text first: how that went is evidence.
extension LineRecognizer {
  /// Reads a page, and again with the formulas inside of its lines if there are any.
  ///
  /// - Throws: As ``readPage(_:_:count:_:_:formulas:)``.
  func readPageWithFormulas(
    _ arranged: ArrangedInk, _ context: RecognitionContext, count: Int,
    _ timings: inout LineTimings, _ choice: LanguageChoice?
  ) throws -> RecognitionResult {
    let result = try readPage(arranged, context, count: count, &timings, choice)
    let formulas = try inlineFormulas(
      of: arranged, result.lines.compactMap(\.candidates.first), context)
    guard !formulas.isEmpty else { return result }
    let own = Set(formulas.flatMap(\.place.strokes))
    if arranged.kinds == nil, let line = result.lines.first, result.lines.count == 1,
      own.isSuperset(of: line.strokes)
    {
      return Self.page(result, of: formulas, in: arranged.ink, count: count)
    }
    choice?.restart()
    return try readPage(arranged, context, count: count, &timings, choice, formulas: formulas)
  }

  /// The page of one line that is formulas alone: there are no words beside which they have a place.
  private static func page(
    _ plain: RecognitionResult, of formulas: [ReadInlineFormula], in ink: Ink, count: Int
  ) -> RecognitionResult {
    var result = plain
    result.lines[0].candidates = []
    for formula in formulas { result.lines[0].insert(formula, of: ink) }
    result.candidates = PageCandidates.joined(result.lines.map(\.candidates), count: count)
    return result
  }

  /// Reads one line, and again with the formulas between its words if there are any.
  ///
  /// - Throws: As ``readLine(_:_:count:_:_:known:)``.
  func readLineWithFormulas(
    _ arranged: ArrangedInk, _ context: RecognitionContext, count: Int,
    _ timings: inout LineTimings, _ choice: LanguageChoice?
  ) throws -> RecognitionResult {
    let ink = arranged.ink
    let plain = try readLine(ink, context, count: count, &timings, choice)
    guard context.formulas != nil, model.pipeline.direction == .leftToRight else { return plain }
    var arranged = arranged
    arranged.formulaProbabilities = PageKinds.formulas(inLine: ink)
    let formulas = try inlineFormulas(
      of: arranged, plain.candidates.first.map { [$0] } ?? [], context)
    guard !formulas.isEmpty else { return plain }
    let own = Set(formulas.flatMap(\.place.strokes))
    let strokes = ink.strokes.indices.filter { !own.contains($0) }
    choice?.restart()
    var result = try readLine(
      Self.closed(strokes, around: formulas, of: ink), context, count: count, &timings, choice)
    if result.candidates.isEmpty {
      result.candidates = [RecognitionCandidate(text: "", score: 0)]
    }
    for index in result.candidates.indices {
      result.candidates[index].renumberStrokes(strokes)
      for formula in formulas { result.candidates[index].insert(formula, of: ink) }
    }
    return result
  }

  /// The formulas inside of lines. None if there is no model for them.
  ///
  /// - Parameter lines: The best readings of the lines as text.
  private func inlineFormulas(
    of arranged: ArrangedInk, _ lines: [RecognitionCandidate], _ context: RecognitionContext
  ) throws -> [ReadInlineFormula] {
    guard let source = context.formulas, !arranged.formulaProbabilities.isEmpty else { return [] }
    let strokes = arranged.ink.strokes.indices
    let known =
      arranged.isUnchanged && source.known.joined().allSatisfy(strokes.contains)
      ? source.known : []
    var (probabilities, evidence) = (
      arranged.formulaProbabilities, FormulaEvidence.scores(of: lines, strokes: strokes.count)
    )
    for stroke in known.joined() {
      (probabilities[stroke], evidence[stroke]) = (1, max(0, evidence[stroke]))
    }
    let candidates = InlineFormulas.found(
      in: arranged.ink, probabilities, evidence: evidence, kinds: arranged.kinds, known: known)
    guard !candidates.isEmpty, let recognizer = source.recognizer else { return [] }
    let reader = InlineFormulaReader(recognizer) { try self.plainText(of: $0) }
    return try reader.read(
      candidates, of: arranged.ink, probabilities, evidence: evidence)
  }

  /// Ink without formulas: what is after one is moved to where it began, a space away.
  ///
  /// - Parameters:
  ///   - strokes: The strokes of the line without those of the formulas.
  ///   - formulas: The formulas of the line.
  static func closed(
    _ strokes: [Int], around formulas: [ReadInlineFormula], of ink: Ink
  ) -> Ink {
    var result = Ink(strokes: strokes.map { ink.strokes[$0] })
    for place in formulas.map(\.place.place).sorted(by: { $0.minX > $1.minX }) {
      var (left, right) = (-Double.infinity, Double.infinity)
      var isAfter: [Int] = []
      for (index, stroke) in result.strokes.enumerated() {
        guard let box = Ink(strokes: [stroke]).boundingBox else { continue }
        if box.midX > place.midX {
          right = min(right, box.minX)
          isAfter.append(index)
        } else {
          left = max(left, box.maxX)
        }
      }
      let move = right - left - Self.space * place.height
      guard move.isFinite, move > 0 else { continue }
      for index in isAfter {
        for point in result.strokes[index].points.indices {
          result.strokes[index].points[point].x -= move
        }
      }
    }
    return result
  }

  /// The space that a formula leaves between the words beside it, in heights of these words.
  private static let space = 0.8
}

extension RecognitionCandidate {
  /// Puts a formula between the words of a line. O(characters).
  ///
  /// - Parameters:
  ///   - read: The formula; its strokes are counted as those of the characters.
  ///   - ink: The ink that the strokes are counted in, upright.
  package mutating func insert(_ read: ReadInlineFormula, of ink: Ink) {
    let letters = Array(text)
    let isKnown = characters.count == letters.count
    let middle = read.place.place.midX
    var place = isKnown ? 0 : letters.count
    for (index, character) in characters.enumerated() where isKnown {
      if let x = character.middle(in: ink), x < middle { place = index + 1 }
    }
    // A space before the whole text says that a new word begins.
    let start = letters.prefix(while: \.isWhitespace).count
    var (left, right) = (place, place)
    while left > start, letters[left - 1].isWhitespace { left -= 1 }
    while right < letters.count, letters[right].isWhitespace { right += 1 }
    left = max(left, min(start, right))
    let before = left > start && !"([{\"“„«".contains(letters[left - 1])
    let after = right < letters.count && !",.;:!?)]}\"”»".contains(letters[right])
    let own = Array(read.formula.text)
    let inserted = (before ? [" "] : []) + own + (after ? [" "] : [])
    let offset = inserted.count - (right - left)
    text = String(letters[..<left] + inserted + letters[right...])
    if isKnown {
      var parts = inserted.map { _ in CharacterInk(parts: []) }
      parts[before ? 1 : 0].parts = read.place.strokes.compactMap { stroke in
        let points = ink.strokes[stroke].points.indices
        return points.isEmpty ? nil : CharacterInk.Part(stroke: stroke, points: points)
      }
      characters.replaceSubrange(left..<right, with: parts)
    }
    let first = left + (before ? 1 : 0)
    var formula = RecognizedWord(
      text: read.formula.text, characters: first..<(first + own.count),
      confidence: read.confidence)
    formula.formula = read.formula
    formula.formulas = read.readings
    formula.plainText = read.plainText.isEmpty ? nil : read.plainText
    func part(_ word: RecognizedWord, in range: Range<Int>, by offset: Int) -> [RecognizedWord] {
      let own = word.characters.clamped(to: range)
      guard !own.isEmpty else { return [] }
      var part = word
      if own != word.characters { part.text = String(letters[own]) }
      part.characters = own.lowerBound + offset..<own.upperBound + offset
      return [part]
    }
    words =
      words.flatMap { part($0, in: 0..<left, by: 0) } + [formula]
      + words.flatMap { part($0, in: right..<letters.count, by: offset) }
    score += log(max(read.confidence, .leastNormalMagnitude))
  }
}

extension CharacterInk {
  /// The middle of the ink from left to right; nil without ink. O(points).
  fileprivate func middle(in ink: Ink) -> Double? {
    let xs = parts.flatMap { part in
      let points = ink.strokes[part.stroke].points
      return points[part.points.clamped(to: points.indices)].map(\.x)
    }
    guard let least = xs.min(), let most = xs.max() else { return nil }
    return (least + most) / 2
  }
}
