import Foundation
import InkCore
import InkFormats
import Recognition

extension PageWord {
  /// Words of several readings are at one place if their boxes share this part of the wider one.
  private static let shared = 0.5
  /// Readings that are less probable than the best by this factor say nothing.
  private static let leastWeight = 1e-4

  /// The words of a page that was read, and its typed text.
  ///
  /// - Parameters:
  ///   - lines: The lines of the page with their readings.
  ///   - ink: The ink of the page.
  ///   - texts: The typed text of the page.
  public static func words(
    of lines: [RecognizedLine], ink: Ink, texts: [PlacedText] = []
  ) -> [PageWord] {
    var words: [PageWord] = []
    for (number, line) in lines.enumerated() {
      words += Self.words(of: line, number, ink)
    }
    var number = lines.count
    for text in texts {
      words += typed(text, line: &number)
    }
    return words
  }

  /// The words of a line: those of the best reading, each with what other readings have at its place.
  ///
  /// The best reading has the confidence of its word. What is left of it is shared by the others in
  /// proportion to the probabilities of their readings.
  private static func words(
    of line: RecognizedLine, _ number: Int, _ ink: Ink
  ) -> [PageWord] {
    guard let best = line.candidates.first else { return [] }
    let whole = Ink(strokes: line.strokes.map { ink.strokes[$0] }).boundingBox
    var places: [(box: BoundingBox, word: RecognizedWord, others: [String: Double])] = []
    for word in best.words {
      guard let box = box(of: word, best, ink) ?? whole else { continue }
      places.append((box, word, [:]))
    }
    let top = best.score
    var extra: [(box: BoundingBox, text: String, weight: Double)] = []
    var total = 0.0
    for candidate in line.candidates.dropFirst() {
      let weight = exp(min(0, candidate.score - top))
      guard weight >= leastWeight else { continue }
      total += weight
      for word in candidate.words {
        guard let box = box(of: word, candidate, ink) else { continue }
        let nearest = places.indices.max {
          overlap(places[$0].box, box) < overlap(places[$1].box, box)
        }
        if let nearest, overlap(places[nearest].box, box) >= shared {
          if places[nearest].word.text != word.text {
            places[nearest].others[word.text, default: 0] += weight
          }
        } else {
          extra.append((box, word.text, weight))
        }
      }
    }
    let all = 1 + total
    var words = places.map { place in
      let sum = place.others.values.reduce(0, +)
      let sure = max(0.02, min(1, place.word.confidence))
      // Readings without another word here speak for the best one.
      let rest = sum > 0 ? max(1 - sure, sum / all * 0.5) : 0
      let others = place.others.map {
        Alternative($0.key, probability: rest * $0.value / max(sum, 1e-12))
      }.sorted { ($0.probability, $1.text) > ($1.probability, $0.text) }
      return PageWord(
        alternatives: [Alternative(place.word.text, probability: sure)] + others, box: place.box,
        line: number)
    }
    // Words that other readings part differently.
    var joined: [String: (box: BoundingBox, weight: Double)] = [:]
    for word in extra {
      joined[word.text, default: (word.box, 0)].weight += word.weight
    }
    for (text, value) in joined.sorted(by: { $0.key < $1.key }) {
      words.append(
        PageWord(
          alternatives: [Alternative(text, probability: value.weight / all * 0.5)],
          box: value.box, line: number))
    }
    return words.filter { !$0.alternatives.isEmpty }
  }

  private static func box(
    of word: RecognizedWord, _ candidate: RecognitionCandidate, _ ink: Ink
  ) -> BoundingBox? {
    var box: BoundingBox?
    for character in candidate.characters[safe: word.characters] {
      for part in character.parts {
        guard ink.strokes.indices.contains(part.stroke) else { continue }
        let points = ink.strokes[part.stroke].points
        for point in points[part.points.clamped(to: 0..<points.count)] {
          if box == nil {
            box = BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
          }
          box?.formUnion(x: point.x, y: point.y)
        }
      }
    }
    return box
  }

  /// The part of the wider box that both share, along the line.
  private static func overlap(_ a: BoundingBox, _ b: BoundingBox) -> Double {
    let across = min(a.maxX, b.maxX) - max(a.minX, b.minX)
    let wider = max(a.width, b.width, 1e-9)
    let down = min(a.maxY, b.maxY) - max(a.minY, b.minY)
    // Lines that run down have their words below each other.
    return a.height > 2 * a.width && b.height > 2 * b.width
      ? down / max(a.height, b.height, 1e-9) : across / wider
  }

  /// The words of a typed text, with places by their share of the line.
  private static func typed(_ text: PlacedText, line: inout Int) -> [PageWord] {
    let lines = text.text.split(whereSeparator: \.isNewline)
    guard !lines.isEmpty else { return [] }
    var words: [PageWord] = []
    let height = text.box.height / Double(lines.count)
    let longest = Double(max(1, lines.map(\.count).max() ?? 1))
    for (row, part) in lines.enumerated() {
      let parts = part.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
        .map(String.init)
      let direction = WritingDirection(of: String(part)) ?? .leftToRight
      var column = 0
      var columns = [Int](repeating: 0, count: parts.count)
      for index in BidirectionalOrder.places(of: parts, in: direction) {
        columns[index] = column
        column += parts[index].count + 1
      }
      let top = text.box.minY + height * Double(row)
      for (word, column) in zip(parts, columns) where !word.isEmpty {
        var (left, right) = (
          text.box.width * Double(column) / longest,
          text.box.width * Double(column + word.count) / longest
        )
        if direction == .rightToLeft {
          (left, right) = (text.box.width - right, text.box.width - left)
        }
        words.append(
          PageWord(
            alternatives: [Alternative(word, probability: 1)],
            box: BoundingBox(
              minX: text.box.minX + left, minY: top, maxX: text.box.minX + right,
              maxY: top + height), line: line, isTyped: true))
      }
      line += 1
    }
    return words
  }
}

extension Array {
  /// The elements of a range, as far as there are such.
  fileprivate subscript(safe range: Range<Int>) -> ArraySlice<Element> {
    self[range.clamped(to: 0..<count)]
  }
}
