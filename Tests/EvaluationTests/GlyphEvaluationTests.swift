import Evaluation
import Foundation
import InkCore
import InkDatasets
import InkFormats
import Recognition
import Reports
import TestSamples
import Testing

@Suite("Evaluating a glyph recogniser")
struct GlyphEvaluationTests {
  /// Labelled inks whose number of points determines the recogniser's answer.
  private func evaluate(
    _ records: [(label: String, points: Int, writer: String?)], _ recognizer: TableRecognizer,
    extraLines: [String] = []
  ) throws -> GlyphEvaluation {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("evaluation-\(UInt64.random(in: 0 ... .max)).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try InkJSONLinesWriter(path: url.path)
    for record in records {
      let points = (0..<record.points).map { StrokePoint(x: Double($0), y: 0) }
      try writer.write(
        LabeledInk(
          ink: Ink(strokes: [Stroke(points: points)]), label: record.label, writer: record.writer))
    }
    try writer.finish()
    if !extraLines.isEmpty {
      var text = try String(contentsOf: url, encoding: .utf8)
      text += extraLines.joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: url)
    }
    return try GlyphEvaluation(recognizer, on: [DataSpecification(parsing: "ink:\(url.path)")])
  }

  private static let recognizer = TableRecognizer(
    labels: ["a", "b", "c", "d", "e", "f"],
    answers: [
      1: [("a", 0.9), ("b", 0.05), ("c", 0.02)],
      2: [("b", 0.6), ("a", 0.3), ("c", 0.1)],
      3: [("b", 0.4), ("c", 0.2), ("d", 0.15), ("a", 0.1), ("e", 0.05), ("f", 0.01)],
      4: [],
    ], refuses: [5])

  @Test("Ranks are counted at 1, 3 and 5")
  func ranks() throws {
    let evaluation = try evaluate(
      [
        ("a", 1, "w"), ("a", 2, "w"), ("a", 3, "w"), ("f", 3, "v"), ("b", 2, "v"), ("b", 1, "v"),
        ("c", 1, "u"), ("b", 2, "u"),
      ], Self.recognizer)
    #expect(evaluation.samples == 8)
    #expect(evaluation.rejected == 0)
    #expect(evaluation.unknown.inks == 0)
    #expect(evaluation.accuracy(at: 1) == 3.0 / 8)
    #expect(evaluation.accuracy(at: 3) == 6.0 / 8)
    #expect(evaluation.accuracy(at: 5) == 7.0 / 8)
    #expect(evaluation.confusion.labelStatistics().first { $0.label == "a" }?.recall == 1.0 / 3)
  }

  @Test("A refused ink and one without an answer are samples, errors and rejected")
  func refused() throws {
    let evaluation = try evaluate(
      [("a", 1, nil), ("a", 4, nil), ("a", 5, nil), ("b", 5, nil)], Self.recognizer)
    #expect(evaluation.samples == 4)
    #expect(evaluation.rejected == 3)
    #expect(evaluation.accuracy(at: 1) == 0.25)
    #expect(evaluation.accuracy(at: 5) == 0.25)
    #expect(evaluation.confusion.count(of: "a", predictedAs: nil) == 2)
    #expect(evaluation.confusion.labelStatistics().first { $0.label == "a" }?.recall == 1.0 / 3)
  }

  @Test("An ink whose label the model does not have is an error and counted")
  func unknownLabels() throws {
    let evaluation = try evaluate([("a", 1, nil), ("z", 1, nil), ("A", 1, nil)], Self.recognizer)
    #expect(evaluation.samples == 3)
    #expect(evaluation.unknown.inks == 2)
    #expect(evaluation.rejected == 0)
    #expect(evaluation.accuracy(at: 5) == 1.0 / 3)
  }

