import InkCore
import InkFormats
import Testing

@Suite("Labelled-stroke ndjson and Quick, Draw!")
struct JSONLineReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func strokes(_ text: String, yAxis: YAxis = .down) throws -> Outcome {
    Outcome(try InkReader(.strokeLines, path: folder.write(text, to: "s.ndjson"), yAxis: yAxis))
  }

  @Test("bytes in memory are read as those of a file, and named in errors")
  func memory() {
    let line = #"{"label":"a","strokes":[[[1,2]]]}"#
    let outcome = Outcome(
      InkReader(.strokeLines, bytes: Array("\(line)\n{}\r\n\(line)".utf8), name: "here"))
    #expect(outcome.pattern == [true, false, true])
    #expect(outcome.failures.first?.location == SourceLocation(path: "here", line: 2))
    #expect(Outcome(InkReader(.strokeLines, bytes: [], name: "here")).pattern.isEmpty)
    let drawing = #"{"word":"a","drawing":[[[1],[2]]]}"#
    #expect(
      Outcome(InkReader(.quickDraw, bytes: Array(drawing.utf8), name: "here")).labels == ["a"])
    let ink = #"{"label":"a","strokes":[{"x":[1],"y":[2]}]}"#
    #expect(Outcome(InkReader(.jsonLines, bytes: Array(ink.utf8), name: "here")).labels == ["a"])
  }

  @Test("a line has label, writer and strokes with or without times")
  func line() throws {
    let outcome = try strokes(
      #"""
      {"label":"a\u0041\ud83d\ude00\n","subject":7,"device":["Pen",null,true,{"a":-1e-3}],"strokes":[[[1,2,0],[3.5,-4e1,15]],[],[[5,6]]]}

      { "strokes" : [ [ [ 0.1 , 0 ] ] ] , "label" : "b" , "subject" : "w" }
      """#)
    #expect(outcome.labels == ["aA😀\n", "b"])
    #expect(outcome.records.map(\.labeled.writer) == ["7", "w"])
    #expect(outcome.records.map(\.location.line) == [1, 3])
    #expect(outcome.records.map(\.indexInSource) == [0, 1])
    #expect(
      outcome.records.first?.labeled.ink
        == Ink(strokes: [
          Stroke(points: [StrokePoint(x: 1, y: 2, t: 0), StrokePoint(x: 3.5, y: -40, t: 15)]),
          Stroke(points: [StrokePoint(x: 5, y: 6)]),
        ]))
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try strokes(#"{"label":"a","strokes":[[[1,2]]]}"#, yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].y == -2)
  }

  @Test(
    "malformed lines are typed errors, and reading goes on",
    arguments: [
      (#"{"label":"a"}"#, InkFormatError.Code.missingKey), (#"{"strokes":[]}"#, .emptyInk),
      (#"{"label":"a","strokes":[]}"#, .emptyInk), (#"[]"#, .wrongType),
      (#"{"label":1,"strokes":[[[1,2]]]}"#, .wrongType),
      (#"{"label":"a","strokes":[[["1",2]]]}"#, .wrongType),
      (#"{"label":"a","strokes":[[{"x":1}]]}"#, .wrongType),
      (#"{"label":"a","strokes":[[[1]]]}"#, .unequalLengths),
      (#"{"label":"a","strokes":[[[1,2,3,4]]]}"#, .unequalLengths),
      (#"{"label":"a","strokes":[[[1,NaN]]]}"#, .nonFiniteNumber),
      (#"{"label":"a","strokes":[[[1,-Infinity]]]}"#, .nonFiniteNumber),
      (#"{"label":"a","strokes":[[[1,1e999]]]}"#, .nonFiniteNumber),
      (#"{"label":"a","strokes":[[[01,2]]]}"#, .malformed),
      (#"{"label":"a","strokes":[[[1.,2]]]}"#, .malformed),
      (#"{"label":"a","strokes":[[[1,2],]]}"#, .malformed),
      (#"{"label":"a" "strokes":[[[1,2]]]}"#, .malformed),
      (#"{"label":"a","strokes":[[[1,2]]]} x"#, .malformed),
      (#"{"label":"a\q","strokes":[[[1,2]]]}"#, .malformed),
      (#"{"label":"\u12g4","strokes":[[[1,2]]]}"#, .malformed),
      (#"{"label":"\ud83d","strokes":[[[1,2]]]}"#, .invalidEncoding),
      (#"{"label":"\ud83d\u0041","strokes":[[[1,2]]]}"#, .invalidEncoding),
      ("{\"label\":\"a\tb\",\"strokes\":[[[1,2]]]}", .malformed),
      (#"{"label":"a","x":tru,"strokes":[[[1,2]]]}"#, .malformed),
      ("{\"x\":" + String(repeating: "[", count: 100_000), .nestingTooDeep),
    ])
  func malformed(line: String, code: InkFormatError.Code) throws {
    let outcome = try strokes(line + "\n" + #"{"label":"b","strokes":[[[1,2]]]}"#)
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line == 1)
    #expect(outcome.labels == ["b"])
  }

  @Test("a line truncated anywhere is a typed error")
  func truncated() throws {
    let line = Array(#"{"label":"a\u0041","subject":null,"strokes":[[[1.5,2e3]]]}"#.utf8)
    for count in 1..<line.count {
      let path = try folder.write(line.prefix(count), to: "cut.ndjson")
      let outcome = Outcome(try InkReader(.strokeLines, path: path))
      #expect(outcome.codes == [.truncated], "cut after \(count) bytes")
    }
  }

  @Test("bytes that are no UTF-8 are a typed error, and reading goes on")
  func encoding() throws {
    let good = Array(#"{"label":"é","strokes":[[[1,2]]]}"#.utf8)
    let bad = Array(#"{"label":""#.utf8) + [0xC3] + Array(#"","strokes":[[[1,2]]]}"#.utf8)
    let path = try folder.write(bad + [0x0A] + good, to: "e.ndjson")
    let outcome = Outcome(try InkReader(.strokeLines, path: path))
    #expect(outcome.codes == [.invalidEncoding])
    #expect(outcome.labels == ["é"])
  }

  @Test("a line beyond 64 MB is a typed error, and reading goes on")
  func longLine() throws {
    let long = [UInt8](repeating: 0x20, count: (64 << 20) + (1 << 20)) + [0x0A]
    let path = try folder.write(
      long + Array(#"{"label":"b","strokes":[[[1,2]]]}"#.utf8), to: "l.ndjson")
    let outcome = Outcome(try InkReader(.strokeLines, path: path))
    #expect(outcome.codes == [.lineTooLong])
    #expect(outcome.labels == ["b"])
    #expect(outcome.records.first?.location.line == 2)
  }

  @Test("lines longer than the buffer are read whole")
  func linesAcrossBuffers() throws {
    let point = "[1.25,2.5,3]"
    let points = Array(repeating: point, count: 30_000).joined(separator: ",")
    let line = #"{"label":"a","strokes":[["# + points + "]]}\n"
    let outcome = try strokes(line + line + line)
    #expect(outcome.records.map(\.labeled.ink.pointCount) == [30_000, 30_000, 30_000])
  }

  @Test("a byte order mark is skipped")
  func byteOrderMark() throws {
    #expect(try strokes("\u{FEFF}" + #"{"label":"b","strokes":[[[1,2]]]}"#).labels == ["b"])
  }

  @Test("a missing file is a typed error")
  func missingFile() {
    let error = #expect(throws: InkFormatError.self) {
      try InkReader(.strokeLines, path: "/no/such/file.ndjson")
    }
    #expect(error?.code == .missingFile)
  }

  @Test("a folder of drawings is read in the order of its files")
  func quickDraw() throws {
    try folder.write(
      #"{"word":"cat","drawing":[[[1,2],[3,4],[0,5]],[[],[],[]]]}"#, to: "q/cat.ndjson")
    try folder.write(
      #"{"word":"ant","recognized":true,"drawing":[[[1.5],[2]]]}"#, to: "q/ant.ndjson")
    let outcome = Outcome(try InkReader(.quickDraw, path: folder.path + "/q"))
    #expect(outcome.labels == ["ant", "cat"])
    #expect(outcome.records.map(\.source) == ["ant.ndjson", "cat.ndjson"])
    #expect(outcome.records.first?.labeled.writer == nil)
    #expect(
      outcome.records.last?.labeled.ink
        == Ink(strokes: [
          Stroke(points: [StrokePoint(x: 1, y: 3, t: 0), StrokePoint(x: 2, y: 4, t: 5)])
        ]))
  }

  @Test(
    "malformed drawings are typed errors",
    arguments: [
      (#"{"word":"a"}"#, InkFormatError.Code.missingKey),
      (#"{"word":"a","drawing":[[[1],[2,3]]]}"#, .unequalLengths),
      (#"{"word":"a","drawing":[[[1],[2],[]]]}"#, .unequalLengths),
      (#"{"word":"a","drawing":[[[1]]]}"#, .unequalLengths),
      (#"{"word":"a","drawing":[[1,2]]}"#, .wrongType),
      (#"{"word":"a","drawing":[]}"#, .emptyInk),
    ])
  func malformedDrawing(line: String, code: InkFormatError.Code) throws {
    let path = try folder.write(line, to: "q.ndjson")
    #expect(Outcome(try InkReader(.quickDraw, path: path)).codes == [code])
  }
}
