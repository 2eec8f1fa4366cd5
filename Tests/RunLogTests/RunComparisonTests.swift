import RunLog
import Testing

@Suite("Comparing training runs")
struct RunComparisonTests {
  @Test("A comparison has the settings that differ and the figures at the same epochs")
  func settingsAndCurve() throws {
    let first = RunSamples.logged(
      try RunSamples.run(epochs: 12), cer: (0..<12).map { 1 / Double(2 << $0) })
    let second = RunSamples.logged(
      try RunSamples.run(seed: 2, epochs: 3), cer: [0.5, 0.5, 0.5])
    let comparison = RunComparison([first, second])
    #expect(comparison.sharesTraining && comparison.sharesValidation && comparison.sharesKind)
    #expect(comparison.circumstances.isEmpty)
    #expect(comparison.settings.map(\.name) == ["epochs", "seed"])
    #expect(comparison.settings.map(\.values) == [["12", "3"], ["1", "2"]])
    #expect(comparison.curve.map(\.epoch) == [0, 1, 2, 4, 9, 11])
    #expect(
      comparison.curve.map { $0.figures[1] == nil } == [false, false, false, true, true, true])
    #expect(comparison.curve.last?.figures == [1.0 / 4096, nil])
    #expect(RunComparison([first, RunSamples.logged(first.run, cer: [])]).settings.isEmpty)
  }

  @Test("Differences of data, machines, versions and kinds are reported")
  func circumstances() throws {
    let first = RunSamples.logged(try RunSamples.run(), cer: [0.5])
    var other = RunSamples.logged(try RunSamples.run(data: "e", kind: .glyphs), cer: [0.5])
    other.run.host = "elsewhere"
    other.run.version = "2"
    let comparison = RunComparison([first, other])
    #expect(!comparison.sharesTraining && comparison.sharesValidation && !comparison.sharesKind)
    #expect(
      comparison.circumstances.map(\.name) == ["kind", "training data", "machine", "version"])
    #expect(comparison.circumstances[1].values == ["ink:d.jsonl", "ink:e.jsonl"])
    #expect(comparison.curve.isEmpty, "figures of two kinds are in no common table")
  }
}
