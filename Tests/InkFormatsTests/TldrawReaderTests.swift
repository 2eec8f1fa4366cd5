import Foundation
import InkCore
import InkFormats
import Testing

@Suite("tldraw")
struct TldrawReaderTests {
  /// Rounding of sines.
  private static let tolerance = 1e-12

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func readText(_ text: String, yAxis: YAxis = .down, unit: InkUnit? = nil) throws
    -> Outcome
  {
    try folder.write(text, to: "t/a.tldr")
    return Outcome(try InkReader(.tldraw, path: folder.path, unit: unit, yAxis: yAxis))
  }

  private func read(_ records: String, yAxis: YAxis = .down, unit: InkUnit? = nil) throws -> Outcome
  {
    try readText(
      "{\"tldrawFileFormatVersion\":1,\"schema\":{},\n\"records\":[\(Self.page),\(records)]}",
      yAxis: yAxis, unit: unit)
  }

  private static let page = #"{"typeName":"page","id":"page:p","index":"a1"}"#

  /// A stroke: a shape with its points.
  private static func shape(
    _ id: String, points: String = #"{"x":0,"y":0,"z":0.5}"#, parent: String = "page:p",
    type: String = "draw", isPen: Bool = false, more: String = ""
  ) -> String {
    """
    {"typeName":"shape","id":"\(id)","type":"\(type)","parentId":"\(parent)","index":"\(id)",\(more)
     "props":{"isPen":\(isPen),"segments":[{"type":"free","points":[\(points)]}]}}
    """
  }

  @Test("A page with strokes is a record; force is there where a pen drew")
  func strokes() throws {
    let points = #"{"x":0,"y":0,"z":0.5},{"x":1,"y":2.5,"z":1}"#
    let outcome = try read(
      Self.shape("a", points: points, more: #""x":10,"y":20,"#) + ","
        + Self.shape("b", points: points, isPen: true))
    let strokes = try #require(outcome.records.first).labeled.ink.strokes
    #expect(strokes[0].points == [StrokePoint(x: 10, y: 20), StrokePoint(x: 11, y: 22.5)])
    #expect(
      strokes[1].points == [
        StrokePoint(x: 0, y: 0, force: 0.5), StrokePoint(x: 1, y: 2.5, force: 1),
      ])
    #expect(outcome.records.first?.id == "page:p")
  }

