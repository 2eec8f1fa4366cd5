import Foundation
import InkCore
import InkFormats
import Testing

@Suite("Strokes in JSON")
struct StrokeJSONTests {
  private func read(_ text: String, unit: InkUnit? = nil) -> Outcome {
    Outcome(InkReader(.strokeJSON, bytes: Array(text.utf8), name: "a.json", unit: unit))
  }

  private func points(_ text: String) -> [[[Double]]] {
    let outcome = read(text)
    #expect(outcome.failures.isEmpty, "\(text): \(outcome.failures)")
    return outcome.records.first?.labeled.ink.strokes.map { $0.points.map { [$0.x, $0.y] } } ?? []
  }

  /// Strokes of six points each, enough to tell rows from columns.
  private static let pairs = "[[1,2],[3,4],[5,7],[6,7],[8,9],[9,8]]"
  private static let expected: [[Double]] = [[1, 2], [3, 4], [5, 7], [6, 7], [8, 9], [9, 8]]
  private static let objects =
    "[" + expected.map { "{\"x\":\($0[0]),\"y\":\($0[1])}" }.joined(separator: ",") + "]"
  private static let flat =
    "[" + expected.flatMap { $0 }.map(\.description).joined(separator: ",") + "]"
  private static let xs = "[1,3,5,6,8,9]"
  private static let ys = "[2,4,7,7,9,8]"

  @Test(
    "Every form of the same stroke gives the same points",
    arguments: [
      "[\(pairs)]", "[\(objects)]", "{\"strokes\":[\(pairs)]}",
      "{\"lines\":[{\"points\":\(objects)}]}",
      "[{\"points\":\(flat)}]", "[{\"x\":\(xs),\"y\":\(ys)}]", "[[\(xs),\(ys)]]",
      "{\"ink\":[[\(xs),\(ys),[0,1,2,3,4,5]]]}", "[{\"paths\":\(objects)}]",
      "{\"a\":{\"b\":{\"Stroke_Points\":\(pairs)}}}",
      "{\"shapes\":[{\"className\":\"LinePath\",\"data\":{\"pointCoordinatePairs\":\(pairs)}}]}",
      "{\"strokes\":[{\"id\":1,\"points\":\"1,2,3,4,5,7,6,7,8,9,9,8\"}]}",
      "{\"objects\":[{\"type\":\"path\",\"path\":\"M1 2L3 4L5 7L6 7L8 9L9 8\"}]}",
      "[{\"d\":\"M1 2L3 4 5 7 6 7 8 9 9 8\"}]", "[\"M1 2L3 4 5 7 6 7 8 9 9 8\"]",
      "{\"strokes\":[{\"path\":{\"points\":[{\"location\":{\"x\":1,\"y\":2}},{\"location\":[3,4]},"
        + "{\"position\":[5,7]},{\"x\":\"6\",\"y\":\"7\"},{\"X\":8,\"Y\":9},{\"x\":9,\"y\":8}]}}]}",
      "{\"pages\":[{\"layers\":[{\"lines\":[\(pairs)]}]}]}", "{\"data\":{\"canvas\":[[\(pairs)]]}}",
      "[[1,2,3,4,5,7,6,7,8,9,9,8]]", "{\"width\":9,\"size\":[10,20],\"content\":[\(objects)]}",
    ])
  func forms(text: String) {
    #expect(points(text) == [Self.expected])
  }

