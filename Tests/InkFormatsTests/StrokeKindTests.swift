import Foundation
import InkCore
import InkFormats
import Layout
import Testing

@Suite("Kinds of strokes in files")
struct StrokeKindTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func page(_ kinds: [String]?, label: String = "a\nb") -> LabeledInk {
    let count = kinds?.count ?? 2
    return LabeledInk(
      ink: Ink(
        strokes: (0..<count).map { index in
          Stroke(points: [StrokePoint(x: Double(index), y: 2), StrokePoint(x: 3, y: 4)])
        }), label: label, kinds: kinds)
  }

  private func written(_ inks: [LabeledInk], as name: String) throws -> InkFileWriter {
    let writer = try InkFileWriter(path: folder.path + "/" + name)
    for ink in inks { try writer.write(ink) }
    try writer.finish()
    return writer
  }

  private func read(_ text: String, as name: String, unit: InkUnit? = nil) throws -> Outcome {
    Outcome(try InkReader(path: folder.write(text, to: name), unit: unit))
  }

  private static let all = StrokeKind.allCases.map(\.rawValue)

  @Test("The kinds of strokes come back", arguments: ["a.inkml", "a.jsonl"])
  func roundTrip(name: String) throws {
    let inks = [
      Self.page(Self.all), Self.page(["text", "text", "frame", "text", "connector"]),
      Self.page(nil), Self.page(["drawing"], label: ""),
    ]
    #expect(try written(inks, as: name).losses.isEmpty)
    let outcome = Outcome(try InkReader(path: folder.path + "/" + name))
    #expect(outcome.failures.isEmpty)
    #expect(outcome.records.map(\.labeled) == inks)
  }

  @Test("The groups of kinds are no inks of their own")
  func groups() throws {
    let inks = [Self.page(["text", "frame"]), Self.page(["text", "text"])]
    _ = try written(inks, as: "a.inkml")
    let path = folder.path + "/a.inkml"
    #expect(Outcome(try InkReader(path: path, unit: .group)).records.map(\.labeled) == inks)
    let page = Outcome(try InkReader(path: path, unit: .page)).records
    #expect(page.map(\.labeled.kinds) == [["text", "frame", "text", "text"]])
  }

  @Test("A stroke without points is lost with its kind")
  func emptyStroke() throws {
    var ink = Self.page(["frame", "text", "frame"])
    ink.ink.strokes[1].points = []
    _ = try written([ink], as: "a.inkml")
    let back = Outcome(try InkReader(path: folder.path + "/a.inkml")).records
    #expect(back.first?.labeled.kinds == ["frame", "frame"])
    #expect(back.first?.labeled.ink.strokes.count == 2)
  }

  @Test("UNIPEN and SVG do not hold kinds, and tell it", arguments: ["a.dat", "a.svg"])
  func losses(name: String) throws {
    let inks = [Self.page(["text", "frame"], label: "a"), Self.page(nil, label: "b")]
    #expect(try written(inks, as: name).losses[.kinds] == 1)
  }

  @Test("The written line has the kinds before the strokes")
  func form() throws {
    _ = try written([Self.page(["text"], label: "a")], as: "a.jsonl")
    let text = try String(contentsOfFile: folder.path + "/a.jsonl", encoding: .utf8)
    #expect(
      text == #"{"label":"a","kinds":["text"],"strokes":[{"x":[0.0,3],"y":[2,4]}]}"# + "\n")
  }

  @Test(
    "Wrong kinds of a line are typed errors without its text",
    arguments: [
      (#"["text","text"]"#, InkFormatError.Code.unequalLengths), ("[]", .unequalLengths),
      (#"["secret"]"#, .malformed), (#"["Text"]"#, .malformed), ("[1]", .wrongType),
      (#""text""#, .wrongType),
    ])
  func malformed(kinds: String, code: InkFormatError.Code) throws {
    for line in [
      #"{"label":"a","kinds":\#(kinds),"strokes":[{"x":[1],"y":[2]}]}"#,
      #"{"label":"a","strokes":[{"x":[1],"y":[2]}],"kinds":\#(kinds)}"#,
    ] {
      let outcome = try read(
        line + "\n" + #"{"label":"b","kinds":null,"strokes":[{"x":[1],"y":[2]}]}"#, as: "a.jsonl")
      #expect(outcome.codes == [code])
      #expect(outcome.labels == ["b"])
      #expect(!outcome.failures.contains { $0.description.contains("secret") })
    }
  }

  @Test("Wrong kinds are not written", arguments: ["a.inkml", "a.jsonl", "a.svg", "a.dat"])
  func refused(name: String) throws {
    let writer = try InkFileWriter(path: folder.path + "/" + name)
    var ink = Self.page(["text", "frame"], label: "a")
    ink.kinds = ["text"]
    var error = #expect(throws: InkFormatError.self) { try writer.write(ink) }
    #expect(error?.code == .unequalLengths)
    ink.kinds = ["text", "picture"]
    error = #expect(throws: InkFormatError.self) { try writer.write(ink) }
    #expect(error?.code == .malformed)
    #expect(error?.description.contains("picture") == false)
    error = #expect(throws: InkFormatError.self) { try writer.format.bytes(of: [ink]) }
    #expect(error?.code == .malformed)
    ink.kinds = nil
    try writer.write(ink)
    try writer.finish()
    #expect(Outcome(try InkReader(path: folder.path + "/" + name)).records.count == 1)
  }

  @Test("JSON Lines of kinds that do not fit are not written")
  func refusedLines() throws {
    let writer = try InkJSONLinesWriter(path: folder.path + "/a.jsonl")
    var ink = Self.page(["text", "frame"])
    ink.kinds?.removeLast()
    let error = #expect(throws: InkFormatError.self) { try writer.write(ink) }
    #expect(error?.code == .unequalLengths)
  }

  // MARK: - InkML of others

  private static func document(_ body: String) -> String {
    #"<ink xmlns="http://www.w3.org/2003/InkML">"# + body + "</ink>"
  }

  private static func trace(_ id: Int) -> String {
    #"<trace xml:id="t\#(id)">\#(id) 0, \#(id) 9</trace>"#
  }

  private static func group(_ type: String, _ text: String, _ body: String) -> String {
    #"<traceGroup><annotation type="\#(type)">\#(text)</annotation>\#(body)</traceGroup>"#
  }

  private static func view(_ id: Int) -> String { ##"<traceView traceDataRef="#t\##(id)"/>"## }

  @Test("The innermost kind counts, by group or by view")
  func innermost() throws {
    let nested = Self.group(
      "kind", "text", Self.trace(0) + Self.group("kind", "underline", Self.trace(1)) + Self.trace(2)
    )
    let inside = try read(Self.document(nested), as: "a.inkml").records
    #expect(inside.map(\.labeled.kinds) == [["text", "underline", "text"]])
    let views =
      (0..<3).map(Self.trace).joined()
      + Self.group("kind", "frame", Self.view(2))
      + Self.group("kind", "text", Self.view(0) + Self.view(1))
    let viewed = try read(Self.document(views), as: "b.inkml", unit: .page).records
    #expect(viewed.map(\.labeled.kinds) == [["text", "text", "frame"]])
    let ofGroup =
      #"<traceGroup xml:id="g">"# + Self.trace(0) + Self.trace(1) + "</traceGroup>"
      + Self.group("kind", "formula", ##"<traceView traceDataRef="#g"/>"##)
    let whole = try read(Self.document(ofGroup), as: "c.inkml", unit: .page).records
    #expect(whole.map(\.labeled.kinds) == [["formula", "formula"]])
  }

  @Test("A page has kinds if each stroke has one, and tells it if only some have")
  func some() throws {
    let text = Self.document(Self.group("kind", "text", Self.trace(0)) + Self.trace(1))
    let outcome = try read(text, as: "a.inkml", unit: .page)
    #expect(outcome.records.map(\.labeled.kinds) == [nil])
    #expect(outcome.records.first?.warnings.map(\.code) == [.missingKey])
  }

  @Test("An unknown kind beside known ones is a typed error; other vocabularies are not read")
  func unknown() throws {
    let other = Self.group("kind", "secret", Self.trace(0))
    let alone = try read(Self.document(other), as: "a.inkml")
    #expect(alone.failures.isEmpty && alone.records.map(\.labeled.kinds) == [nil])
    #expect(alone.records.first?.warnings.isEmpty == true)
    let mixed = try read(
      Self.document(other + Self.group("kind", "text", Self.trace(1))), as: "b.inkml")
    #expect(mixed.codes == [.malformed])
    #expect(!mixed.failures.contains { $0.description.contains("secret") })
  }

  @Test("A page has the kinds that other programs write as types of groups")
  func types() throws {
    let text = Self.document(
      Self.group(
        "type", "Diagram",
        Self.trace(0) + Self.group("type", "Textline", Self.trace(1))
          + Self.group("type", "Arrow", Self.trace(2)))
        + Self.group("type", "Marking_Underline", Self.trace(3))
        + Self.group("type", "Formula", Self.trace(4)))
    let page = try read(text, as: "a.inkml", unit: .page).records
    #expect(
      page.map(\.labeled.kinds) == [["drawing", "text", "connector", "underline", "formula"]])
    // Lines of text are not pages.
    let line = try read(text, as: "b.inkml", unit: .line).records
    #expect(!line.isEmpty && line.allSatisfy { $0.labeled.kinds == nil })
    let unknown = Self.document(Self.group("type", "Garbage", Self.trace(0)))
    #expect(try read(unknown, as: "c.inkml").records.map(\.labeled.kinds) == [nil])
  }

  @Test("The labels of groups are kinds in files of flowcharts alone")
  func flowchart() throws {
    let body =
      #"<annotation type="truth">9</annotation>"# + (0..<3).map(Self.trace).joined()
      + Self.group(
        "truth", "From ITF",
        Self.group("truth", "decision", Self.view(0)) + Self.group("truth", "text", Self.view(1))
          + Self.group("truth", "arrow", Self.view(2)))
    let mark = #"<annotationXML type="truth" encoding="Content-FlowchartML"></annotationXML>"#
    #expect(
      try read(Self.document(mark + body), as: "a.inkml").records.map(\.labeled.kinds)
        == [["frame", "text", "connector"]])
    #expect(try read(Self.document(body), as: "b.inkml").records.map(\.labeled.kinds) == [nil])
  }
}
