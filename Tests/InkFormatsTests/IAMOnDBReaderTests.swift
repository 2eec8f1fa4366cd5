import InkCore
import InkFormats
import Testing

@Suite("IAM-OnDB")
struct IAMOnDBReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let strokes = """
    <?xml version="1.0" encoding="ISO-8859-1"?>
    <WhiteboardCaptureSession><WhiteboardDescription><SensorLocation corner="top_left"/>
    </WhiteboardDescription><StrokeSet>
    <Stroke colour="black" start_time="100.50" end_time="100.52">
      <Point x="10" y="20" time="100.50"/><Point x="11" y="22" time="100.52"/>
    </Stroke><Stroke/>
    <Stroke><Point x="30" y="20" time="101.00"/></Stroke>
    </StrokeSet></WhiteboardCaptureSession>
    """

  /// Writes one form of the given texts, and strokes for the given lines.
  private func writeForm(
    _ name: String = "x01-001z", texts: [String], lines: [Int]? = nil, lineEnd: String = "\n"
  ) throws {
    let place = "\(name.prefix(3))/\(name.prefix(7))"
    try folder.write(
      (["OCR:", "", "ignored", "", "CSR:", ""] + texts + [""]).joined(separator: lineEnd),
      to: "ascii/\(place)/\(name).txt")
    for line in lines ?? Array(1...texts.count) {
      try folder.write(Self.strokes, to: "lineStrokes/\(place)/\(name)-0\(line).xml")
    }
  }

  private func read(part: IAMOnDBPart? = nil) throws -> Outcome {
    Outcome(try IAMOnDBReader(folder: folder.path, part: part))
  }

  @Test(
    "a line has its text as in the file, and times from 0 in milliseconds", arguments: ["", "\r"])
  func line(carriageReturn: String) throws {
    try writeForm(texts: ["one # two ", "last  %%."], lineEnd: carriageReturn + "\n")
    let outcome = try read()
    #expect(outcome.failures.isEmpty)
    #expect(outcome.labels == ["one # two ", "last  %%."])
    let record = try #require(outcome.records.first)
    #expect(record.source == "lineStrokes/x01/x01-001/x01-001z-01.xml")
    #expect(record.level == .text && record.notes.isEmpty)
    #expect(record.labeled.writer == nil && record.labeled.writingArea == nil)
    #expect(
      record.labeled.ink
        == Ink(strokes: [
          Stroke(points: [StrokePoint(x: 10, y: 20, t: 0), StrokePoint(x: 11, y: 22, t: 20)]),
          Stroke(points: [StrokePoint(x: 30, y: 20, t: 500)]),
        ]))
  }

  @Test("lines of one form are of one page, and other files of none that is known")
  func pages() throws {
    try writeForm(texts: ["a", "b"])
    #expect(
      try read().records.map(\.page) == [
        "lineStrokes/x01/x01-001/x01-001z", "lineStrokes/x01/x01-001/x01-001z",
      ])
    func page(_ source: String) -> String? {
      InkRecord(
        labeled: LabeledInk(ink: Ink(strokes: []), label: ""), location: SourceLocation(path: "f"),
        source: source, indexInSource: 0
      ).page
    }
    #expect(page("a/b/a01-000u-03.xml") == "a/b/a01-000u")
    #expect(page("x.inkml") == nil && page("a-b.xml") == nil)
  }

  @Test("y can be flipped")
  func yAxis() throws {
    try writeForm(texts: ["a"])
    let outcome = Outcome(try IAMOnDBReader(folder: folder.path, yAxis: .up))
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].y == -20)
  }

  @Test("texts are read as ISO 8859-1, without blank lines")
  func encoding() throws {
    try writeForm(texts: ["a"])
    try folder.write(
      Array("CSR:\n\n \n".utf8) + [0xA3, 0x31], to: "ascii/x01/x01-001/x01-001z.txt")
    #expect(try read().labels == ["£1"])
  }

  @Test("writers come from the table, where a line may have none")
  func writerTable() throws {
    try writeForm(texts: ["a", "b", "c"])
    try folder.write("line\twriter\nx01-001z-01\t10\r\nx01-001z-02\t\n", to: "writers.tsv")
    #expect(try read().records.map(\.labeled.writer) == ["10", nil, nil])
  }

  @Test("without a table, writers come from the recording of the form")
  func writerRecording() throws {
    try writeForm("x01-001z", texts: ["a"])
    try writeForm("x01-002", texts: ["b"])
    try writeForm("x01-003", texts: ["c"])
    let recording = "<Session><General><Form id='x' writerID='10'/></General><StrokeSet>"
    try folder.write(recording + "</StrokeSet></Session>", to: "original/x01/x01-001/strokesz.xml")
    try folder.write("<Session/>", to: "original/x01/x01-002/strokes.xml")
    #expect(try read().records.map(\.labeled.writer) == ["10", nil, nil])
    try folder.write("<Session>", to: "original/x01/x01-003/strokes.xml")
    #expect(try read().pattern == [true, true, false])
  }

  @Test(
    "a part is the forms that its file names, in the folder or in splits",
    arguments: [
      "", "splits/",
    ])
  func parts(place: String) throws {
    try writeForm("x01-001z", texts: ["a", "b"])
    try writeForm("x01-002", texts: ["c"])
    try folder.write(" x01-002\n\n", to: place + "testset_v.txt")
    try folder.write(" x01-001z\r\n x01-001z\r\n", to: place + "trainset.txt")
    #expect(try read(part: .val1).labels == ["c"])
    #expect(try read(part: .train).labels == ["a", "b"])
    #expect(try read().labels == ["a", "b", "c"])
    let error = #expect(throws: InkFormatError.self) { try read(part: .test) }
    #expect(error?.code == .missingFile)
  }

  @Test("a form of a part without stroke files is a failure with the line that names it")
  func missingForm() throws {
    try writeForm(texts: ["a"])
    try folder.write("x01-001z\nx01-009\n", to: "trainset.txt")
    let outcome = try read(part: .train)
    #expect(outcome.pattern == [false, true])
    #expect(outcome.failures.first?.code == .missingFile)
    #expect(outcome.failures.first?.location.line == 2)
  }

  @Test("lines without a text and texts without strokes are failures, one each")
  func unequalCounts() throws {
    try writeForm("x01-001", texts: ["a", "b"], lines: [1, 2, 3])
    try writeForm("x01-002", texts: ["a", "b", "c"], lines: [1, 3])
    let outcome = try read()
    #expect(outcome.labels == ["a", "b", "a", "c"])
    #expect(outcome.codes == [.missingTranscription, .missingFile])
    #expect(outcome.pattern == [true, true, false, true, false, true])
  }

  @Test("a form without a file of texts fails once for each of its lines")
  func missingTexts() throws {
    try writeForm("x01-001", texts: ["a"])
    try folder.write(Self.strokes, to: "lineStrokes/x01/x01-002/x01-002-01.xml")
    try folder.write(Self.strokes, to: "lineStrokes/x01/x01-002/x01-002-02.xml")
    #expect(try read().codes == [.missingFile, .missingFile])
  }

  @Test(
    "malformed files of texts are typed errors",
    arguments: [
      ("OCR:\na\n", InkFormatError.Code.missingKey), ("", .missingKey),
      ("CSR:\na\nCSR:\nb\n", .malformed),
    ])
  func malformedTexts(text: String, code: InkFormatError.Code) throws {
    try writeForm(texts: ["a"])
    try folder.write(text, to: "ascii/x01/x01-001/x01-001z.txt")
    #expect(try read().codes == [code])
  }

  @Test("a text that differs from the task's in more than spaces is a failure")
  func taskLabels() throws {
    try writeForm(texts: ["It 's %% $9.", "b c", "de", "f"])
    try folder.write(
      "#!MLF!#\n"
        + label("x01-001z-01", "I t sp ti s sp ga ga sp do n9 sp pt")
        + label("x01-001z-02", "b c c sp") + label("x01-001z-03", "d e"), to: "t2_labels.mlf")
    let outcome = try read()
    #expect(outcome.labels == ["It 's %% $9.", "de", "f"])
    #expect(outcome.codes == [.mismatchedTranscription])
    #expect(outcome.failures.first?.location.path.hasSuffix("x01-001z-02.xml") == true)
    #expect(outcome.failures.first?.description.contains("b c") == false)
  }

  private func label(_ line: String, _ symbols: String) -> String {
    "\"*/\(line).lab\"\n" + symbols.replacing(" ", with: "\n") + "\n.\n"
  }

  @Test(
    "malformed files that hold for all lines are typed errors with the line",
    arguments: [
      ("t2_labels.mlf", "", InkFormatError.Code.malformed, 1),
      ("t2_labels.mlf", "#!MLF!#\nx\n", .malformed, 2),
      ("t2_labels.mlf", "#!MLF!#\n\"*/a.lab\"\nxyz\n.\n", .malformed, 3),
      ("t2_labels.mlf", "#!MLF!#\n\"*/a.lab\"\nx", .truncated, 3),
      ("t2_labels.mlf", "#!MLF!#\n\"*/.lab\"", .truncated, 2),
      ("writers.tsv", "line\twriter\na\n", .malformed, 2),
      ("writers.tsv", "line\twriter\na\tb\tc\n", .malformed, 2),
    ])
  func malformedTables(file: String, text: String, code: InkFormatError.Code, line: Int) throws {
    try writeForm(texts: ["a"])
    try folder.write(text, to: file)
    let error = #expect(throws: InkFormatError.self) { try IAMOnDBReader(folder: folder.path) }
    #expect(error?.code == code)
    #expect(error?.location.line == line)
  }

  @Test("a clock that runs backward is corrected and noted, a long pause is noted")
  func clock() throws {
    try writeForm(texts: ["a", "b", "c"])
    let times = [[5, 5.25, 4, 4.5], [1, 2, 30], [1, 2, 3]]
    for (index, times) in times.enumerated() {
      let points = times.map { "<Point x='1' y='1' time='\($0)'/>" }.joined()
      try folder.write(
        "<S><Stroke>\(points)</Stroke></S>",
        to: "lineStrokes/x01/x01-001/x01-001z-0\(index + 1).xml")
    }
    let records = try read().records
    let read = records.map { $0.labeled.ink.strokes[0].points.map(\.t) }
    #expect(read == [[0, 250, 250, 750], [0, 1000, 29000], [0, 1000, 2000]])
    #expect(records.map(\.notes) == [[.clockRanBackward], [.longPause], []])
  }

  @Test("texts of forms without a letter after their number are rows of tokens, and noted")
  func tokens() throws {
    try writeForm("x01-001z", texts: ["it's so."])
    try writeForm("x01-002", texts: ["it 's so ."])
    let outcome = try read()
    #expect(outcome.labels == ["it's so.", "it 's so ."])
    #expect(outcome.records.map(\.notes) == [[], [.spacedTokens]])
  }

  @Test("points without times are ink without times")
  func noTimes() throws {
    try writeForm(texts: ["a"])
    try folder.write(
      "<S><Stroke><Point x='1' y='1'/></Stroke></S>",
      to: "lineStrokes/x01/x01-001/x01-001z-01.xml")
    #expect(try read().records.first?.labeled.ink.strokes[0].points == [StrokePoint(x: 1, y: 1)])
  }

  @Test(
    "malformed stroke files are typed errors",
    arguments: [
      ("", InkFormatError.Code.emptyInk), ("<S><Stroke/></S>", .emptyInk),
      ("<S><Stroke><Point x='1' y='2' time='0'/>", .truncated),
      ("<S><Point x='1' y='2' time='0'/></S>", .malformed),
      ("<S><Stroke><Point x='1' time='0'/></Stroke></S>", .missingKey),
      ("<S><Stroke><Point x='1' y='b'/></Stroke></S>", .wrongType),
      ("<S><Stroke><Point x='1' y='1' time='soon'/></Stroke></S>", .wrongType),
      ("<S><Stroke><Point x='1' y='1' time='inf'/></Stroke></S>", .nonFiniteNumber),
      (
        "<S><Stroke><Point x='1' y='1' time='0'/><Point x='1' y='1' time='1e308'/></Stroke></S>",
        .nonFiniteNumber
      ),
    ])
  func malformedStrokes(text: String, code: InkFormatError.Code) throws {
    try writeForm(texts: ["a"])
    try folder.write(text, to: "lineStrokes/x01/x01-001/x01-001z-01.xml")
    #expect(try read().codes == [code])
  }

  @Test(
    "stroke files of other names are failures, and the rest is read",
    arguments: [
      "x01/x01-001/notes.xml", "x01/x01-001/x01-001z-0.xml", "x01/x01-001/x01-001z-001.xml",
      "x01/-01.xml", "x01/x01-001/x01-001z-x.xml", ".xml",
    ])
  func strayFiles(name: String) throws {
    try writeForm(texts: ["a"])
    try folder.write(Self.strokes, to: "lineStrokes/" + name)
    let outcome = try read()
    #expect(outcome.codes == [.malformed])
    #expect(outcome.labels == ["a"])
  }

  @Test("a folder without lineStrokes is a typed error")
  func missingFolder() {
    let error = #expect(throws: InkFormatError.self) { try IAMOnDBReader(folder: folder.path) }
    #expect(error?.code == .missingFile)
  }
}
