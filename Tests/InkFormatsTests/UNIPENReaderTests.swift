import Foundation
import InkCore
import InkFormats
import Testing

/// Three components: down (3 points), up (2), down (4), with a comment and an empty block between.
private let pen = """
  .COORD X Y
  .POINTS_PER_SECOND 100
  .WRITER_ID w1
  .PEN_DOWN
  0 0
  1 10
  2 20
  .PEN_UP
  3 30
  4 40
  .PEN_UP
     ### a comment ###
  .START_BOX
  .PEN_DOWN
  5 50
  6\t60
   7 70
  8 80
  .PEN_UP

  """

@Suite("UNIPEN")
struct UNIPENReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(pen, to: "include/aga/a.dat")
  }

  private func read(
    _ segments: String, include: String = "aga/a.dat", contributor: String = "aga",
    yAxis: YAxis? = nil
  ) throws -> Outcome {
    try folder.write(
      ".VERSION 1.0\n.INCLUDE \(include)\n\(segments)\n", to: "data/1a/\(contributor)/s.dat")
    return Outcome(try UNIPENReader(folder: folder.path, yAxis: yAxis))
  }

  private func xs(_ record: InkRecord?) -> [[Double]] {
    record?.labeled.ink.strokes.map { $0.points.map(\.x) } ?? []
  }

  @Test("a segment has its pen-down blocks, label, quality, writer and place")
  func segment() throws {
    let outcome = try read(".SEGMENT CHARACTER 0-2 GOOD \"a\"")
    let record = try #require(outcome.records.first)
    #expect(outcome.pattern == [true])
    #expect(xs(record) == [[0, 1, 2], [5, 6, 7, 8]])
    #expect(record.labeled.label == "a")
    #expect(record.labeled.quality == .good)
    #expect(record.labeled.writer == "w1")
    #expect(record.level == .character)
    #expect(record.source == "1a/aga/s.dat")
    #expect(record.location.line == 3)
    #expect(record.labeled.writingArea == nil)
  }

  @Test("time counts the samples of all blocks, pen-up too, in milliseconds")
  func time() throws {
    let outcome = try read(".SEGMENT CHARACTER 2 ? \"a\"")
    let points = outcome.records.first?.labeled.ink.strokes.first?.points
    #expect(points?.map(\.t) == [50, 60, 70, 80])
  }

  @Test("times and forces that leave the range of numbers are missing")
  func nonFiniteColumns() throws {
    try folder.write(
      """
      .COORD X Y P
      .POINTS_PER_SECOND 1e-320
      .PEN_DOWN
      0 0 1e-300
      1 1 1e-300
      2 2 1e300

      """, to: "include/aga/b.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "aga/b.dat")
    let points = try #require(outcome.records.first).labeled.ink.strokes[0].points
    #expect(points.map(\.t) == [0, nil, nil])
    #expect(points.map { $0.force != nil } == [true, true, false])
  }

  @Test("y is negated to grow downward, whoever recorded it", arguments: ["aga", "lou"])
  func yAxis(contributor: String) throws {
    let line = ".SEGMENT CHARACTER 0 ? \"a\""
    func ys(_ axis: YAxis?) throws -> [Double] {
      try read(line, contributor: contributor, yAxis: axis).records[0].labeled.ink.strokes[0]
        .points.map(\.y)
    }
    #expect(try ys(nil) == [0, -10, -20])
    #expect(try ys(.down) == [0, 10, 20])
  }

  @Test(
    "component and point ranges select their points",
    arguments: [
      ("2", [[5.0, 6, 7, 8]]), ("0:1-0:2", [[1, 2]]), ("0:2-2:1", [[2], [5, 6]]),
      ("2:1-2", [[6, 7, 8]]), ("0-0:1,2", [[0, 1], [5, 6, 7, 8]]), ("0:1", [[1]]),
      ("2:0-2:0,0:0-0:1", [[5], [0, 1]]),
    ])
  func ranges(range: String, expected: [[Double]]) throws {
    #expect(xs(try read(".SEGMENT WORD \(range) OK \"a\"").records.first) == expected)
  }

  @Test(
    "ranges beyond the data are typed errors, and reading goes on",
    arguments: ["3", "0-3", "0:3-0:4", "0-2:4", "2-0", "0:2-0:1"])
  func rangeOutOfBounds(range: String) throws {
    let outcome = try read(".SEGMENT CHARACTER \(range) ? \"a\"\n.SEGMENT CHARACTER 0 ? \"b\"")
    #expect(outcome.codes == [.rangeOutOfBounds])
    #expect(outcome.failures.first?.location.line == 3)
    #expect(outcome.labels == ["b"])
  }

  @Test("ranges that name more points than the file has are a typed error")
  func repeatedRanges() throws {
    #expect(try read(".SEGMENT CHARACTER 0,0,0 ? \"a\"").codes == [])
    #expect(try read(".SEGMENT CHARACTER 0,0,0,0 ? \"a\"").codes == [.rangeOutOfBounds])
  }

  @Test("more columns than a point can have are a typed error, not memory for each bad line")
  func tooManyColumns() throws {
    let names = String(repeating: " Z", count: 31)
    try folder.write(".COORD X Y\(names)\n.PEN_DOWN\nx\n", to: "include/wide.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "wide.dat")
    #expect(outcome.codes == [.malformed])
    #expect(outcome.failures.first?.expected.contains("32 columns") == true)
  }

  @Test("includes that multiply are a typed error, not time without end")
  func multiplyingIncludes() throws {
    for level in 0..<15 {
      let line = ".INCLUDE \(level + 1).dat\n"
      try folder.write(line + line + line, to: "include/\(level).dat")
    }
    try folder.write(pen, to: "include/15.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "0.dat")
    #expect(outcome.codes == [.includeCycle])
  }

  @Test("a segment of pen-up points only is a typed error")
  func penUpOnly() throws {
    #expect(try read(".SEGMENT CHARACTER 1 ? \"a\"").codes == [.emptyInk])
  }

  @Test("labels escape quotes and backslashes, and are Latin-1")
  func labels() throws {
    let latin = Array(".SEGMENT WORD 0 ? \"caf\"\n".utf8.dropLast(2)) + [0xE9] + Array("\"\n".utf8)
    let text = #"""
      .INCLUDE aga/a.dat
      .SEGMENT CHARACTER 0 ? "\""
      .SEGMENT CHARACTER 0 ? "\\"
      .SEGMENT WORD 0 ? "a\*b"
      .SEGMENT TEXT 0 "say \"hi\" "

      """#
    try folder.write(Array(text.utf8) + latin, to: "data/1a/aga/s.dat")
    let outcome = Outcome(try UNIPENReader(folder: folder.path))
    #expect(outcome.labels == ["\"", "\\", #"a\*b"#, "say \"hi\" ", "café"])
    #expect(outcome.records[3].level == .text)
    #expect(outcome.records[3].labeled.quality == nil)
  }

  @Test(
    "malformed segment lines are typed errors",
    arguments: [
      (".SEGMENT", InkFormatError.Code.malformed),
      (".SEGMENT CHARACTER x ? \"a\"", .malformed), (".SEGMENT CHARACTER 0- ? \"a\"", .malformed),
      (".SEGMENT CHARACTER 0 FINE \"a\"", .malformed),
      (".SEGMENT CHARACTER 0 ? a", .missingKey),
      (".SEGMENT CHARACTER 0 ? \"a", .truncated),
      (".SEGMENT CHARACTER 99999999999999999999 ? \"a\"", .malformed),
    ])
  func malformedSegment(line: String, code: InkFormatError.Code) throws {
    let outcome = try read(line + "\n.SEGMENT CHARACTER 0 ? \"b\"")
    #expect(outcome.codes == [code])
    #expect(outcome.labels == ["b"])
  }

  @Test("includes nest, and their points count in order")
  func nestedIncludes() throws {
    try folder.write(".COORD X Y\n.PEN_DOWN\n9 9\n", to: "include/aga/first.dat")
    try folder.write(".INCLUDE aga/first.dat\n.INCLUDE aga/a.dat\n", to: "include/aga/n.dat")
    let outcome = try read(".SEGMENT CHARACTER 0-1 ? \"a\"", include: "aga/n.dat")
    #expect(xs(outcome.records.first) == [[9], [0, 1, 2]])
  }

  @Test("a missing include fails each segment of its file with a typed error")
  func missingInclude() throws {
    let outcome = try read(
      ".SEGMENT CHARACTER 0 ? \"a\"\n.SEGMENT CHARACTER 1 ? \"b\"", include: "aga/none.dat")
    #expect(outcome.codes == [.missingInclude, .missingInclude])
  }

  @Test("a missing include of a file without segments is told once")
  func missingIncludeAlone() throws {
    #expect(try read("", include: "aga/none.dat").codes == [.missingInclude])
  }

  @Test("includes that lead back are a typed error")
  func includeCycle() throws {
    try folder.write(".INCLUDE aga/y.dat\n", to: "include/aga/x.dat")
    try folder.write(".INCLUDE aga/x.dat\n", to: "include/aga/y.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "aga/x.dat")
    #expect(outcome.codes == [.includeCycle])
  }

  @Test(
    "includes outside the folder are never opened, and a typed error where their ink is needed",
    arguments: [
      "../../secret.dat", "/etc/passwd", "aga/../../../../../secret.dat", "", #"..\..\secret.dat"#,
    ])
  func pathTraversal(include: String) throws {
    // As deep as the segment file, so that no way through the dataset leads to it.
    let inner = folder.path + "/1/2/3/4"
    try folder.write(pen, to: "secret.dat")
    try folder.write(
      ".INCLUDE \(include)\n.SEGMENT CHARACTER 0 ? \"a\"\n", to: "1/2/3/4/data/s.dat")
    let outcome = Outcome(try UNIPENReader(folder: inner))
    if include == "../../secret.dat" || include == #"..\..\secret.dat"# {
      try folder.write(pen, to: "1/2/3/secret.dat")
    }
    #expect(outcome.codes == [.pathOutsideFolder] || outcome.codes == [.missingInclude])
    #expect(outcome.records.isEmpty)
  }

  @Test("columns T and P give time and force")
  func columns() throws {
    try folder.write(
      """
      .COORD X Y T P
      .POINTS_PER_SECOND 100
      .PEN_DOWN
      0 0 1000 0
      1 0 1010 20
      2 0 1020 40
      3 0 1030 80

      """, to: "include/aga/t.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "aga/t.dat")
    let points = try #require(outcome.records.first?.labeled.ink.strokes.first?.points)
    #expect(points.map(\.t) == [1000, 1010, 1020, 1030])
    #expect(points.map(\.force) == [0, 0.5, 1, 2])
  }

  @Test("a column T that runs too fast for milliseconds is in microseconds")
  func microseconds() throws {
    try folder.write(
      ".COORD X Y T\n.POINTS_PER_SECOND 200\n.PEN_DOWN\n0 0 0\n1 0 5000\n2 0 10000\n",
      to: "include/aga/t.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "aga/t.dat")
    #expect(outcome.records.first?.labeled.ink.strokes[0].points.map(\.t) == [0, 5, 10])
  }

  @Test("without a rate there is no time")
  func noRate() throws {
    try folder.write(".COORD X Y\n.PEN_DOWN\n0 0\n", to: "include/aga/t.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "aga/t.dat")
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].t == nil)
  }

  @Test(
    "bad points fail only the segments that have them",
    arguments: [
      ("1", InkFormatError.Code.unequalLengths), ("1 2 3", .unequalLengths),
      ("1 x", .malformed), ("nan 1", .nonFiniteNumber), ("1 1e999", .nonFiniteNumber),
    ])
  func badPoints(line: String, code: InkFormatError.Code) throws {
    try folder.write(
      ".COORD X Y\n.PEN_DOWN\n0 0\n\(line)\n.PEN_UP\n.PEN_DOWN\n7 7\n.PEN_UP\n",
      to: "include/aga/t.dat")
    let outcome = try read(
      ".SEGMENT CHARACTER 0 ? \"a\"\n.SEGMENT CHARACTER 1 ? \"b\"", include: "aga/t.dat")
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line == 4)
    #expect(outcome.labels == ["b"])
    #expect(xs(outcome.records.first) == [[7]])
  }

  @Test("a file cut inside a point is a typed error")
  func truncated() throws {
    try folder.write(".COORD X Y\n.PEN_DOWN\n0 0\n1", to: "include/aga/t.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"", include: "aga/t.dat")
    #expect(outcome.codes == [.truncated])
  }

  @Test("decimal and signed numbers and CRLF line ends are read")
  func numbers() throws {
    try folder.write(
      ".COORD Y X\r\n.PEN_DOWN\r\n-1.5 +2\r\n1e2 -3\r\n", to: "include/aga/t.dat")
    let outcome = try read(".SEGMENT CHARACTER 0 ? \"a\"\r", include: "aga/t.dat\r")
    let points = outcome.records.first?.labeled.ink.strokes.first?.points
    #expect(points == [StrokePoint(x: 2, y: 1.5), StrokePoint(x: -3, y: -100)])
  }

  @Test("categories select folders, and a missing one is a typed error")
  func categories() throws {
    _ = try read(".SEGMENT CHARACTER 0 ? \"a\"")
    try folder.write(
      ".INCLUDE aga/a.dat\n.SEGMENT CHARACTER 0 ? \"b\"\n", to: "data/1b/aga/s.dat")
    #expect(Outcome(try UNIPENReader(folder: folder.path, categories: ["1b"])).labels == ["b"])
    #expect(Outcome(try UNIPENReader(folder: folder.path)).labels == ["a", "b"])
    let error = #expect(throws: InkFormatError.self) {
      try UNIPENReader(folder: folder.path, categories: ["9z"])
    }
    #expect(error?.code == .missingFile)
  }

  @Test("descriptions of errors hold no label")
  func noLabels() throws {
    let outcome = try read(".SEGMENT CHARACTER 0 SECRETQUALITY \"secret\"")
    let text = try #require(outcome.failures.first?.description)
    #expect(!text.lowercased().contains("secret"))
    #expect(text.contains("s.dat:3: expected"))
  }
}
