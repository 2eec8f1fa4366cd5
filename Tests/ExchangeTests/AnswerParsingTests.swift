import Foundation
import InkCore
import Recognition
import Testing

@Suite("Requests and answers of other programs")
struct AnswerParsingTests {
  @Test("A request that is written and read again is the same, digit by digit")
  func request() throws {
    var generator = SystemRandomNumberGenerator()
    var request = RecognitionRequest(
      ink: Ink(
        strokes: [
          Stroke(
            points: (0..<20).map { _ in
              StrokePoint(
                x: .random(in: -1e6...1e6, using: &generator),
                y: .random(in: -1e-6...1e-6, using: &generator),
                t: Bool.random() ? .random(in: 0...1e9, using: &generator) : nil)
            }), Stroke(points: [StrokePoint(x: 0, y: 1, force: 0.25, azimuth: 1, altitude: 0.5)]),
          Stroke(points: []),
        ]))
    request.id = .string("a \"b\"\n\u{1}é")
    request.writingArea = try WritingArea(x: -0.1, y: 1e-7, width: 3, height: 1.0 / 3)
    request.preContext = "before \\ "
    request.layout = .line
    request.maximumCandidates = 17
    request.includesSpans = true
    #expect(try RecognitionRequest(parsing: request.json) == request)
    #expect(!request.json.contains(UInt8(ascii: "\n")))
  }

  @Test("An answer that is written and read again has the same readings")
  func answer() throws {
    let written = ExchangeSchemaTests.full
    let read = try RecognitionAnswer(parsing: written.json)
    #expect(read.id == written.id)
    guard case .reading(let reading) = read.content, case .reading(let full) = written.content
    else {
      Issue.record("expected readings")
      return
    }
    #expect(reading.model == full.model)
    let (one, other) = (reading.result, full.result)
    #expect(one.candidates.map(\.text) == other.candidates.map(\.text))
    #expect(one.candidates.map(\.score) == other.candidates.map(\.score))
    // Formulas within words are not read again: no figure uses them.
    func plain(_ candidates: [RecognitionCandidate]) -> [[RecognizedWord]] {
      candidates.map { candidate in
        candidate.words.map {
          RecognizedWord(text: $0.text, characters: $0.characters, confidence: $0.confidence)
        }
      }
    }
    #expect(one.candidates.map(\.words) == plain(other.candidates))
    #expect(reading.lines.map(\.text) == full.lines.map(\.text))
    #expect(reading.lines.map(\.strokes) == full.lines.map(\.strokes))
    #expect(one.blocks.map(\.kind) == other.blocks.map(\.kind))
    #expect(one.blocks.map(\.strokes) == other.blocks.map(\.strokes))
    #expect(one.blocks.map(\.lines) == other.blocks.map(\.lines))
    #expect(one.edges.map(\.strokes) == other.edges.map(\.strokes))
    #expect(one.marks.map(\.kind) == other.marks.map(\.kind))
    #expect(one.drawing == other.drawing && one.unreadStrokes == other.unreadStrokes)
    #expect(one.language == other.language)

    let failure = RecognitionAnswer(
      id: .number("7"), .failure(ExchangeError(.busy, "a text", field: "strokes")))
    #expect(try RecognitionAnswer(parsing: failure.json).error == failure.error)
  }

  @Test("A short answer is enough, and unknown members are skipped")
  func short() throws {
    let text = #"{"candidates":[{"text":"a","probability":0.5,"x":{}}],"id":1,"new":[{}]}"#
    let answer = try RecognitionAnswer(parsing: Array(text.utf8))
    guard case .reading(let reading) = answer.content else {
      Issue.record("expected a reading")
      return
    }
    #expect(reading.result.candidates.map(\.score) == [log(0.5)])
    let unknown = #"{"id":null,"error":{"code":"new","message":"m"}}"#
    #expect(try RecognitionAnswer(parsing: Array(unknown.utf8)).error?.code == .failed)
  }

  @Test(
    "A malformed answer is refused with the member that is wrong",
    arguments: [
      ("", nil), ("[]", nil), ("{}", "candidates"), (#"{"id":1.5,"candidates":[]}"#, "id"),
      (#"{"candidates":{}}"#, "candidates"), (#"{"candidates":[1]}"#, "candidates[0]"),
      (#"{"candidates":[{"text":"a"}]}"#, "candidates[0].score"),
      (#"{"candidates":[{"score":-1}]}"#, "candidates[0].text"),
      (#"{"candidates":[{"text":"a","score":1}]}"#, "candidates[0].score"),
      (#"{"candidates":[{"text":"a","score":1e999}]}"#, "candidates[0].score"),
      (#"{"candidates":[{"text":"a","probability":2}]}"#, "candidates[0].probability"),
      (#"{"candidates":[],"drawing":[-1]}"#, "drawing"),
      (#"{"candidates":[],"lines":[{"strokes":[0.5]}]}"#, "lines[0].strokes"),
      (#"{"candidates":[],"blocks":[{"kind":"new"}]}"#, "blocks[0].kind"),
      (
        #"{"candidates":[{"text":"a","score":0,"words":[{"text":"a","start":2,"end":1,"confidence":1}]}]}"#,
        "candidates[0].words[0]"
      ),
      (#"{"id":1,"id":2,"candidates":[]}"#, nil), (#"{"candidates":[]} x"#, nil),
    ])
  func malformed(text: String, field: String?) {
    let error = #expect(throws: ExchangeError.self) {
      try RecognitionAnswer(parsing: Array(text.utf8))
    }
    #expect(error?.field == field)
  }
}
