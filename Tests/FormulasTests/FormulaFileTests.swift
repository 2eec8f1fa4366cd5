import FormulaTraining
import Formulas
import Foundation
import InkCore
import Testing

/// The folder of the public set of formulas; nil if it is not installed.
private func dataset(_ name: String) -> String? {
  let environment = ProcessInfo.processInfo.environment
  let home = environment["HOME"].map { $0 + "/.cache/ink-datasets" }
  return [environment["INK_DATASETS"], home].compactMap { $0 }.map { $0 + "/" + name }
    .first { FileManager.default.fileExists(atPath: $0) }
}

@Suite("Files of formulas")
struct FormulaFileTests {
  private static let file = """
    <ink xmlns="http://www.w3.org/2003/InkML">
    <annotation type="truth">$x ^ 2$</annotation><annotation type="writer">w1</annotation>
    <annotationXML type="truth" encoding="Content-MathML"><math><msup>
    <mi xml:id="x_1">x</mi><mn xml:id="2_1">2</mn></msup></math></annotationXML>
    <trace id="0">0 0, 10 10</trace><trace id="1">10 0, 0 10</trace>
    <trace id="2">12 -4, 15 -2, 12 0</trace>
    <traceGroup xml:id="9"><annotation type="truth">Segmentation</annotation>
    <traceGroup xml:id="10"><annotation type="truth">x</annotation>
    <traceView traceDataRef="0"/><traceView traceDataRef="1"/><annotationXML href="x_1"/></traceGroup>
    <traceGroup xml:id="11"><annotation type="truth">2</annotation>
    <traceView traceDataRef="2"/><annotationXML href="2_1"/></traceGroup>
    </traceGroup></ink>
    """

  /// Reads a text as a file.
  private func record(_ text: String) throws -> LabeledFormula {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("formula-\(UUID().uuidString).inkml")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(text.utf8).write(to: url)
    return try FormulaFile.record(at: url.path)
  }

  @Test("Groups and MathML become symbols and relations")
  func structure() throws {
    let record = try record(Self.file)
    #expect(record.writer == "w1" && record.latex == "$x ^ 2$")
    #expect(record.symbols.map(\.label) == ["x", "2"])
    #expect(record.symbols.map(\.strokes) == [[0, 1], [2]])
    #expect(record.layout?.links == [nil, SymbolLayout.Link(0, .superscript)])
    #expect(!record.isContradictory)
  }

  @Test("A group without its MathML, and MathML without groups, have no structure")
  func withoutStructure() throws {
    let missing = Self.file.replacingOccurrences(of: "href=\"2_1\"", with: "href=\"3_1\"")
    #expect(try record(missing).layout == nil)
    let other = Self.file.replacingOccurrences(of: "$x ^ 2$", with: "$x _ 2$")
    #expect(try record(other).isContradictory)
  }

  @Test("Files without ink or with broken XML are typed errors")
  func broken() {
    #expect(throws: FormulaError.self) { try record("<ink></ink>") }
    #expect(throws: FormulaError.self) { try record("<ink><trace>1 1</ink>") }
    #expect(throws: FormulaError.self) { try record("") }
    #expect(throws: FormulaError.self) { try FormulaFile.records(at: "/no/such/folder") }
    for end in stride(from: 0, to: Self.file.utf8.count, by: 37) {
      _ = try? record(String(decoding: Array(Self.file.utf8.prefix(end)), as: UTF8.self))
    }
  }

  @Test("A link to a folder is followed, and a record has the first folder of its file")
  func folders() throws {
    let manager = FileManager.default
    let root = manager.temporaryDirectory.appendingPathComponent("formulas-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: root) }
    let inner = root.appendingPathComponent("all/one/deep")
    try manager.createDirectory(at: inner, withIntermediateDirectories: true)
    try Self.file.write(
      to: inner.appendingPathComponent("a.inkml"), atomically: true, encoding: .utf8)
    try Self.file.write(
      to: root.appendingPathComponent("all/b.inkml"), atomically: true, encoding: .utf8)
    let link = root.appendingPathComponent("link")
    try manager.createSymbolicLink(
      at: link, withDestinationURL: root.appendingPathComponent("all"))
    for path in [link.path, root.appendingPathComponent("all").path] {
      let (records, errors) = try FormulaFile.records(at: path)
      #expect(records.map(\.source) == [nil, "one"] && errors.isEmpty)
    }
    #expect(try FormulaFile.record(at: inner.path + "/a.inkml").source == nil)
  }

  @Test("Names of data take their keys and refuse others")
  func names() throws {
    #expect(FormulaData.isNamed(by: "inkml:a?unit=formula"))
    #expect(!FormulaData.isNamed(by: "inkml:a?unit=group"))
    _ = try FormulaData(parsing: "inkml:a?limit=3&unit=formula&every=2")
    #expect(throws: (any Error).self) { try FormulaData(parsing: "inkml:a?unit=formula&area=none") }
    #expect(throws: (any Error).self) { try FormulaData(parsing: "unipen:a?unit=formula") }
  }

  @Test(
    "The public test set is read whole",
    .enabled(if: dataset("crohme/test2013") != nil, "no formulas are installed"))
  func publicSet() throws {
    let folder = try #require(dataset("crohme/test2013"))
    let (records, errors) = try FormulaFile.records(at: folder)
    #expect(records.count == 671 && errors.isEmpty)
    #expect(records.count { $0.layout != nil } == 669)
    #expect(records.reduce(0) { $0 + $1.symbols.count } == 6082)
    #expect(records.allSatisfy { NormalForm.isSame($0.latex, $0.latex) })
  }
}
