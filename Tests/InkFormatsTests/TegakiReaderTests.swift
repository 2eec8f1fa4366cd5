import InkCore
import InkFormats
import Testing

@Suite("Tegaki")
struct TegakiReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ text: String, yAxis: YAxis = .down) throws -> Outcome {
    try folder.write(text, to: "t/a.xml")
    return Outcome(try InkReader(.tegaki, path: folder.path, yAxis: yAxis))
  }

  /// A character with points.
  private static func one(_ points: String, label: String = "一") -> String {
    "<character><utf8>\(label)</utf8><strokes><stroke>\(points)</stroke></strokes></character>"
  }

  @Test("A character is a record with label, times and force")
  func character() throws {
    let outcome = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <character><width>1000</width><height>1000</height><utf8>一</utf8><strokes><stroke>
      <point x="54" y="142.5" timestamp="0" pressure="0.5"/>
      <point x="248" y="133" timestamp="20" pressure="1"></point></stroke>
      <stroke><point x="1" y="2"/></stroke></strokes></character>
      """)
    let record = try #require(outcome.records.first)
    #expect(record.labeled.label == "一")
    #expect(record.level == .character)
    #expect(
      record.labeled.ink
        == Ink(strokes: [
          Stroke(points: [
            StrokePoint(x: 54, y: 142.5, t: 0, force: 0.5),
            StrokePoint(x: 248, y: 133, t: 20, force: 1),
          ]), Stroke(points: [StrokePoint(x: 1, y: 2)]),
        ]))
  }

  @Test("A collection has many characters; writers are of the collection or of a character")
  func collection() throws {
    let outcome = try read(
      """
      <character-collection><writer>w1</writer><set name="a">
      \(Self.one("<point x='1' y='2'/>"))
      <character><writer>w2</writer><utf8>二</utf8><strokes><stroke><point x="3" y="4"/></stroke>
      </strokes></character></set></character-collection>
      """)
    #expect(outcome.labels == ["一", "二"])
    #expect(outcome.records.map(\.labeled.writer) == ["w1", "w2"])
    #expect(outcome.records.map(\.indexInSource) == [0, 1])
  }

  @Test("Files of Tomoe name the character in another element")
  func tomoe() throws {
    let outcome = try read(
      """
      <tomoe_dictionary><character><literal>三</literal><strokes><stroke><point x="1" y="2"/></stroke>
      </strokes></character></tomoe_dictionary>
      """)
    #expect(outcome.labels == ["三"])
  }

  @Test("A force that never differs is none, and neither is one that is no number")
  func force() throws {
    let constant = try read(
      Self.one("<point x='1' y='2' pressure='1'/><point x='2' y='2' pressure='1'/>"))
    #expect(constant.records.first?.labeled.ink.strokes[0].points.map(\.force) == [nil, nil])
    let bad = try read(
      Self.one(
        "<point x='1' y='2' pressure='nan' timestamp='inf'/><point x='1' y='2' pressure='x'/>"))
    #expect(
      bad.records.first?.labeled.ink.strokes[0].points == [
        StrokePoint(x: 1, y: 2), StrokePoint(x: 1, y: 2),
      ])
  }

  @Test("A character without points costs itself only")
  func empty() throws {
    let outcome = try read(
      "<character-collection>\n\(Self.one(""))\n"
        + "\(Self.one("<point x='1' y='2'/>"))</character-collection>")
    #expect(outcome.pattern == [false, true])
    #expect(outcome.codes == [.emptyInk])
    #expect(outcome.failures.first?.location.line == 2)
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try read(Self.one("<point x='1' y='2'/>"), yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points == [StrokePoint(x: 1, y: -2)])
  }

  @Test("Other XML of a folder is left out, and a compressed file is read")
  func folderOfFiles() throws {
    try folder.write("<other/>", to: "b.xml")
    let text = Array(Self.one("<point x='1' y='2'/>").utf8)
    try folder.write(GzipFile.stored(text), to: "c.xml.gz")
    #expect(Outcome(try InkReader(.tegaki, path: folder.path)).labels == ["一"])
  }

  @Test(
    "Malformed files are typed errors with their line",
    arguments: [
      ("<character-collection/>", InkFormatError.Code.missingKey), ("", .missingKey),
      (one("<point x='1'/>"), .missingKey), (one("<point x='1' y='b'/>"), .wrongType),
      (one("<point x='1' y='1e400'/>"), .nonFiniteNumber),
      (one("<point x='1' y='nan'/>"), .nonFiniteNumber),
      (one("<point x='1' y='2'/>", label: "<b/>"), .malformed),
      (one("<point x='1' y='2'/>", label: "&bomb;"), .malformed),
      ("<character><utf8>一", .truncated), ("<character></utf8>", .malformed),
    ])
  func malformed(text: String, code: InkFormatError.Code) throws {
    let path = try folder.write(text, to: "d.xml")
    let outcome = Outcome(try InkReader(.tegaki, path: path))
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line == 1)
  }
}
