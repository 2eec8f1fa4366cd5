import Foundation
import InkCore
import InkFormats
import Testing

@Suite("SVG")
struct SVGReaderTests {
  /// Rounding of products with sines and of points of curves.
  private static let tolerance = 1e-9

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ body: String, yAxis: YAxis = .down, unit: InkUnit? = nil) throws -> Outcome {
    let text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" fill=\"none\" stroke=\"black\">\n\(body)\n</svg>"
    try folder.write(text, to: "s/a.svg")
    return Outcome(try InkReader(.svg, path: folder.path, unit: unit, yAxis: yAxis))
  }

  /// The strokes of the one record as coordinates.
  private func strokes(_ body: String) throws -> [[[Double]]] {
    let outcome = try read(body)
    #expect(outcome.pattern == [true])
    return outcome.records.first?.labeled.ink.strokes.map { $0.points.map { [$0.x, $0.y] } } ?? []
  }

  private func isNear(_ left: [[Double]], _ right: [[Double]]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { hypot($0[0] - $1[0], $0[1] - $1[1]) <= Self.tolerance }
  }

  // MARK: - Paths

  @Test(
    "Lines of paths are absolute or relative, and commands repeat",
    arguments: [
      ("M1 2 L3 4 5 6", [[1.0, 2], [3, 4], [5, 6]]),
      ("M1 2 3 4 5 6", [[1, 2], [3, 4], [5, 6]]),
      ("m1,2 3,4-1-1", [[1, 2], [4, 6], [3, 5]]),
      ("M1 2h3v4H0V0", [[1, 2], [4, 2], [4, 6], [0, 6], [0, 0]]),
      ("M.5.5l.5-.5", [[0.5, 0.5], [1, 0]]),
      ("M0 0L1e1 1E-1", [[0, 0], [10, 0.1]]),
      ("M0 0 3 0 3 3z", [[0, 0], [3, 0], [3, 3], [0, 0]]),
      ("M7 8z", [[7, 8]]), ("M7 8", [[7, 8]]),
    ])
  func lines(data: String, points: [[Double]]) throws {
    #expect(try strokes(#"<path d="\#(data)"/>"#) == [points])
  }

  @Test("A path is as many strokes as it has parts, without places that the pen only passes")
  func parts() throws {
    #expect(
      try strokes(#"<path d="M0 0 1 1 M9 9 M2 2 3 3z l5 5"/>"#)
        == [[[0, 0], [1, 1]], [[2, 2], [3, 3], [2, 2]], [[2, 2], [7, 7]]])
  }

  @Test("Curves become short lines that end where the curves do")
  func curves() throws {
    // A cubic curve whose control points lie on a line is that line, and so is its smooth successor.
    let line = try strokes(#"<path d="M0 0C1 1 2 2 3 3S5 5 6 6"/>"#)
    #expect(line.first?.count == 17)
    #expect(
      line.first?.first == [0, 0] && line.first?[8] == [3, 3] && line.first?.last == [6, 6])
    #expect(line.joined().allSatisfy { abs($0[0] - $0[1]) <= Self.tolerance })
    // The middle of a quadratic curve.
    let quadratic = try strokes(#"<path d="M0 0Q2 4 4 0t4 0"/>"#)
    #expect(isNear([quadratic[0][4], quadratic[0][12]], [[2, 2], [6, -2]]))
  }

  @Test("The points of an arc are on its ellipse")
  func arcs() throws {
    let arc = try strokes(#"<path d="M-2 0A2 1 0 0 1 2 0"/>"#)
    #expect(arc.first?.count == 25)
    for point in arc.joined() {
      #expect(abs(point[0] * point[0] / 4 + point[1] * point[1] - 1) <= Self.tolerance)
      #expect(point[1] <= Self.tolerance)
    }
    // Flags need no blanks, radii that are too small grow, and an arc without a radius is a line.
    #expect(try strokes(#"<path d="M-2 0a2 1 0 014 0"/>"#).first?.last == [2, 0])
    #expect(try strokes(#"<path d="M0 0A1 1 0 0 1 8 0"/>"#).first?.count == 25)
    #expect(try strokes(#"<path d="M0 0A0 1 0 0 1 8 0"/>"#) == [[[0, 0], [8, 0]]])
  }

  // MARK: - Other elements

  @Test("Polylines are strokes, and polygons are closed ones")
  func polylines() throws {
    #expect(
      try strokes(#"<polyline points="1,2 3,4"/><polygon points="0 0 1 0 1 1"/>"#)
        == [[[1, 2], [3, 4]], [[0, 0], [1, 0], [1, 1], [0, 0]]])
  }

  @Test("Shapes, text, definitions, hidden elements and filled outlines are no ink")
  func otherElements() throws {
    let body = """
      <defs><path d="M1 1 2 2"/></defs><rect x="1" y="1" width="3" height="4"/><text>a</text>
      <g style="display: none"><path d="M1 1 2 2"/></g><path visibility="hidden" d="M1 1 2 2"/>
      <path stroke="none" fill="red" d="M1 1 2 2"/><path style="stroke:none" d="M1 1 2 2"/>
      <clipPath><polyline points="1 1 2 2"/></clipPath><path d="M5 5 6 6"/>
      """
    #expect(try strokes(body) == [[[5, 5], [6, 6]]])
  }

  @Test("An outline that is filled by default is ink only where a class may stroke it")
  func classes() throws {
    let text = #"<svg><g fill="red"><path d="M0 0 1 1"/><path class="a" d="M2 2 3 3"/></g></svg>"#
    let path = try folder.write(text, to: "b.svg")
    let ink = Outcome(try InkReader(.svg, path: path)).records.first?.labeled.ink
    #expect(ink?.strokes.map { $0.points[0].x } == [2])
  }

  // MARK: - Transforms

  @Test(
    "Transforms are applied, the right one first",
    arguments: [
      ("translate(10)", [12.0, 3]), ("translate(10 20)", [12, 23]), ("scale(2)", [4, 6]),
      ("scale(2,-1)", [4, -3]), ("rotate(90)", [-3, 2]), ("rotate(180 1 1)", [0, -1]),
      ("matrix(1 2 3 4 5 6)", [16, 22]), ("skewX(45)", [5, 3]), ("skewY(45)", [2, 5]),
      ("translate(10 0) scale(2)", [14, 6]), (" scale(2) , translate(10 0) ", [24, 6]),
      ("", [2, 3]),
    ])
  func transforms(text: String, place: [Double]) throws {
    let strokes = try strokes(#"<path transform="\#(text)" d="M2 3z"/>"#)
    #expect(isNear(strokes.first ?? [], [place]))
  }

  @Test("Transforms of groups hold for what is in them, and end with them")
  func nestedTransforms() throws {
    let body = """
      <g transform="translate(10 0)"><g transform="scale(2)"><path d="M1 1z"/></g><path d="M1 1z"/></g>
      <path d="M1 1z"/>
      """
    #expect(try strokes(body) == [[[12, 2]], [[11, 1]], [[1, 1]]])
  }

  // MARK: - Records

  @Test("A unit asks for groups or strokes")
  func units() throws {
    let body = #"<g id="a"><path d="M1 1z"/><path d="M2 2z"/></g><path d="M3 3z"/>"#
    #expect(try read(body).records.map(\.labeled.ink.strokes.count) == [3])
    let groups = try read(body, unit: .group).records
    #expect(groups.map(\.id) == ["a", nil])
    #expect(groups.map(\.labeled.ink.strokes.count) == [2, 1])
    #expect(try read(body, unit: .stroke).records.count == 3)
  }

  @Test("Groups with labels are records with them")
  func labels() throws {
    let outcome = try read(
      #"<g data-label="&lt;é&gt;" data-writer="w"><path d="M1 1z"/></g><g data-label=""><path d="M2 2z"/></g>"#
    )
    #expect(outcome.labels == ["<é>", ""])
    #expect(outcome.records.map(\.labeled.writer) == ["w", nil])
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let points = try read(#"<path d="M1 2z"/>"#, yAxis: .up).records.first?.labeled.ink.strokes[0]
    #expect(points?.points == [StrokePoint(x: 1, y: -2)])
  }

  @Test(
    "Malformed drawings are typed errors with their line",
    arguments: [
      (#"<path d="L1 2"/>"#, InkFormatError.Code.malformed, 2), (#"<path d="M1"/>"#, .malformed, 2),
      (#"<path d="M1 2 X"/>"#, .malformed, 2), (#"<path d="M1 2z3 4"/>"#, .malformed, 2),
      (#"<path d="M1 2A1 1 0 2 0 3 3"/>"#, .malformed, 2),
      (#"<path d="M1 1e400"/>"#, .malformed, 2),
      ("\n<polyline points=\"1 2 3\"/>", .malformed, 3),
      (#"<polyline points="1 b"/>"#, .malformed, 2),
      (#"<path transform="turn(3)" d="M1 2z"/>"#, .malformed, 2),
      (#"<path transform="scale(2" d="M1 2z"/>"#, .malformed, 2),
      (#"<path transform="scale(1e308) scale(1e308)" d="M1 2z"/>"#, .nonFiniteNumber, 0),
      ("<path d='M1 2'", .malformed, 3), ("<g>", .malformed, 3), ("", .emptyInk, 0),
      (#"<path d=""/><path/>"#, .emptyInk, 0),
    ])
  func malformed(body: String, code: InkFormatError.Code, line: Int) throws {
    let outcome = try read(body)
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line ?? 0 == line)
  }
}
