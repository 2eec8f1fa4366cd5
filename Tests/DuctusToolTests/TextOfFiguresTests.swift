import DuctusTool
import Evaluation
import Foundation
import InkCore
import Recognition
import RunLog
import Testing
import Training

@Suite("Figures as text")
struct TextOfFiguresTests {
  @Test("Columns of labels and confusions are aligned, for labels of any length")
  func labels() throws {
    var summary = EvaluationSummary(
      model: "m", data: [], dataHash: "", samples: 3, modelBytes: 1000)
    let long = "a label of many characters"
    summary.labels = [
      EvaluationSummary.LabelFigures(label: long, samples: 2, recall: 0.5, precision: 1),
      EvaluationSummary.LabelFigures(label: "b", samples: 100, recall: 0.05, precision: 1),
    ]
    summary.confusions = [
      EvaluationSummary.Confusion(label: long, predicted: "b", count: 1),
      EvaluationSummary.Confusion(label: "b", predicted: long, count: 95),
    ]
    let lines = EvaluationText(summary).text.split(separator: "\n").map(String.init)
    let tables = lines.drop { !$0.hasPrefix("label ") }
    #expect(tables.count == 6)
    #expect(Set(tables.prefix(3).map(\.count)).count == 1, "\(tables)")
    #expect(Set(tables.suffix(3).map(\.count)).count == 1, "\(tables)")
  }

  @Test("A page is printed line by line, in its best reading; other ink with all candidates")
  func readings() {
    var result = RecognitionResult(candidates: [
      RecognitionCandidate(text: "one\ntwo", score: -0.1),
      RecognitionCandidate(text: "on\ntwo", score: -2),
    ])
    #expect(Recognize.line(3, result, showsLanguage: false) == "3  2 lines\none\ntwo")
    result = RecognitionResult(candidates: [
      RecognitionCandidate(text: "one", score: log(0.75)),
      RecognitionCandidate(text: "on", score: log(0.25)),
    ])
    #expect(Recognize.line(0, result, showsLanguage: false) == "0  one 75.0 %   on 25.0 %")
  }

  @Test("Counts of one have no plural")
  func plurals() {
    #expect(TrainingConsole.writers(1) == " of 1 writer")
    #expect(TrainingConsole.writers(2) == " of 2 writers" && TrainingConsole.writers(nil) == "")
  }

  @Test("A list of runs has 80 columns, and distinguishes equal names by their folders")
  func runs() throws {
    func run(_ output: String, _ kind: RunKind = .glyphs) throws -> LoggedRun {
      var run = try RunRecord(
        kind, output: URL(fileURLWithPath: output), command: "", settings: ["epochs": 100],
        epochs: 100, data: ([], []), hashes: ("t", "v"), workers: 1, blas: "", version: "1")
      let figures = RunEpoch.Figures(
        epoch: 0, trainingLoss: 1, validationAccuracy: 0.5, validationLoss: 1, rate: 1)
      run.keptEpoch = 0
      return LoggedRun(run: run, epochs: [RunEpoch(figures: figures, seconds: 1)])
    }
    let plain = RunText.list([try run("/x/one.ductus"), try run("/x/one.ductus")])
    #expect(plain.count == 3 && plain[1].contains(" one.ductus") && !plain[1].contains("x/one"))
    let name = "a-model-of-a-name-that-takes-many-columns.ductus"
    let lines = RunText.list([
      try run("/a/one.ductus"), try run("/b/one.ductus"), try run("/c/\(name)", .language),
    ])
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines[1].contains(" a/one.ductus") && lines[2].contains(" b/one.ductus"))
    #expect(lines[3].contains("umns.ductus") && lines[3].contains(" bits"))
  }
}
