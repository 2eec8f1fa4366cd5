import Evaluation
import Foundation
import InkCore
import InkDatasets
import Reports
import TestSamples
import Testing

@Suite("Models on disturbed ink")
struct RobustnessTests {
  /// Right on inks of 9 points, wrong on inks of 5, which lost half of their points.
  private static let recognizer = TableRecognizer(
    labels: ["a", "b"], answers: [9: [("a", 0.9)], 5: [("b", 0.9)]])

  private func robustness(_ points: [Int]) throws -> Robustness {
    try TemporaryInk.with(points.map { TemporaryInk.line($0, label: "a") }, extraLines: ["no"]) {
      try Robustness(glyphs: Self.recognizer, on: [$0])
    }
  }

  @Test("Errors are counted for each disturbance and for unchanged ink")
  func figures() throws {
    let figures = try robustness([9, 9, 9, 5]).figures
    #expect(figures["asWritten"] == 0.25)
    #expect(figures["halfRate"] == 1)
    #expect(figures["tiny"] == 0.25 && figures["backward"] == 0.25)
    #expect(figures["lateDots"] == nil)
    #expect(Set(figures.keys).isSubset(of: Robustness.order))
    #expect(figures.count == 1 + InkDisturbance.all(of: .glyphs).count)
    #expect(try robustness([]).figures.isEmpty)
  }

  @Test("The page shows each disturbance with its cost and an ink")
  func page() throws {
    let evaluation = try TemporaryInk.with([TemporaryInk.line(9, label: "a")]) {
      try GlyphEvaluation(Self.recognizer, on: [$0])
    }
    let summary = EvaluationSummary(
      evaluation, model: "m.ductus", data: ["ink:a.jsonl"], modelBytes: 1, peakResidentBytes: nil)
    let plain = try EvaluationReport(evaluation, summary: summary).html()
    #expect(!plain.contains("Disturbed ink"))
    let page = try EvaluationReport(
      evaluation, summary: summary, robustness: robustness([9, 9, 9, 5])
    ).html()
    for text in ["Disturbed ink", "half of the points", "+75.00 points", "25.00\u{202F}%"] {
      #expect(page.contains(text), "\(text) is missing")
    }
    let section = page.components(separatedBy: #"id="robustness""#)
    #expect(section.count == 2)
    #expect(
      section[1].components(separatedBy: "<svg").count == 2 + InkDisturbance.all(of: .glyphs).count)
  }
}
