import Evaluation
import Foundation
import InkCore
import InkDatasets
import Recognition
import TestSamples
import Testing

@Suite("The answer to each ink of an evaluation")
struct PredictionTests {
  private static let recognizer = TableRecognizer(
    labels: ["a", "b"],
    answers: [1: [("a", 0.75), ("b", 0.25)], 2: [("b", 1), ("a", 0)]], refuses: [3])

  private func predictions(
    _ records: [LabeledInk], extraLines: [String] = []
  ) throws -> (all: [Prediction], evaluation: GlyphEvaluation) {
    var all: [Prediction] = []
    let evaluation = try TemporaryInk.with(records, extraLines: extraLines) { data in
      try GlyphEvaluation(Self.recognizer, on: [data, data], keep: { all.append($0) })
    }
    return (all, evaluation)
  }

  @Test("Records are numbered over all data; those that cannot be read have no number")
  func numbers() throws {
    let found = try predictions(
      [TemporaryInk.line(1, label: "a"), TemporaryInk.line(3, label: "b")], extraLines: ["{"])
    #expect(found.all.map(\.index) == [0, 1, 2, 3])
    #expect(found.all.map(\.label) == ["a", "b", "a", "b"])
    #expect(found.evaluation.malformed == 2)
    #expect(found.all[1].candidates.isEmpty, "a refused ink has no candidate")
  }

  @Test("The answers give the accuracy of the evaluation")
  func agrees() throws {
    let found = try predictions(
      (0..<30).map { TemporaryInk.line(1 + $0 % 3, label: $0 % 4 == 0 ? "b" : "a") })
    let right = found.all.count { $0.candidates.first?.text == $0.label }
    #expect(right > 0 && right < found.all.count)
    #expect(Double(right) / Double(found.all.count) == found.evaluation.accuracy(at: 1))
  }

  @Test("A line of the file has every key, and null for a score or language that is unknown")
  func line() throws {
    let certain = Prediction(
      index: 7, label: "a/b", candidates: [.init(text: "\"a\"", score: -0.5)], language: "de")
    #expect(
      String(decoding: try certain.line(), as: UTF8.self)
        == #"{"candidates":[{"score":-0.5,"text":"\"a\""}],"index":7,"label":"a/b","language":"de"}"#
        + "\n")
    let impossible = Prediction(
      index: 0, label: "", candidates: [.init(text: "x", score: -.infinity)])
    let text = String(decoding: try impossible.line(), as: UTF8.self)
    #expect(
      text == #"{"candidates":[{"score":null,"text":"x"}],"index":0,"label":"","language":null}"#
        + "\n")
    #expect(try JSONDecoder().decode(Prediction.self, from: impossible.line()) == impossible)
  }

  @Test("The network alone gives one candidate without a score; the search gives scores")
  func lines() throws {
    let recognizer = try SmallModels.untrainedLines()
    let ink = TemporaryInk.line(60, label: "  an\tink ")
    for reading in [LineEvaluation.Reading.greedy, .beam] {
      var all: [Prediction] = []
      try TemporaryInk.with([ink]) { data in
        _ = try LineEvaluation(recognizer, on: [data], reading: reading, keep: { all.append($0) })
      }
      let only = try #require(all.first)
      #expect(only.label == "an ink" && all.count == 1)
      switch reading {
      case .greedy: #expect(only.candidates.map(\.score) == [nil])
      case .beam: #expect(only.candidates.allSatisfy { ($0.score ?? 1) <= 0 })
      }
    }
  }
}
