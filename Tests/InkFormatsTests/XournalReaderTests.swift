import InkCore
import InkFormats
import Testing

@Suite("Xournal")
struct XournalReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ body: String, yAxis: YAxis = .down, unit: InkUnit? = nil) throws -> Outcome {
    let text = "<?xml version=\"1.0\"?>\n<xournal version=\"0.4\">\n\(body)\n</xournal>\n"
    try folder.write(GzipFile.stored(Array(text.utf8)), to: "n/a.xopp")
    return Outcome(try InkReader(.xournal, path: folder.path, unit: unit, yAxis: yAxis))
  }

  /// Two pages, the first of two layers.
  private static let pages = """
    <page width="600" height="800"><background type="solid"/>
    <layer name="notes"><stroke tool="pen" width="1.5">1 2 3 4</stroke></layer>
    <layer><stroke tool="pen" width="1.5">5 6 7 8</stroke>
    <stroke tool="pen" width="1.5">9 10</stroke></layer></page>
    <page width="600" height="800"><layer><stroke tool="pen" width="1.5">11 12</stroke></layer></page>
    """

  @Test("Sheets, and the colour and width of each stroke, are those of the file")
  func looks() throws {
    let body = """
      <page width="612" height="792"><layer>
      <stroke tool="pen" color="#ff0000ff" width="1.41">1 2 3 4</stroke>
      <stroke tool="pen" color="blue" width="2.26 1 2">5 6 7 8 9 9</stroke>
      <stroke tool="pen" color="no colour" width="wide">5 6 7 8</stroke>
      <stroke tool="highlighter" color="#ffff007f" width="8">1 2 3 4</stroke></layer></page>
      <page width="NaN" height="792"><layer><stroke tool="pen">1 2</stroke></layer></page>
      """
    let records = try read(body).records
    #expect(records.count == 2)
    #expect(records[0].sheet == BoundingBox(minX: 0, minY: 0, maxX: 612, maxY: 792))
    #expect(
      records[0].pens == [
        InkRecord.Pen(color: "#FF0000FF", width: 1.41),
        InkRecord.Pen(color: "#3333CCFF", width: 2.26), InkRecord.Pen(),
      ])
    #expect(records[0].penWidth == 2.26)
    #expect(records[1].sheet == nil && records[1].pens.isEmpty)
    let upward = try read(body, yAxis: .up).records
    #expect(upward[0].sheet == BoundingBox(minX: 0, minY: -792, maxX: 612, maxY: 0))
    let strokes = try read(body, unit: .stroke).records
    #expect(strokes.map(\.pens.count) == [1, 1, 0, 0])
    #expect(strokes.allSatisfy { $0.sheet == nil })
  }

  @Test("Each page of a compressed file is a record without a label")
  func pages() throws {
    let outcome = try read(Self.pages)
    #expect(outcome.pattern == [true, true])
    #expect(outcome.records.map(\.isLabelled) == [false, false])
    #expect(outcome.records.map(\.source) == ["n/a.xopp", "n/a.xopp"])
    #expect(outcome.records.map(\.indexInSource) == [0, 1])
    #expect(
      outcome.records.first?.labeled.ink
        == Ink(strokes: [
          Stroke(points: [StrokePoint(x: 1, y: 2), StrokePoint(x: 3, y: 4)]),
          Stroke(points: [StrokePoint(x: 5, y: 6), StrokePoint(x: 7, y: 8)]),
          Stroke(points: [StrokePoint(x: 9, y: 10)]),
        ]))
  }

  @Test("A file that is not compressed reads the same")
  func plain() throws {
    let compressed = try read(Self.pages)
    let path = try folder.write("<xournal>\(Self.pages)</xournal>", to: "a.xoj")
    let plain = Outcome(try InkReader(.xournal, path: path))
    #expect(plain.records.map(\.labeled) == compressed.records.map(\.labeled))
  }

  @Test(
    "A unit asks for layers, strokes or the file",
    arguments: [
      (InkUnit.page, [3, 1]), (.group, [1, 2, 1]), (.stroke, [1, 1, 1, 1]), (.file, [4]),
    ])
  func units(unit: InkUnit, strokes: [Int]) throws {
    let outcome = try read(Self.pages, unit: unit)
    #expect(outcome.records.map(\.labeled.ink.strokes.count) == strokes)
  }

  @Test("A layer has its name as its identifier")
  func layerName() throws {
    #expect(try read(Self.pages, unit: .group).records.map(\.id) == ["notes", nil, nil])
  }

  @Test("Pages of a whole file lie below each other, by their heights")
  func file() throws {
    let outcome = try read(Self.pages, unit: .file)
    #expect(outcome.records.first?.labeled.ink.strokes[3].points == [StrokePoint(x: 11, y: 812)])
  }

  @Test(
    "A height that is no finite number does not move the next page away",
    arguments: ["nan", "inf", "x"])
  func height(text: String) throws {
    let pages = """
      <page height="\(text)"><layer><stroke>0 0 0 10</stroke></layer></page>
      <page><layer><stroke>1 2</stroke></layer></page>
      """
    let outcome = try read(pages, unit: .file)
    #expect(outcome.records.first?.labeled.ink.strokes.last?.points == [StrokePoint(x: 1, y: 14)])
  }

  @Test("Force is the width at a point over that of the pen")
  func widths() throws {
    let outcome = try read(
      #"<page><layer><stroke tool="pen" width="2 1 4">0 0 1 1 2 2</stroke></layer></page>"#)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points.map(\.force) == [0.5, 2, 2])
  }

  @Test("Force is that of the column of pressures where there is one")
  func pressures() throws {
    let outcome = try read(
      #"<page><layer><stroke width="2" pressures="0.25 1">0 0 1 1</stroke></layer></page>"#)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points.map(\.force) == [0.25, 1])
  }

  @Test("Highlighter, eraser, typed text and images are no ink")
  func otherTools() throws {
    let outcome = try read(
      """
      <page><layer><stroke tool="highlighter" width="8">1 1 2 2</stroke>
      <stroke tool="eraser" width="8">1 1 2 2</stroke><text size="12">typed &amp; text</text>
      <image left="0">aGVsbG8=</image><stroke tool="pen">3 4</stroke></layer></page>
      """)
    #expect(
      outcome.records.first?.labeled.ink
        == Ink(strokes: [Stroke(points: [StrokePoint(x: 3, y: 4)])]))
  }

  @Test("y can be flipped")
  func yAxis() throws {
    let outcome = try read("<page><layer><stroke>1 2</stroke></layer></page>", yAxis: .up)
    #expect(outcome.records.first?.labeled.ink.strokes[0].points == [StrokePoint(x: 1, y: -2)])
  }

  @Test(
    "Malformed notes are typed errors with their line",
    arguments: [
      ("<page><layer><stroke>1</stroke></layer></page>", InkFormatError.Code.malformed, 3),
      ("<page><layer><stroke>1 b</stroke></layer></page>", .malformed, 3),
      ("<page><layer><stroke>1 1e400</stroke></layer></page>", .malformed, 3),
      ("<page><layer>\n<stroke>1 2<b/></stroke></layer></page>", .malformed, 4),
      ("<page><layer>", .malformed, 4),
      ("<page><layer></layer></page>", .emptyInk, 0),
      ("<page><layer><stroke></stroke></layer></page>", .emptyInk, 0),
    ])
  func malformed(body: String, code: InkFormatError.Code, line: Int) throws {
    let outcome = try read(body)
    #expect(outcome.codes == [code])
    #expect(outcome.failures.first?.location.line ?? 0 == line)
  }

  @Test("A compressed file that is cut off or damaged is a typed error")
  func damaged() throws {
    let whole = GzipFile.stored(Array("<xournal>\(Self.pages)</xournal>".utf8))
    let path = try folder.write(whole.dropLast(20), to: "cut.xopp")
    #expect(Outcome(try InkReader(.xournal, path: path)).codes == [.truncated])
    var damaged = whole
    damaged[40] ^= 1
    try folder.write(damaged, to: "cut.xopp")
    #expect(Outcome(try InkReader(.xournal, path: path)).codes == [.malformed])
  }
}
