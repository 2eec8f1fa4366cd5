import InkCore
import InkFormats
import Testing

@Suite("Gesture XML")
struct GestureXMLReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ text: String, yAxis: YAxis = .down) throws -> Outcome {
    try folder.write(text, to: "s01/g.xml")
    return Outcome(try InkReader(.gestureXML, path: folder.path, yAxis: yAxis))
  }

  @Test("a $1 gesture has points directly, and a label without its number")
  func unistroke() throws {
    let outcome = try read(
      """
      \u{FEFF}<?xml version="1.0" encoding="utf-8" standalone="yes"?>
      <!-- by us --><Gesture Name="left_curly_brace07" Subject="11" Speed="slow">
        <Point X="95" Y="202.5" T="1000" /><Point X='98' Y='204' T='1016'/>
      </Gesture>
      """)
    let record = try #require(outcome.records.first)
    #expect(record.labeled.label == "left_curly_brace")
    #expect(record.labeled.writer == "11")
    #expect(record.source == "s01/g.xml")
    #expect(
      record.labeled.ink
        == Ink(strokes: [
          Stroke(points: [
            StrokePoint(x: 95, y: 202.5, t: 1000), StrokePoint(x: 98, y: 204, t: 1016),
          ])
        ]))
  }

  @Test("an MMG gesture has strokes, and a label without ~NN")
  func multistroke() throws {
    let outcome = try read(
      """
      <Gesture Name="N2~04" Subject="66"><Stroke index="1"><Point X="1" Y="2" T="3" \
      Pressure="128"/></Stroke><Stroke index="2"><Point X="4" Y="5" T="6" Pressure="128"/>\
      </Stroke></Gesture>
      """)
    let record = try #require(outcome.records.first)
    #expect(record.labeled.label == "N2")
    #expect(record.labeled.ink.strokes.map(\.points.count) == [1, 1])
    #expect(record.labeled.ink.strokes[0].points[0].force == nil)
  }

  @Test("pressure that varies is force, 1 for the median")
  func force() throws {
    let points = [50, 100, 200].map { "<Point X='1' Y='1' Pressure='\($0)'/>" }.joined()
    let outcome = try read("<Gesture Name='a1'><Stroke>\(points)</Stroke></Gesture>")
    #expect(outcome.records.first?.labeled.ink.strokes[0].points.map(\.force) == [0.5, 1, 2])
    #expect(outcome.labels == ["a1"])
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try read("<Gesture Name='a'><Point X='1' Y='2'/></Gesture>", yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points[0].y == -2)
  }

  @Test("predefined and numeric entities are decoded")
  func entities() throws {
    let outcome = try read(
      "<Gesture Name='&lt;&amp;&#x41;&#66;&quot;&apos;&gt;x'><Point X='1' Y='2'/></Gesture>")
    #expect(outcome.labels == ["<&AB\"'>x"])
  }

  @Test("a name of digits alone is a label")
  func digits() throws {
    #expect(
      try read("<Gesture Name='12'><Point X='1' Y='2'/></Gesture>").labels == ["12"])
  }

  @Test(
    "malformed files are typed errors",
    arguments: [
      ("", InkFormatError.Code.missingKey), ("<Other/>", .missingKey),
      ("<Gesture Name='a'></Gesture>", .emptyInk),
      ("<Gesture Name='a'><Point X='1'/></Gesture>", .missingKey),
      ("<Gesture Name='a'><Point X='1' Y='b'/></Gesture>", .wrongType),
      ("<Gesture Name='a'><Point X='nan' Y='1'/></Gesture>", .nonFiniteNumber),
      ("<Gesture Name='a'><Point X='1' Y='1e999'/></Gesture>", .nonFiniteNumber),
      ("<Gesture Name='a'><Point X='1' Y='2' T='x'/></Gesture>", .wrongType),
      ("<Gesture Name='a'><Point X='1' Y='2'/>", .truncated),
      ("<Gesture Name='a'><Point X='1' Y='2", .truncated), ("<Gesture Name", .truncated),
      ("<!-- never ends", .truncated),
      ("<Gesture Name='a'></Other>", .malformed), ("<Gesture Name=a>", .malformed),
      ("<Gesture Name='&nope;'>", .malformed), ("<Gesture Name='a' Name='b'>", .malformed),
      ("<!DOCTYPE a [<!ENTITY x 'y'>]><Gesture Name='a'/>", .malformed),
      (String(repeating: "<a>", count: 100), .nestingTooDeep),
      ("<a " + (0...64).map { "k\($0)='' " }.joined() + "/>", .malformed),
    ])
  func malformed(text: String, code: InkFormatError.Code) throws {
    let outcome = try read(text)
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line == 1)
  }

  @Test("bytes that are no UTF-8 are a typed error")
  func encoding() throws {
    let bytes = Array("<Gesture Name='".utf8) + [0xFF] + Array("'/>".utf8)
    try folder.write(bytes, to: "g.xml")
    #expect(Outcome(try InkReader(.gestureXML, path: folder.path)).codes == [.invalidEncoding])
  }

  @Test("a bad file does not stop the ones after it")
  func goesOn() throws {
    try folder.write("<Gesture", to: "a/1.xml")
    try folder.write("<Gesture Name='b'><Point X='1' Y='2'/></Gesture>", to: "a/2.xml")
    #expect(Outcome(try InkReader(.gestureXML, path: folder.path)).pattern == [false, true])
  }

  @Test("a missing folder is a typed error")
  func missingFolder() {
    let error = #expect(throws: InkFormatError.self) {
      try InkReader(.gestureXML, path: "/no/such/folder")
    }
    #expect(error?.code == .missingFile)
  }
}
