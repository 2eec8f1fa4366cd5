import Files
import Foundation
import InkCore
import InkFormats
import Testing

/// Files of note programs and tablets.
@Suite("Notes of many programs")
struct NoteReaderTests {
  private static let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Cases/notes").path

  private func read(_ format: InkFileFormat, _ bytes: [UInt8]) -> Outcome {
    Outcome(InkReader(format, bytes: bytes, name: "a"))
  }

  private func read(_ format: InkFileFormat, _ text: String) -> Outcome {
    read(format, Array(text.utf8))
  }

  private func xs(_ outcome: Outcome) -> [[Double]] {
    outcome.records.first?.labeled.ink.strokes.map { $0.points.map(\.x) } ?? []
  }

  @Test(
    "Each format has two strokes in its sample, and its content tells it",
    arguments: NoteSamples.all)
  func samples(format: InkFileFormat, bytes: [UInt8]) {
    let outcome = read(format, bytes)
    #expect(outcome.failures.isEmpty, "\(outcome.failures)")
    #expect(outcome.records.first?.labeled.ink.strokes.count == 2)
    #expect(InkFileFormat.of(bytes: bytes) == format)
    let compressed = read(format, GzipFile.stored(bytes))
    #expect(compressed.records.map(\.labeled) == outcome.records.map(\.labeled))
  }

  @Test(
    "Files of other programs are read",
    arguments: [
      ("two-layers.rm", InkFileFormat.remarkable, 2), ("nine-strokes.rm", .remarkable, 9),
      ("apple.will", .will, 10), ("providers.uim", .uim, 16), ("hello.rnote", .rnote, 7),
      ("symbols.csv", .penTable, 5), ("events.csv", .penTable, 5), ("outline.svg", .svg, 5),
      ("packaged.xopp", .xournal, 7), ("typed-and-ink.xopp", .xournal, 7),
      ("large-picture.xopp", .xournal, 7),
    ])
  func cases(name: String, format: InkFileFormat, strokes: Int) throws {
    let reader = try InkReader(path: Self.cases + "/" + name)
    #expect(reader.format == format)
    let outcome = Outcome(reader)
    #expect(outcome.failures.isEmpty)
    #expect(outcome.records.first?.labeled.ink.strokes.count == strokes)
  }

  // MARK: - reMarkable

  @Test("Layers of old pages are groups; erasers and highlighters are no ink", arguments: [3, 5])
  func oldPages(version: Int) {
    let bytes = NoteSamples.remarkableLines(version, tools: [2, 6, 17, 5, 18, 8])
    let outcome = read(.remarkable, bytes)
    #expect(outcome.records.first?.labeled.ink.strokes.count == 2)
    #expect(outcome.records.first?.sheet?.maxX == 1404)
    #expect(outcome.records.first?.labeled.ink.strokes.first?.points.first?.force == 0.5)
    let layers = Outcome(InkReader(.remarkable, bytes: bytes, name: "a", unit: .group))
    #expect(layers.records.count == 2)
  }

  @Test("Another version is an error that names it", arguments: ["4", "7", "61"])
  func versions(version: String) {
    let outcome = read(.remarkable, NoteSamples.remarkableHeader(version) + [0, 0, 0, 0])
    #expect(outcome.codes == [.unsupported])
    #expect(outcome.failures.first?.found == "version \(version)")
  }

  @Test("Strokes stand in the order of their list, and deleted ones are no ink")
  func order() {
    typealias S = NoteSamples
    // 32 was inserted behind 30, before 31; 33 was deleted.
    let bytes =
      S.remarkableHeader("6") + S.group(11, "A") + S.groupItem(1, 20, left: 0, node: 11)
      + S.line(11, 31, left: 30, x: 10) + S.line(11, 30, left: 0, x: 1)
      + S.line(11, 33, left: 31, x: 0, isDeleted: true) + S.line(11, 32, left: 30, x: 5)
    #expect(xs(read(.remarkable, bytes)).map { $0[0] } == [703, 707, 712])
  }

  @Test("Hidden layers are no ink, and layers keep their names")
  func layers() {
    typealias S = NoteSamples
    let bytes =
      S.remarkableHeader("6") + S.group(11, "Ink") + S.group(12, "Off", isVisible: false)
      + S.groupItem(1, 20, left: 0, node: 11) + S.groupItem(1, 21, left: 20, node: 12)
      + S.line(11, 30, left: 0, x: 1) + S.line(12, 31, left: 0, x: 2)
    let layers = Outcome(InkReader(.remarkable, bytes: bytes, name: "a", unit: .group))
    #expect(layers.records.map(\.id) == ["Ink"])
  }

