import Foundation
import InkEditor
import Testing

@Suite("Exports that wait")
struct AwaitedExportTests {
  @Test("An export while ink is read waits for the whole text")
  func text() async throws {
    let desk = try Desk(delay: 1)
    try desk.write("abc")
    #expect(!desk.editor.isIdle)
    #expect(try await desk.editor.exportWhenIdle(as: .text) == "abc")
  }

  @Test("A file appears when all ink is read")
  func file() async throws {
    let desk = try Desk(delay: 1)
    try desk.write("abc")
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("awaited-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: url) }
    try await desk.editor.exportWhenIdle(to: url)
    #expect(try String(contentsOf: url, encoding: .utf8) == "abc")
  }

  @Test("What is wrong with the call is an error, and so is a task that is cancelled")
  func errors() async throws {
    let desk = try Desk(delay: 1)
    try desk.write("abc")
    let editor = desk.editor
    let task = Task { try await editor.exportWhenIdle(as: .text) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("a.foo")
    await #expect(throws: EditorError.self) { try await editor.exportWhenIdle(to: url) }
  }
}
