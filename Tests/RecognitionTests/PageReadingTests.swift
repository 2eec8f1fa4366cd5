import InkCore
import Networks
import Recognition
import Testing

@Suite("Reading of pages") struct PageReadingTests {
  private static func line(_ readings: [(String, Double)]) -> [RecognitionCandidate] {
    readings.map { text, score in
      RecognitionCandidate(
        text: text, score: score,
        characters: text.map { _ in CharacterInk(parts: []) },
        words: [RecognizedWord(text: text, characters: 0..<text.count, confidence: 1)])
    }
  }

  @Test("The best readings of a page are those of all combinations")
  func best() {
    var generator = SeededGenerator(seed: 3)
    let lines = (0..<4).map { _ in
      Self.line(
        (0..<5).map { ("\($0)", Double.random(in: -4...0, using: &generator)) }
          .sorted { $0.1 > $1.1 })
    }
    var all: [Double] = [0]
    for line in lines { all = all.flatMap { sum in line.map { sum + $0.score } } }
    let found = PageCandidates.joined(lines, count: 12).map(\.score)
    for (one, other) in zip(found, all.sorted(by: >).prefix(12)) {
      #expect(abs(one - other) < 1e-9)
    }
    #expect(found.count == 12)
  }

  @Test("Lines are joined by line breaks; words and characters keep their places")
  func joined() throws {
    let page = PageCandidates.joined(
      [Self.line([("ab", -1)]), [], Self.line([("cde", -2)])], count: 5)
    let best = try #require(page.first)
    #expect(best.text == "ab\ncde" && best.score == -3 && best.characters.count == 6)
    #expect(best.words.map(\.characters) == [0..<2, 3..<6])
  }

