import Foundation
import InkCore
import InkDatasets
import InkFormats
import Testing

/// Small files of many programs, and what is right for them: a check, the data, an item, what comes out.
@Suite("Files of other programs")
struct CaseRowsTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("InkFormatsTests/Cases").path

  /// The records of data named as on the command line, paths relative to the cases.
  static func records(_ name: String) throws -> [InkRecord] {
    let colon = try #require(name.firstIndex(of: ":"))
    let path = "\(name[...colon])\(folder)/\(name[name.index(after: colon)...])"
    return try DataSpecification(parsing: path).records(unlabelled: true).compactMap {
      try? $0.get()
    }
  }

  @Test(
    "Labels are those of the file, and ink without one has none",
    arguments: [
      ("inkml:inkml/unlabelled.inkml", 0, ""), ("inkml:inkml/office.inkml", 0, ""),
      ("inkml:inkml/office-analysed.inkml", 0, "hello"),
      ("inkml:inkml/office-analysed.inkml?unit=page", 0, "hello"),
      ("inkml:inkml/office-analysed.inkml?unit=word", 0, "hello"),
      ("inkml:inkml/crohme-train.inkml", 0, "$3+4$"),
      ("inkml:inkml/crohme-train.inkml?unit=group", 1, "+"),
      ("inkml:inkml/crohme-test.inkml", 0, ""), ("inkml:inkml/mathwriting.inkml", 0, "2+3"),
      ("inkml:inkml/truth-of-file-and-group.inkml", 0, "hello paris"),
      ("inkml:inkml/truth-of-file-and-group.inkml?unit=group", 0, "hello"),
      ("inkml:inkml/truth-of-file-and-group.inkml?unit=file", 0, "hello paris"),
      // The symbols of a flowchart are the records, whatever label the file has.
      ("flowchart:inkml/truth-of-file-and-group.inkml", 0, "hello"),
      ("flowchart:inkml/truth-of-file-and-group.inkml?unit=file", 0, "hello paris"),
      ("inkml:inkml/cdata", 0, "a < b & c"),
      ("unipen:unipen/relative-include", 3, "6"), ("unipen:unipen/include-from-root", 3, "6"),
      ("unipen:unipen/keyboard-trace/56_100_0.txt", 0, ""),
      ("unipen:unipen/lipitk-word/testword.txt?level=CHARACTER", 1, "1 0 __"),
      ("unipen:unipen/pendigits/pendigits-sample.tra?level=DIGIT", 0, "2"),
      ("unipen:unipen/latin1-labels", 0, "é"), ("unipen:unipen/latin1-labels", 1, "ß"),
      ("unipen:unipen/utf8-labels", 0, "é"), ("unipen:unipen/utf8-labels", 1, "ß"),
      ("unipen:unipen/utf8-labels", 2, "あ"),
      ("jiix:jiix/shape-and-text.jiix?unit=word", 0, "paris"),
      ("jiix:jiix/shape-and-text.jiix?unit=page", 0, "paris"),
      ("jiix:jiix/shape-and-text.jiix", 0, "rectangle"), ("jiix:jiix/formula.jiix", 0, ""),
      ("dollar:gesture-xml/commas", 0, "circle"),
      ("dollar:gesture-xml/commas/1-circle-01.xml", 0, "circle"),
    ])
  func labels(data: String, item: Int, label: String) throws {
    let records = try Self.records(data)
    try #require(item < records.count)
    #expect(records[item].labeled.label == label)
    #expect(records[item].isLabelled == !label.isEmpty)
  }

  @Test(
    "As many records as there are inks",
    arguments: [
      ("unipen:unipen/include-from-root", 7), ("unipen:unipen/relative-include", 7),
      ("unipen:unipen/include-outside", 1), ("unipen:unipen/keyboard-trace/56_100_0.txt", 1),
      ("unipen:unipen/lipitk/000002t01.txt", 1), ("unipen:unipen/lipitk-word/testword.txt", 4),
      ("unipen:unipen/lipitk-word/testword.txt?level=CHARACTER", 3),
      ("unipen:unipen/pendigits/pendigits-sample.tra?level=DIGIT", 2),
      ("unipen:unipen/pendigits", 2), ("inkml:inkml/bad-among-good", 1),
      ("xopp:xopp/hello-how-are-you.xopp", 1), ("svg:web/paris.svg", 1),
    ])
  func counts(data: String, count: Int) throws {
    #expect(try Self.records(data).count == count)
  }

  @Test(
    "An ink has all of its strokes and none that is no ink",
    arguments: [
      ("inkml:inkml/crohme-train.inkml", 6), ("inkml:inkml/crohme-train.inkml?unit=stroke", 1),
      ("jiix:jiix/formula.jiix", 6), ("jiix:jiix/shape-and-text.jiix?unit=page", 4),
      ("excalidraw:web/paris.excalidraw", 2), ("svg:web/paris.svg", 2),
      ("xopp:xopp/hello-how-are-you.xopp", 7), ("inkml:inkml/office.inkml", 5),
      ("unipen:unipen/lipitk-word/testword.txt?level=WORD", 4),
    ])
  func strokes(data: String, count: Int) throws {
    #expect(try Self.records(data).first?.labeled.ink.strokes.count == count)
  }

  @Test(
    "An include that is not there, or outside the folder, is one warning with file and line",
    arguments: [
      ("unipen:unipen/include-outside", "include-outside/data/a.dat:4", "years.jsonl"),
      ("unipen:unipen/pendigits/pendigits-sample.tra", "pendigits-sample.tra:1", "writer.doc"),
    ])
  func warnings(data: String, place: String, name: String) throws {
    let warnings = try Self.records(data).flatMap(\.warnings)
    #expect(warnings.count == 1)
    let text = try #require(warnings.first).description
    #expect(text.contains(place) && text.contains(name))
  }

  @Test("The content of a file tells its format")
  func formats() throws {
    let expected: [(String, InkFileFormat)] = [
      ("inkml/office.inkml", .inkML), ("inkml/cdata", .inkML), ("jiix/formula.jiix", .jiix),
      ("jiix/shape-and-text.jiix", .jiix), ("unipen/keyboard-trace/56_100_0.txt", .unipen),
      ("unipen/lipitk/000002t01.txt", .unipen), ("unipen/include-from-root", .unipen),
      ("unipen/pendigits/pendigits-sample.tra", .unipen),
      ("gesture-xml/commas/1-circle-01.xml", .gestureXML),
      ("xopp/hello-how-are-you.xopp", .xournal), ("web/paris.svg", .svg),
      ("web/paris.excalidraw", .excalidraw),
    ]
    for (path, format) in expected {
      let file = try InkReader(path: Self.folder + "/" + path)
      #expect(file.format == format, "\(path)")
      #expect(file.contains { (try? $0.get()) != nil }, "\(path)")
    }
  }

  @Test("Ink without a label is a failure to those who train on it, and a table gives it one")
  func texts() throws {
    let data = "inkml:\(Self.folder)/inkml/unlabelled.inkml"
    let refused = try Array(DataSpecification(parsing: data).records())
    guard case .failure(let error) = refused.first else {
      Issue.record("expected a failure")
      return
    }
    #expect(error.code == .missingKey && error.advice.contains("texts="))
    let table = FileManager.default.temporaryDirectory.path + "/texts-\(UUID().uuidString).tsv"
    defer { try? FileManager.default.removeItem(atPath: table) }
    for (line, label) in [
      ("unlabelled.inkml\thello", "hello"), ("unlabelled\ta\\tb\\n\\\\", "a\tb\n\\"),
      ("id\ttext\nunlabelled.inkml#0\tnumber\nunlabelled.inkml\tfile", "number"),
    ] {
      try Data("# comment\n\(line)\n".utf8).write(to: URL(fileURLWithPath: table))
      let records = try DataSpecification(parsing: "\(data)?texts=\(table)").records()
      #expect(records.map { try? $0.get().labeled.label } == [label])
    }
    try Data("no tab\n".utf8).write(to: URL(fileURLWithPath: table))
    let malformed = #expect(throws: DataError.self) { try TextTable(path: table) }
    #expect(malformed?.code == .malformedTexts && malformed?.subject.hasSuffix(":1") == true)
  }
}