  @Test("Typed text is kept in its order, and strokes anchored to it stand at its line")
  func typed() {
    typealias S = NoteSamples
    let text = S.text([
      (10, 0, "ab\nd", 0), (20, 11, "c", 0), (30, 13, "", 2),
    ])
    let bytes =
      S.remarkableHeader("6") + text + S.group(11, "A") + S.group(12, "B", anchor: 13)
      + S.groupItem(1, 40, left: 0, node: 11) + S.groupItem(11, 41, left: 0, node: 12)
      + S.line(12, 50, left: 0, x: 1)
    let record = read(.remarkable, bytes).records.first
    #expect(record?.texts.map(\.text) == ["abc", "d"])
    // The second line begins 70 below the first, which begins at 234 - 88.
    #expect(record?.texts.map(\.box.minY) == [146, 216])
    let point = record?.labeled.ink.strokes.first?.points.first
    #expect(point?.x == 1 + 702 + 5 && point?.y == 100 + 216)
  }

  @Test("A damaged block costs itself, and the page says so")
  func damagedBlock() {
    typealias S = NoteSamples
    let bytes = S.remarkable6() + S.block(5, [0x1F, 0, 11, 0x2F])
    let outcome = read(.remarkable, bytes)
    #expect(outcome.records.first?.labeled.ink.strokes.count == 2)
    #expect(outcome.records.first?.warnings.count == 1)
  }