  @Test("Segments that meet in a point share it")
  func segments() throws {
    let outcome = try read(
      """
      {"typeName":"shape","id":"a","type":"draw","parentId":"page:p","props":{"segments":[
       {"points":[{"x":0,"y":0},{"x":1,"y":1}]},{"points":[{"x":1,"y":1},{"x":2,"y":2}]},
       {"points":[]}]}}
      """)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points.map(\.x) == [0, 1, 2])
  }

  /// The bytes of numbers as 32-bit floats, then of others as halves, in base64.
  private static func packed(_ floats: [Float], _ halves: [UInt16]) -> String {
    var bytes: [UInt8] = []
    for value in floats {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    for half in halves { bytes += [UInt8(truncatingIfNeeded: half), UInt8(half >> 8)] }
    return Data(bytes).base64EncodedString()
  }

  private static func segment(_ members: String) -> String {
    #"{"typeName":"shape","id":"a","type":"draw","parentId":"page:p","#
      + #""props":{"isPen":false,"segments":[{"type":"free",\#(members)}]}}"#
  }

  @Test("Packed points of a mouse have two numbers each, and those of version 3 are no differences")
  func packedForms() throws {
    let flat = Self.packed([10, 20], [0x3C00, 0xC000, 0, 0x3C00])
    let two = try read(Self.segment(#""path":"\#(flat)","dim":2"#))
    #expect(
      two.records.first?.labeled.ink.strokes.first?.points == [
        StrokePoint(x: 10, y: 20), StrokePoint(x: 11, y: 18), StrokePoint(x: 11, y: 19),
      ])
    // Without the number of coordinates there are three.
    #expect(try read(Self.segment(#""path":"\#(flat)""#)).codes == [.malformed])
    let whole = Self.packed([], [0x3C00, 0x4000, 0x3800, 0x4000, 0x3C00, 0x3800])
    let three = try read(Self.segment(#""points":"\#(whole)""#))
    #expect(
      three.records.first?.labeled.ink.strokes.first?.points == [
        StrokePoint(x: 1, y: 2), StrokePoint(x: 2, y: 1),
      ])
    #expect(try read(Self.segment(#""points":"AAAA""#)).codes == [.malformed])
  }

  @Test("A later version is read with a notice")
  func laterVersions() throws {
    func warnings(_ file: Int, _ stroke: Int) throws -> [String] {
      try readText(
        #"{"tldrawFileFormatVersion":\#(file),"schema":{"schemaVersion":2,"sequences":"#
          + #"{"com.tldraw.shape.draw":\#(stroke)}},"records":[\#(Self.page),\#(Self.shape("a"))]}"#
      ).records.flatMap(\.warnings).map(\.found)
    }
    #expect(try warnings(1, 5) == [])
    #expect(try warnings(1, 6).count == 1 && warnings(1, 6)[0].contains("6"))
    #expect(try warnings(2, 5).count == 1 && warnings(2, 5)[0].contains("2"))
  }

  @Test("Packed points are differences of halves")
  func packed() throws {
    var bytes: [UInt8] = []
    for value: Float in [10, 20, 0.5] {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    // 1, -2 and 0.5 as halves, then the least one above 0.
    for half: UInt16 in [0x3C00, 0xC000, 0x3800, 0x0001, 0, 0] {
      bytes += [UInt8(truncatingIfNeeded: half), UInt8(half >> 8)]
    }
    let text = Data(bytes).base64EncodedString()
    let outcome = try read(
      """
      {"typeName":"shape","id":"a","type":"draw","parentId":"page:p",
       "props":{"isPen":true,"segments":[{"path":"\(text)"}]}}
      """)
    #expect(
      outcome.records.first?.labeled.ink.strokes[0].points == [
        StrokePoint(x: 10, y: 20, force: 0.5), StrokePoint(x: 11, y: 18, force: 1),
        StrokePoint(x: 11 + pow(2, -24), y: 18, force: 1),
      ])
  }

  @Test("Packed points that are infinite are a typed error, and forces of that kind are left out")
  func packedInfinity() throws {
    func bytes(_ halves: [UInt16]) -> String {
      Data(
        [UInt8](repeating: 0, count: 12) + halves.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      )
      .base64EncodedString()
    }
    func shape(_ path: String) -> String {
      """
      {"typeName":"shape","id":"a","type":"draw","parentId":"page:p",
       "props":{"isPen":true,"segments":[{"path":"\(path)"}]}}
      """
    }
    #expect(try read(shape(bytes([0x7C00, 0, 0]))).codes == [.nonFiniteNumber])
    #expect(try read(shape(bytes([0x7E00, 0, 0]))).codes == [.nonFiniteNumber])
    let force = try read(shape(bytes([0, 0, 0x7C00])))
    #expect(force.records.first?.labeled.ink.strokes[0].points.map(\.force) == [0, nil])
  }

  @Test("Places, rotations and scales of shapes and groups are applied")
  func transforms() throws {
    let group = """
      {"typeName":"shape","id":"g","type":"group","parentId":"page:p","x":100,"y":0,
       "rotation":\(Double.pi / 2)}
      """
    let inner = """
      {"typeName":"shape","id":"a","type":"draw","parentId":"g","x":10,"y":0,
       "props":{"scaleX":2,"scaleY":3,"segments":[{"points":[{"x":1,"y":1}]}]}}
      """
    let outcome = try read(group + "," + inner)
    let point = try #require(outcome.records.first?.labeled.ink.strokes.first?.points.first)
    #expect(hypot(point.x - 97, point.y - 12) < Self.tolerance)
  }

  @Test("A unit asks for groups, strokes or the file")
  func units() throws {
    let records =
      #"{"typeName":"shape","id":"g","type":"group","parentId":"page:p"},"#
      + #"{"typeName":"page","id":"page:q","index":"a0"},"#
      + [
        Self.shape("1", parent: "g"), Self.shape("2"), Self.shape("3", parent: "g"),
        Self.shape("4", parent: "page:q"),
      ].joined(separator: ",")
    // Pages in the order of their indexes.
    let pages = try read(records).records
    #expect(pages.map(\.id) == ["page:q", "page:p"])
    #expect(pages.map(\.labeled.ink.strokes.count) == [1, 3])
    let groups = try read(records, unit: .group).records
    #expect(groups.map(\.id) == ["4", "g", "2"])
    #expect(groups.map(\.labeled.ink.strokes.count) == [1, 2, 1])
    #expect(try read(records, unit: .stroke).records.count == 4)
    #expect(try read(records, unit: .file).records.map(\.labeled.ink.strokes.count) == [4])
  }

  @Test("Shapes that are parts of each other end")
  func cycle() throws {
    let outcome = try read(Self.shape("a", parent: "b") + "," + Self.shape("b", parent: "a"))
    #expect(outcome.failures.isEmpty)
  }

  @Test("Notes, arrows and the highlighter are no ink")
  func otherShapes() throws {
    let outcome = try read(
      ["note", "arrow", "highlight", "geo"].map { Self.shape($0, type: $0) }.joined(separator: ","))
    #expect(outcome.codes == [.emptyInk])
  }

  @Test("Files of the first form are read")
  func firstForm() throws {
    let outcome = try readText(
      """
      {"name":"d","document":{"pages":{"p1":{"childIndex":1,"shapes":{
       "b":{"id":"b","type":"draw","childIndex":2,"point":[10,20],"points":[[0,0,0.5],[1,1,1]]},
       "a":{"id":"a","type":"draw","childIndex":1,"point":[0,0],"points":[[5,5]]},
       "r":{"id":"r","type":"rectangle","point":[0,0]}}}}}}
      """)
    let record = try #require(outcome.records.first)
    #expect(record.id == "p1")
    #expect(
      record.labeled.ink.strokes.map(\.points) == [
        [StrokePoint(x: 5, y: 5)],
        [StrokePoint(x: 10, y: 20, force: 0.5), StrokePoint(x: 11, y: 21, force: 1)],
      ])
  }

  @Test("A store of snapshots is read, and y can be flipped")
  func store() throws {
    let shape = Self.shape("a", points: #"{"x":1,"y":2}"#)
    let outcome = try readText(
      #"{"document":{"store":{"page:p":\#(Self.page),"a":\#(shape)}},"schema":{}}"#, yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points == [StrokePoint(x: 1, y: -2)])
  }

  @Test(
    "Malformed drawings are typed errors",
    arguments: [
      (shape("a", points: #"{"x":1}"#), InkFormatError.Code.malformed, 0),
      (shape("a", points: "[1]"), .malformed, 0), (shape("a", points: "7"), .malformed, 0),
      (shape("a", points: #"{"x":1,"y":1e400}"#), .nonFiniteNumber, 3),
      (shape("a", more: #""x":1e308,"rotation":1e308,"#), .emptyInk, 0),
      (
        #"{"typeName":"shape","id":"a","type":"draw","props":{"segments":[{"path":"AAAA"}]}}"#,
        .malformed, 0
      ),
      (
        #"{"typeName":"shape","id":"a","type":"draw","props":{"segments":[{"path":"?"}]}}"#,
        .malformed, 0
      ),
      ("[", .malformed, 2), ("7", .emptyInk, 0),
    ])
  func malformed(records: String, code: InkFormatError.Code, line: Int) throws {
    let outcome = try read(records)
    if outcome.pattern == [true] {
      // A place at the edge of what a double holds is still a place.
      #expect(code == .emptyInk)
      return
    }
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line ?? 0 == line)
  }

  @Test("A document without records is a typed error")
  func noRecords() throws {
    #expect(try readText("{\"schema\":{}}").codes == [.missingKey])
    #expect(try readText("[]").codes == [.missingKey])
  }
}
