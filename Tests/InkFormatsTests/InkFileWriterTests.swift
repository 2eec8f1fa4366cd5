import Foundation
import InkCore
import InkFormats
import Testing

@Suite("Files of other formats")
struct InkFileWriterTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What comes back, and what the writer says is lost.
  private func roundTrip(
    _ inks: [LabeledInk], as name: String
  ) throws -> (inks: [LabeledInk], losses: [InkLoss: Int]) {
    let path = folder.path + "/" + name
    let writer = try InkFileWriter(path: path)
    for ink in inks { try writer.write(ink) }
    try writer.finish()
    let outcome = Outcome(try InkReader(path: path))
    #expect(outcome.failures.isEmpty)
    return (outcome.records.map(\.labeled), writer.losses)
  }

  private static let texts: [String] = [
    "", "a", "é", "e\u{301}", "\u{301}", "<\u{301}", "&\u{301}", "\"\u{301}", " \u{301}x ", "汉字",
    "😀",
    "two words", " a", "a\t", "\"", "\"a\"", "a\"b\\c", "\\\"", "<&>'", "&amp;", "]]>", "<!--",
    "\n",
    "a\nb", "a\r\nb", "\r", "\u{2028}", "\u{A0}", "\u{85}",
  ]

  private static func ink(
    _ label: String, writer: String? = nil, points: [StrokePoint] = [StrokePoint(x: 1, y: 2)]
  ) -> LabeledInk {
    LabeledInk(ink: Ink(strokes: [Stroke(points: points)]), label: label, writer: writer)
  }

  /// An ink with all that can be said of one.
  private static func full() throws -> LabeledInk {
    LabeledInk(
      ink: Ink(strokes: [
        Stroke(points: [
          StrokePoint(x: 1.5, y: -2.25, t: 0, force: 0.5, azimuth: 1, altitude: 1.25, roll: -0.5),
          StrokePoint(x: 3, y: 4, t: 8.5, force: 1, azimuth: 1, altitude: 1.5),
          StrokePoint(x: 5, y: 0, t: 20, force: 2, azimuth: 0, altitude: 1.5),
        ]), Stroke(points: [StrokePoint(x: 7, y: 8, t: 90, force: 1, azimuth: 2, altitude: 0.5)]),
      ]),
      label: "été \"x\"", writer: "Zoë",
      writingArea: try WritingArea(x: -1.5, y: 0.1, width: 300, height: 80), quality: .ok)
  }

  @Test(
    "The suffix names the format",
    arguments: [
      ("a.inkml", InkOutputFormat.inkML), ("a.INKML", .inkML), ("a.svg", .svg), ("a.dat", .unipen),
      ("a.unp", .unipen), ("a.unipen", .unipen), ("a.jsonl", .jsonLines), ("a", .jsonLines),
      ("a.svg/b", .jsonLines),
    ])
  func suffix(path: String, format: InkOutputFormat) {
    #expect(InkOutputFormat(path: path) == format)
  }

  // MARK: - Formats without loss

  @Test("All that can be said of an ink comes back", arguments: ["a.inkml", "a.jsonl"])
  func lossless(name: String) throws {
    let inks = [try Self.full(), Self.ink("a"), Self.ink("", writer: "w")]
    let back = try roundTrip(inks, as: name)
    #expect(back.inks == inks)
    #expect(back.losses.isEmpty)
  }

  @Test("Labels and writers of any text come back", arguments: ["a.inkml", "a.jsonl"])
  func labels(name: String) throws {
    let inks = Self.texts.map { Self.ink($0, writer: $0) }
    let back = try roundTrip(inks, as: name)
    #expect(
      back.inks.map { Array($0.label.unicodeScalars) }
        == Self.texts.map { Array($0.unicodeScalars) })
    #expect(back.inks == inks)
    #expect(back.losses.isEmpty)
  }

  @Test("Random inks come back bit for bit from InkML, or the loss of characters is told")
  func random() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let ink = RandomInk.next(&generator)
      var encoder = InkMLEncoder()
      var bytes: [UInt8] = []
      encoder.begin(&bytes)
      let losses = encoder.append(ink, penWidth: nil, to: &bytes)
      encoder.end(&bytes)
      var back = try #require(
        Outcome(InkMLReader.records(of: bytes, path: "a", source: "a", yAxis: .down)).records.first
      ).labeled
      if !losses.isEmpty {
        #expect(losses == [.characters] && ink.label.contains("\0"), "seed \(seed)")
        back.label = ink.label
      }
      #expect(back == ink, "seed \(seed)")
    }
  }

  @Test("Control characters are lost in XML, and told", arguments: ["a.inkml", "a.svg"])
  func controlCharacters(name: String) throws {
    let back = try roundTrip([Self.ink("a\0b\u{1B}"), Self.ink("c")], as: name)
    #expect(back.inks.map(\.label) == ["a\u{FFFD}b\u{FFFD}", "c"])
    #expect(back.losses[.characters] == 1)
  }

  @Test("Strokes without points are lost, and told", arguments: ["a.inkml", "a.dat", "a.svg"])
  func emptyStrokes(name: String) throws {
    var ink = Self.ink("a")
    ink.ink.strokes.insert(Stroke(points: []), at: 0)
    let back = try roundTrip([ink, Self.ink("b")], as: name)
    #expect(back.inks.first == Self.ink("a"))
    #expect(back.losses[.emptyStrokes] == 1)
  }

  @Test("The roll of the pen alone comes back, and is a loss elsewhere")
  func roll() throws {
    let ink = Self.ink(
      "a", points: [StrokePoint(x: 1, y: 2, roll: 0.25), StrokePoint(x: 2, y: 2)])
    for name in ["a.inkml", "a.jsonl"] {
      let back = try roundTrip([ink, Self.ink("b")], as: name)
      #expect(back.inks == [ink, Self.ink("b")] && back.losses.isEmpty)
    }
    for name in ["a.dat", "a.svg"] {
      #expect(try roundTrip([ink], as: name).losses[.tilt] == 1)
    }
    let labeled = LabeledInk(
      ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 2, roll: .infinity)])]), label: "a")
    #expect(throws: InkFormatError.self) { try InkOutputFormat.inkML.bytes(of: [labeled]) }
  }

  // MARK: - UNIPEN

  @Test("UNIPEN holds labels, writers, qualities and times, and tells what it does not")
  func unipen() throws {
    let full = try Self.full()
    let back = try roundTrip([full], as: "a.dat")
    var expected = full
    expected.writingArea = nil
    for stroke in expected.ink.strokes.indices {
      for point in expected.ink.strokes[stroke].points.indices {
        // The median of the forces is 1.
        expected.ink.strokes[stroke].points[point].azimuth = nil
        expected.ink.strokes[stroke].points[point].altitude = nil
        expected.ink.strokes[stroke].points[point].roll = nil
      }
    }
    #expect(back.inks == [expected])
    #expect(back.losses == [.forceScale: 1, .tilt: 1, .writingArea: 1])
  }

  @Test("Ink after ink keeps its own columns and writer in UNIPEN")
  func unipenColumns() throws {
    let inks = [
      Self.ink("a", writer: "v", points: [StrokePoint(x: 0, y: -1, t: 5)]), Self.ink("b"),
      Self.ink(
        "c", writer: "w", points: [StrokePoint(x: 1e300, y: 1e-300), StrokePoint(x: 0.1, y: 0)]),
      Self.ink("", writer: "w", points: [StrokePoint(x: 1, y: 1, t: 0.5)]),
    ]
    let back = try roundTrip(inks, as: "a.dat")
    #expect(back.inks == inks)
    #expect(back.losses.isEmpty)
  }

  @Test("Times and forces that some points lack are lost in UNIPEN, and told")
  func unipenPartial() throws {
    let points = [StrokePoint(x: 1, y: 2, t: 3, force: 1), StrokePoint(x: 3, y: 4)]
    let back = try roundTrip([Self.ink("a", points: points)], as: "a.dat")
    #expect(back.inks == [Self.ink("a", points: points.map { StrokePoint(x: $0.x, y: $0.y) })])
    #expect(back.losses == [.times: 1, .force: 1])
  }

  @Test("UNIPEN has labels of one line", arguments: texts)
  func unipenLabels(label: String) throws {
    let back = try roundTrip([Self.ink(label)], as: "a.dat")
    let isWhole = !label.contains(where: \.isNewline)
    #expect(back.losses == (isWhole ? [:] : [.characters: 1]))
    if isWhole { #expect(back.inks == [Self.ink(label)]) }
    #expect(back.inks.count == 1)
  }

  @Test(
    "UNIPEN has writers of one word",
    arguments: [
      ("w1", "w1"), ("Zoë", "Zoë"), ("汉", "汉"), ("two words", "two_words"), ("a\u{1}b", "a_b"),
      ("", nil), (" ", nil),
    ])
  func unipenWriters(writer: String, read: String?) throws {
    let back = try roundTrip([Self.ink("a", writer: writer), Self.ink("b")], as: "a.dat")
    #expect(back.inks.map(\.writer) == [read, nil])
    #expect(back.losses == (writer == read ? [:] : [.characters: 1]))
  }

  // MARK: - SVG

  @Test("SVG holds places, labels and writers, and tells what it does not")
  func svg() throws {
    let full = try Self.full()
    let back = try roundTrip([full], as: "a.svg")
    var expected = LabeledInk(ink: Ink(), label: full.label, writer: full.writer)
    expected.ink.strokes = full.ink.strokes.map { stroke in
      Stroke(points: stroke.points.map { StrokePoint(x: $0.x, y: $0.y) })
    }
    #expect(back.inks == [expected])
    #expect(
      back.losses == [.times: 1, .force: 1, .tilt: 1, .writingArea: 1, .quality: 1])
  }

  @Test("Inks of an SVG lie below each other, and that is told")
  func svgPlaces() throws {
    let points = [StrokePoint(x: 1, y: 0), StrokePoint(x: 2, y: 10)]
    let back = try roundTrip(["a", "b", "c"].map { Self.ink($0, points: points) }, as: "a.svg")
    #expect(back.losses == [.place: 2])
    #expect(back.inks.map(\.label) == ["a", "b", "c"])
    #expect(back.inks.map { $0.ink.boundingBox?.minY } == [0, 15, 30])
    #expect(back.inks.map { $0.ink.boundingBox?.height } == [10, 10, 10])
  }

  @Test("Labels of any text come back from SVG")
  func svgLabels() throws {
    let back = try roundTrip(Self.texts.map { Self.ink($0, writer: $0) }, as: "a.svg")
    #expect(back.inks.map(\.label) == Self.texts)
    #expect(back.inks.map(\.writer) == Self.texts)
  }

  @Test(
    "Inks at the edge of the numbers are still written", arguments: ["a.svg", "a.dat", "a.inkml"])
  func largest(name: String) throws {
    let points = [StrokePoint(x: -1.5e308, y: -1.5e308), StrokePoint(x: 1.5e308, y: 1.5e308)]
    let inks = [Self.ink("a", points: points), Self.ink("b"), Self.ink("c", points: points)]
    let back = try roundTrip(inks, as: name)
    #expect(back.inks.map(\.label) == ["a", "b", "c"])
    #expect(back.inks.first == inks.first)
  }

  // MARK: - Errors

  @Test(
    "Ink that cannot be written is refused, and what is written stays whole",
    arguments: ["a.inkml", "a.dat", "a.svg"])
  func refused(name: String) throws {
    let path = folder.path + "/" + name
    let writer = try InkFileWriter(path: path)
    try writer.write(Self.ink("a"))
    let empty = #expect(throws: InkFormatError.self) {
      try writer.write(LabeledInk(ink: Ink(), label: "b"))
    }
    #expect(empty?.code == .emptyInk)
    for point in [
      StrokePoint(x: .nan, y: 0), StrokePoint(x: 0, y: .infinity),
      StrokePoint(x: 0, y: 0, t: .infinity), StrokePoint(x: 0, y: 0, force: -.infinity),
    ] {
      let error = #expect(throws: InkFormatError.self) {
        try writer.write(Self.ink("c", points: [point]))
      }
      #expect(error?.code == .nonFiniteNumber)
    }
    try writer.finish()
    #expect(Outcome(try InkReader(path: path)).labels == ["a"])
  }

  @Test("A path that cannot be written is a typed error")
  func unwritable() {
    let error = #expect(throws: InkFormatError.self) {
      try InkFileWriter(path: "/no/such/folder/a.svg")
    }
    #expect(error?.code == .unwritableFile)
  }
}

