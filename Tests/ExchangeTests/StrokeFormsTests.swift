import InkCore
import Recognition
import Testing

@Suite("Strokes of requests in the forms of other programs")
struct StrokeFormsTests {
  private func parse(
    _ strokes: String, _ limits: ExchangeLimits = ExchangeLimits()
  ) throws -> Ink {
    let text = "{\"id\":1,\"strokes\":\(strokes),\"candidates\":2}"
    return try RecognitionRequest(parsing: [UInt8](text.utf8), limits: limits).ink
  }

  private static let columns = #"[{"x":[1,3,5,7,9],"y":[2,4,6,8,1],"t":[0,8,16,24,32]}]"#

  @Test(
    "Other forms of the same strokes give the same ink",
    arguments: [
      "[[[1,2,0],[3,4,8],[5,6,16],[7,8,24],[9,1,32]]]",
      #"{"lines":[{"points":[[1,2,0],[3,4,8],[5,6,16],[7,8,24],[9,1,32]]}]}"#,
      #"[{"color":"red","points":[{"x":1,"y":2,"time":0},{"x":3,"y":4,"time":8},"#
        + #"{"x":5,"y":6,"time":16},{"x":7,"y":8,"time":24},{"x":9,"y":1,"time":32}]}]"#,
      #"[[{"x":1,"y":2,"t":"0"},{"x":3,"y":4,"t":"8"},{"x":5,"y":6,"t":16},{"x":7,"y":8,"t":24},"#
        + #"{"x":9,"y":1,"t":32}]]"#,
    ])
  func forms(strokes: String) throws {
    #expect(try parse(strokes) == parse(Self.columns))
  }

  @Test("Columns that are longer than any point are columns")
  func columns() throws {
    let (x, y, t) = ("[1,3,5,7,9,2,4]", "[2,4,6,8,1,3,5]", "[0,8,16,24,32,40,48]")
    #expect(
      try parse("[[\(x),\(y),\(t)]]") == parse("[{\"x\":\(x),\"y\":\(y),\"t\":\(t)}]"))
  }

  @Test(
    "What has no clear form is refused, and the error names the forms",
    arguments: ["[[[1,2],[3,4]]]", "{}", #"{"a":1}"#, #"[{"points":[1,2,3]}]"#])
  func refused(strokes: String) throws {
    let error = try #require(throws: ExchangeError.self) { try parse(strokes) }
    #expect(error.code == .invalidValue)
    #expect(error.field == "strokes")
    #expect(error.message.contains("{x, y}"))
  }

  @Test("Limits hold for every form")
  func limits() throws {
    var limits = ExchangeLimits()
    (limits.strokes, limits.points) = (1, 4)
    let long = "[[[1,2],[3,4],[5,6],[7,8],[9,1]]]"
    for (strokes, limits) in [(long, limits), ("[[[1,2]],[[3,4]]]", limits)] {
      let error = try #require(throws: ExchangeError.self) { try parse(strokes, limits) }
      #expect(error.code == .tooLarge && error.field == "strokes")
    }
    let far = try #require(throws: ExchangeError.self) { try parse("[[[1,2e10]]]") }
    #expect(far.code == .invalidValue && far.field == "strokes")
  }
}
