import InkCore
import InkFormats
import Testing

@Suite("InkML")
struct InkMLReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(
    _ body: String, yAxis: YAxis = .down, unit: InkUnit? = nil
  ) throws -> Outcome {
    let text = "<ink xmlns=\"http://www.w3.org/2003/InkML\">\n\(body)\n</ink>\n"
    try folder.write(text, to: "s/a.inkml")
    return Outcome(try InkReader(.inkML, path: folder.path, unit: unit, yAxis: yAxis))
  }

  @Test("labelled groups are records, with views and traces of their own")
  func groups() throws {
    let outcome = try read(
      """
      <annotation type="writer">w7</annotation>
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

  private static let truth = "<annotation type=\"truth\">a</annotation>"

  @Test("traces with the pen up are no strokes, and what goes on a trace is of its stroke")
  func traceTypes() throws {
    let outcome = try read(
      """
      \(Self.truth)<trace type="penDown">1 1</trace><trace type="penUp">5 5, 6 6</trace>
      <trace id="t" type="indeterminate" continuation="begin">2 2</trace>
      <trace id="u" continuation="middle" priorRef="#t">3 3</trace>
      <trace continuation="end" priorRef="#u">4 4</trace>
      """)
    let strokes = try #require(outcome.records.first).labeled.ink.strokes
    #expect(strokes.map { $0.points.map(\.x) } == [[1], [2, 3, 4]])
    let groups = try read(
      """
      <traceGroup><annotation type="truth">up</annotation><trace type="penUp">1 1</trace></traceGroup>
      <traceGroup><annotation type="truth">down</annotation><trace>1 1</trace></traceGroup>
      """)
    #expect(groups.codes == [.emptyInk] && groups.labels == ["down"])
    #expect(groups.records.map(\.indexInSource) == [1])
  }

  @Test("each trace has the channels of its context, of its group's, or of the last one before it")
  func contexts() throws {
    let outcome = try read(
      """
      <definitions>
        <traceFormat xml:id="yx"><channel name="Y"/><channel name="X"/></traceFormat>
        <context xml:id="a"><inkSource xml:id="pen"><traceFormat><channel name="X"/>
          <channel name="Y"/><channel name="F"/></traceFormat></inkSource></context>
        <context xml:id="b" traceFormatRef="#yx"/><context xml:id="brush"/>
        <context xml:id="c" contextRef="#a"/><context xml:id="d" inkSourceRef="#pen"/>
      </definitions>
      \(Self.truth)
      <trace contextRef="#a">1 2 3</trace><trace contextRef="#b">2 1</trace>
      <trace contextRef="#c">1 2 3</trace><trace contextRef="#d">1 2 3</trace>
      <trace contextRef="#DefaultContext">1 2</trace>
      <traceGroup contextRef="#b"><trace>2 1</trace><trace contextRef="#brush">2 1</trace></traceGroup>
      <context contextRef="#b"/><trace>2 1</trace>
      """)
    let points = try #require(outcome.records.first).labeled.ink.strokes.map { $0.points[0] }
    #expect(points.allSatisfy { $0.x == 1 && $0.y == 2 })
    #expect(points.map(\.force) == [3, nil, 3, 3, nil, nil, nil, nil])
  }

  @Test("The angles of the pen are read in degrees and radians, and against their direction")
  func angles() throws {
    let outcome = try read(
      """
      <traceFormat><channel name="X"/><channel name="Y"/><channel name="OA" orientation="-ve"/>
        <channel name="OE" units="deg"/><channel name="OR" units="rad" orientation="-ve"/>
        </traceFormat>
      <trace>1 2 90 45 0.5, 1 2 ? ? ?</trace>
      """)
    let points = try #require(outcome.records.first).labeled.ink.strokes[0].points
    #expect(points.map(\.azimuth) == [-.pi / 2, nil] && points.map(\.altitude) == [.pi / 4, nil])
    #expect(points.map(\.roll) == [-0.5, nil])
  }

  @Test("The pen is as wide as the brush of the trace, of its group or of its context")
  func brush() throws {
    let definitions = """
      <definitions>
        <brush xml:id="thin"><brushProperty name="width" value="2"/>
          <annotation type="truth">pen</annotation></brush>
        <brush xml:id="wide"><brushProperty name="width" value="0.05" units="cm"/></brush>
        <brush xml:id="odd"><brushProperty name="width" value="3" units="px"/></brush>
        <context xml:id="mm" brushRef="#wide"><traceFormat>
          <channel name="X" units="mm"/><channel name="Y" units="mm"/></traceFormat></context>
        <context xml:id="inner" contextRef="#mm"><brush><brushProperty name="width" value="7"/>
          </brush></context>
        <context xml:id="outer" contextRef="#mm"/>
        <context xml:id="a" contextRef="#b" brushRef="#a"/><context xml:id="b" contextRef="#a"/>
      </definitions>
      """
    let cases: [(String, Double?)] = [
      (##"<trace contextRef="#mm" brushRef="#thin">1 2</trace>"##, 2),
      (##"<trace contextRef="#mm">1 2</trace>"##, 0.5),
      (##"<trace contextRef="#outer">1 2</trace>"##, 0.5),
      (##"<trace contextRef="#inner">1 2</trace>"##, 7),
      (##"<trace contextRef="#mm" brushRef="#odd">1 2</trace>"##, nil),
      (##"<trace contextRef="#mm" brushRef="#none">1 2</trace>"##, 0.5),
      (##"<trace contextRef="#mm" brushRef="#a">1 2</trace>"##, 0.5),
      (##"<traceGroup contextRef="#mm" brushRef="#thin"><trace>1 2</trace></traceGroup>"##, 2),
      (##"<context contextRef="#inner"/><trace>1 2</trace>"##, 7),
      (##"<trace brushRef="#wide" contextRef="#DefaultContext">1 2</trace>"##, nil),
    ]
    for (body, width) in cases {
      let outcome = try read(definitions + body)
      let record = try #require(outcome.records.first, "\(body)")
      #expect(record.penWidth.map { ($0 * 1e9).rounded() / 1e9 } == width, "\(body)")
      #expect(record.labeled.label == "")
    }
    let trace = ##"<trace contextRef="#mm" brushRef="#thin">1 2</trace>"##
    let several = try read(definitions + trace + trace + ##"<trace contextRef="#mm">1 2</trace>"##)
    #expect(several.records.first?.penWidth == 2)
  }

  @Test("Traces of a highlighter are no strokes, and pens have their colours")
  func highlighters() throws {
    // Brushes as OneNote and Word write them, and a flat one that one sees through.
    let definitions = """
      <definitions>
        <context xml:id="c"><inkSource xml:id="s"><traceFormat>
          <channel name="X" type="integer" units="cm"/><channel name="Y" type="integer" units="cm"/>
          <channel name="F" type="integer" max="32767" units="dev"/></traceFormat>
          <channelProperties>
            <channelProperty channel="X" name="resolution" value="1000" units="1/cm"/>
            <channelProperty channel="Y" name="resolution" value="1000" units="1/cm"/>
          </channelProperties></inkSource></context>
        <brush xml:id="pen"><brushProperty name="width" value="0.05" units="cm"/>
          <brushProperty name="color" value="#ed1c24"/>
          <brushProperty name="rasterOp" value="copyPen"/></brush>
        <brush xml:id="pencil"><brushProperty name="color" value="#000000"/>
          <brushProperty name="transparency" value="128"/></brush>
        <brush xml:id="mark"><brushProperty name="width" value="0.2" units="cm"/>
          <brushProperty name="height" value="0.4" units="cm"/>
          <brushProperty name="color" value="#FFFF00"/>
          <brushProperty name="tip" value="rectangle"/>
          <brushProperty name="rasterOp" value="maskPen"/></brush>
        <brush xml:id="clear"><brushProperty name="tip" value="rectangle"/>
          <brushProperty name="transparency" value="0.5"/></brush>
      </definitions>
      """
    func trace(_ brush: String) -> String {
      ##"<trace contextRef="#c" brushRef="#\##(brush)">1000 2000 9, 1100 2000 9</trace>"##
    }
    let all = ["pen", "mark", "pencil", "clear"].map(trace).joined()
    let record = try #require(try read(definitions + all).records.first)
    #expect(record.labeled.ink.strokes.count == 2)
    #expect(record.pens.map(\.color) == ["#ED1C24", "#0000007F"])
    #expect(record.pens.map { ($0.width ?? 0).rounded() } == [50, 0])
    #expect(try read(definitions + trace("mark")).codes == [.emptyInk])
    #expect(try read(definitions + all, unit: .stroke).records.count == 2)
  }

  @Test("the one format of a file is that of traces that name none")
  func onlyFormat() throws {
    let outcome = try read(
      """
      <definitions><context xml:id="a"><traceFormat><channel name="Y"/><channel name="X"/>
      </traceFormat></context></definitions>\(Self.truth)<trace>2 1</trace>
      """)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].x == 1)
  }

  @Test(
    "times become milliseconds, and those of a unit that only the device knows are left out",
    arguments: [
      ("", 5.0), (" units=\"ms\"", 5), (" units=\"s\"", 5000), (" units=\"us\"", 0.005),
      (" units=\"µs\"", 0.005), (" units=\"dev\"", nil),
      (" units=\"fortnight\"", nil),
    ])
  func timeUnits(attribute: String, time: Double?) throws {
    let outcome = try read(
      """
      <traceFormat><channel name="X"/><channel name="Y"/><channel name="T"\(attribute)/>
      </traceFormat>\(Self.truth)<trace>1 2 5</trace>
      """)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].t == time)
  }

  @Test("text goes on behind comments and instructions")
  func comments() throws {
    let outcome = try read(
      """
      <annotation type="truth">a<!-- not b -->c</annotation>
      <trace>1 2, <!-- <trace> --> 3 4, <?x y?> 5 6</trace>
      """)
    let record = try #require(outcome.records.first)
    #expect(record.labeled.label == "ac")
    #expect(record.labeled.ink.strokes[0].points.map(\.x) == [1, 3, 5])
  }

  @Test("each group has the writer that it names, that of a group around it or of the file")
  func writers() throws {
    let group = { (label: String, writer: String) in
      let named = writer.isEmpty ? "" : "<annotation type=\"writer\">\(writer)</annotation>"
      return "<traceGroup>\(named)<annotation type=\"truth\">\(label)</annotation>"
        + "<trace>1 2</trace></traceGroup>"
    }
    let outcome = try read(
      """
      <annotation type="writer">file</annotation>\(group("a", "one"))
      <traceGroup>\(group("b", ""))\(group("c", "two"))<annotation type="writer">around</annotation>
      </traceGroup>\(group("d", ""))
      """)
    #expect(outcome.labels == ["a", "b", "c", "d"])
    #expect(outcome.records.map(\.labeled.writer) == ["one", "around", "two", "file"])
  }

  @Test("elements may have the prefix of their namespace, and those of others are none of ours")
  func prefixes() throws {
    try folder.write(
      """
      <inkml:ink xmlns:inkml="http://www.w3.org/2003/InkML" xmlns:emma="urn:e" xmlns:m="urn:m">
      <inkml:annotation type="truth">a</inkml:annotation><emma:trace>no</emma:trace>
      <inkml:trace>1 2</inkml:trace></inkml:ink>
      """, to: "s/a.inkml")
    try folder.write(
      """
      <emma xmlns="urn:e" xmlns:i="http://www.w3.org/2003/InkML"><trace>no</trace>
      <i:ink><i:annotation type="truth">b</i:annotation><i:trace>1 2</i:trace></i:ink></emma>
      """, to: "s/b.inkml")
    // Nowhere declared, as in files of FC_A.
    try folder.write(
      """
      <ink xmlns="http://www.w3.org/2003/InkML"><inkml:definitions><inkml:context xml:id="c">
      <inkml:traceFormat><inkml:channel name="X"/><inkml:channel name="Y"/></inkml:traceFormat>
      </inkml:context></inkml:definitions><annotation type="truth">c</annotation>
      <trace contextRef="#c">1 2</trace></ink>
      """, to: "s/c.inkml")
    let outcome = Outcome(try InkReader(.inkML, path: folder.path))
    #expect(outcome.labels == ["a", "b", "c"] && outcome.failures.isEmpty)
    #expect(outcome.records.map(\.labeled.ink.strokes.count) == [1, 1, 1])
  }

  @Test("traces of definitions are of the groups that view them")
  func definitions() throws {
    let body =
      "<definitions><trace id=\"t\">7 8</trace></definitions>\(Self.truth)<trace>1 2</trace>"
    #expect(try read(body).records.first?.labeled.ink.strokes.map { $0.points[0].x } == [1])
    let viewed = try read(
      "<definitions><trace id=\"t\">7 8</trace></definitions><trace>1 2</trace>"
        + "<traceGroup>\(Self.truth)<traceView traceDataRef=\"#t\"/></traceGroup>")
    #expect(viewed.records.first?.labeled.ink.strokes.map { $0.points[0].x } == [7])
  }

  @Test(
    "what cannot be honoured is a failure",
    arguments: [
      ("\(truth)<trace type=\"hover\">1 2</trace>", InkFormatError.Code.unsupported),
      ("\(truth)<trace contextRef=\"#none\">1 2</trace>", .rangeOutOfBounds),
      ("\(truth)<trace continuation=\"end\">1 2</trace>", .rangeOutOfBounds),
      (
        "<definitions><traceFormat><channel name=\"X\"/><channel name=\"Y\"/></traceFormat>"
          + "<traceFormat><channel name=\"Y\"/><channel name=\"X\"/></traceFormat></definitions>"
          + "\(truth)<trace>1 2</trace>", .missingKey
      ),
      (
        "\(truth)<annotation type=\"writer\">a</annotation><annotation type=\"writer\">b</annotation>"
          + "<trace>1 2</trace>", .malformed
      ),
      ("\(truth)<trace>1 2, <b/>3 4</trace>", .malformed),
    ])
  func refusals(body: String, code: InkFormatError.Code) throws {
    let outcome = try read(body)
    #expect(outcome.records.isEmpty)
    #expect(outcome.codes == [code])
  }

  @Test(
    "what cannot be read is a failure",
    arguments: [
      ("<annotation type=\"truth\">a</annotation>", InkFormatError.Code.emptyInk),
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
