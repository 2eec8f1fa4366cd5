import Evaluation
import Foundation
import InkCore
import InkDatasets
import Recognition
import Reports
import TestSamples
import Testing

@Suite("Comparing two models")
struct ModelComparisonTests {
  /// Inks of one to four points: the first model reads 1 and 2 correctly, the second 1 and 3.
  private static let first = TableRecognizer(
    labels: ["a", "b"],
    answers: [1: [("a", 0.9)], 2: [("a", 0.9)], 3: [("b", 0.8), ("a", 0.2)], 4: [("b", 0.6)]])
  private static let second = TableRecognizer(
    labels: ["a", "b"],
    answers: [1: [("a", 0.9)], 2: [("b", 0.7), ("a", 0.3)], 3: [("a", 0.9)], 4: []])

  /// Compares on `counts` inks of one, two, ... points, all labelled "a", by several writers.
  private func compare(
    _ counts: [Int], writers: Int = 5, keptInks: Int = 3, label: String = "a",
    writer: (Int) -> String = { "w\($0)" }, extraLines: [String] = []
  ) throws -> (ModelComparison<GlyphEvaluation>, ComparisonSummary) {
    let points = counts.enumerated().flatMap { Array(repeating: $0.offset + 1, count: $0.element) }
    let records = points.enumerated().map {
      TemporaryInk.line($0.element, label: label, writer: writer($0.offset % writers))
    }
    let comparison = try TemporaryInk.with(records, extraLines: extraLines) {
      try ModelComparison(Self.first, Self.second, on: [$0], keptInks: keptInks)
    }
    func summary(_ evaluation: GlyphEvaluation, _ name: String, _ bytes: Int) -> EvaluationSummary {
      EvaluationSummary(
        evaluation, model: "/home/someone/\(name)", data: ["ink:/home/someone/a.jsonl"],
        modelBytes: bytes, peakResidentBytes: nil)
    }
    return (
      comparison,
      ComparisonSummary(
        comparison, first: summary(comparison.first, "one.ductus", 600_000),
        second: summary(comparison.second, "two.ductus", 150_000))
    )
  }

  private func figure(_ name: String, _ summary: ComparisonSummary) throws -> ComparedFigure {
    try #require(summary.figures.first { $0.name == name })
  }

  @Test("Answers are counted by the models that are right, and both models read the same ink")
  func answers() throws {
    let (comparison, summary) = try compare([4, 3, 2, 1], extraLines: ["not JSON"])
    let answers = summary.answers
    #expect(answers.both == 4 && answers.onlyFirst == 3)
    #expect(answers.onlySecond == 2 && answers.neither == 1)
    #expect(comparison.first.dataHash == comparison.second.dataHash)
    #expect(comparison.first.samples == 10 && comparison.second.samples == 10)
    #expect(comparison.first.malformed == 1 && comparison.second.malformed == 1)
    #expect(comparison.first.rejected == 0 && comparison.second.rejected == 1)
  }

  @Test("Labels of the data that a model does not know are counted and listed, the frequent first")
  func unknownLabels() throws {
    let first = TableRecognizer(labels: ["a", "b"], answers: [1: [("a", 0.9)]])
    let second = TableRecognizer(labels: ["a", "x", "y", "\u{1B}"], answers: [1: [("a", 0.9)]])
    let labels = ["a", "x", "y", "y", "z", "\u{1B}", "y"]
    let records = labels.map { TemporaryInk.line(1, label: $0) }
    let comparison = try TemporaryInk.with(records) { try ModelComparison(first, second, on: [$0]) }
    func summary(_ evaluation: GlyphEvaluation) -> EvaluationSummary {
      EvaluationSummary(evaluation, model: "m", data: [], modelBytes: 1, peakResidentBytes: nil)
    }
    let result = ComparisonSummary(
      comparison, first: summary(comparison.first), second: summary(comparison.second))
    #expect(result.unknownLabels.first.labels == ["y", "\u{1B}", "x", "z"])
    #expect(result.unknownLabels.first.inksByLabel["y"] == 3)
    let sentences = [
      "A does not know 4 labels of the data, in 6 inks: <y>, <\u{1B}>, <x>, <z>",
      "B does not know 1 label of the data, in 1 ink: <z>",
    ]
    #expect(result.unknownTexts { "<\($0)>" } == sentences)
    let page = try ComparisonReport(comparison, summary: result).html()
    #expect(page.contains("A does not know 4 labels of the data, in 6 inks: y, ␛, x, z."))
    #expect(page.contains("B does not know 1 label of the data, in 1 ink: z."))
    #expect(try compare([1]).1.unknownTexts { $0 } == [])
  }