@Suite("The pen of a drawing")
struct DrawnPenTests {
  /// The width of the pen in an SVG of lines of letters that are 10 high.
  private func width(lines: Int, penWidth: Double? = nil) throws -> Double {
    let folder = try TemporaryFolder()
    var strokes: [Stroke] = []
    for letter in 0..<(20 * lines) {
      let (x, y) = (Double(letter % 20 * 12), Double(letter / 20 * 25))
      let points = [(x, y), (x + 4, y + 10), (x + 8, y)].map { StrokePoint(x: $0.0, y: $0.1) }
      strokes.append(Stroke(points: points))
    }
    let path = folder.path + "/a.svg"
    let writer = try InkFileWriter(path: path)
    try writer.write(LabeledInk(ink: Ink(strokes: strokes), label: "a"), penWidth: penWidth)
    try writer.finish()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let value = try #require(text.split(separator: "stroke-width=\"").last?.prefix { $0 != "\"" })
    return try #require(Double(value))
  }

  @Test("A page of many lines has the same pen as one line, much thinner than a letter")
  func page() throws {
    let line = try width(lines: 1)
    #expect(try width(lines: 40) == line)
    #expect((0.2...1).contains(line))
  }

  @Test("A pen that the file states is kept")
  func stated() throws {
    #expect(try width(lines: 3, penWidth: 1.25) == 1.25)
  }
}