  @Test("Unreadable records are counted separately and are not samples")
  func malformed() throws {
    let evaluation = try evaluate(
      [("a", 1, nil)], Self.recognizer,
      extraLines: ["not JSON", #"{"label":"a","strokes":[{"x":[1],"y":[]}]}"#])
    #expect(evaluation.samples == 1)
    #expect(evaluation.malformed == 2)
    #expect(evaluation.accuracy(at: 1) == 1)
  }

  @Test("A wrong answer with confidence 1 is a calibration error of 1, a right one of 0")
  func calibration() throws {
    let certain = TableRecognizer(labels: ["a", "b"], answers: [1: [("a", 1)]])
    #expect(try evaluate([("a", 1, nil)], certain).calibration.value == 0)
    #expect(try evaluate([("b", 1, nil)], certain).calibration.value == 1)
  }

  @Test("The hash depends on the data, not on the recogniser")
  func hash() throws {
    let other = TableRecognizer(labels: nil, answers: [:])
    let hash = try evaluate([("a", 1, "w")], Self.recognizer).dataHash
    #expect(hash.count == 64)
    #expect(try evaluate([("a", 1, "w")], other).dataHash == hash)
    #expect(try evaluate([("b", 1, "w")], other).dataHash != hash)
  }

  @Test("Latency has ordered percentiles, and progress is reported for every record")
  func latency() throws {
    let evaluation = try evaluate(Array(repeating: ("a", 1, nil), count: 100), Self.recognizer)
    let latency = try #require(evaluation.latencyMilliseconds)
    let (p50, p99) = (latency.p50, latency.p99)
    #expect(p50 >= 0 && p50 <= p99)
    #expect(try #require(evaluation.samplesPerSecond) > 0)
  }

  /// The keys of `evaluate --json` from DESIGN, and those of this version.
  private static let keys = [
    "samples", "rejected", "top1", "top3", "top5", "cer", "wer", "joinedWER", "characters", "words",
    "ece", "latencyMs", "stagesMs", "samplesPerSecond", "modelBytes", "languageBytes",
    "peakResidentBytes",
    "dataHash", "intervals", "nbestOracle", "ablations", "alignment", "robustness", "editor",
    "gestures",
    "model", "data", "malformed", "unknownLabels", "runningText", "meanRecall", "labels",
    "confusions",
    "accuracyCoverage", "coverageAt99", "edits", "writers", "clusters", "textECE", "writerSpread",
    "knownInk", "letters", "pages", "program",
  ]

  private func json(_ evaluation: GlyphEvaluation, peak: Int?) throws -> [String: Any] {
    let summary = EvaluationSummary(
      evaluation, model: "m.ductus", data: ["ink:x"], modelBytes: 1234, peakResidentBytes: peak)
    let data = try JSONEncoder().encode(summary)
    #expect(try JSONDecoder().decode(EvaluationSummary.self, from: data) == summary)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("The JSON has every key, with null for figures that were not measured")
  func jsonKeys() throws {
    let evaluation = try evaluate([("a", 1, "w"), ("b", 1, "v")], Self.recognizer)
    let object = try json(evaluation, peak: 99)
    #expect(Set(object.keys) == Set(Self.keys))
    for key in [
      "cer", "wer", "joinedWER", "characters", "words", "edits", "languageBytes", "nbestOracle",
      "ablations", "alignment", "robustness", "editor", "gestures",
      "letters", "pages", "program",
    ] {
      #expect(object[key] is NSNull, "\(key)")
    }
    #expect(object["samples"] as? Int == 2)
    #expect(object["top1"] as? Double == 0.5)
    #expect(object["modelBytes"] as? Int == 1234)
    #expect(object["peakResidentBytes"] as? Int == 99)
    let latency = try #require(object["latencyMs"] as? [String: Any])
    #expect(Set(latency.keys) == ["p50", "p95", "p99"])
    #expect(latency.values.allSatisfy { $0 is Double })
  }

  @Test("With fewer than five writers, pages or inks there is a reason instead of an interval")
  func fewWriters() throws {
    func summary(_ writers: [String?]) throws -> EvaluationSummary {
      EvaluationSummary(
        try evaluate(writers.map { ("a", 1, $0) }, Self.recognizer), model: "m", data: [],
        modelBytes: 0, peakResidentBytes: nil)
    }
    let alone = try summary(["w", "w", "w"])
    #expect(alone.intervals.top1 == nil && alone.missingInterval == "no interval: 1 writer")
    #expect(ReportTile("Top-1", alone.top1, nil, of: alone).note == "no interval: 1 writer")
    #expect(try summary(["a", "b", "c", "d"]).intervals.top1 == nil)
    let five = try summary(["a", "b", "c", "d", nil])
    #expect(five.intervals.top1 != nil && five.missingInterval == nil)
    #expect(try summary([]).missingInterval == nil)
  }

  @Test("Without samples every rate is null")
  func noSamples() throws {
    let object = try json(try evaluate([], Self.recognizer), peak: nil)
    #expect(Set(object.keys) == Set(Self.keys))
    for key in ["top1", "top3", "top5", "ece", "meanRecall", "coverageAt99", "peakResidentBytes"] {
      #expect(object[key] is NSNull, "\(key)")
    }
    #expect(object["samples"] as? Int == 0)
    let latency = try #require(object["latencyMs"] as? [String: Any])
    #expect(latency.values.allSatisfy { $0 is NSNull })
    #expect((object["intervals"] as? [String: Any])?["top1"] is NSNull)
  }

  @Test("99 % accuracy covers exactly the answers above the first error")
  func coverage() throws {
    // 1 is right at 0.9; 2 is wrong at 0.6.
    let records =
      Array(repeating: (label: "a", points: 1, writer: String?.none), count: 30)
      + Array(repeating: (label: "a", points: 2, writer: String?.none), count: 10)
    let summary = EvaluationSummary(
      try evaluate(records, Self.recognizer), model: "m", data: [], modelBytes: 0,
      peakResidentBytes: nil)
    let point = try #require(summary.coverageAt99)
    #expect(point.coverage == 0.75)
    #expect(point.accuracy == 1)
    #expect(abs(point.threshold - 0.9) < 1e-6)
  }
}
