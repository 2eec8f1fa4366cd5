import Foundation
import InkCore
import Recognition

/// Converts the candidates of a line to words with their own candidates, characters and ink.
struct WordBuilder {
  /// The item of each stroke of the ink.
  private let items: [Int]
  private let ink: Ink
  /// The index of each stroke's first point, counted over all points.
  private let starts: [Int]
  private let boxes: [BoundingBox?]

  private struct Letter {
    var text: String
    var ink: CharacterInk
    /// The middle of its points, counted over all points, or nil if it has none.
    var middle: Int?
  }

  init(items: [Int], ink: Ink) {
    self.items = items
    self.ink = ink
    var total = 0
    starts = ink.strokes.map { stroke in
      defer { total += stroke.points.count }
      return total
    }
    boxes = ink.strokes.map { Ink(strokes: [$0]).boundingBox }
  }

  /// Returns the words of the best candidate, or none if it is empty. Each item belongs to one
  /// word.
  func words(of candidates: [RecognitionCandidate]) -> [TextWord] {
    guard let best = candidates.first else { return [] }
    // A recogniser of the host may return scores that are not logarithms of probabilities.
    let probabilities = candidates.map { $0.score.isNaN ? 0 : exp(min($0.score, Self.highest)) }
    // The remaining probability belongs to readings that are not candidates: most of it if the text
    // is outside of the lexicon.
    let total = max(probabilities.reduce(0, +), 1)
    let weights = probabilities.map { $0 / total }
    guard let letters = letters(of: best), letters.contains(where: { $0.middle != nil }) else {
      return whole(candidates, weights)
    }
    let runs = runs(of: letters, best).filter { run in
      run.letters.contains { $0.middle != nil }
    }
    let words = runs.map(\.letters)
    guard !words.isEmpty else { return [] }
    let bounds = bounds(of: words)
    let counts = pointCounts(of: words)
    let owners = owners(counts, bounds)
    let readings = readings(candidates, weights, count: words.count) { letter in
      letter.ink.parts.first.flatMap { onlyWord(counts[$0.stroke]) }
        ?? letter.middle.map { self.word(at: $0, bounds) }
    }
    return words.indices.map { index in
      var word = word(words[index], owners: owners, index: index, readings: readings[index])
      if let read = runs[index].word { addFormulas(of: read, to: &word) }
      return word
    }
  }

  /// The words of a candidate: what is between spaces, and the formulas.
  private func runs(
    of letters: [Letter], _ candidate: RecognitionCandidate
  ) -> [(letters: [Letter], word: RecognizedWord?)] {
    func words(_ range: Range<Int>) -> [(letters: [Letter], word: RecognizedWord?)] {
      letters[range].split { $0.text == " " }.map { (Array($0), nil) }
    }
    var result: [(letters: [Letter], word: RecognizedWord?)] = []
    var start = 0
    for word in candidate.words {
      guard word.formula != nil, word.characters.lowerBound >= start,
        word.characters.upperBound <= letters.count
      else { continue }
      result += words(start..<word.characters.lowerBound)
      result.append((Array(letters[word.characters]), word))
      start = word.characters.upperBound
    }
    return result + words(start..<letters.count)
  }

  /// Gives a word the formula that it is, with items as the strokes of the symbols, and its other
  /// readings.
  private func addFormulas(of read: RecognizedWord, to word: inout TextWord) {
    func counted(_ formula: RecognizedFormula) -> RecognizedFormula {
      formula.mappingStrokes { $0.compactMap { items.indices.contains($0) ? items[$0] : nil } }
    }
    word.formula = read.formula.map(counted)
    word.formulas =
      read.formulas.isEmpty ? [word.formula].compactMap { $0 } : read.formulas.map(counted)
    for formula in word.formulas { word.addCandidate(formula.text, probability: 0) }
    if let text = read.plainText { word.addCandidate(text, probability: 0) }
  }

  /// The largest score whose exponential can be summed.
  private static let highest = 300.0

