import Foundation
import InkCore
import InkEditor
import Testing

@Suite("The examples of the documentation")
struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let catalogue = folder.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/InkEditor/InkEditor.docc")

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("Each is compiled in this target, line by line", arguments: ["InkEditor.md", "Tasks.md"])
  func compiled(_ page: String) throws {
    let code = Self.lines(
      of: try String(
        contentsOf: Self.folder.appendingPathComponent("DocumentationExamples.swift"),
        encoding: .utf8))
    let text = try String(
      contentsOf: Self.catalogue.appendingPathComponent(page), encoding: .utf8)
    let snippets = text.components(separatedBy: "```swift\n").dropFirst()
      .map { Self.lines(of: $0.components(separatedBy: "\n```")[0]) }
    #expect(snippets.count == (page == "Tasks.md" ? 7 : 1))
    for snippet in snippets {
      #expect(code.contains(snippet), "\(snippet.first ?? "an empty example")")
    }
  }

  @Test("The topics of the reference have each public type once, and no other")
  func topics() throws {
    let sources = Self.catalogue.deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let declaration =
      /(?m)^public (?:final |indirect )*(?:struct|class|enum|protocol|actor|typealias) ([A-Za-z]+)/
    var types: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      types.formUnion(text.matches(of: declaration).map { String($0.output.1) })
    }
    let page = try String(
      contentsOf: Self.catalogue.appendingPathComponent("InkEditor.md"), encoding: .utf8)
    let topics = page.matches(of: /(?m)^- ``([A-Za-z]+)``$/).map { String($0.output.1) }
    #expect(types.count > 40)
    #expect(Set(topics).count == topics.count)
    #expect(types.subtracting(topics).sorted() == [])
    #expect(Set(topics).subtracting(types).sorted() == [])
  }

  @Test("Text is read, chosen, imported and exported")
  func text() async throws {
    let desk = try Desk()
    try desk.write("ab cd")
    try await exampleReadLines(desk.editor)
    try exampleChoose(desk.editor)
    #expect(try desk.text() == "AB cd")
    // The last candidates are both in capitals; the first is already chosen.
    #expect(try exampleImport(desk.editor) >= 1)
    let (text, jiix) = try await exampleExport(desk.editor)
    #expect(text == (try desk.text()) && text.hasSuffix("CD"))
    #expect(jiix.contains(#""chars":"#))
  }

  @Test("Ink is forced to a type and added as a block")
  func rawContent() throws {
    let desk = try Desk(type: "Raw Content")
    try desk.write("ab")
    try desk.editor.waitUntilIdle()
    try exampleForce(desk.editor)
    #expect(try desk.root.children.map(\.type) == [.drawing])
    #expect(try exampleImportInk(desk.editor).type == .drawing)
    #expect(try desk.root.items.count == 3)
  }

  @Test("A listener ends with its task")
  func listens() async throws {
    let desk = try Desk()
    let editor = desk.editor
    let task = Task { await exampleListen(editor) }
    try desk.write("ab")
    try await editor.becomeIdle()
    task.cancel()
    await task.value
  }
}
