import Evaluation
import Foundation
import InkCore
import InkDatasets
import Metrics
import PretrainedModels
import Recognition
import Testing
import Training

/// Figures that need a trained model, on ink of virtual writers.
@Suite struct LineFigureTests {
  private let recognizer: LineRecognizer

  init() throws {
    let opened = try PretrainedModels().openRecognizer(identifier: "latin-lines")
    recognizer = try #require(opened as? LineRecognizer)
  }

  /// Calls `body` with the data of printed lines by four writers.
  private func withLines<Result>(
    _ texts: String..., body: (DataSpecification) throws -> Result
  ) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("lines-\(UUID().uuidString).txt")
    try Data(texts.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(
      DataSpecification(
        parsing: "starter:words?words=\(file.path)&split=all&limit=4&style=printed"))
  }

  private func lines(_ text: String) throws -> [LabeledInk] {
    try withLines(text) { data in try data.records().map { try $0.get().labeled } }
  }

  @Test func aLineIsCutBehindASpaceAndInsideAWord() throws {
    for line in try lines("the garden gate") {
      let between = try #require(
        CutLine(line.ink, text: line.label, at: .betweenWords, recognizer))
      #expect(between.before == "the" && between.after == "garden gate")
      #expect(try recognizer.readGreedily(between.ink).hasSuffix("gate"))
      let inside = try #require(CutLine(line.ink, text: line.label, at: .insideWord, recognizer))
      #expect(inside.before + inside.after == line.label)
      #expect(inside.ink.strokes.count < line.ink.strokes.count)
    }
    let short = try #require(try lines("on").first)
    #expect(CutLine(short.ink, text: "on", at: .insideWord, recognizer) == nil)
  }

  @Test func whatIsWithheldIsScoredByName() throws {
    let figures = try withLines("the garden gate", "a letter from home") { data in
      try LineAblation(recognizer, on: [data], parts: [.context, .area]).figures
    }
    for length in LineAblation.contextLengths {
      let rate = try #require(figures["context.\(length).cer"])
      #expect((0...0.5).contains(rate))
    }
    // The text before the ink determines whether a word has ended.
    #expect(try #require(figures["context.10.space"]) > 0.7)
    #expect(try #require(figures["area.none.cer"]) < 0.3)
    #expect(try #require(figures["area.threeLines.cer"]) < 0.3)
  }

  @Test func runningTextIsReadBehindWhatWasReadBefore() throws {
    try withLines("the garden gate", "of the old house") { data in
      var edits = 0
      var before = ""
      for record in try data.records() {
        let labeled = try record.get().labeled
        let result = try recognizer.recognize(
          labeled.ink, context: RecognitionContext(preContext: before), maximumCandidates: 10)
        let text = try #require(result.candidates.first?.text)
        edits += EditDistance(reference: labeled.label, hypothesis: text).total
        before += text + " "
      }
      let running = try LineEvaluation(
        recognizer, on: [data], reading: .beam, isRunningText: true)
      #expect(running.isRunningText && running.samples == 4)
      #expect(running.errors.characters.total == edits)
      let alone = try LineEvaluation(recognizer, on: [data], reading: .beam)
      #expect(!alone.isRunningText)
      // The probability of the first words depends on the text before them.
      #expect(running.calibration.value != alone.calibration.value)
    }
  }

  @Test func rowsAreReadOneAfterAnother() throws {
    var edits = 0
    for (upper, lower) in zip(try lines("the garden gate"), try lines("of the old house")) {
      let box = try #require(upper.ink.boundingBox)
      let below = try #require(lower.ink.boundingBox)
      let (left, down) = (below.minX - box.minX, box.maxY - below.minY + 0.5 * box.height)
      let under = lower.ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var point = point
            point.x -= left
            point.y += down
            return point
          })
      }
      let ink = Ink(strokes: upper.ink.strokes + under)
      let result = try recognizer.recognize(
        ink, context: RecognitionContext(), maximumCandidates: 1)
      let candidate = try #require(result.candidates.first)
      let text = upper.label + " " + lower.label
      edits += EditDistance(reference: text, hypothesis: candidate.text).total
      let cutter = InkCutter(recognizer: recognizer)
      let rows = try cutter.cut(LabeledInk(ink: ink, label: text), into: .lines)
      #expect(rows.map(\.label) == [upper.label, lower.label])
      #expect(rows.map(\.ink.strokes.count) == [upper, lower].map(\.ink.strokes.count))
      let one = try cutter.cut(upper, into: .lines)
      #expect(one.map(\.label) == [upper.label] && one.first?.ink == upper.ink)
      // Each character has ink of its own row.
      guard candidate.text == text else { continue }
      for (place, character) in candidate.characters.enumerated() {
        let isUpper = place < upper.label.count
        #expect(
          character.parts.allSatisfy { ($0.stroke < upper.ink.strokes.count) == isUpper })
      }
    }
    #expect(edits <= 6)
  }

  @Test func aPageBeginsWithoutText() {
    var text = RunningText()
    #expect(text.before(on: "a") == "")
    text.append("one two")
    text.append(nil)
    #expect(text.before(on: "a") == "one two ")
    text.append("three four five six")
    #expect(text.before(on: "a").hasSuffix("two three four five six ".suffix(21)))
    #expect(text.before(on: "b") == "")
  }

  @Test func charactersTakenForWhatTheyLookLikeAreCountedForEachArea() throws {
    for reading in [LineEvaluation.Reading.greedy, .beam] {
      let figures = try withLines("so, Oscar's zoo", "and/or, it's so") { data in
        try LineAblation(recognizer, on: [data], parts: [.area], reading: reading).figures
      }
      #expect(try #require(figures["lookalikes.comma.count"]) == 4)
      #expect(try #require(figures["lookalikes.apostrophe.count"]) == 4)
      for area in LineAblation.Area.allCases {
        let commas = try #require(figures["area.\(area.rawValue).comma"])
        #expect((0...1).contains(commas) && (4 * commas).rounded() == 4 * commas)
      }
      let table = try #require(AreaTable(figures))
      #expect(table.rows.map(\.title) == LineAblation.Area.allCases.map(\.title))
      #expect(table.rows[0].rates.count == AreaTable.columns.count)
      #expect(table.counts[2] == 4)
    }
  }

  @Test func charactersSideBySideAreAlignedWithTheirStrokes() throws {
    let data = try DataSpecification(
      parsing: "starter:characters?labels=[a-z]&split=test&limit=400&seed=5")
    let evaluation = try AlignmentEvaluation(recognizer, on: [data])
    let score = try #require(evaluation.scores[.words])
    #expect(score.texts > 10 && evaluation.scores[.lines] == nil)
    #expect(try #require(evaluation.figures["words.strokes"]) > 0.9)
    #expect(try #require(evaluation.figures["words.points"]) > 0.9)
  }

  @Test(arguments: [("printed", 0.9), ("joined", 0.8)])
  func linesWithSpacesAreAlignedWithTheirStrokes(style: String, least: Double) throws {
    let characters = "starter:characters?labels=[a-z]&split=test&limit=60&seed=5"
    let evaluation = try AlignmentEvaluation(
      recognizer,
      on: [
        DataSpecification(parsing: "starter:words?length=4&style=\(style)&split=test&limit=40"),
        DataSpecification(parsing: characters),
      ])
    let figures = evaluation.figures
    #expect(figures["lines.count"] == 40 && figures["words.count"] != nil)
    #expect(try #require(figures["lines.points"]) > least)
    #expect(try #require(figures["lines.strokes"]) > least - 0.1)
    #expect(try #require(figures["lines.cer"]) < 0.3)
  }

  @Test func aPrintedWordIsCutIntoItsCharacters() throws {
    let cutter = InkCutter(recognizer: recognizer)
    var kept = 0
    for var line in try lines("garden") {
      let characters = try cutter.cut(line, into: .characters)
      #expect(characters.allSatisfy { "garden".contains($0.label) && $0.writer == line.writer })
      let strokes = characters.reduce(0) { $0 + $1.ink.strokes.count }
      #expect(strokes <= line.ink.strokes.count)
      kept += characters.count
      #expect(characters.allSatisfy { $0.writingArea == line.writingArea })
      // Without an area, the line estimated from the other characters.
      let ruled = try #require(line.writingArea)
      line.writingArea = nil
      for character in try cutter.cut(line, into: .characters) {
        let area = try #require(character.writingArea)
        #expect((0.7...1.4).contains(area.height / ruled.height))
        #expect(abs(area.y + area.height - ruled.y - ruled.height) < 0.3 * ruled.height)
      }
      // A label that the model does not read is not trusted.
      line.label = "wooden"
      #expect(try cutter.cut(line, into: .characters).isEmpty)
    }
    #expect(kept >= 16)
  }

  @Test func aLineIsCutIntoItsWordsWithTheStrokesThatTheyBeginWith() throws {
    let cutter = InkCutter(recognizer: recognizer)
    var (lines, whole) = (0, 0)
    for line in try self.lines("The fifth garden gate") {
      let words = try cutter.cut(line, into: .words)
      lines += 1
      // Every stroke of the line is in one of the words, in its order.
      if words.map(\.label) == ["The", "fifth", "garden", "gate"],
        words.flatMap(\.ink.strokes) == line.ink.strokes
      {
        whole += 1
      }
    }
    #expect(whole >= lines - 1 && lines >= 4, "\(whole) of \(lines) lines whole")
  }

  @Test func theHeightOfALineIsEstimatedFromItsInk() throws {
    for line in try lines("the garden gate") {
      let area = try #require(line.writingArea)
      let estimate = try #require(WritingArea.estimate(of: line.ink))
      #expect((0.5...2).contains(estimate.height / area.height))
      let middle = area.y + area.height / 2
      #expect(abs(estimate.y + estimate.height / 2 - middle) < area.height / 2)
    }
    #expect(WritingArea.estimate(of: Ink(strokes: [])) == nil)
    #expect(
      WritingArea.estimate(of: Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 1)])])) == nil)
  }

  @Test func decodingThatWasWrittenEarlierHasDefaultsForTheRest() throws {
    let read = try JSONDecoder().decode(
      DecoderConfiguration.self, from: Data(#"{"wordBonus": 1.5, "beam": 7}"#.utf8))
    var expected = DecoderConfiguration()
    expected.wordBonus = 1.5
    expected.beam = 7
    #expect(read == expected)
  }
}