  /// Returns one word with all ink, for recognisers that do not locate characters.
  private func whole(_ candidates: [RecognitionCandidate], _ weights: [Double]) -> [TextWord] {
    guard let best = candidates.first, let box = ink.boundingBox else { return [] }
    let label = best.text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !label.isEmpty else { return [] }
    let parts = items.indices.map {
      ItemPart(item: items[$0], points: 0..<ink.strokes[$0].points.count)
    }
    var readings: [TextCandidate] = []
    for (candidate, weight) in zip(candidates, weights) {
      let text = candidate.text.trimmingCharacters(in: .whitespacesAndNewlines)
      if let known = readings.firstIndex(where: { $0.text == text }) {
        readings[known].probability += weight
      } else if !text.isEmpty {
        readings.append(TextCandidate(text: text, probability: weight))
      }
    }
    return [
      TextWord(
        label: label, candidates: readings,
        characters: label.map {
          TextCharacter(
            label: String($0),
            candidates: label.count == 1
              ? readings : [TextCandidate(text: String($0), probability: 1)], parts: parts,
            box: box)
        }, items: items, box: box)
    ]
  }

  private func letters(of candidate: RecognitionCandidate) -> [Letter]? {
    let characters = candidate.text.map { $0.isWhitespace ? " " : String($0) }
    guard characters.count == candidate.characters.count else { return nil }
    return zip(characters, candidate.characters).map { text, ink in
      // A recogniser of the host may name ink that does not exist.
      let ink = CharacterInk(parts: ink.parts.compactMap(present))
      return Letter(text: text, ink: ink, middle: text == " " ? nil : middle(of: ink))
    }
  }

  /// Returns the part limited to existing ink, or nil if there is none.
  private func present(_ part: CharacterInk.Part) -> CharacterInk.Part? {
    guard ink.strokes.indices.contains(part.stroke) else { return nil }
    let points = part.points.clamped(to: 0..<ink.strokes[part.stroke].points.count)
    return points.isEmpty ? nil : CharacterInk.Part(stroke: part.stroke, points: points)
  }

  /// Returns the middle of the character's first part, because a dot may be drawn after the next
  /// words.
  private func middle(of ink: CharacterInk) -> Int? {
    spans(of: ink).map { ($0.lowerBound + $0.upperBound) / 2 }.min()
  }

  /// Returns the points of a character's parts, counted over all points.
  private func spans(of ink: CharacterInk) -> [Range<Int>] {
    ink.parts.map { part in
      let first = starts[part.stroke]
      return first + part.points.lowerBound..<first + part.points.upperBound
    }
  }

  /// Returns, for each word, the index after its last point: halfway to the first point of the next
  /// word. Marks of a word that were drawn after the next one began are ignored.
  private func bounds(of words: [[Letter]]) -> [Int] {
    let spans = words.map { $0.flatMap { self.spans(of: $0.ink) } }
    return zip(spans, spans.dropFirst()).map { word, next in
      let begin = next.map(\.lowerBound).min() ?? 0
      let end = word.filter { $0.lowerBound < begin }.map(\.upperBound).max() ?? begin
      return (min(end, begin) + begin + 1) / 2
    } + [.max]
  }

  private func word(at point: Int, _ bounds: [Int]) -> Int {
    bounds.firstIndex { point < $0 } ?? bounds.count - 1
  }

  /// Returns, for each stroke, the number of its points in the characters of each word.
  private func pointCounts(of words: [[Letter]]) -> [[Int]] {
    var counts = [[Int]](
      repeating: [Int](repeating: 0, count: words.count), count: ink.strokes.count)
    for (index, word) in words.enumerated() {
      for part in word.flatMap(\.ink.parts) {
        counts[part.stroke][index] += part.points.count
      }
    }
    return counts
  }

  /// Returns the only word with points of a stroke; nil if there are several or none.
  private func onlyWord(_ counts: [Int]) -> Int? {
    guard let word = counts.firstIndex(where: { $0 > 0 }) else { return nil }
    return counts[(word + 1)...].allSatisfy { $0 == 0 } ? word : nil
  }

