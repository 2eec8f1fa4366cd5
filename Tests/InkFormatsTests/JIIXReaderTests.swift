import InkCore
import InkFormats
import Testing

@Suite("JIIX as labelled ink")
struct JIIXReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ json: String, yAxis: YAxis = .down) throws -> Outcome {
    try folder.write(json, to: "s/a.jiix")
    return Outcome(try InkReader(.jiix, path: folder.path, yAxis: yAxis))
  }

  private static func stroke(_ x: Double, _ rest: String = "") -> String {
    #"{"type":"stroke","X":[\#(x),\#(x + 1)],"Y":[2,3]\#(rest)}"#
  }

  @Test("each line of a text is a record, and each shape; drawings have no label")
  func records() throws {
    let outcome = try read(
      """
      {"type":"Raw Content","version":"3","elements":[
        {"type":"Text","label":"to be\\nor","words":[
          {"label":"to","items":[\(Self.stroke(1)),\(Self.stroke(2))]},{"label":" "},
          {"label":"be","items":[\(Self.stroke(4))]},{"label":"\\n"},
          {"label":"or","items":[\(Self.stroke(9))]}]},
        {"type":"Drawing","items":[\(Self.stroke(20))]},
        {"type":"Node","kind":"circle","cx":1,"cy":2,"r":3,"items":[\(Self.stroke(30))],
          "elements":[{"type":"Text","label":"in","words":[{"label":"in","items":[\(Self.stroke(31))]}]}]},
        {"type":"Text","label":"(a)","words":[{"label":"("},{"label":"a","items":[\(Self.stroke(40))]},
          {"label":")"}]},
        {"type":"Text","label":" "}]}
      """)
    #expect(outcome.failures.isEmpty)
    #expect(outcome.labels == ["to be", "or", "", "circle", "in", "(a)"])
    #expect(outcome.records.map(\.level) == [.text, .word, nil, nil, .word, .word])
    #expect(outcome.records.map(\.indexInSource) == [0, 1, 2, 3, 4, 5])
    #expect(outcome.records.map(\.source) == Array(repeating: "s/a.jiix", count: 6))
    let first = try #require(outcome.records.first?.labeled.ink)
    #expect(first.strokes.map { $0.points[0].x } == [1, 2, 4])
    #expect(first.strokes[0].points == [StrokePoint(x: 1, y: 2), StrokePoint(x: 2, y: 3)])
  }

  @Test("strokes are in the order of their time stamps; forces of 0 are ignored")
  func times() throws {
    let early = #","timestamp":"2026-02-28 23:59:59.500000","T":[0,8],"F":[0.5,0.25]"#
    let late = #","timestamp":"2026-03-01 00:00:01.000000","T":[0,8],"F":[0,0]"#
    let outcome = try read(
      """
      {"type":"Text","version":"3","label":"ab","words":[
        {"label":"ab","items":[\(Self.stroke(1, late)),\(Self.stroke(5, early))]}]}
      """, yAxis: .up)
    let strokes = try #require(outcome.records.first?.labeled.ink.strokes)
    #expect(strokes.map { $0.points.map(\.t) } == [[0, 8], [1500, 1508]])
    #expect(strokes.map { $0.points.map(\.force) } == [[0.5, 0.25], [nil, nil]])
    #expect(strokes[0].points[0].y == -2)
    let angles = #","azimuth":[1,2],"altitude":[0.5,1],"roll":[3,-4]"#
    let points = try #require(
      try read(
        """
        {"type":"Text","version":"3","label":"a","words":[
          {"label":"a","items":[\(Self.stroke(1, angles))]}]}
        """
      ).records.first?.labeled.ink.strokes[0].points)
    #expect(points.map(\.azimuth) == [1, 2] && points.map(\.altitude) == [0.5, 1])
    #expect(points.map(\.roll) == [3, -4])
    let short = try read(
      """
      {"type":"Text","version":"3","label":"a","words":[
        {"label":"a","items":[\(Self.stroke(1, #","roll":[3]"#))]}]}
      """)
    #expect(short.codes == [.unequalLengths])
  }

  @Test("without time stamps strokes stay where they are and have no times")
  func untimed() throws {
    let outcome = try read(
      """
      {"type":"Text","version":"3","label":"a b\\nc","items":[
        \(Self.stroke(5, #","T":[0,8]"#)),\(Self.stroke(1, #","timestamp":"noon","T":[0,8]"#))]}
      """)
    let record = try #require(outcome.records.first)
    #expect(outcome.labels == ["a b c"] && record.level == .text)
    #expect(record.labeled.ink.strokes.map { $0.points[0].x } == [5, 1])
    #expect(record.labeled.ink.strokes.allSatisfy { $0.points.allSatisfy { $0.t == nil } })
  }

  @Test("what was written without ink, and what is no JIIX, is a failure; reading goes on")
  func failures() throws {
    try folder.write("{", to: "b.jiix")
    try folder.write(#"{"type":"Node","version":"3","kind":"circle"}"#, to: "c.jiix")
    try folder.write("no document", to: "d.txt")
    let outcome = try read(
      """
      {"type":"Text","version":"3","label":"a b","words":[
        {"label":"a"},{"label":" "},{"label":"\\n"},{"label":"b","items":[\(Self.stroke(1))]}]}
      """)
    #expect(outcome.codes == [.truncated, .emptyInk, .emptyInk])
    #expect(outcome.failures.last?.advice.contains("export.jiix.strokes") == true)
    #expect(outcome.labels == ["b"])
    #expect(throws: InkFormatError.self) { try InkReader(.jiix, path: folder.path + "/none") }
  }

  @Test("a text of characters without words has their ink, line by line")
  func characters() throws {
    let outcome = try read(
      """
      {"type":"Text","version":"3","label":"ab\\nc","words":[],"chars":[
        {"label":"a","items":[\(Self.stroke(1))]},{"label":"b","items":[\(Self.stroke(2))]},
        {"label":"\\n"},{"label":"c","items":[\(Self.stroke(3))]}]}
      """)
    #expect(outcome.failures.isEmpty && outcome.labels == ["ab", "c"])
    #expect(outcome.records.map(\.labeled.ink.strokes.count) == [2, 1])
  }

  @Test("ink outside of the words of a text belongs to all of them")
  func besideWords() throws {
    let outcome = try read(
      """
      {"type":"Text","version":"3","label":"a b","items":[\(Self.stroke(1))],"words":[
        {"label":"a"},{"label":" "},{"label":"b"}]}
      """)
    #expect(outcome.failures.isEmpty && outcome.labels == ["a b"])
  }

  @Test("times with fractions are rounded, and lose no file")
  func fractions() throws {
    let stroke = Self.stroke(1, #","timestamp":"2026-02-28 23:59:59.500000","T":[0,8.3]"#)
    let outcome = try read(
      #"{"type":"Text","version":"3","label":"a","words":[{"label":"a","items":[\#(stroke)]}]}"#)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points.map(\.t) == [0, 8])
    let far = Self.stroke(1, #","T":[0,1e300]"#)
    #expect(
      try read(#"{"type":"Text","version":"3","label":"a","items":[\#(far)]}"#).codes
        == [.malformed])
  }

  @Test(
    "a document without any ink is a failure that says so",
    arguments: [
      #"{"type":"Raw Content","version":"3","elements":[]}"#,
      #"{"type":"Text","version":"3","label":" "}"#,
    ])
  func empty(json: String) throws {
    let outcome = try read(json)
    #expect(outcome.records.isEmpty && outcome.codes == [.emptyInk])
  }

  @Test("time stamps are what their texts say, and other texts are none")
  func timestamps() {
    for (text, milliseconds) in [
      ("1970-01-01 00:00:00.000000", 0.0), ("2000-02-29 12:30:15.250000", 951_827_415_250),
      ("2023-11-14 22:13:20.000000", 1_700_000_000_000),
      ("9999-12-31 23:59:59.999000", 253_402_300_799_999),
    ] {
      #expect(JIIXTimestamp.milliseconds(text) == milliseconds, "\(text)")
      if milliseconds < 4e13 { #expect(JIIXTimestamp.text(milliseconds) == text) }
    }
    for text in ["", "noon", "2023-11-14", "2023-13-14 22:13:20.0", "2023-11-14 22:13:nan"] {
      #expect(JIIXTimestamp.milliseconds(text) == nil, "\(text)")
    }
  }
}
