import InkCore
import InkFormats
import Testing

@Suite("InkML")
struct InkMLReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ body: String, yAxis: YAxis = .down) throws -> Outcome {
    let text = "<ink xmlns=\"http://www.w3.org/2003/InkML\">\n\(body)\n</ink>\n"
    try folder.write(text, to: "s/a.inkml")
    return Outcome(try InkMLReader(path: folder.path, yAxis: yAxis))
  }

  @Test("labelled groups are records, with views and traces of their own")
  func groups() throws {
    let outcome = try read(
      """
      <annotation type="writer">w7</annotation><annotation type="truth">"9"</annotation>
      <trace id="0">1 2, 3 4</trace><trace xml:id="t1">5 6</trace><trace id="2">9 9</trace>
      <traceGroup><annotation type="truth">everything</annotation>
        <traceGroup xml:id="g"><annotation type="truth">A&gt;B</annotation>
          <traceView traceDataRef="0"/><traceView traceDataRef="#t1"></traceView></traceGroup>
        <traceGroup><annotation type="truth"> dot </annotation><trace>7 8</trace></traceGroup>
      </traceGroup>
      """)
    #expect(outcome.records.map(\.labeled.label) == ["A>B", "dot"])
    #expect(outcome.records.map(\.labeled.writer) == ["w7", "w7"])
    #expect(outcome.records.map(\.indexInSource) == [0, 1])
    #expect(
      outcome.records.first?.labeled.ink
        == Ink(strokes: [
          Stroke(points: [StrokePoint(x: 1, y: 2), StrokePoint(x: 3, y: 4)]),
          Stroke(points: [StrokePoint(x: 5, y: 6)]),
        ]))
  }

  @Test("a file without groups is one record, its channels as the format says")
  func whole() throws {
    let outcome = try read(
      """
      <traceFormat><channel name="T" type="decimal"/><channel name="X"/><channel name="Q"/>
      <channel name="Y"/><channel name="F"/></traceFormat>
      <annotation type="truth">"x+1"</annotation>
      <trace>0 1 99 2 0.5, 10 1.5e1 99 -4 0.25</trace>
      """, yAxis: .up)
    let record = try #require(outcome.records.first)
    #expect(record.labeled.label == "x+1")
    #expect(
      record.labeled.ink.strokes.first?.points == [
        StrokePoint(x: 1, y: -2, t: 0, force: 0.5), StrokePoint(x: 15, y: 4, t: 10, force: 0.25),
      ])
  }

  @Test("differences of first and second order add up")
  func differences() throws {
    let outcome = try read(
      """
      <annotation type="truth">a</annotation>
      <trace>1125 18432, '23 '43, "7 "-8, 3 -5, ! 1 !2</trace>
      """)
    let points = try #require(outcome.records.first).labeled.ink.strokes[0].points
    #expect(points.map(\.x) == [1125, 1148, 1178, 1211, 1])
    #expect(points.map(\.y) == [18432, 18475, 18510, 18540, 2])
  }

  @Test(
    "what cannot be read is a failure",
    arguments: [
      ("<annotation type=\"truth\">a</annotation>", InkFormatError.Code.emptyInk),
      ("<trace>1 2</trace>", .missingKey),
      ("<annotation type=\"truth\">a</annotation><trace>1 b</trace>", .malformed),
      ("<annotation type=\"truth\">a</annotation><trace>1</trace>", .malformed),
      ("<annotation type=\"truth\">a</annotation><trace>1 2 3</trace>", .malformed),
      ("<annotation type=\"truth\">a</annotation><trace>? 2</trace>", .nonFiniteNumber),
      (
        "<traceGroup><annotation type=\"truth\">a</annotation><traceView traceDataRef=\"5\"/>"
          + "</traceGroup><trace>1 2</trace>", .rangeOutOfBounds
      ),
      (
        "<traceFormat><channel name=\"A\"/></traceFormat><trace>1</trace>", .missingKey
      ),
    ])
  func failures(body: String, code: InkFormatError.Code) throws {
    let outcome = try read(body)
    #expect(outcome.records.isEmpty)
    #expect(outcome.failures.map(\.code) == [code])
  }
}
