import DataDoctor
import Evaluation
import Foundation
import InkCore
import InkDatasets
import InkFormats
import TestSamples
import Testing

@Suite("Data doctor")
struct DataDoctorTests {
  private let digits = "starter:characters?labels=[0-9]&split=all&population=40&count=2000"

  /// Digits of virtual writers, one in twenty of them with the label of another, in a file that goes
  /// away after use; `body` gets the true labels of those by their indices.
  private func withWrongLabels<Value>(
    _ body: (DataSpecification, [Int: String]) throws -> Value
  ) throws -> Value {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("doctor-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try InkJSONLinesWriter(path: url.path)
    var wrong: [Int: String] = [:]
    var generator = SeededGenerator(seed: 5)
    for (index, element) in try DataSpecification(parsing: digits).records().enumerated() {
      var labeled = try element.get().labeled
      if generator.index(below: 20) == 0, let digit = Int(labeled.label) {
        wrong[index] = labeled.label
        labeled.label = String((digit + 1 + generator.index(below: 9)) % 10)
      }
      try writer.write(labeled)
    }
    try writer.finish()
    return try body(DataSpecification(parsing: "ink:\(url.path)"), wrong)
  }

  @Test("Cross-validation finds wrong labels and the correct ones")
  func crossValidation() throws {
    try withWrongLabels { data, wrong in
      let findings = try DataExamination([data], judge: .crossValidation(workers: 2)).findings
      let suspects = Set(findings.suspectLabels.map(\.index))
      let found = suspects.intersection(wrong.keys).count
      #expect(wrong.count > 50 && findings.judged == findings.records)
      #expect(found * 10 >= wrong.count * 9, "\(found) of \(wrong.count)")
      #expect(found * 10 >= suspects.count * 8, "\(found) of \(suspects.count) suspects")
      let right = findings.suspectLabels.count { wrong[$0.index] == $0.suggested }
      #expect(right * 10 >= found * 9)
      #expect(try #require(findings.agreement) > 0.85)
      #expect(findings.unjudged == nil && findings.malformed == 0)
    }
  }

  @Test("A given model judges the labels that it knows")
  func givenModel() throws {
    let model = try SmallModels.glyphs(
      "starter:characters?labels=[0-8]&count=4000&seed=2", epochs: 12)
    try withWrongLabels { data, wrong in
      let findings = try DataExamination([data], judge: .recognizer(model, name: "digits")).findings
      let nines = findings.records - findings.judged
      #expect(nines > 10 && findings.judge == "digits")
      #expect(try #require(findings.unjudged).hasPrefix("\(nines) of the records"))
      let suspects = Set(findings.suspectLabels.map(\.index))
      #expect(suspects.intersection(wrong.keys).count * 2 > wrong.count)
    }
  }

  @Test("A line model that reads a different text suspects the label")
  func lines() throws {
    let recognizer = try SmallModels.untrainedLines()
    let data = try DataSpecification(
      parsing: "starter:characters?labels=[a-c]&split=test&limit=6")
    let findings = try DataExamination([data], judge: .recognizer(recognizer, name: "none"))
      .findings
    // The reading of an untrained model is never the label.
    #expect(findings.judged == 6 && findings.agreement == 0)
    #expect(findings.suspectLabels.map(\.index) == Array(0..<6))
    #expect(findings.suspectLabels.allSatisfy { $0.suggested != $0.label && $0.score == 1 })
  }

  @Test(
    "Too few inks, one label, or texts are not judged, with a reason",
    arguments: [
      ("starter:characters?labels=[ab]&split=test&limit=20", "too few"),
      ("starter:characters?labels=a&split=all&limit=80", "all labels are the same"),
      ("starter:words?split=test&limit=80", "name a line model"),
    ])
  func unjudged(text: String, reason: String) throws {
    let findings = try DataExamination(
      [DataSpecification(parsing: text)], judge: .crossValidation(workers: 2)
    ).findings
    #expect(findings.judge == nil && findings.suspectLabels.isEmpty && findings.judged == 0)
    #expect(try #require(findings.unjudged).contains(reason))
  }
}
