import Foundation
import InkCore
import Recognition

/// A recogniser that reads the strokes that ``Pen`` writes: each is a letter, by its number of
/// points, and a gap is a space. Thread-safe; remembers its calls.
package final class FakeReader: Recognizer, @unchecked Sendable {
  // Unchecked because the lock guards the log.
  package struct Call: Sendable {
    package var strokes: Int
    package var preContext: String
    package var area: WritingArea?
  }

  private let lock = NSLock()
  private var log: [Call] = []
  private var formulas: [String: Formula] = [:]
  private let delay: Double
  private let keepsLog: Bool

  package init(delay: Double = 0, keepsLog: Bool = true) {
    self.delay = delay
    self.keepsLog = keepsLog
  }

  package var calls: [Call] { lock.withLock { log } }
  package func forget() { lock.withLock { log = [] } }

  private struct Formula {
    var latex: [String]
    var plainText: String?
  }

  /// Reads a word as a formula of one symbol for each letter; the first symbol takes letters that are
  /// left. If there are other readings, each symbol may be a 7, too.
  package func reads(
    _ word: String, as latex: String, or others: [String] = [], plainText: String? = nil
  ) {
    lock.withLock { formulas[word] = Formula(latex: [latex] + others, plainText: plainText) }
  }

  package var labels: [String]? { nil }

  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    if keepsLog {
      lock.withLock {
        log.append(
          Call(
            strokes: ink.strokes.count, preContext: context.preContext, area: context.writingArea))
      }
    }
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    try ink.validate()
    var text = ""
    var characters: [CharacterInk] = []
    var right = -Double.infinity
    for (index, stroke) in ink.strokes.enumerated() {
      guard let box = Ink(strokes: [stroke]).boundingBox else { continue }
      if index > 0, box.minX - right > 2 {
        text += " "
        characters.append(CharacterInk(parts: []))
      }
      right = max(right, box.maxX)
      text += String(Pen.letter(points: stroke.points.count))
      characters.append(
        CharacterInk(parts: [.init(stroke: index, points: 0..<stroke.points.count)]))
    }
    guard !text.isEmpty else { return RecognitionResult(candidates: []) }
    let second = RecognitionCandidate(
      text: text.uppercased(), score: log2(0.3), characters: characters)
    var best = RecognitionCandidate(text: text, score: log2(0.8), characters: characters)
    markFormulas(in: &best)
    return RecognitionResult(candidates: [best, second].prefix(maximumCandidates).map { $0 })
  }

  private func markFormulas(in candidate: inout RecognitionCandidate) {
    let formulas = lock.withLock { self.formulas }
    guard !formulas.isEmpty else { return }
    var start = 0
    for word in candidate.text.split(separator: " ").map(String.init) {
      let range = start..<start + word.count
      start = range.upperBound + 1
      var read = RecognizedWord(text: word, characters: range, confidence: 0.8)
      if let known = formulas[word] {
        let strokes = candidate.characters[range].map { $0.parts.map(\.stroke) }
        read.formulas = known.latex.compactMap {
          Self.formula($0, strokes, hasChoices: known.latex.count > 1)
        }
        read.formula = read.formulas.first
        read.plainText = known.plainText
      }
      candidate.words.append(read)
    }
  }
}

extension FakeReader {
  private static func formula(
    _ latex: String, _ strokes: [[Int]], hasChoices: Bool
  ) -> RecognizedFormula? {
    var formula = strokes.indices.lazy.compactMap { place in
      let first = strokes[...place].flatMap { $0 }
      return RecognizedFormula(latex: latex, strokes: [first] + strokes[(place + 1)...])
    }.first
    guard hasChoices else { return formula }
    for index in formula?.symbols.indices ?? 0..<0 {
      guard let symbol = formula?.symbols[index].symbol else { continue }
      formula?.symbols[index].candidates = [symbol, "7"]
    }
    return formula
  }
}

/// Knows closed ink for a rectangle and open ink for a line.
package struct FakeShapes: Recognizer {
  package init() {}

  package var labels: [String]? { ["rectangle", "line"] }

  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    guard let first = ink.strokes.first?.points.first, let last = ink.strokes.last?.points.last
    else { return RecognitionResult(candidates: []) }
    let isClosed = abs(first.x - last.x) + abs(first.y - last.y) < 2
    return RecognitionResult(candidates: [
      RecognitionCandidate(text: isClosed ? "rectangle" : "line", score: -0.1),
      RecognitionCandidate(text: isClosed ? "line" : "rectangle", score: -2.4),
    ])
  }
}

/// Writes letters as strokes, in millimetres: 2 wide, 4 tall, 1 apart; 4 between words.
package enum Pen {
  package static func letter(points: Int) -> Character {
    Character(Unicode.Scalar(UInt8(97 + (points + 23) % 26)))
  }

  /// The strokes of a text on one line whose middle is `y`.
  package static func strokes(_ text: String, x: Double, y: Double) -> [[StrokePoint]] {
    var x = x
    var result: [[StrokePoint]] = []
    for character in text {
      guard let value = character.asciiValue, character != " " else {
        x += 3
        continue
      }
      let count = Int(value) - 97 + 3
      result.append(
        (0..<count).map { index in
          let part = Double(index) / Double(count - 1)
          return StrokePoint(x: x + 2 * part, y: y - 2 + 4 * part)
        })
      x += 3
    }
    return result
  }

  package static func rectangle(x: Double, y: Double, width: Double, height: Double)
    -> [StrokePoint]
  {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    return zip(corners, corners.dropFirst()).flatMap { from, to in
      (0..<10).map { step in
        let part = Double(step) / 9
        return StrokePoint(
          x: x + width * (from.0 + part * (to.0 - from.0)),
          y: y + height * (from.1 + part * (to.1 - from.1)))
      }
    }
  }
}
