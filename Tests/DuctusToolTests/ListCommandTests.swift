import DuctusTool
import Foundation
import InkDatasets
import Testing

@Suite(
  "Lists of data and of documents",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct ListCommandTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("list-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Puts one file of $1, which has thousands, and one of Omniglot, where copies differ and one is
  /// enough, into the folder of all datasets.
  private func install() throws {
    for name in ["dollar1/a.xml", "omniglot/a_01.txt"] {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
  }

  @Test("data list has a line for each dataset, which says whether it is there")
  func table() throws {
    defer { remove() }
    try install()
    let environment = ["INK_DATASETS": folder.path]
    let listed = try tool.run(["data", "list"], environment: environment)
    #expect(listed.exitCode == 0 && listed.errors.isEmpty)
    let lines = listed.output.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("name") && lines[0].hasSuffix("there"))
    for dataset in try PublicDataset.all() {
      let own = lines.filter { $0.hasPrefix(dataset.folder + " ") }
      #expect(own.count == 1, "\(dataset.folder)")
      let state =
        switch dataset.folder {
        case "dollar1": "  in part"
        case "omniglot": "  yes"
        default: dataset.archives.isEmpty ? "  no, by hand" : "  no"
        }
      #expect(own.first?.hasSuffix(state) == true, "\(own)")
    }
    let widest = lines.prefix(1 + (try PublicDataset.all()).count).map(\.count).max() ?? 0
    #expect(widest <= 100)
    #expect(try tool.run(["data"], environment: environment).output == listed.output)
  }

  @Test("data list says the same as JSON, and no folder of datasets is no error")
  func json() throws {
    defer { remove() }
    try install()
    let result = try tool.run(
      ["data", "list", "--json", "-"], environment: ["INK_DATASETS": folder.path])
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(rows.count == (try PublicDataset.all()).count)
    let states = Dictionary(
      uniqueKeysWithValues: rows.map { ($0["name"] as? String ?? "", $0["state"] as? String) })
    #expect(states["dollar1"] == "incomplete" && states["omniglot"] == "present")
    #expect(states["unipen"] == "missing")
    let none = try tool.run(["data", "list"], environment: ["INK_DATASETS": "/no/such/folder"])
    #expect(none.exitCode == 0 && none.output.contains("unipen"))
  }

  @Test("data list NAME shows one dataset, and an unknown one is bad input")
  func details() throws {
    defer { remove() }
    let result = try tool.run(
      ["data", "list", "unipen"], environment: ["INK_DATASETS": folder.path])
    for word in ["licence", "citation", "unipen:FOLDER", "there     no, by hand"] {
      #expect(result.output.contains(word), "\(word)")
    }
    #expect(!result.output.contains("Omniglot"))
    let unknown = try tool.run("data", "list", "unipne")
    #expect(unknown.exitCode == 2 && unknown.errors.contains("unipne"))
  }

  @Test("doc list names the documents of a folder, and those that cannot be opened")
  func documents() throws {
    defer { remove() }
    let empty = try tool.run("doc", "list", folder.path)
    #expect(empty.exitCode == 0 && empty.output.contains("no document in"))
    let note = folder.appendingPathComponent("note.ductusdoc").path
    #expect(try tool.run("doc", "new", note).exitCode == 0)
    let ink = folder.appendingPathComponent("ink.jsonl").path
    try #"{"strokes":[{"x":[100,150],"y":[100,150]}]}"#.write(
      toFile: ink, atomically: true, encoding: .utf8)
    #expect(try tool.run("doc", "add", note, ink, "--unread").exitCode == 0)
    try Data("no document".utf8).write(to: folder.appendingPathComponent("bad.ductusdoc"))
    let listed = try tool.run("doc", "list", folder.path, "--json", "-")
    #expect(listed.exitCode == 0)
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["file"] as? String } == ["bad.ductusdoc", "note.ductusdoc"])
    #expect(rows.first?["error"] is String)
    #expect(rows.last?["strokes"] as? Int == 1 && rows.last?["parts"] as? [String] == ["Text"])
    let text = try tool.run("doc", "list", folder.path).output
    #expect(text.split(separator: "\n").count == 3)
    #expect(try tool.run("doc", "list", "/no/such/folder").exitCode == 2)
  }
}
