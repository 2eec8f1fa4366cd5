import InkCore
import Recognition
import Testing

@Suite struct RecognitionRequestTests {
  private func parse(_ text: String, _ limits: ExchangeLimits = ExchangeLimits()) throws
    -> RecognitionRequest
  {
    try RecognitionRequest(parsing: [UInt8](text.utf8), limits: limits)
  }

  @Test("Every member of a request is read")
  func everyMember() throws {
    let request = try parse(
      """
      {"id":"a1","model":"m","language":"en-US","area":{"x":1,"y":2,"width":300,"height":80},
       "preContext":"Dear ","alphabet":"abc","lexicon":["cat","car"],"lexiconBonus":2.5,
       "layout":"line","candidates":7,"spans":true,
       "strokes":[{"x":[1,2.5],"y":[3,-4e1],"t":[0,null],"force":[0.5,1],"azimuth":null,
       "altitude":[1,1]},{"x":[],"y":[]}]}
      """)
    #expect(request.id == .string("a1"))
    #expect(request.model == "m")
    #expect(request.language == "en-US")
    #expect(request.writingArea == (try WritingArea(x: 1, y: 2, width: 300, height: 80)))
    #expect(request.preContext == "Dear ")
    #expect(request.alphabet == "abc")
    #expect(request.lexicon == .words(["cat", "car"]))
    #expect(request.lexiconBonus == 2.5)
    #expect(request.layout == .line)
    #expect(request.maximumCandidates == 7)
    #expect(request.includesSpans)
    let stroke = request.ink.strokes[0]
    #expect(stroke.points[0] == StrokePoint(x: 1, y: 3, t: 0, force: 0.5, altitude: 1))
    #expect(stroke.points[1] == StrokePoint(x: 2.5, y: -40, force: 1, altitude: 1))
    #expect(request.ink.strokes[1].points.isEmpty)
  }

  @Test("Members that are null or missing keep their defaults")
  func defaults() throws {
    var defaults = RecognitionRequest(ink: Ink())
    defaults.model = "mine"
    defaults.maximumCandidates = 3
    let text = #"{"id":null,"strokes":[],"model":null,"candidates":null,"spans":null}"#
    let request = try RecognitionRequest(parsing: [UInt8](text.utf8), defaults: defaults)
    #expect(request.model == "mine")
    #expect(request.maximumCandidates == 3)
    #expect(!request.includesSpans)
    #expect(request.id == nil)
  }

  @Test("A line of labelled ink is a request")
  func labelledInk() throws {
    let request = try parse(
      #"{"label":"a","writer":"w","quality":"good","strokes":[{"x":[1],"y":[2]}]}"#)
    #expect(request.ink.pointCount == 1)
  }

  /// A request, and the code and member of its error.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let text: String
    let code: ExchangeError.Code
    let field: String?
    var testDescription: String { text }
  }

