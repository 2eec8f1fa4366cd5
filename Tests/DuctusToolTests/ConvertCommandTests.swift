import Foundation
import Testing

@Suite(
  "Converting ink to documents on the command line",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class ConvertCommandTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("convert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(Self.page(2), "page.xopp")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A note of pages, each with a cross.
  private static func page(_ pages: Int) -> String {
    let page = """
      <page width="200" height="100"><background type="solid"/><layer>
      <stroke tool="pen" color="#ff0000ff" width="1.5">20 20 30 40</stroke>
      <stroke tool="pen" color="#0000ffff" width="1.5">30 20 20 40</stroke></layer></page>
      """
    return "<?xml version=\"1.0\"?>\n<xournal version=\"0.4\">\n"
      + String(repeating: page + "\n", count: pages) + "</xournal>\n"
  }

  private func write(_ text: String, _ name: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  private var names: [String] {
    let all = FileManager.default.subpaths(atPath: folder.path) ?? []
    return all.sorted()
  }

  @Test("A file becomes a file beside it, with all pages, their sizes and colours")
  func besideIt() throws {
    let result = try tool.run("convert", path("page.xopp"), "--to", "pdf", "--unread")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output == path("page.pdf") + "\n")
    let text = String(decoding: try bytes("page.pdf"), as: UTF8.self)
    #expect(text.components(separatedBy: "/MediaBox [0 0 200 100]").count == 3)
    #expect(names == ["page.pdf", "page.xopp"])
  }

  @Test("A folder becomes a folder, with the names below it; files without ink are left out")
  func folders() throws {
    try write(Self.page(1), "notes/a.xopp")
    try write(Self.page(1), "notes/deep/Ä $x 'q' \"r\".xopp")
    try write(Self.page(1), "notes/a.xoj")
    try write("no ink", "notes/readme.txt")
    let result = try tool.run(
      "convert", path("notes"), "--to", "pdf", "--unread", "--output", path("out"))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("1 file without ink left out"))
    #expect(
      names.filter { $0.hasSuffix(".pdf") } == [
        "out/a.pdf", "out/a.xopp.pdf", "out/deep/Ä $x 'q' \"r\".pdf",
      ])
  }

  @Test("A stored notebook of a reMarkable tablet is one document, with all its pages")
  func notebooks() throws {
    // Pages of version 5 with one layer of one stroke of two points.
    func page(_ x: Float) -> Data {
      var data = Data("reMarkable .lines file, version=5".utf8)
      data += Data(repeating: 0x20, count: 43 - data.count)
      for value: UInt32 in [
        1, 1, 17, 0, 0, Float(2).bitPattern, 0, 2,
        x.bitPattern, Float(20).bitPattern, 0, 0, Float(3).bitPattern, Float(0.5).bitPattern,
        (x + 9).bitPattern, Float(30).bitPattern, 0, 0, Float(3).bitPattern, Float(0.5).bitPattern,
      ] {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
      }
      return data
    }
    try write(#"{"fileType":"notebook","pages":["p1","p2"],"pageCount":2}"#, "tablet/id.content")
    try write("", "tablet/id/none")
    // A page on its own, in a folder without a notebook.
    try write("", "tablet/other/none")
    for (name, x) in [("id/p1.rm", Float(10)), ("id/p2.rm", 50), ("other/p3.rm", 90)] {
      try page(x).write(to: folder.appendingPathComponent("tablet/" + name))
    }
    let result = try tool.run(
      "convert", path("tablet"), "--to", "pdf", "--unread", "--output", path("out"))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      names.filter { $0.hasSuffix(".pdf") } == ["out/id.pdf", "out/other/p3.pdf"])
    let text = String(decoding: try bytes("out/id.pdf"), as: UTF8.self)
    #expect(text.components(separatedBy: "/MediaBox").count == 3)
  }

  @Test("Files of one name get names of their own")
  func equalNames() throws {
    for folder in ["one", "two", "three"] { try write(Self.page(1), "\(folder)/note.xopp") }
    let result = try tool.run(
      ["convert"] + ["one", "two", "three"].map { path("\($0)/note.xopp") }
        + ["--to", "pdf", "--unread", "--output", path("out")])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      names.filter { $0.hasSuffix(".pdf") }
        == ["out/note.pdf", "out/note.xopp-2.pdf", "out/note.xopp.pdf"])
  }

  @Test("Ink that is too far away, and pictures that are too large, are errors")
  func tooFar() throws {
    try write(Self.page(1).replacingOccurrences(of: "30 40", with: "1e40 40"), "far.xopp")
    let far = try tool.run("convert", path("far.xopp"), "--to", "pdf", "--unread")
    #expect(far.exitCode == 2 && far.errors.contains("within 10^9 mm"), "\(far.errors)")
    try write(Self.page(1), "one.xopp")
    let large = try tool.run("convert", path("one.xopp"), "--to", "png", "--dpi", "1e300")
    #expect(large.exitCode != 0 && large.errors.contains("error"), "\(large.errors)")
  }

  @Test("Standard output has a JIIX document, of one page")
  func jiix() throws {
    try write(Self.page(1), "one.xopp")
    let one = try tool.run("convert", path("one.xopp"), "--to", "jiix", "--output", "-")
    #expect(one.exitCode == 0, "\(one.errors)")
    #expect(one.output.hasPrefix("{"))
    let two = try tool.run("convert", path("page.xopp"), "--to", "jiix", "--output", "-")
    #expect(two.exitCode == 2 && two.errors.contains("expected one page for jiix"))
  }

  @Test("A damaged file does not stop the others, and the exit code tells")
  func damaged() throws {
    try write(Self.page(1), "notes/a.xopp")
    try write("<xournal><page><layer><stroke tool=\"pen\">1 2 x</stroke>", "notes/b.xopp")
    try write(Self.page(1), "notes/c.xopp")
    let result = try tool.run(
      "convert", path("notes"), "--to", "pdf", "--unread", "--output", path("out"))
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("b.xopp"))
    #expect(names.filter { $0.hasSuffix(".pdf") } == ["out/a.pdf", "out/c.pdf"])
    #expect(!names.contains { $0.hasSuffix(".partial") })
  }

  @Test("Pictures of several pages are numbered files")
  func pictures() throws {
    let result = try tool.run("convert", path("page.xopp"), "--output", path("p.svg"))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(names == ["p-1.svg", "p-2.svg", "page.xopp"])
    let svg = String(decoding: try bytes("p-1.svg"), as: UTF8.self)
    #expect(svg.contains("stroke=\"#FF0000\"") && svg.contains("stroke=\"#0000FF\""))
    let refused = try tool.run("convert", path("page.xopp"), "--to", "svg", "--output", "-")
    #expect(refused.exitCode == 2 && refused.errors.contains("expected one page for svg"))
  }

  @Test("Standard output has the file alone")
  func standardOutput() throws {
    try write(Self.page(1), "one.xopp")
    let result = try tool.run(
      "convert", path("one.xopp"), "--to", "svg", "--output", "-", "--unread")
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("<?xml") && result.output.hasSuffix("</svg>\n"))
    #expect(names == ["one.xopp", "page.xopp"])
  }

  @Test(
    "What is not possible is an error that says what is",
    arguments: [
      (["--to", "doc"], "expected pdf, png, jpeg"), (["--to", "jp2"], "jpeg, svg"),
      (["--output", "x.foo"], "found foo"), ([], "--to: expected pdf"),
      (["--to", "pdf", "--scale", "0"], "--scale"), (["--to", "png", "--dpi", "-1"], "--dpi"),
      (["--to", "text", "--unread"], "--unread: text is made of what is read"),
    ])
  func impossible(arguments: [String], expected: String) throws {
    let result = try tool.run(["convert", path("page.xopp")] + arguments)
    #expect(result.exitCode == 2)
    #expect(result.errors.contains(expected), "\(result.errors)")
    #expect(names == ["page.xopp"])
  }

  @Test("Ink that is not there, and places that cannot be, are errors")
  func places() throws {
    let missing = try tool.run("convert", path("none.xopp"), "--to", "pdf")
    #expect(missing.exitCode == 2 && missing.errors.contains("there is no such file"))
    try write("text", "empty/readme.txt")
    let empty = try tool.run("convert", path("empty"), "--to", "pdf")
    #expect(empty.exitCode == 2 && empty.errors.contains("found none"))
    try write(Self.page(1), "b.xopp")
    let one = try tool.run(
      "convert", path("page.xopp"), path("b.xopp"), "--to", "pdf", "--output", path("page.xopp"))
    #expect(one.exitCode == 2 && one.errors.contains("expected a folder"))
    let before = try bytes("page.xopp")
    try write("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M1 2 3 4\"/></svg>", "d.svg")
    let itself = try tool.run("convert", path("d.svg"), "--to", "svg")
    #expect(itself.exitCode == 2 && itself.errors.contains("is the ink itself"))
    #expect(try bytes("page.xopp") == before)
    let data = try tool.run("convert", "starter:shapes?limit=1", "--to", "pdf", "--unread")
    #expect(data.exitCode == 2 && data.errors.contains("--output"))
  }

  @Test("A full disk leaves no half of a file, and the old one as it was")
  func fullDisk() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try tool.run(
      "convert", path("page.xopp"), "--to", "pdf", "--unread", "--output", "/dev/full")
    #expect(result.exitCode == 1)
    #expect(names == ["page.xopp"])
  }

  @Test("Data of any format is converted, and labels are the text of ink that is read")
  func data() throws {
    let result = try tool.run(
      "convert", "starter:words?limit=2", "--model", "latin-lines", "--to", "jsonl", "--output",
      path("read.jsonl"))
    #expect(result.exitCode == 0, "\(result.errors)")
    let lines = String(decoding: try bytes("read.jsonl"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\"label\":\"") })
    let text = try tool.run(
      "convert", "starter:words?limit=2", "--model", "latin-lines", "--to", "text", "--output", "-")
    #expect(text.exitCode == 0 && !text.output.isEmpty)
  }

  @Test("A document becomes what the ending of its file says")
  func document() throws {
    _ = try tool.run("doc", "new", path("d.ductusdoc"))
    _ = try tool.run("doc", "add", path("d.ductusdoc"), path("page.xopp"))
    for (name, start) in [
      ("d.pdf", "%PDF"), ("d.html", "<!DOCTYPE"), ("d.docx", "PK"), ("d.odt", "PK"),
      ("d.svg", "<?xml"), ("d.jiix", "{"),
    ] {
      let result = try tool.run("doc", "export", path("d.ductusdoc"), "--output", path(name))
      #expect(result.exitCode == 0, "\(name): \(result.errors)")
      #expect(try bytes(name).starts(with: Data(start.utf8)), "\(name)")
    }
    let refused = try tool.run(
      "doc", "export", path("d.ductusdoc"), "--output", path("d.foo"))
    #expect(refused.exitCode == 2)
    #expect(refused.errors.contains("pdf, png, jpeg, svg, text"))
    let old = try tool.run(
      "doc", "export", path("d.ductusdoc"), "--format", "svg", "--output", "-")
    #expect(old.exitCode == 0 && old.output.hasPrefix("<?xml"))
  }

  @Test("Pages of one file and another file that ends in a number keep apart")
  func pagesBesideFiles() throws {
    try write(Self.page(2), "n/a.xopp")
    try write(Self.page(1), "n/a-1.xopp")
    try write(Self.page(2), "n/b.xopp")
    let result = try tool.run("convert", path("n"), "--to", "svg", "--output", path("out"))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      names.filter { $0.hasPrefix("out/") } == [
        "out/a-1.svg", "out/a.xopp-1.svg", "out/a.xopp-2.svg", "out/b-1.svg", "out/b-2.svg",
      ])
  }

  @Test("JIIX is read by the model that is named, and one that is not there is an error")
  func jiixModel() throws {
    try write(Self.page(1), "one.xopp")
    let missing = try tool.run(
      "convert", path("one.xopp"), "--to", "jiix", "--model", "no-such-model")
    #expect(missing.exitCode == 2 && missing.errors.contains("no-such-model"), "\(missing.errors)")
    let other = try tool.run("convert", path("one.xopp"), "--to", "jiix", "--language", "xx-XX")
    #expect(other.exitCode == 2 && other.errors.contains("xx-XX"), "\(other.errors)")
    let named = try tool.run(
      "convert", "starter:words?limit=1", "--to", "jiix", "--model", "latin-lines", "--output", "-")
    #expect(named.exitCode == 0 && named.output.contains("\"words\""), "\(named.errors)")
  }

  @Test("Pages and blocks of a document are chosen")
  func pagesOfDocument() throws {
    _ = try tool.run("doc", "new", path("d.ductusdoc"))
    _ = try tool.run("doc", "add", path("d.ductusdoc"), path("page.xopp"))
    func mediaBoxes(_ arguments: String...) throws -> Int {
      let result = try tool.run(
        ["doc", "export", path("d.ductusdoc"), "--output", path("d.pdf")] + arguments)
      #expect(result.exitCode == 0, "\(result.errors)")
      let text = String(decoding: try bytes("d.pdf"), as: UTF8.self)
      return text.components(separatedBy: "/MediaBox").count - 1
    }
    let all = try mediaBoxes()
    #expect(all >= 1)
    #expect(try mediaBoxes("--pages", "1") == 1)
    #expect(try mediaBoxes("--pages", "1,1-") == all + 1)
    let far = try tool.run(
      "doc", "export", path("d.ductusdoc"), "--output", path("d.pdf"), "--pages", "\(all + 1)")
    #expect(far.exitCode == 2 && far.errors.contains("expected pages from 1 to \(all)"))
    for wrong in ["0", "3-2", "a", ""] {
      let result = try tool.run(
        "doc", "export", path("d.ductusdoc"), "--output", path("d.pdf"), "--pages", wrong)
      #expect(result.exitCode == 2)
    }
    let jiix = try tool.run("doc", "export", path("d.ductusdoc"), "--to", "jiix", "--output", "-")
    let id = try #require(jiix.output.range(of: #""id":"[^"]+","#, options: .regularExpression))
    #expect(!id.isEmpty)
    let block = try tool.run(
      "doc", "export", path("d.ductusdoc"), "--to", "svg", "--output", "-", "--block", "nothing")
    #expect(block.exitCode == 2 && block.errors.contains("--block nothing"))
  }

  @Test("A PDF of another program beside the ink is replaced only if it is named")
  func foreignPDF() throws {
    let foreign = Data("%PDF-1.4 of another program".utf8)
    try foreign.write(to: folder.appendingPathComponent("page.pdf"))
    let refused = try tool.run("convert", path("page.xopp"), "--to", "pdf", "--unread")
    #expect(refused.exitCode == 2)
    #expect(refused.errors.contains("is a PDF of another program"), "\(refused.errors)")
    #expect(try bytes("page.pdf") == foreign)
    let named = try tool.run(
      "convert", path("page.xopp"), "--unread", "--output", path("page.pdf"))
    #expect(named.exitCode == 0, "\(named.errors)")
    #expect(try bytes("page.pdf") != foreign)
    let again = try tool.run("convert", path("page.xopp"), "--to", "pdf", "--unread")
    #expect(again.exitCode == 0, "\(again.errors)")
  }

  @Test("Ctrl-C leaves no half file")
  func interrupted() throws {
    try write(Self.page(4000), "long.xopp")
    let process = Process()
    process.executableURL = tool.url
    process.arguments = ["convert", path("long.xopp"), "--to", "pdf", "--unread"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // Until the file is begun, or the program was faster.
    let deadline = Date().addingTimeInterval(20)
    while process.isRunning, Date() < deadline,
      !names.contains(where: { $0.hasSuffix(".partial") })
    { usleep(1000) }
    if process.isRunning { kill(process.processIdentifier, SIGINT) }
    process.waitUntilExit()
    #expect(!names.contains { $0.hasSuffix(".partial") })
    #expect(
      process.terminationStatus == 130 && !names.contains("long.pdf")
        || process.terminationStatus == 0)
  }
}
