import InkCore
import InkFormats
import Testing

@Suite("Guide lines of UNIPEN")
struct UNIPENGuidesTests {
  /// A header, the lower and upper y of an ink, and the line that comes of them, y down.
  struct Case: CustomTestStringConvertible {
    var header: String
    var ys: (low: Int, high: Int)
    var y: Double?
    var height = 0.0

    var testDescription: String {
      "\(header.replacing("\n", with: ", ")), ink \(ys.low) to \(ys.high)"
    }
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func area(_ test: Case, contributor: String = "aga") throws -> WritingArea? {
    try folder.write(
      ".COORD X Y\n\(test.header)\n.PEN_DOWN\n3 \(test.ys.low)\n9 \(test.ys.high)\n",
      to: "include/a.dat")
    try folder.write(
      ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"a\"\n", to: "data/1a/\(contributor)/s.dat")
    let outcome = Outcome(try UNIPENReader(folder: folder.path))
    return try #require(outcome.records.first).labeled.writingArea
  }

  @Test(
    "each form of .H_LINE gives the line that letters stand on",
    arguments: [
      Case(header: ".Y_DIM 60\n.H_LINE 20", ys: (20, 30), y: -42, height: 24),
      Case(header: ".Y_DIM 60\n.H_LINE 20", ys: (-20, -10), y: -2, height: 24),
      Case(header: ".H_LINE 20 30", ys: (18, 30), y: -47.5, height: 30),
      Case(header: ".H_LINE 80 50 20", ys: (52, 60), y: -61, height: 12),
      Case(header: ".H_LINE 20 50 80\n.V_LINE 0 10", ys: (60, 68), y: -71, height: 12),
    ])
  func known(test: Case) throws {
    let area = try #require(try area(test))
    let expected = try #require(test.y)
    #expect(abs(area.y - expected) < 1e-9 && abs(area.height - test.height) < 1e-9)
    #expect(area.x < 3 && area.x + area.width > 9)
  }

  @Test(
    "there is no line where the guides do not say or do not fit",
    arguments: [
      Case(header: ".Y_DIM 60", ys: (20, 30)), Case(header: ".H_LINE 20", ys: (20, 30)),
      Case(header: ".Y_DIM 60\n.H_LINE 20 x", ys: (20, 30)),
      Case(header: ".Y_DIM 60\n.H_LINE", ys: (20, 30)),
      Case(header: ".Y_DIM 60\n.H_LINE 20", ys: (20, 90)),
      Case(header: ".Y_DIM 60\n.H_LINE 20", ys: (200, 210)),
      Case(header: ".H_LINE 20 20", ys: (20, 30)), Case(header: ".H_LINE 5 5 5", ys: (5, 5)),
      Case(header: ".H_LINE 1e308 -1e308", ys: (20, 30)),
    ])
  func unknown(test: Case) throws {
    #expect(try area(test) == nil)
  }

  @Test("values that stand for one line of several are no guides")
  func misleading() throws {
    let test = Case(header: ".Y_DIM 60\n.H_LINE 20", ys: (20, 30))
    #expect(try area(test, contributor: "cea") == nil)
  }

  @Test("the guides in force at an ink count")
  func inForce() throws {
    try folder.write(
      """
      .COORD X Y
      .H_LINE 20 30
      .PEN_DOWN
      0 20
      .H_LINE 40 60
      .PEN_DOWN
      0 40

      """, to: "include/a.dat")
    try folder.write(
      ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"a\"\n.SEGMENT WORD 1 ? \"b\"\n",
      to: "data/1a/aga/s.dat")
    let outcome = Outcome(try UNIPENReader(folder: folder.path))
    #expect(outcome.records.map(\.labeled.writingArea?.height) == [30, 60])
  }
}
