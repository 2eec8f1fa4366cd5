import DuctusTool
import Testing
import Training

@Suite("--set")
struct ConfigurationChangeTests {
  private func changed(_ changes: String...) throws -> LineTrainingConfiguration {
    try ConfigurationChange.apply(
      changes.map { try #require(ConfigurationChange(argument: $0)) },
      to: LinePreset.base.configuration)
  }

  @Test("A path names one value, and all others stay")
  func values() throws {
    var expected = LinePreset.base.configuration
    expected.layers.dropout = 0.1
    expected.layers.hidden = [64, 32]
    expected.layers.stages[1].kernel = 9
    expected.layers.normalizes = true
    expected.layers.stride = 2
    #expect(
      try changed(
        "layers.dropout=0.1", "layers.hidden=[64, 32]", "layers.stages.1.kernel=9",
        "layers.normalizes=true", "layers.stride=2") == expected)
  }

  @Test(
    "Changes that do not fit are refused with their names",
    arguments: [
      ("nothing=1", "known are"), ("layers.nothing=1", "hidden"), ("layers.stages.7=1", "0 to 1"),
      ("layers.dropout.more=1", "no values below layers.dropout"), ("layers.dropout=much", "JSON"),
      ("layers.dropout=[1]", "type"), ("epochs=1.5", "type"), (".=1", "known are"),
    ])
  func refused(change: String, reason: String) throws {
    let error = #expect(throws: ToolError.self) { try changed(change) }
    #expect(error?.code == .badInput)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "no error")")
  }

  @Test(
    "Values out of range are refused before data is read",
    arguments: [
      ("peakRate=-1", "peakRate"), ("augmentation.maskedShare=2", "augmentation.maskedShare"),
      ("layers.hidden=[-4]", "layer"), ("layers.stride=0", "layers.stride"),
      ("layers.stride=9", "layers.stride"), ("pipeline.spacing=99", "features"),
    ])
  func outOfRange(change: String, name: String) throws {
    let command = try TrainLines.parse(
      ["--data", "ink:missing.jsonl", "--output", "missing.ductus", "--set", change])
    let error = #expect(throws: TrainingError.self) { try command.run() }
    guard case .unusableConfiguration(let found, _, _)? = error else {
      Issue.record("\(error.map(String.init(describing:)) ?? "no error")")
      return
    }
    #expect(found.contains(name))
  }

  @Test("An argument has a name and a value", arguments: ["", "a", "=1"])
  func malformed(argument: String) {
    #expect(ConfigurationChange(argument: argument) == nil)
  }
}
