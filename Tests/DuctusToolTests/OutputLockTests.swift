import DuctusTool
import Foundation
import Testing

@Suite("One training run per output")
struct OutputLockTests {
  @Test("A second one is refused by name until the first has ended")
  func excludes() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-lock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = folder.appendingPathComponent("m.ductus").path
    do {
      let first = try OutputLock(of: output)
      let error = #expect(throws: ToolError.self) { try OutputLock(of: output) }
      #expect(error?.description.contains(output) == true)
      #expect(error?.code == .badInput)
      // Another output is another lock.
      _ = try OutputLock(of: folder.appendingPathComponent("n.ductus").path)
      withExtendedLifetime(first) {}
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    // The file of a killed process does not block others.
    try Data().write(to: URL(fileURLWithPath: output + ".lock"))
    _ = try OutputLock(of: output)
  }

  @Test(
    "Training takes it before it reads anything",
    .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
  func training() throws {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-locked-\(UUID().uuidString).ductus").path
    let lock = try OutputLock(of: output)
    let tool = try #require(BuiltTool.found)
    let run = try tool.run(
      "train", "glyphs", "--data", "starter:shapes?count=20", "--epochs", "1", "--no-log",
      "--output", output)
    #expect(run.exitCode == 2 && run.errors.contains("training run is writing it"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: output))
    withExtendedLifetime(lock) {}
  }
}
