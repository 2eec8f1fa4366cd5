import Foundation
import InkSearch
import Testing

@Suite(
  "Several processes with one index of notes",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class NotesProcessesTests {
  let tool: BuiltTool
  let base: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    base = FileManager.default.temporaryDirectory
      .appendingPathComponent("notes-processes-\(UUID().uuidString)")
    for folder in ["one", "two"] {
      let url = base.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for number in 0..<20 {
        let text = """
          <xournal><page width="200" height="100"><layer>
          <text x="9" y="9" size="12">\(folder) \(number)</text></layer></page></xournal>
          """
        try Data(text.utf8).write(to: url.appendingPathComponent("\(number).xopp"))
      }
    }
  }

  deinit { try? FileManager.default.removeItem(at: base) }

  private var index: URL { base.appendingPathComponent("index.sqlite") }

  private func indexed(_ folder: String) throws -> BuiltTool.Result {
    try tool.run(
      "notes", "index", base.appendingPathComponent(folder).path, "--index", index.path)
  }

  @Test("While a process writes the index, another is told so, and a third can search")
  func busy() throws {
    #expect(try indexed("one").exitCode == 0)
    let held = try InkIndex(at: index, isWritten: true)
    let refused = try indexed("two")
    #expect(refused.exitCode == 1 && refused.errors.contains("another process writes the index"))
    let found = try tool.run("notes", "search", "one", "--index", index.path)
    #expect(found.exitCode == 0 && found.output.contains("one"), "\(found.errors)")
    withExtendedLifetime(held) {}
  }

  @Test("Two processes that start at once leave a sound index")
  func atOnce() async throws {
    let (tool, path) = (tool, index.path)
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for folder in ["one", "two"] {
        let folder = base.appendingPathComponent(folder).path
        group.addTask {
          try tool.run("notes", "index", folder, "--index", path).exitCode
        }
      }
      return try await group.reduce(into: [Int32]()) { $0.append($1) }
    }
    #expect(codes.contains(0) && Set(codes).isSubset(of: [0, 1]))
    for folder in ["one", "two"] { #expect(try indexed(folder).exitCode == 0) }
    let index = try InkIndex(at: index)
    #expect(try index.faults() == [])
    #expect(try index.pageCount() == 40)
  }
}
