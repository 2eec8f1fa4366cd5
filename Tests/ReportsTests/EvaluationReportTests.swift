import Evaluation
import Foundation
import InkCore
import InkDatasets
import Reports
import TestSamples
import Testing

@Suite("The page of an evaluation")
struct EvaluationReportTests {
  private func evaluate(
    _ records: [LabeledInk], _ recognizer: TableRecognizer, keptErrors: Int = 48
  ) throws -> GlyphEvaluation {
    try TemporaryInk.with(records) {
      try GlyphEvaluation(recognizer, on: [$0], keptErrors: keptErrors)
    }
  }

  private func page(_ evaluation: GlyphEvaluation, data: [String] = ["ink:a.jsonl"]) throws
    -> String
  {
    let summary = EvaluationSummary(
      evaluation, model: "/home/someone/models/small.ductus", data: data, modelBytes: 614_000,
      peakResidentBytes: 38_000_000)
    return try EvaluationReport(evaluation, summary: summary).html()
  }

  /// Two of three points, one of two, none of five: the recogniser answers by number of points.
  private static let recognizer = TableRecognizer(
    labels: ["a", "b"],
    answers: [2: [("a", 0.9), ("b", 0.1)], 3: [("b", 0.75), ("a", 0.25)], 4: []])

  private func small() throws -> GlyphEvaluation {
    try evaluate(
      [
        TemporaryInk.line(2, label: "a", writer: "w1"),
        TemporaryInk.line(3, label: "b", writer: "w1"),
        TemporaryInk.line(3, label: "a", writer: "w2"),
        TemporaryInk.line(4, label: "b", writer: "w2"),
      ], Self.recognizer)
  }

  @Test("It holds the figures, the errors as ink, and each section")
  func contents() throws {
    let page = try page(try small())
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    for text in [
      "<title>small.ductus</title>", "<dd>50.00\u{202F}%</dd>", "614\u{202F}kB",
      "Most confident errors", "Without an answer", "Calibration", "Accuracy against coverage",
      "Latency", "Confusion matrix", "Accuracy by writer", "75.0\u{202F}%",
      #"<bdi class="truth">a</bdi>"#, #"<bdi class="read">b</bdi>"#, "writer <bdi>w2</bdi>",
    ] {
      #expect(page.contains(text), "\(text) is missing")
    }
    // One error with an answer, one without.
    #expect(page.matches(of: /<svg class="ink"/).count == 2)
    #expect(page.matches(of: /<svg class="chart"/).count == 4)
  }

  @Test("Letters beyond a to z have a section of their own, and pages without them do not")
  func letters() throws {
    let recognizer = TableRecognizer(
      labels: ["é", "e"], answers: [2: [("é", 0.9), ("e", 0.1)], 3: [("e", 0.75), ("é", 0.25)]])
    let evaluation = try evaluate(
      [
        TemporaryInk.line(2, label: "é", writer: "w1"),
        TemporaryInk.line(3, label: "é", writer: "w1"),
        TemporaryInk.line(3, label: "e", writer: "w1"),
      ], recognizer)
    let text = try page(evaluation)
    #expect(text.contains(#"<section id="letters">"#) && text.contains("#letters"))
    #expect(text.contains("acute accent") && text.contains("Confusions of marks"))
    #expect(try page(try small()).contains(#"id="letters""#) == false)
  }

