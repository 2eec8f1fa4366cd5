import Foundation
import Testing

@Suite(
  "Searchable PDF files beside watched notebooks",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class SearchablePDFTests {
  let tool: BuiltTool
  let base: URL
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    base = FileManager.default.temporaryDirectory
      .appendingPathComponent("searchable-\(UUID().uuidString)")
    folder = base.appendingPathComponent("notes")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: base) }

  private func write(_ name: String, pages: Int) throws {
    let page = """
      <page width="200" height="100"><layer>
      <stroke tool="pen" color="#ff0000ff" width="1.5">20 20 30 40</stroke></layer></page>
      """
    let text = "<xournal>" + String(repeating: page, count: pages) + "</xournal>"
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func pages(of name: String) -> Int? {
    guard let bytes = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
    return String(decoding: bytes, as: UTF8.self).components(separatedBy: "/MediaBox").count - 1
  }

  /// Waits at most a minute; a loaded machine may need some seconds.
  private func wait(_ what: String, until isTrue: () -> Bool) throws {
    let end = Date().addingTimeInterval(60)
    while !isTrue() {
      guard Date() < end else { throw Late(what: what) }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  private struct Late: Error { var what: String }

  @Test("Each notebook has a PDF that follows its changes, and Ctrl-C ends the watch")
  func follows() throws {
    try write("lecture.xopp", pages: 1)
    try write("lecture.xoj", pages: 3)
    try Data("no notes".utf8).write(to: folder.appendingPathComponent("broken.xopp"))
    let foreign = Data("%PDF-1.4 of another program".utf8)
    try write("taken.xopp", pages: 1)
    let taken = folder.appendingPathComponent("taken-searchable.pdf")
    try foreign.write(to: taken)
    // Two files that are written in one tick of the clock have one time.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: taken.path)
    let result = try tool.run(
      [
        "notes", "watch", folder.path, "--pdf", "--every", "1", "--index",
        base.appendingPathComponent("index.sqlite").path,
      ]
    ) { process in
      try wait("a PDF for each notebook") {
        pages(of: "lecture-searchable.pdf") == 3 && pages(of: "lecture.xopp-searchable.pdf") == 1
      }
      try write("lecture.xoj", pages: 2)
      try wait("the changed PDF") { pages(of: "lecture-searchable.pdf") == 2 }
      try write("new.xopp", pages: 1)
      try wait("the PDF of a new notebook") { pages(of: "new-searchable.pdf") == 1 }
      kill(process, SIGINT)
    }
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      try Data(contentsOf: folder.appendingPathComponent("taken-searchable.pdf")) == foreign)
    // Each problem is said once for a change, not at every look.
    #expect(result.errors.components(separatedBy: "broken.xopp:").count == 2, "\(result.errors)")
    #expect(
      result.errors.components(separatedBy: "is a PDF of another program").count == 2,
      "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasSuffix(".pdf") }.count == 4, "\(names)")
  }

  @Test("A second watch writes nothing that is up to date")
  func upToDate() throws {
    try write("a.xopp", pages: 1)
    let arguments = [
      "notes", "watch", folder.path, "--pdf", "--every", "1", "--index",
      base.appendingPathComponent("index.sqlite").path,
    ]
    let first = try tool.run(arguments) { process in
      try wait("the PDF") { pages(of: "a-searchable.pdf") == 1 }
      kill(process, SIGTERM)
    }
    #expect(first.output.contains("a-searchable.pdf"))
    let second = try tool.run(arguments) { process in
      Thread.sleep(forTimeInterval: 3)
      kill(process, SIGTERM)
    }
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(!second.output.contains("a-searchable.pdf"), "\(second.output)")
  }
}
