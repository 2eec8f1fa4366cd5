import InkCore
import InkFormats
import Testing

@Suite("Zinnia")
struct ZinniaReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ text: String, yAxis: YAxis = .down) throws -> Outcome {
    try folder.write(text, to: "z/a.s")
    return Outcome(try InkReader(.zinnia, path: folder.path, yAxis: yAxis))
  }

  @Test("Each expression is a character with its label and strokes")
  func characters() throws {
    let outcome = try read(
      """
      (character (value 一)(width 300)(height 300)(strokes ((54 142)(248 133.5))))
      (character(value 二) (strokes ((1 2))
        ((3 4) (5 6))))

      """)
    #expect(outcome.labels == ["一", "二"])
    #expect(outcome.records.map(\.location.line) == [1, 2])
    #expect(outcome.records.map(\.indexInSource) == [0, 1])
    #expect(outcome.records.map(\.level) == [.character, .character])
    #expect(
      outcome.records.map(\.labeled.ink.strokes) == [
        [Stroke(points: [StrokePoint(x: 54, y: 142), StrokePoint(x: 248, y: 133.5)])],
        [
          Stroke(points: [StrokePoint(x: 1, y: 2)]),
          Stroke(points: [StrokePoint(x: 3, y: 4), StrokePoint(x: 5, y: 6)]),
        ],
      ])
    #expect(outcome.records.allSatisfy { $0.labeled.writer == nil })
  }

  @Test("A character without a value has no label, and one may be of several words")
  func labels() throws {
    let outcome = try read(
      "(character (strokes ((1 2))))\n(character (value a b) (strokes ((1 2))))")
    #expect(outcome.labels == ["", "a b"])
  }

  @Test("The word that begins an expression may be a label")
  func wordAsLabel() throws {
    let outcome = try read(
      "(character (value character) (strokes ((1 2))))\n(character (value b) (strokes ((1 2))))")
    #expect(outcome.labels == ["character", "b"])
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try read("(character (value a)(strokes ((1 2))))", yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points == [StrokePoint(x: 1, y: -2)])
  }

  @Test(
    "A malformed expression is a typed error with its line, and reading goes on",
    arguments: [
      ("(character (value a)(strokes ((1 2)))", InkFormatError.Code.malformed),
      ("(character (value a)(strokes ((1 b))))", .malformed),
      ("(character (value a)(strokes ((1))))", .malformed),
      ("(character (value a)(strokes ((1 nan))))", .malformed),
      ("(character (value a)(strokes ((1 1e400))))", .malformed),
      ("(character (value a)(strokes))", .emptyInk), ("(character (value a))", .emptyInk),
      ("(character)", .emptyInk), ("(character", .malformed),
      ("(character " + String(repeating: "(", count: 100), .malformed),
    ])
  func malformed(expression: String, code: InkFormatError.Code) throws {
    let outcome = try read("\n\(expression)\n(character (value b)(strokes ((1 2))))")
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line == 2)
    #expect(outcome.labels == ["b"])
  }

  @Test("A label that is no UTF-8 is a typed error")
  func encoding() throws {
    let text = Array("(character (value ".utf8) + [0xFF] + Array(")(strokes ((1 2))))".utf8)
    let path = try folder.write(text, to: "b.s")
    #expect(Outcome(try InkReader(.zinnia, path: path)).codes == [.invalidEncoding])
  }

  @Test("A file without an expression is one typed error", arguments: ["", "(word)", "character"])
  func noExpression(text: String) throws {
    #expect(try read(text).codes == [.missingKey])
  }
}