  @Test("Every stroke of a page is in one line or is drawing")
  func places() throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    var strokes: [Stroke] = []
    for line in 0..<3 {
      for letter in 0..<8 {
        let (x, y) = (Double(letter) * 12, Double(line) * 50)
        strokes.append(
          Stroke(points: [
            StrokePoint(x: x, y: y), StrokePoint(x: x + 6, y: y + 18), StrokePoint(x: x + 8, y: y),
          ]))
      }
    }
    let result = try recognizer.recognize(Ink(strokes: strokes))
    #expect(result.lines.map(\.strokes) == (0..<3).map { Array($0 * 8..<$0 * 8 + 8) })
    #expect(result.drawing.isEmpty)
    let one = try recognizer.recognize(
      Ink(strokes: strokes), context: RecognitionContext(layout: .line))
    #expect(one.lines.isEmpty)
  }

  @Test(
    "A line of a page, which is read in a batch, has the readings of the line alone",
    arguments: [[], TinyLine.joining])
  func batches(later: [PackedLayerSpecification]) throws {
    // Eleven lines of different lengths: more than one batch. In 8 bits a batch changes no bits.
    let recognizer = try LineRecognizer(
      model: TinyLine.untrainedModel(later: later), precision: .eightBits)
    var lines: [[Stroke]] = []
    for line in 0..<11 {
      lines.append(
        (0..<5 + line * 3 % 7).map { letter in
          let (x, y) = (Double(letter) * 12, Double(line) * 50)
          let deep = 12 + Double((line + letter) % 3) * 4
          return Stroke(points: [
            StrokePoint(x: x, y: y), StrokePoint(x: x + 6, y: y + deep),
            StrokePoint(x: x + 8, y: y),
          ])
        })
    }
    let result = try recognizer.recognize(Ink(strokes: lines.flatMap(\.self)))
    try #require(result.lines.map(\.strokes.count) == lines.map(\.count))
    for (found, strokes) in zip(result.lines, lines) {
      let alone = try recognizer.recognize(
        Ink(strokes: strokes), context: RecognitionContext(layout: .line))
      #expect(found.candidates.map(\.text) == alone.candidates.map(\.text))
      #expect(found.candidates.map(\.score) == alone.candidates.map(\.score))
      #expect(
        found.candidates.first?.characters.map { $0.parts.map(\.points) }
          == alone.candidates.first?.characters.map { $0.parts.map(\.points) })
      #expect(!alone.candidates.isEmpty)
    }
  }

  /// Three lines of eight letters.
  private static let page: Ink = {
    var strokes: [Stroke] = []
    for line in 0..<3 {
      for letter in 0..<8 {
        let (x, y) = (Double(letter) * 12, Double(line) * 50)
        strokes.append(
          Stroke(points: [
            StrokePoint(x: x, y: y), StrokePoint(x: x + 6, y: y + 18), StrokePoint(x: x + 8, y: y),
          ]))
      }
    }
    return Ink(strokes: strokes)
  }()

  @Test("Every stroke is in one block, edge or mark, in any order, twice, and turned")
  func once() throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    var generator = SeededGenerator(seed: 11)
    let page = LabeledInk(ink: Self.page, label: "")
    for disturbance in [InkDisturbance.anyOrder, .twice, .turned, .quarterTurn] {
      let ink = disturbance.apply(to: page, using: &generator).ink
      let result = try recognizer.recognize(ink)
      let placed =
        result.blocks.flatMap(\.strokes) + result.edges.flatMap(\.strokes)
        + result.marks.flatMap(\.strokes)
      #expect(placed.sorted() == Array(ink.strokes.indices), "\(disturbance)")
      for block in result.blocks {
        #expect(block.bounds == Ink(strokes: block.strokes.map { ink.strokes[$0] }).boundingBox)
        #expect(block.lines.allSatisfy { result.lines.indices.contains($0) })
      }
      for (index, line) in result.lines.enumerated() {
        #expect(result.blocks[line.block].lines.contains(index))
      }
    }
  }

  @Test("Strokes in any order are in the lines where they stand; copies follow their strokes")
  func order() throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    let order = Array(Self.page.strokes.indices.reversed())
    let reversed = try recognizer.recognize(Ink(strokes: order.map { Self.page.strokes[$0] }))
    let rows: [[Int]] = (0..<3).map { row in Array(row * 8..<row * 8 + 8) }
    let found: [[Int]] = reversed.lines.map { line in line.strokes.map { order[$0] } }
    #expect(found == rows)
    let twice = try recognizer.recognize(Ink(strokes: Self.page.strokes + Self.page.strokes))
    let copies: [[Int]] = rows.map { row in row.flatMap { [$0, $0 + 24] } }
    #expect(twice.lines.map(\.strokes) == copies)
  }

  @Test("The text of a page leaves out struck words, and puts the cells of a row on one line")
  func text() {
    let words = ["one", "two"].enumerated().map {
      RecognizedWord(text: $1, characters: 4 * $0..<4 * $0 + 3, confidence: 1)
    }
    let candidate = RecognitionCandidate(text: "one two", score: 0, words: words)
    var result = RecognitionResult(candidates: [])
    result.lines = (0..<3).map { RecognizedLine(block: 0, strokes: [$0], candidates: [candidate]) }
    result.blocks = [
      RecognizedBlock(kind: .text, bounds: nil, strokes: [0], lines: [0]),
      RecognizedBlock(
        kind: .table, bounds: nil, strokes: [1, 2], lines: [1, 2], rows: [[[1], [2]]]),
    ]
    result.marks = [
      RecognizedMark(
        kind: .strikeThrough, strokes: [3], words: [RecognizedMark.Word(line: 0, word: 1)])
    ]
    #expect(result.text() == "one two\none two\tone two")
    #expect(result.text(withStruckWords: false) == "one\none two\tone two")
  }

  @Test("A number that is not finite is refused in every layout", arguments: InkLayout.allCases)
  func refused(layout: InkLayout) throws {
    let recognizer = try LineRecognizer(model: TinyLine.untrainedModel())
    let ink = Ink(strokes: [
      Stroke(points: [StrokePoint(x: 1, y: 1)]), Stroke(points: [StrokePoint(x: .nan, y: 1)]),
    ])
    #expect(throws: InkError.nonFiniteCoordinate(stroke: 1, point: 0)) {
      try recognizer.recognize(ink, context: RecognitionContext(layout: layout))
    }
  }
}