  /// Returns, for each stroke, the word whose characters have most of its points. For a stroke
  /// without such a word, it is the word whose bounds contain the middle of the stroke.
  private func owners(_ counts: [[Int]], _ bounds: [Int]) -> [Int] {
    ink.strokes.indices.map { stroke in
      let (first, count) = (starts[stroke], ink.strokes[stroke].points.count)
      if let most = counts[stroke].max(), most > 0 {
        return counts[stroke].firstIndex(of: most) ?? 0
      }
      return word(at: first + count / 2, bounds)
    }
  }

  /// Returns, for each word, the text and weight of each candidate in its place.
  ///
  /// - Parameter word: The word of a letter with ink.
  private func readings(
    _ candidates: [RecognitionCandidate], _ weights: [Double], count: Int,
    word: (Letter) -> Int?
  ) -> [[(letters: [String], weight: Double)]] {
    var result = [[(letters: [String], weight: Double)]](repeating: [], count: count)
    for (candidate, weight) in zip(candidates, weights) {
      guard let letters = letters(of: candidate) else { continue }
      var parts = [[String]](repeating: [], count: count)
      var current = 0
      var hasSpace = false
      for letter in letters {
        guard letter.middle != nil, let place = word(letter) else {
          hasSpace = hasSpace || letter.text == " "
          if letter.text != " " { parts[current].append(letter.text) }
          continue
        }
        current = max(current, place)
        if hasSpace, !parts[current].isEmpty { parts[current].append(" ") }
        hasSpace = false
        parts[current].append(letter.text)
      }
      for (index, part) in parts.enumerated() where !part.isEmpty {
        if let known = result[index].firstIndex(where: { $0.letters == part }) {
          result[index][known].weight += weight
        } else {
          result[index].append((part, weight))
        }
      }
    }
    return result
  }

  private func word(
    _ letters: [Letter], owners: [Int], index: Int,
    readings: [(letters: [String], weight: Double)]
  ) -> TextWord {
    let label = letters.map(\.text).joined()
    let ranked = readings.sorted { $0.weight > $1.weight }
    var candidates = [
      TextCandidate(
        text: label, probability: ranked.first { $0.letters.joined() == label }?.weight ?? 0)
    ]
    candidates += ranked.map { TextCandidate(text: $0.letters.joined(), probability: $0.weight) }
      .filter { $0.text != label }
    let mine = owners.indices.filter { owners[$0] == index }
    let characters = letters.enumerated().map { place, letter in
      character(letter, place, letters.count, ranked)
    }
    let box =
      BoundingBox(holding: mine.compactMap { boxes[$0] })
      ?? BoundingBox(holding: characters.compactMap(\.box))
    return TextWord(
      label: label, candidates: candidates, characters: characters, items: mine.map { items[$0] },
      box: box ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0))
  }

  private func character(
    _ letter: Letter, _ place: Int, _ count: Int, _ ranked: [(letters: [String], weight: Double)]
  ) -> TextCharacter {
    var candidates = [TextCandidate(text: letter.text, probability: 0)]
    for reading in ranked where reading.letters.count == count {
      let text = reading.letters[place]
      if let known = candidates.firstIndex(where: { $0.text == text }) {
        candidates[known].probability += reading.weight
      } else if text != " " {
        candidates.append(TextCandidate(text: text, probability: reading.weight))
      }
    }
    let rest = candidates.dropFirst().sorted { $0.probability > $1.probability }
    var box: BoundingBox?
    for part in letter.ink.parts {
      for point in ink.strokes[part.stroke].points[part.points] {
        if box == nil {
          box = BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        } else {
          box?.formUnion(x: point.x, y: point.y)
        }
      }
    }
    return TextCharacter(
      label: letter.text, candidates: Array(candidates.prefix(1)) + rest,
      parts: letter.ink.parts.map { ItemPart(item: items[$0.stroke], points: $0.points) },
      box: box)
  }
}