  @Test("Null in a list of points ends a stroke")
  func breaks() {
    #expect(points("[[1,2],[3,4],null,[5,7],[6,7],[8,9],[9,8],[1,1]]").count == 2)
    #expect(
      points("{\"points\":[{\"x\":1,\"y\":2},null,{\"x\":3,\"y\":4}]}") == [[[1, 2]], [[3, 4]]])
  }

  @Test("Each page is a record, and so is each document of a file")
  func pages() {
    let text =
      "{\"pages\":[{\"strokes\":[\(Self.pairs)]},{\"strokes\":[\(Self.pairs),\(Self.pairs)]}]}"
    #expect(read(text).records.map(\.labeled.ink.strokes.count) == [1, 2])
    #expect(read(text, unit: .file).records.map(\.labeled.ink.strokes.count) == [3])
    #expect(read(text, unit: .stroke).records.count == 3)
    let documents = "[{\"lines\":[\(Self.pairs)]},{\"lines\":[\(Self.objects)]}]"
    #expect(read(documents).records.count == 2)
    let lines = "{\"label\":\"a\",\"lines\":[\(Self.pairs)]}\n{\"lines\":[\(Self.pairs)]}\n"
    #expect(read(lines).labels == ["a", ""])
  }

  // MARK: - Times and pressures

  private func first(_ text: String) -> [StrokePoint] {
    read(text).records.first?.labeled.ink.strokes.first?.points ?? []
  }

  @Test("The third number is the time if it never decreases, else the pressure")
  func thirdNumber() {
    let times = first("[[[1,2,10],[3,4,18],[5,6,26],[7,8,26],[9,9,40]]]")
    #expect(times.map(\.t) == [10, 18, 26, 26, 40])
    #expect(times.allSatisfy { $0.force == nil })
    let forces = first("[[[1,2,0.5],[3,4,0.75],[5,6,0.25],[7,8,1],[9,9,0.5]]]")
    #expect(forces.map(\.force) == [0.5, 0.75, 0.25, 1, 0.5])
    #expect(forces.allSatisfy { $0.t == nil })
    let both = first("[[[1,2,0.5,10],[3,4,0.75,18],[5,6,0.25,26],[7,8,1,30],[9,9,0.5,40]]]")
    #expect(both.map(\.t) == [10, 18, 26, 30, 40])
    #expect(both.map(\.force) == [0.5, 0.75, 0.25, 1, 0.5])
  }

  @Test("Times may be texts, dates or seconds, and may be missing")
  func times() {
    #expect(
      first("[{\"points\":[{\"x\":1,\"y\":2,\"time\":\"16\"},{\"x\":2,\"y\":2,\"time\":\"24\"}]}]")
        .map(\.t)
        == [16, 24])
    let dates = first(
      "[{\"points\":[{\"x\":1,\"y\":2,\"t\":\"2024-01-02T03:04:05.250Z\"},"
        + "{\"x\":2,\"y\":2,\"t\":\"2024-01-02T03:04:06Z\"}]}]")
    #expect(dates.count == 2)
    #expect(abs((dates.last?.t ?? 0) - (dates.first?.t ?? 0) - 750) < 0.01)
    let seconds = first(
      "[{\"points\":[{\"x\":1,\"y\":2,\"timeOffset\":0},{\"x\":2,\"y\":2,\"timeOffset\":0.25}]}]")
    #expect(seconds.map(\.t) == [0, 250])
    #expect(
      first("[{\"points\":[{\"x\":1,\"y\":2,\"t\":4},{\"x\":2,\"y\":2}]}]").map(\.t) == [4, nil])
  }

  @Test("Pressures that are all equal are none, and those of a device become about 1")
  func pressures() {
    func forces(_ values: [String]) -> [Double?] {
      first(
        "[{\"points\":["
          + values.map { "{\"x\":1,\"y\":2,\"pressure\":\($0)}" }.joined(separator: ",")
          + "]}]"
      ).map(\.force)
    }
    #expect(forces(["0", "0", "0"]) == [nil, nil, nil])
    #expect(forces(["0.5", "0.5"]) == [nil, nil])
    #expect(forces(["300", "600", "null", "900"]) == [0.5, 1, nil, 1.5])
    #expect(forces(["0.25", "0.5"]) == [0.25, 0.5])
  }

  // MARK: - Drawing libraries

  @Test("Commands of a path become strokes, curves become lines")
  func commands() {
    let strokes = points(
      "{\"objects\":[{\"path\":[[\"M\",0,0],[\"Q\",10,0,10,10],[\"L\",10,20]]}]}")
    #expect(strokes.count == 1)
    #expect(strokes.first?.first == [0, 0] && strokes.first?.last == [10, 20])
    #expect((strokes.first?.count ?? 0) > 4)
  }

  private func placed(_ members: String) -> [[Double]] {
    let path =
      "{\"type\":\"path\",\"strokeWidth\":0,\(members),\"path\":[[\"M\",0,0],[\"L\",10,20]]}"
    return points("{\"objects\":[\(path)]}").first ?? []
  }

  @Test(
    "Position, scale, rotation and mirroring of an object are applied",
    arguments: [
      ("\"left\":0,\"top\":0", [[0.0, 0], [10, 20]]),
      ("\"left\":5,\"top\":7", [[5, 7], [15, 27]]),
      ("\"left\":5,\"top\":7,\"scaleX\":2,\"scaleY\":0.5", [[5, 7], [25, 17]]),
      ("\"left\":5,\"top\":7,\"angle\":90", [[5, 7], [-15, 17]]),
      ("\"left\":0,\"top\":0,\"flipX\":true", [[10, 0], [0, 20]]),
      (
        "\"left\":5,\"top\":10,\"originX\":\"center\",\"originY\":\"center\"", [[0, 0], [10, 20]]
      ),
      ("\"scaleX\":2", [[0, 0], [20, 20]]),
    ])
  func placement(members: String, expected: [[Double]]) {
    let read = placed(members).flatMap { $0 }
    #expect(zip(read, expected.flatMap { $0 }).allSatisfy { abs($0 - $1) < 1e-9 }, "\(read)")
    #expect(read.count == 4)
  }

  @Test("Objects of a group are about its middle")
  func groups() {
    let path =
      #"{"type":"path","strokeWidth":0,"left":-5,"top":-10,"path":[["M",0,0],["L",10,20]]}"#
    let text =
      #"{"objects":[{"type":"group","left":100,"top":200,"width":10,"height":20,"scaleX":2,"#
      + #""scaleY":2,"objects":[\#(path)]}]}"#
    #expect(points(text) == [[[100, 200], [120, 240]]])
  }

  @Test("Points of nodes of a stage are relative to the node")
  func nodes() {
    let line = #"{"attrs":{"points":[1,2,3,4],"x":10,"y":20,"scaleX":2},"className":"Line"}"#
    let layer = #"{"attrs":{"x":100},"className":"Layer","children":[\#(line)]}"#
    #expect(
      points(#"{"attrs":{"width":9},"className":"Stage","children":[\#(layer)]}"#)
        == [[[112, 22], [116, 24]]])
  }

  @Test("What was erased, deleted or hidden is no ink, and neither are filled areas")
  func erased() {
    for member in [
      #""drawMode":false"#, #""tool":"eraser""#, #""isDeleted":true"#, #""visible":false"#,
      #""globalCompositeOperation":"destination-out""#, #""fill":"red","stroke":null"#,
    ] {
      let text = "[{\"points\":\(Self.pairs)},{\(member),\"points\":\(Self.objects)}]"
      #expect(points(text) == [Self.expected], "\(member)")
    }
  }

  @Test("The width of the pen is that of most strokes")
  func penWidth() {
    let text =
      #"{"objects":[{"strokeWidth":2,"scaleX":3,"scaleY":3,"left":0,"top":0,"points":[1,2,3,4]}]}"#
    #expect(read(text).records.first?.penWidth == 6)
    #expect(read("[{\"brushRadius\":2,\"points\":[1,2,3,4]}]").records.first?.penWidth == 4)
  }

  // MARK: - Refusals

  @Test(
    "What can be read in two ways, or in none, is a typed error that names the forms",
    arguments: [
      "[[[1,2],[3,4]]]", "[[[1,2,3],[4,5,6],[7,8,9]]]", "[[1,2],[3,4]]", "[1,2,3,4]", "[]", "{}",
      "[[]]", "[{\"a\":1}]", "[[[1]]]", "[[1,2],[3,4,5,6,7,8,9]]", "{\"a\":[1,2,3],\"b\":[4,5,6]}",
    ])
  func refused(text: String) {
    let outcome = read(text)
    #expect(outcome.codes == [.unsupported])
    #expect(outcome.failures.first?.expected.contains("{x, y}") == true)
  }

  @Test("Several members with ink are a typed error")
  func severalMembers() {
    let outcome = read("{\"strokes\":[\(Self.pairs)],\"lines\":[\(Self.pairs)]}")
    #expect(outcome.codes == [.unsupported])
    #expect(outcome.failures.first?.found == "several")
  }

  @Test("Short strokes are decided by the others")
  func shortStrokes() {
    #expect(points("[\(Self.pairs),[[1,2],[3,4]]]") == [Self.expected, [[1, 2], [3, 4]]])
    #expect(
      points("[[\(Self.xs),\(Self.ys)],[[1,2],[3,4]]]") == [Self.expected, [[1, 3], [2, 4]]])
    #expect(read("[\(Self.pairs),[\(Self.xs),\(Self.ys)]]").codes == [.unsupported])
  }

  // MARK: - Finding the format

  @Test(
    "The content tells the format",
    arguments: [
      ("[[[1,2],[3,4]]]", InkFileFormat.strokeJSON), ("[ {\"points\":[]}]", .strokeJSON),
      ("{\"lines\":[{\"points\":[", .strokeJSON),
      ("{\"version\":\"5\",\"objects\":[]}", .strokeJSON),
      ("{\"strokes\":[{\"points\":[{\"x\":1", .strokeJSON), ("{\"strokes\":[{\"x\":[1", .jsonLines),
      ("{\"strokes\":[[[1,2],[3,4]]]}", .strokeLines),
      ("{\"strokes\":[[{\"x\":1,\"y\":2}]]}", .strokeJSON),
      ("{\"strokes\":[[[1,2,3,4],[1,2,3,4]]]}", .strokeJSON),
      ("{\"word\":\"a\",\"drawing\":[[[1],[2]]]}", .quickDraw),
      ("{\n  \"strokes\": [\n    {\n \"x\": [1],\n\"y\": [2]\n}]}", .strokeJSON),
    ])
  func detection(text: String, format: InkFileFormat) {
    #expect(InkFileFormat.of(bytes: Array(text.utf8)) == format)
  }

  @Test(
    "Other JSON is no ink", arguments: ["{\"name\":\"a\",\"files\":[1,2]}", "[1,2]", "[\"a\"]"])
  func otherJSON(text: String) {
    #expect(InkFileFormat.of(bytes: Array(text.utf8)) == nil)
  }
}
