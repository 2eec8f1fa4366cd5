import Foundation
import InkCore
import InkFormats
import Testing

@Suite("Excalidraw")
struct ExcalidrawReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(
    _ elements: String, yAxis: YAxis = .down, unit: InkUnit? = nil
  ) throws -> Outcome {
    let text =
      "{\"type\":\"excalidraw\",\"version\":2,\n\"elements\":[\(elements)],\"appState\":{}}"
    try folder.write(text, to: "e/a.excalidraw")
    return Outcome(try InkReader(.excalidraw, path: folder.path, unit: unit, yAxis: yAxis))
  }

  @Test("Freehand strokes stand where their element does, with their pressures")
  func strokes() throws {
    let outcome = try read(
      """
      {"id":"a","type":"freedraw","x":10,"y":20,"points":[[0,0],[1,2.5]],"pressures":[0.5,1],
       "simulatePressure":false}
      """)
    let record = try #require(outcome.records.first)
    #expect(!record.isLabelled)
    #expect(record.source == "e/a.excalidraw")
    #expect(
      record.labeled.ink
        == Ink(strokes: [
          Stroke(points: [
            StrokePoint(x: 10, y: 20, force: 0.5), StrokePoint(x: 11, y: 22.5, force: 1),
          ])
        ]))
  }

  @Test("Pressures that are simulated, or fewer than points, are no force")
  func pressures() throws {
    let simulated = try read(
      #"{"type":"freedraw","points":[[0,0]],"pressures":[0.5],"simulatePressure":true}"#)
    #expect(simulated.records.first?.labeled.ink.strokes[0].points[0].force == nil)
    let fewer = try read(#"{"type":"freedraw","points":[[0,0],[1,1]],"pressures":[0.5]}"#)
    #expect(fewer.records.first?.labeled.ink.strokes[0].points.map(\.force) == [0.5, nil])
  }

  @Test("Shapes, typed text and deleted elements are no ink")
  func otherElements() throws {
    let outcome = try read(
      """
      {"type":"rectangle","x":1,"y":1,"width":3,"height":4},
      {"type":"line","points":[[0,0],[1,1]]},{"type":"text","text":"a"},
      {"type":"freedraw","isDeleted":true,"points":[[0,0]]},
      {"type":"freedraw","points":[]},7,null,
      {"type":"freedraw","points":[[3,4]]}
      """)
    #expect(
      outcome.records.first?.labeled.ink
        == Ink(strokes: [Stroke(points: [StrokePoint(x: 3, y: 4)])]))
  }

  @Test("A rotation is about the middle of the stroke")
  func rotation() throws {
    let outcome = try read(
      #"{"type":"freedraw","x":1,"y":1,"angle":\#(Double.pi / 2),"points":[[0,0],[2,0]]}"#)
    let points = try #require(outcome.records.first).labeled.ink.strokes[0].points
    let expected = [(2.0, 0.0), (2.0, 2.0)]
    // Rounding of sines.
    for (point, place) in zip(points, expected) {
      #expect(hypot(point.x - place.0, point.y - place.1) < 1e-12)
    }
  }

  @Test("A unit asks for the outermost groups, frames or strokes")
  func units() throws {
    let elements = """
      {"id":"a","type":"freedraw","groupIds":["in","out"],"points":[[0,0]]},
      {"id":"b","type":"freedraw","frameId":"f","points":[[0,0]]},
      {"id":"c","type":"freedraw","groupIds":["out"],"points":[[0,0]]},
      {"id":"d","type":"freedraw","groupIds":[],"points":[[0,0]]}
      """
    #expect(try read(elements).records.map(\.labeled.ink.strokes.count) == [4])
    let groups = try read(elements, unit: .group).records
    #expect(groups.map(\.id) == ["out", "f", "d"])
    #expect(groups.map(\.labeled.ink.strokes.count) == [2, 1, 1])
    #expect(try read(elements, unit: .stroke).records.count == 4)
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try read(#"{"type":"freedraw","x":1,"y":1,"points":[[0,1]]}"#, yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points == [StrokePoint(x: 1, y: -2)])
  }

  @Test(
    "Malformed drawings are typed errors",
    arguments: [
      (#"{"type":"freedraw","points":[[0]]}"#, InkFormatError.Code.malformed, 0),
      (#"{"type":"freedraw","points":"AAAA"}"#, .unsupported, 0),
      (#"{"type":"freedraw","points":[0,1]}"#, .malformed, 0),
      (#"{"type":"freedraw","points":[["0",1]]}"#, .malformed, 0),
      (#"{"type":"freedraw","points":[[0,1e400]]}"#, .nonFiniteNumber, 2),
      (#"{"type":"freedraw","points":[[0,NaN]]}"#, .nonFiniteNumber, 2),
      (#"{"type":"freedraw","x":1e308,"points":[[1e308,0]]}"#, .nonFiniteNumber, 0),
      (#"{"type":"freedraw","points":[[0,1]"#, .truncated, 2),
      ("", .emptyInk, 0), ("null", .emptyInk, 0),
    ])
  func malformed(elements: String, code: InkFormatError.Code, line: Int) throws {
    let outcome = try read(elements)
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line ?? 0 == line)
  }

  @Test("A later version is read with a notice, and the highlighter of Obsidian is no ink")
  func versions() throws {
    func read(_ version: Int) throws -> Outcome {
      let text = """
        {"type":"excalidraw","version":\(version),"elements":[
         {"type":"freedraw","points":[[0,0],[1,1]],"customData":{"strokeOptions":{"highlighter":false}}},
         {"type":"freedraw","points":[[0,0],[9,1]],"customData":{"strokeOptions":{"highlighter":true}}}]}
        """
      return Outcome(
        try InkReader(.excalidraw, path: try folder.write(text, to: "v\(version).excalidraw")))
    }
    let known = try read(2)
    #expect(known.records.first?.labeled.ink.strokes.count == 1)
    #expect(known.records.first?.warnings == [])
    let later = try read(3)
    #expect(later.records.first?.labeled == known.records.first?.labeled)
    #expect(later.records.first?.warnings.map(\.found) == ["version 3"])
  }

  @Test("A document without elements is a typed error")
  func noElements() throws {
    let path = try folder.write(#"{"type":"excalidraw"}"#, to: "b.excalidraw")
    #expect(Outcome(try InkReader(.excalidraw, path: path)).codes == [.missingKey])
  }
}