  @Test("It is self-contained: no script, no link, no address")
  func selfContained() throws {
    let page = try page(try small())
    for text in ["<script", "http://", "https://", "src=", "@import", "url(", "<link"] {
      #expect(!page.contains(text), "\(text)")
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test("It does not reveal the folders of data and models")
  func paths() throws {
    let page = try page(
      try small(),
      data: [
        "unipen:/home/someone/ink/unipen?category=1a&splits=%2Fhome%2Fsomeone%2Funipen.tsv",
        "ink:relative/file.jsonl",
      ])
    #expect(!page.contains("someone"))
    #expect(page.contains("unipen:…/unipen?category=1a&amp;splits=…/unipen.tsv"))
    #expect(page.contains("ink:relative/file.jsonl"))
  }

  @Test("Hostile labels, answers and writers are shown, not obeyed")
  func hostile() throws {
    for (index, text) in HostileText.all.enumerated() {
      let recognizer = TableRecognizer(
        labels: [text], answers: [2: [(text, 0.9)], 3: [("a", 0.6), (text, 0.4)]])
      // A label may not be empty in a file; an answer and a writer may be anything.
      let label = text.isEmpty ? "x" : text
      let page = try page(
        try evaluate(
          [
            TemporaryInk.line(2, label: "a", writer: text),
            TemporaryInk.line(3, label: label, writer: text),
            TemporaryInk.line(3, label: label, writer: "other"),
            TemporaryInk.line(9, label: label, writer: text),
          ], recognizer), data: ["ink:\(text)"])
      #expect(HostileText.found(in: page) == [], "text \(index)")
      #expect(page.matches(of: /<\/style>/).count == 1, "text \(index)")
    }
  }

  @Test("It is also a page without records, errors and writers")
  func degenerate() throws {
    let none = try page(try evaluate([], Self.recognizer))
    #expect(none.contains("–") && none.contains("The data names no writers."))
    let right = try page(try evaluate([TemporaryInk.line(2, label: "a")], Self.recognizer))
    #expect(right.contains("None: every answer was right."))
    #expect(!right.contains("NaN") && !right.contains("nan%"))
  }

  @Test("Its size is bounded for any number of errors, labels and writers")
  func bounded() throws {
    let labels = (0..<700).map { "label \($0)" }
    var answers: [Int: [(String, Double)]] = [:]
    for points in 2..<60 {
      answers[points] = (0..<5).map { rank in
        let label = labels[(points * 37 + rank) % labels.count]
        return (label, 0.5 / Double(rank + 1))
      }
    }
    var records: [LabeledInk] = []
    for index in 0..<4000 {
      let label = labels[index % labels.count]
      records.append(
        TemporaryInk.line(2 + index % 58, label: label, writer: "writer \(index % 900)"))
    }
    let page = try page(
      try evaluate(records, TableRecognizer(labels: labels, answers: answers)))
    #expect(page.utf8.count < 5_000_000, "\(page.utf8.count) bytes")
    #expect(page.matches(of: /<figure class="card"/).count == 48)
    #expect(page.contains("570 labels with fewer errors are left out"))
  }
}

@Suite("Evaluation data for a report")
struct EvaluationCollectionTests {
  @Test("The gallery keeps the most confident errors in order, and as many refused inks at most")
  func gallery() {
    var gallery = ErrorGallery(limit: 3)
    for (index, probability) in [0.3, 0.9, 0.5, 0.9, 0.1, 0.6].enumerated() {
      gallery.add(
        TemporaryInk.line(2, label: "\(index)"),
        candidates: [.init(text: "x", score: log(probability))])
    }
    for _ in 0..<5 { gallery.add(TemporaryInk.line(2, label: "r"), candidates: []) }
    #expect(gallery.mostConfident.map(\.labeled.label) == ["1", "3", "5"])
    #expect(gallery.refused.count == 3)
    var none = ErrorGallery(limit: -1)
    none.add(TemporaryInk.line(2, label: "a"), candidates: [])
    #expect(none.refused.isEmpty)
  }

  @Test("Figures of writers are sorted, the worst first, and leave out inks without a writer")
  func writers() throws {
    let recognizer = TableRecognizer(labels: ["a"], answers: [2: [("a", 1)]])
    let evaluation = try TemporaryInk.with([
      TemporaryInk.line(2, label: "a", writer: "good"),
      TemporaryInk.line(2, label: "a", writer: "half"),
      TemporaryInk.line(3, label: "a", writer: "half"), TemporaryInk.line(2, label: "a"),
    ]) { try GlyphEvaluation(recognizer, on: [$0]) }
    let figures = evaluation.writerFigures()
    #expect(figures.map(\.writer) == ["half", "good"])
    #expect(figures.map(\.accuracy) == [0.5, 1])
    #expect(figures.map(\.samples) == [2, 1])
    #expect(evaluation.errors.mostConfident.isEmpty)
  }

  @Test("The bins of latencies are contiguous and contain every call")
  func latency() throws {
    let recognizer = TableRecognizer(labels: ["a"], answers: [2: [("a", 1)]])
    let records = (0..<200).map { _ in TemporaryInk.line(2, label: "a") }
    let bins = try TemporaryInk.with(records) {
      try GlyphEvaluation(recognizer, on: [$0])
    }.totals.latencyBins()
    #expect(bins.map(\.count).reduce(0, +) == 200)
    #expect(zip(bins, bins.dropFirst()).allSatisfy { $0.upper == $1.lower })
    #expect(bins.allSatisfy { $0.lower > 0 && $0.lower < $0.upper })
  }
}