  @Test("The models take turns in reading first")
  func turns() throws {
    let log = ReadingLog()
    let records = (0..<4).map { _ in TemporaryInk.line(2, label: "a") }
    _ = try TemporaryInk.with(records) {
      try ModelComparison(
        LoggedRecognizer(name: "A", log: log), LoggedRecognizer(name: "B", log: log), on: [$0])
    }
    #expect(log.names == ["A", "B", "B", "A", "A", "B", "B", "A"])
  }

  @Test("Differences are the second minus the first, with intervals over writers")
  func differences() throws {
    let (_, summary) = try compare([4, 3, 2, 1])
    let top1 = try figure("top1", summary)
    #expect(top1.first == 0.7 && top1.second == 0.6)
    #expect(abs(try #require(top1.difference) + 0.1) < 1e-12)
    let interval = try #require(top1.interval)
    #expect(abs(interval.estimate + 0.1) < 1e-12)
    #expect(interval.lower < 0 && interval.upper > -0.1 && interval.lower >= -1)
    let bytes = try figure("modelBytes", summary)
    #expect(bytes.difference == -450_000 && bytes.interval == nil)
    #expect(!summary.figures.contains { $0.name == "cer" })
  }

  @Test("A verdict needs an interval on one side of 0")
  func verdict() throws {
    #expect(try compare([5, 5]).1.verdict == .worse)
    #expect(try compare([5, 0, 5]).1.verdict == .better)
    #expect(try compare([5, 5, 5]).1.verdict == .unclear)
    #expect(try compare([5]).1.verdict == .unclear)
    // One ink, or two writers, are too few.
    #expect(try compare([0, 1]).1.verdict == nil)
    let two = try compare([0, 9], writers: 2)
    #expect(two.1.verdict == nil && two.1.figures.allSatisfy { $0.interval == nil })
    #expect(two.1.missingVerdict == "too few writers for a verdict: 2 writers")
    #expect(
      try ComparisonReport(two.0, summary: two.1).html().contains("too few writers for a verdict"))
    #expect(try compare([5, 5]).1.missingVerdict == nil)
    let summary = try compare([5, 5]).1
    #expect(summary.writers == 5 && summary.clusters == 5 && summary.clusterText == "5 writers")
  }

  @Test("Some inks that one model reads better are kept, the most confident errors first")
  func inks() throws {
    let (comparison, _) = try compare([1, 5, 2])
    #expect(comparison.betterByFirst.clearest.count == 3)
    #expect(comparison.betterBySecond.clearest.count == 2)
    #expect(comparison.betterByFirst.clearest.allSatisfy { $0.first == "a" && $0.second == "b" })
    var kept = ComparedInks(limit: 2)
    for weight in [1.0, 3, 2, 3] {
      kept.add(
        ComparedInk(
          labeled: TemporaryInk.line(2, label: "a"), reference: "a", first: nil, second: nil,
          weight: weight))
    }
    #expect(kept.clearest.map(\.weight) == [3, 3])
  }

  @Test(
    "A rule names a figure, a relation and a difference",
    arguments: [
      ("top1 < -0.05", true), ("top1 < -5%", true), ("top1<=-0.11", false), ("top1 > 0", false),
      ("modelBytes < 0", true), (" modelBytes >= -450000 ", true), ("modelBytes>-4e5", false),
    ])
  func rules(text: String, isBroken: Bool) throws {
    let (_, summary) = try compare([4, 3, 2, 1])
    #expect(try ComparisonRule(parsing: text).isBroken(by: summary) == isBroken)
  }

  @Test(
    "A malformed rule is an error that quotes it",
    arguments: [
      "", "top1", "top1 = 3", "top9 < 1", "top1 <", "top1 < two", "top1 < nan", "< 1",
      "modelBytes > 5%", "top1 < \u{2212}5%",
    ])
  func wrongRules(text: String) throws {
    let error = try #require(throws: ComparisonRuleError.self) {
      try ComparisonRule(parsing: text)
    }
    #expect("\(error)".hasPrefix("rule '\(text)': expected METRIC OP DIFFERENCE"))
    let (_, summary) = try compare([1])
    let rule = try ComparisonRule(parsing: "cer > 1")
    #expect(throws: ComparisonRuleError.self) { try rule.isBroken(by: summary) }
    #expect(throws: ComparisonRuleError.self) { try rule.check(for: .glyphs) }
    try rule.check(for: .greedyLines)
    let calibration = try ComparisonRule(parsing: "ece > 1%")
    try calibration.check(for: .lines)
    #expect(throws: ComparisonRuleError.self) { try calibration.check(for: .greedyLines) }
  }

  @Test("The summary survives JSON")
  func json() throws {
    let (_, summary) = try compare([4, 3, 2, 1])
    let data = try JSONEncoder().encode(summary)
    #expect(try JSONDecoder().decode(ComparisonSummary.self, from: data) == summary)
  }

  @Test("A page names the model that knows the ink")
  func knownInk() throws {
    let comparison = try compare([4, 3, 2, 1]).0
    func summary(_ evaluation: GlyphEvaluation, _ known: KnownInk?) -> EvaluationSummary {
      var summary = EvaluationSummary(
        evaluation, model: "m", data: [], modelBytes: 1, peakResidentBytes: nil)
      summary.knownInk = known
      return summary
    }
    let result = ComparisonSummary(
      comparison, first: summary(comparison.first, nil),
      second: summary(comparison.second, .training))
    #expect(result.knownTexts == ["B: \(KnownInk.training.text)"])
    let page = try ComparisonReport(comparison, summary: result).html()
    #expect(page.contains("B: \(KnownInk.training.text)"))
    let alone = EvaluationReport(comparison.first, summary: summary(comparison.first, .whole))
    #expect(try alone.html().contains(KnownInk.whole.sentence))
    let data = try JSONEncoder().encode(result)
    #expect(String(decoding: data, as: UTF8.self).contains(#""knownInk":"training""#))
  }

  @Test("The page holds figures, writers, and the inks that one model reads better")
  func page() throws {
    let (comparison, summary) = try compare([4, 3, 2, 1])
    let page = try ComparisonReport(comparison, summary: summary).html()
    for text in [
      "<title>one.ductus and two.ductus</title>", "−10.00 points", "−450\u{202F}kB",
      "Better with B", "Worse with B", "no clear difference", #"<bdi class="truth">a</bdi>"#,
    ] {
      #expect(page.contains(text), "\(text) is missing")
    }
    #expect(!page.contains("/home/someone"))
    #expect(page.matches(of: /<svg class="ink"/).count == 5)
    #expect(page.matches(of: /<svg class="chart"/).count == 1)
  }

  @Test("Hostile labels and writers stay text", arguments: HostileText.all)
  func hostile(text: String) throws {
    let (comparison, summary) = try compare([1, 2, 2], label: text) { "\(text)\($0)" }
    let page = try ComparisonReport(comparison, summary: summary).html()
    #expect(HostileText.found(in: page).isEmpty)
  }
}

/// The names of the readers, in order.
private final class ReadingLog: @unchecked Sendable {
  // Unchecked because comparisons read on one thread.
  var names: [String] = []
}

/// Records its calls.
private struct LoggedRecognizer: Recognizer {
  let name: String
  let log: ReadingLog
  var labels: [String]? { ["a"] }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    log.names.append(name)
    return RecognitionResult(candidates: [RecognitionCandidate(text: "a", score: 0)])
  }
}
