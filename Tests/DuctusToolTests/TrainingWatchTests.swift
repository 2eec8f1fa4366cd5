import DuctusTool
import Foundation
import InkCore
import Testing
import Training

/// The file of `--watch`, by the class that writes it.
@Suite("The progress of a training in a file") struct TrainingWatchTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-watch-\(UInt64.random(in: 0 ... .max))")
    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  }

  private func read(_ path: String) throws -> TrainingWatch.Content {
    try JSONDecoder().decode(
      TrainingWatch.Content.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func progress(_ step: Int, loss: Double = 1) -> TrainingProgress {
    TrainingProgress(step: step, steps: 5000, epoch: 0, epochs: 3, samples: 8, loss: loss)
  }

  private func makeWatch(_ path: String, isResumed: Bool = false) throws -> TrainingWatch {
    try TrainingWatch(path: path, isResumed: isResumed) { Issue.record("\($0)") }
  }

  @Test("Losses are thinned to at most 500 that cover all steps and keep their mean")
  func thinned() throws {
    let folder = try Folder()
    let watch = try makeWatch(folder.path("w.json"))
    for step in 1...4096 {
      watch.step(progress(step, loss: Double(step)), loss: 1, rate: 2, remaining: 3)
    }
    let losses = watch.content.losses
    #expect(losses.count <= TrainingWatch.mostLosses && losses.count > 200)
    #expect(losses.last?.step == 4096)
    // Each value is the mean of the steps up to its own.
    let size = watch.content.stepsPerLoss
    for loss in losses { #expect(loss.loss == Double(loss.step) - Double(size - 1) / 2) }
  }

  @Test("Only the owner can read the file, and it is complete after each write")
  func mode() throws {
    let folder = try Folder()
    let path = folder.path("w.json")
    let watch = try makeWatch(path)
    #expect(try read(path).phase == .reading)
    watch.misread(
      [
        MisreadSample(
          index: 3, label: "a", read: "b", confidence: 0.5, edits: 1,
          strokes: [.init(x: [0, 1], y: [2, 3])])
      ], inEpoch: 1)
    watch.finishEpoch()
    let content = try read(path)
    #expect(content.worstErrorsEpoch == 1 && content.worstErrors.first?.strokes.first?.y == [2, 3])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["w.json"])
  }

  @Test("A resumed run keeps the losses before its checkpoint and drops those that it repeats")
  func resumed() throws {
    let folder = try Folder()
    let path = folder.path("w.json")
    let first = try makeWatch(path)
    for step in 1...20 { first.step(progress(step, loss: 1), loss: 1, rate: 1, remaining: 1) }
    first.begin(.stopped)
    let second = try makeWatch(path, isResumed: true)
    second.step(progress(11, loss: 7), loss: 1, rate: 1, remaining: 1)
    #expect(second.content.losses.map(\.step) == Array(1...11))
    #expect(second.content.losses.last?.loss == 7)
    let fresh = try makeWatch(path)
    #expect(fresh.content.losses.isEmpty)
  }

  @Test("A place that cannot be written is refused at once, a later failure is told once")
  func unwritable() throws {
    let folder = try Folder()
    #expect(throws: ToolError.self) { try makeWatch(folder.path("none/w.json")) }
    let inner = folder.url.appendingPathComponent("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    var warnings = 0
    let watch = try TrainingWatch(
      path: inner.appendingPathComponent("w.json").path, isResumed: false
    ) { _ in warnings += 1 }
    try FileManager.default.removeItem(at: inner)
    watch.finishEpoch()
    watch.finishEpoch()
    #expect(warnings == 1)
  }

  @Test(
    "A watched run writes the same weights as another, its errors, and its exit code",
    .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
  func sameBits() throws {
    let tool = try #require(BuiltTool.found)
    let folder = try Folder()
    try SyntheticInk.write(SyntheticInk.records(count: 240), to: folder.path("ink.jsonl"))
    func train(_ name: String, _ more: [String]) throws -> BuiltTool.Result {
      try tool.run(
        [
          "train", "glyphs", "--data", "ink:\(folder.path("ink.jsonl"))", "--output",
          folder.path(name), "--preset", "small", "--batch-size", "32", "--epochs", "2",
        ] + more, environment: ["DUCTUS_EXIT_NOTE": folder.path("\(name).end")])
    }
    func weights(_ name: String) throws -> Data {
      try Data(contentsOf: folder.url.appendingPathComponent("\(name)/network.safetensors"))
    }
    let plain = try train("plain.ductus", [])
    let watched = try train("watched.ductus", ["--watch", folder.path("w.json")])
    #expect(plain.exitCode == 0 && watched.exitCode == 0, "\(plain.errors)\(watched.errors)")
    #expect(try weights("plain.ductus") == weights("watched.ductus"))
    let content = try read(folder.path("w.json"))
    #expect(content.phase == .finished && content.step == content.steps && content.epochs == 2)
    #expect(content.losses.count == content.steps && content.worstErrorsEpoch == 1)
    #expect(content.notes.contains { $0.hasPrefix("training: ") })
    let end = try String(contentsOfFile: folder.path("watched.ductus.end"), encoding: .utf8)
    #expect(end == "code 0\n")
    let refused = try train("again.ductus", ["--watch", folder.path("none/w.json")])
    #expect(refused.exitCode == 2, "\(refused.errors)")
    let code = try String(contentsOfFile: folder.path("again.ductus.end"), encoding: .utf8)
    #expect(code == "code 2\n")
  }
}