  @Test("A stored notebook is one document, and a broken or missing page does not cost the others")
  func notebook() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"fileType":"notebook","cPages":{"pages":[{"id":"p2","idx":{"value":"bb"}},"#
        + #"{"id":"p1","idx":{"value":"ba"}},{"id":"gone","idx":{"value":"bc"},"deleted":{"value":1}},"#
        + #"{"id":"bad","idx":{"value":"bd"}},{"id":"empty","idx":{"value":"be"}}]}}"#,
      to: "n/1234.content")
    try folder.write(#"{"visibleName":"Notes"}"#, to: "n/1234.metadata")
    try folder.write(NoteSamples.remarkable6(), to: "n/1234/p1.rm")
    try folder.write(NoteSamples.remarkableLines(5), to: "n/1234/p2.rm")
    try folder.write(NoteSamples.remarkableHeader("9"), to: "n/1234/bad.rm")
    for path in [folder.path + "/n/1234.content", folder.path + "/n"] {
      let reader = try InkReader(path: path)
      #expect(reader.format == .remarkable)
      let outcome = Outcome(reader)
      #expect(outcome.pattern == [true, true, false])
      #expect(outcome.records.map(\.id) == ["p1", "p2"])
      #expect(outcome.failures.first?.found.contains("page 3") == true)
    }
    // The same, packed.
    var writer = ZipWriter()
    for name in ["1234.content", "1234/p1.rm", "1234/p2.rm", "1234/bad.rm"] {
      try writer.add(
        name, [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path + "/n/" + name))))
    }
    let packed = try folder.write(writer.finish(), to: "a.rmdoc")
    #expect(Outcome(try InkReader(path: packed)).pattern == [true, true, false])
  }

  @Test("The list of pages cannot lead out of the notebook")
  func pagesOutside() {
    let outcome = read(.remarkable, #"{"fileType":"notebook","pages":["../../a"]}"#)
    #expect(outcome.codes == [.pathOutsideFolder])
  }

  // MARK: - Rnote

  @Test("Strokes are sorted by their times; curves become points; pages are cut")
  func rnote() {
    let one = read(.rnote, NoteSamples.rnote())
    #expect(xs(one).map { $0[0] } == [1, 9])
    #expect(one.records.first?.labeled.ink.strokes.first?.points.count == 10)
    let pages = read(.rnote, NoteSamples.rnote(layout: "fixed_size"))
    #expect(pages.records.map(\.labeled.ink.strokes.count) == [2])
    #expect(pages.records.first?.sheet?.maxY == 200)
  }

  @Test("Typed text of Rnote is kept, pictures are counted, shapes are lines")
  func rnoteContent() {
    let extra =
      #",{"value":{"textstroke":{"text":"Typed","transform":{"affine":[1,0,0,0,1,0,30,40,1]},"#
      + #""text_style":{"font_size":10}}}},{"value":{"bitmapimage":{"data":""}}},"#
      + #"{"value":{"shapestroke":{"shape":{"line":{"start":[0,0],"end":[5,5]}}}}}"#
    let record = read(.rnote, NoteSamples.rnote(extra: extra)).records.first
    #expect(record?.texts.map(\.text) == ["Typed"])
    #expect(record?.texts.first?.box.minX == 30 && record?.texts.first?.box.minY == 40)
    #expect(record?.warnings.first?.found.contains("a picture") == true)
    #expect(record?.labeled.ink.strokes.count == 3)
  }

  @Test("Later versions are read with a notice, those before 0.5 are refused")
  func rnoteVersions() {
    let later = read(.rnote, NoteSamples.rnote("1.2.0")).records.first
    #expect(later?.warnings.first?.found == "version 1.2")
    #expect(read(.rnote, NoteSamples.rnote("0.4.9")).codes == [.unsupported])
  }

  @Test("Chunks are read, unless they are packed in an unknown way")
  func rnoteChunks() {
    let chunks = read(.rnote, NoteSamples.rnoteChunks())
    #expect(xs(chunks) == [[1]])
    let later = read(.rnote, NoteSamples.rnoteChunks(method: #"{"brotli":12}"#))
    #expect(later.codes == [.unsupported] && later.failures[0].advice.contains("Xournal"))
    // The chunks are plain, other than the header says.
    let zstd = read(.rnote, NoteSamples.rnoteChunks(method: #"{"zstd":12}"#))
    #expect(zstd.codes == [.malformed])
    #expect(read(.rnote, NoteSamples.rnoteChunks(fileVersion: 2)).failures[0].found == "version 2")
  }

  @Test("Chunks that are compressed by Zstandard are read, and damaged ones are errors")
  func rnoteZstandard() throws {
    let path = Self.cases + "/zstandard.rnote"
    let outcome = Outcome(try InkReader(path: path))
    #expect(outcome.records.map(\.labeled.ink.strokes.count) == [3, 1])
    #expect(outcome.records.first?.texts.map(\.text) == ["typed"])
    #expect(xs(outcome).map(\.first) == [40, 60, 90])
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for count in [bytes.count - 1, bytes.count - 300] {
      #expect(read(.rnote, Array(bytes[..<count])).codes == [.truncated])
    }
    var damaged = bytes
    for index in damaged.indices.suffix(40) { damaged[index] ^= 0x5A }
    #expect(!read(.rnote, damaged).failures.isEmpty)
  }

  @Test("Pictures of any size in JSON cost no memory")
  func longStrings() {
    let picture = String(repeating: "A\\\"", count: 1 << 19)
    let extra = #",{"value":{"bitmapimage":{"data":"\#(picture)"}}}"#
    let record = read(.rnote, NoteSamples.rnote(extra: extra)).records.first
    #expect(record?.labeled.ink.strokes.count == 2 && record?.warnings.count == 1)
  }

  // MARK: - Wacom

  @Test("Splines become points at their knots, with the samples of the sensor")
  func uim() {
    let stroke = read(.uim, NoteSamples.uim31()).records.first?.labeled.ink.strokes.first
    // Four knots are one piece of curve, from the second to the third.
    #expect(stroke?.points.map(\.x) == [2, 3])
    #expect(stroke?.points.allSatisfy { abs($0.y - 0.05) < 1e-9 } == true)
    #expect(stroke?.points.map(\.t) == [100, 108])
    #expect(stroke?.points.map(\.force) == [0.5, 0.5])
    #expect(xs(read(.uim, NoteSamples.uim30())) == [[2, 3, 4]])
  }

  @Test("Other versions and packed chunks are errors that say what was found")
  func uimVersions() {
    #expect(read(.uim, NoteSamples.uim31(minor: 7)).failures.first?.found == "version 3.7")
    #expect(read(.uim, NoteSamples.uim31(packing: 2)).failures.first?.found == "compression 2")
    #expect(read(.will, NoteSamples.will(version: 9)).failures.first?.found == "version 9")
  }

  @Test("An archive of Wacom ink has a page for each file of strokes")
  func willArchive() throws {
    var writer = ZipWriter()
    try writer.add("sections/media/strokes.protobuf", NoteSamples.willPaths())
    try writer.add("sections/media/strokes2.protobuf", NoteSamples.willPaths().dropLast(3) + [])
    let folder = try TemporaryFolder()
    let path = try folder.write(writer.finish(), to: "a.will")
    #expect(Outcome(try InkReader(path: path)).pattern == [true, true])
  }

  // MARK: - Saber and Butterfly

  @Test("Notes of Saber have pages, offsets, colours and typed text")
  func saber() throws {
    let record = try #require(read(.saber, NoteSamples.saber()).records.first)
    #expect(record.labeled.ink.strokes.map { $0.points[0].x } == [11, 15])
    #expect(record.sheet?.maxX == 500 && record.sheet?.maxY == 700)
    #expect(record.pens.first == InkRecord.Pen(color: "#0000FFFF", width: 3))
    #expect(record.texts.map(\.text) == ["Typed"])
    let later = read(.saber, NoteSamples.saber(version: 40))
    #expect(later.records.first?.warnings.first?.found == "version 40")
    #expect(read(.saber, NoteSamples.saber(version: 0)).codes == [.unsupported])
    var writer = ZipWriter()
    try writer.add("main.sbn2", NoteSamples.saber())
    let folder = try TemporaryFolder()
    let path = try folder.write(writer.finish(), to: "a.sba")
    #expect(try InkReader(path: path).format == .saber)
    #expect(Outcome(try InkReader(path: path)).records.map(\.labeled) == [record.labeled])
  }

  @Test("Archives of Butterfly have their pages in order, and one broken page costs itself")
  func butterfly() throws {
    var writer = ZipWriter()
    try writer.add("meta.json", Array(#"{"fileVersion":99}"#.utf8))
    try writer.add("pages/10.b.json", Array(NoteSamples.butterflyJSON.utf8))
    try writer.add(
      "pages/2.a.json",
      Array(#"{"layers":[{"name":"L","content":[{"type":"pen","points":[{"x":1,"y":1}]}]}]}"#.utf8))
    try writer.add("pages/11.c.json", Array("{".utf8))
    let folder = try TemporaryFolder()
    let path = try folder.write(writer.finish(), to: "a.bfly")
    let reader = try InkReader(path: path)
    #expect(reader.format == .butterfly)
    let outcome = Outcome(reader)
    #expect(outcome.pattern == [true, true, false])
    #expect(outcome.records.map(\.labeled.ink.strokes.count) == [1, 2])
    #expect(outcome.records.first?.warnings.first?.found == "version 99")
    #expect(outcome.records.last?.texts.map(\.text) == ["Typed"])
  }

  // MARK: - ISF

  @Test("Windows ink has its columns, the range of its pressure, its matrix and its pen")
  func isf() throws {
    let record = try #require(read(.isf, NoteSamples.isf()).records.first)
    let points = record.labeled.ink.strokes[0].points
    #expect(points.map(\.x) == [20, 24, 28])
    #expect(points.map(\.y) == [10, -6, 14])
    #expect(points.map(\.force) == [1, 0.5, 0])
    #expect(record.pens.first == InkRecord.Pen(color: "#FF0000FF", width: 53))
    #expect(read(.isf, NoteSamples.isf(rasterOperation: 9)).codes == [.emptyInk])
    #expect(read(.isf, NoteSamples.isf(version: 3)).failures.first?.found == "version number 3")
  }

  // MARK: - Supernote, PDF, tables

  @Test("Strokes of Supernote have places from the left and pressure; a picture alone is said")
  func supernote() {
    let record = read(.supernote, NoteSamples.supernote()).records.first
    #expect(record?.labeled.ink.strokes.count == 2)
    let point = record?.labeled.ink.strokes.first?.points.first
    #expect(point == StrokePoint(x: 1404 - 4, y: 10, force: 1))
    let picture = read(.supernote, NoteSamples.supernote(hasPath: false))
    #expect(picture.codes == [.unsupported])
    #expect(picture.failures.first?.found.contains("a picture alone") == true)
  }

  @Test(
    "Ink annotations stand on the page as it is shown",
    arguments: [(0, [10, 190]), (90, [10, 10]), (180, [90, 10]), (270, [190, 90])])
  func pdf(rotation: Int, place: [Double]) {
    let record = read(.pdf, NoteSamples.pdf(rotate: rotation)).records.first
    let point = record?.labeled.ink.strokes.first?.points.first
    #expect(point.map { [$0.x, $0.y] } == place)
    #expect(record?.sheet?.maxX == (rotation % 180 == 0 ? 100 : 200))
    #expect(record?.pens.first == InkRecord.Pen(color: "#FF0000FF", width: 2))
  }

  @Test("Hidden annotations are no ink, and encrypted files are refused")
  func pdfRefused() {
    #expect(read(.pdf, NoteSamples.pdf(flags: 2)).codes == [.emptyInk])
    let encrypted = NoteSamples.pdf().replacingOccurrences(of: "/Root", with: "/Encrypt 9 0 R/Root")
    #expect(read(.pdf, encrypted).codes == [.unsupported])
  }

  @Test("Objects in compressed streams are read")
  func pdfStreams() throws {
    let objects =
      "1 0 2 34 3 70 <</Type/Catalog/Pages 2 0 R  >>    <</Type/Pages/Kids[3 0 R]/Count 1>>  "
      + "<</Type/Page/Annots[<</Subtype/Ink/InkList[[1 2 3 4]]>>]>>"
    let packed = try #require(Deflate.zlib(Array(objects.utf8)))
    let head =
      "%PDF-1.7\n9 0 obj\n<</Type/ObjStm/N 3/First 15/Filter/FlateDecode/Length \(packed.count)>>\n"
      + "stream\n"
    let bytes =
      Array(head.utf8) + packed
      + Array("\nendstream endobj\n8 0 obj <</Type/XRef/Root 1 0 R>> endobj".utf8)
    #expect(xs(read(.pdf, bytes)) == [[1, 3]])
  }

  @Test("Tables hold events of a pen, or a drawing in each row")
  func tables() {
    let events = read(.penTable, NoteSamples.penTable)
    #expect(xs(events) == [[1, 3, 5], [7, 9, 11]])
    #expect(events.records.first?.labeled.ink.strokes.last?.points.first?.t == 40)
    let drawings =
      "label;data\r\n\"a;\"\"\";\"[[{\"\"x\"\":1,\"\"y\"\":2},{\"\"x\"\":3,\"\"y\"\":4}]]\"\r\nb;[[[\r\n"
    let outcome = read(.penTable, drawings)
    #expect(outcome.labels == ["a;\""])
    #expect(outcome.pattern == [true, false])
    #expect(outcome.failures.first?.location.line == 3)
    #expect(read(.penTable, "x,y\n1,\n").codes == [.wrongType])
    #expect(InkFileFormat.of(bytes: Array("name,price\na,1\n".utf8)) == nil)
  }

  @Test("Every value of every point arrives as it is written, whatever others have")
  func exactValues() throws {
    let table = """
      stroke,x,y,time,force
      1,0.1,1e-12,,
      1,123456789.123,-2.5,7,
      1,3,4,,0.3
      2,5.5,6,,
      2,7,8.25,,
      """
    let strokes = try #require(read(.penTable, table).records.first).labeled.ink.strokes
    #expect(
      strokes.map(\.points) == [
        [
          StrokePoint(x: 0.1, y: 1e-12), StrokePoint(x: 123_456_789.123, y: -2.5, t: 7),
          StrokePoint(x: 3, y: 4, force: 0.3),
        ], [StrokePoint(x: 5.5, y: 6), StrokePoint(x: 7, y: 8.25)],
      ])
  }

  // MARK: - Xournal++ and SVG

  @Test("Typed text of Xournal++ is kept with its place, and a damaged stroke costs its page alone")
  func xournal() {
    let notes =
      #"<xournal><page width="9" height="9"><layer><text x="1" y="2" size="10">a &amp; b</text>"#
      + #"<stroke>1 2 3 4</stroke></layer></page><page><stroke>1 x</stroke></page>"#
      + #"<page><stroke>5 6 7 8</stroke><stroke>1</stroke></page></xournal>"#
    let outcome = read(.xournal, notes)
    #expect(outcome.pattern == [true, false, true])
    #expect(outcome.records.first?.texts.map(\.text) == ["a & b"])
    #expect(outcome.records.first?.texts.first?.box.minX == 1)
    #expect(outcome.records.last?.warnings.map(\.code) == [.malformed])
  }

  @Test("A filled outline of a pen is its middle line; other shapes and ruled lines are no ink")
  func outlines() {
    let pen = "M0 0L10 0 20 0 30 0 30 2 20 2 10 2 0 2Z"
    let svg =
      "<svg><g class='ruleline' stroke='red'><path d='M0 0 9 9'/></g>"
      + "<path class='write-flat-pen' fill='#000' d='\(pen)'/>"
      + "<path class='pen' fill='#000' d='M0 0L10 0 10 10 0 10 0 8 0 6Z'/>"
      + "<path fill='#000' d='\(pen)'/></svg>"
    let outcome = read(.svg, svg)
    #expect(xs(outcome) == [[0, 10, 20, 30]])
    let ys = outcome.records.first?.labeled.ink.strokes.first?.points.map(\.y)
    #expect(ys == [1, 1, 1, 1])
  }
}