  static let refusals: [Refusal] = [
    Refusal(text: "", code: .malformedJSON, field: nil),
    Refusal(text: "{", code: .malformedJSON, field: nil),
    Refusal(text: "[1]", code: .invalidValue, field: nil),
    Refusal(text: "NaN", code: .malformedJSON, field: nil),
    Refusal(text: #"{"strokes":[]} x"#, code: .malformedJSON, field: nil),
    Refusal(text: #"{"id":1}"#, code: .missingField, field: "strokes"),
    Refusal(text: #"{"strokes":null}"#, code: .invalidValue, field: "strokes"),
    Refusal(text: #"{"strokes":[3]}"#, code: .invalidValue, field: "strokes[0]"),
    Refusal(text: #"{"strokes":[{"x":[1]}]}"#, code: .missingField, field: "strokes[0].y"),
    Refusal(
      text: #"{"strokes":[{"x":[1],"y":[1,2]}]}"#, code: .invalidValue, field: "strokes[0].y"),
    Refusal(
      text: #"{"strokes":[{"x":[1,NaN],"y":[1,2]}]}"#, code: .malformedJSON,
      field: "strokes[0].x[1]"),
    Refusal(
      text: #"{"strokes":[{"x":[1,1e999],"y":[1,2]}]}"#, code: .invalidValue,
      field: "strokes[0].x[1]"),
    Refusal(
      text: #"{"strokes":[{"x":[1,null],"y":[1,2]}]}"#, code: .invalidValue,
      field: "strokes[0].x[1]"),
    Refusal(text: #"{"strokes":[{"z":[1]}]}"#, code: .invalidValue, field: "strokes[0]"),
    Refusal(text: #"{"strokes":[],"stroke":1}"#, code: .unknownField, field: "stroke"),
    Refusal(text: #"{"strokes":[],"id":1.5}"#, code: .invalidValue, field: "id"),
    Refusal(text: #"{"strokes":[],"id":{}}"#, code: .invalidValue, field: "id"),
    Refusal(text: #"{"strokes":[],"candidates":0}"#, code: .invalidValue, field: "candidates"),
    Refusal(text: #"{"strokes":[],"candidates":2.5}"#, code: .invalidValue, field: "candidates"),
    Refusal(text: #"{"strokes":[],"candidates":-1}"#, code: .invalidValue, field: "candidates"),
    Refusal(text: #"{"strokes":[],"layout":"book"}"#, code: .invalidValue, field: "layout"),
    Refusal(text: #"{"strokes":[],"area":{"x":1}}"#, code: .missingField, field: "area.width"),
    Refusal(
      text: #"{"strokes":[],"area":{"width":0,"height":1}}"#, code: .invalidValue, field: "area"),
    Refusal(text: #"{"strokes":[],"lexicon":[]}"#, code: .invalidValue, field: "lexicon"),
    Refusal(text: #"{"strokes":[],"lexicon":["a",1]}"#, code: .invalidValue, field: "lexicon[1]"),
    Refusal(text: #"{"strokes":[],"lexiconBonus":1}"#, code: .missingField, field: "lexicon"),
    Refusal(text: #"{"strokes":[],"strokes":[]}"#, code: .malformedJSON, field: nil),
    Refusal(text: #"{"strokes":[],"model":""}"#, code: .invalidValue, field: "model"),
    Refusal(text: #"{"strokes":[],"spans":1}"#, code: .invalidValue, field: "spans"),
  ]

  @Test("An invalid request is refused with its code and place", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let error = try #require(throws: ExchangeError.self) { try parse(refusal.text) }
    #expect(error.code == refusal.code, "\(error)")
    #expect(error.field == refusal.field, "\(error)")
  }

  @Test("Requests beyond a limit are refused before they take more memory")
  func limits() throws {
    var limits = ExchangeLimits(bytes: 100, strokes: 2, points: 3, words: 1)
    for (text, field) in [
      (#"{"strokes":[{"x":[1,2,3,4],"y":[1,2,3,4]}]}"#, "strokes[0].x[3]"),
      (#"{"strokes":[{"x":[1,2],"y":[1,2]},{"x":[1,2],"y":[1,2]}]}"#, "strokes[1].x[1]"),
      (#"{"strokes":[{"x":[],"y":[]},{"x":[],"y":[]},{"x":[],"y":[]}]}"#, "strokes"),
      (#"{"strokes":[],"lexicon":["a","b"]}"#, "lexicon"),
    ] {
      let error = try #require(throws: ExchangeError.self) { try parse(text, limits) }
      #expect(
        error.code == .tooLarge && error.field?.hasPrefix(field.prefix(7)) == true, "\(error)")
    }
    limits.bytes = 10
    let error = try #require(throws: ExchangeError.self) { try parse(#"{"strokes":[]}"#, limits) }
    #expect(error.code == .tooLarge)
    #expect(error.field == nil)
  }

  @Test("The identifier is found wherever the fault is")
  func identifier() {
    func id(_ text: String) -> RecognitionRequest.Identifier? {
      RecognitionRequest.identifier(in: [UInt8](text.utf8))
    }
    #expect(id(#"{"strokes":[{"x":[1]}],"id":7}"#) == .number("7"))
    #expect(id(#"{"id":"a","strokes":[NaN]}"#) == .string("a"))
    #expect(id(#"{"strokes":[NaN],"id":7}"#) == nil)
    #expect(id(#"{"id":[1]}"#) == nil)
    #expect(id("") == nil)
    #expect(id(String(repeating: "[", count: 100_000)) == nil)
    #expect(id(#"{"a":"# + String(repeating: "[", count: 100_000)) == nil)
  }
}
