import InkCore
import InkFormats
import Testing

@Suite("Omniglot")
struct OmniglotReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ text: String, yAxis: YAxis = .up) throws -> Outcome {
    try folder.write(text, to: "small/Greek/character05/0398_07.txt")
    return Outcome(try OmniglotReader(folder: folder.path, yAxis: yAxis))
  }

  private static let dot = "START\n1,-2,0\nBREAK\n"

  @Test("a drawing has its strokes, and its label and drawer by its path")
  func drawing() throws {
    let outcome = try read("START\r\n1.5,-2,40\n3,-4,56\nBREAK\nBREAK\n5,-6,100\nBREAK")
    let record = try #require(outcome.records.first)
    #expect(record.labeled.label == "Greek/05")
    #expect(record.labeled.writer == "Greek/07")
    #expect(record.source == "small/Greek/character05/0398_07.txt")
    #expect(record.level == .character)
    #expect(
      record.labeled.ink
        == Ink(strokes: [
          Stroke(points: [
            StrokePoint(x: 1.5, y: 2, t: 0), StrokePoint(x: 3, y: 4, t: 16),
          ]),
          Stroke(points: [StrokePoint(x: 5, y: 6, t: 60)]),
        ]))
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try read(Self.dot, yAxis: .down)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].y == -2)
  }

  @Test("a clock that runs backward is corrected and noted")
  func clock() throws {
    let record = try #require(try read("START\n1,1,90\n2,2,40\n3,3,56\nBREAK\n").records.first)
    #expect(record.labeled.ink.strokes[0].points.map(\.t) == [0, 0, 16])
    #expect(record.notes == [.clockRanBackward])
  }

  @Test("a drawing that two parts have is read once")
  func twice() throws {
    for part in ["small1", "small2"] {
      try folder.write(Self.dot, to: "\(part)/Greek/character05/0398_07.txt")
    }
    let outcome = Outcome(try OmniglotReader(folder: folder.path))
    #expect(outcome.records.map(\.source) == ["small1/Greek/character05/0398_07.txt"])
  }

  @Test("the folder may be that of an alphabet, and other files are left alone")
  func otherFiles() throws {
    for name in [
      "character05/0398_07.txt", "character05/._0398_08.txt", "character05/0398-09.txt",
      "other/0398_10.txt", "readme.txt",
    ] {
      try folder.write(Self.dot, to: "Greek/\(name)")
    }
    for path in ["/Greek", "/Greek/other/..", "/Greek/character05/"] {
      let outcome = Outcome(try OmniglotReader(folder: folder.path + path))
      #expect(outcome.labels == ["Greek/05"], "\(path)")
    }
  }

  @Test(
    "malformed files are typed errors that name the line",
    arguments: [
      ("", InkFormatError.Code.malformed, 0), ("1,2,3\nBREAK\n", .malformed, 1),
      ("START\n", .emptyInk, 1), ("START\nBREAK\n", .emptyInk, 2),
      ("START\n1,2,3\n", .truncated, 2), ("START\n1,2\nBREAK\n", .malformed, 2),
      ("START\n1,2,3,4\nBREAK\n", .malformed, 2), ("START\n1,b,3\nBREAK\n", .wrongType, 2),
      ("START\n1,nan,3\nBREAK\n", .nonFiniteNumber, 2),
      ("START\n1,2,1e999\nBREAK\n", .nonFiniteNumber, 2),
    ])
  func malformed(text: String, code: InkFormatError.Code, line: Int) throws {
    let outcome = try read(text)
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line == line)
  }

  @Test("a bad file does not stop the ones after it")
  func goesOn() throws {
    try folder.write("START", to: "Greek/character01/0001_01.txt")
    try folder.write(Self.dot, to: "Greek/character01/0001_02.txt")
    #expect(Outcome(try OmniglotReader(folder: folder.path)).pattern == [false, true])
  }

  @Test("a folder without drawings is a typed error that says what to do")
  func noDrawings() throws {
    try folder.write("x", to: "strokes_background_small1.zip")
    let error = #expect(throws: InkFormatError.self) {
      try OmniglotReader(folder: folder.path)
    }
    #expect(error?.code == .missingFile)
    #expect(error?.advice.contains("unpack") == true)
  }
}
