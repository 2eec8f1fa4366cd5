import Evaluation
import Foundation
import InkCore
import InkFormats
import Reports
import TestSamples
import Testing

@Suite("Problems found in data without a model")
struct InkSurveyTests {
  private func ink(_ size: Double, times: [Double]? = nil) -> Ink {
    let points = (0..<5).map { index in
      StrokePoint(x: size * Double(index), y: size, t: times?[index])
    }
    return Ink(strokes: [Stroke(points: points)])
  }

  private func survey(_ records: [LabeledInk]) -> DataFindings {
    var survey = InkSurvey(data: ["ink:x"])
    for record in records { survey.add(record) }
    return survey.finish()
  }

  @Test("Equal points are found, with their differences in label and writer")
  func duplicates() {
    let findings = survey([
      LabeledInk(ink: ink(1), label: "a", writer: "v"),
      LabeledInk(ink: ink(2), label: "a", writer: "v"),
      LabeledInk(ink: ink(1), label: "b", writer: "v"),
      LabeledInk(ink: ink(1, times: [0, 1, 2, 3, 4]), label: "a", writer: "w"),
    ])
    #expect(findings.duplicates.map(\.index) == [2, 3])
    #expect(findings.duplicates.map(\.earlier) == [0, 0])
    #expect(findings.duplicates.map(\.hasSameLabel) == [false, true])
    #expect(findings.duplicates.map(\.hasSameWriter) == [true, false])
    // Dots in the same place may occur by chance.
    let dot = Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 1)])])
    #expect(survey(Array(repeating: LabeledInk(ink: dot, label: "."), count: 3)).duplicates.isEmpty)
  }

  @Test("Classes with few inks, or one writer of several, are thin")
  func thinClasses() {
    var records = (0..<12).map {
      LabeledInk(ink: ink(1 + Double($0)), label: "a", writer: "w\($0 % 3)")
    }
    records += (0..<12).map { LabeledInk(ink: ink(50 + Double($0)), label: "b", writer: "w1") }
    records.append(LabeledInk(ink: ink(90), label: "c"))
    let findings = survey(records)
    // If labels are texts, each occurs once, which is not a problem.
    #expect(survey(Array(records.prefix(1)) + records.suffix(2)).thinClasses.isEmpty)
    #expect(findings.thinClasses.map(\.label) == ["c", "b"])
    #expect(findings.thinClasses.map(\.samples) == [1, 12])
    #expect(findings.thinClasses.map(\.writers) == [0, 1])
    #expect(findings.classes == 3 && findings.writers == 3 && findings.withoutWriter == 1)
  }

  @Test("Labels that differ in normal form or blanks are twins")
  func twins() {
    let findings = survey(
      ["\u{E9}", "e\u{301}", "a", "a ", "b"].enumerated().map {
        LabeledInk(ink: ink(Double($0.offset + 1)), label: $0.element)
      })
    #expect(findings.labelTwins.count == 2)
    #expect(findings.labelTwins[0] == ["a", "a "])
    #expect(findings.labelTwins[1].map { $0.utf8.count } == [3, 2])
  }

  @Test("Empty inks, decreasing times and unusual sizes are reported")
  func oddInks() {
    var records = (0..<20).map {
      LabeledInk(ink: ink(1 + Double($0) / 40), label: $0 % 2 == 0 ? "a" : "b", writer: "w")
    }
    records.append(LabeledInk(ink: Ink(strokes: []), label: "a", writer: "w"))
    records.append(
      LabeledInk(ink: ink(1.01, times: [0, 1, 0.5, 2, 3]), label: "a", writer: "w"))
    records.append(LabeledInk(ink: ink(30), label: "a", writer: "w"))
    records.append(LabeledInk(ink: ink(0.01), label: "b", writer: "w"))
    let findings = survey(records)
    #expect(findings.oddInks.map(\.index) == [20, 21, 22, 23])
    #expect(findings.oddInks.map(\.problem) == [.empty, .timeRunsBackward, .large, .small])
  }

  @Test("Unreadable records have indices too, and are counted, with the first reasons")
  func malformed() throws {
    let whole = TemporaryInk.line(5, label: "a")
    let findings = try TemporaryInk.with([whole], extraLines: ["not JSON", "{}"]) { data in
      var survey = InkSurvey(data: ["ink:x"])
      for element in try data.records() {
        switch element {
        case .success(let record): #expect(survey.add(record.labeled) == 0)
        case .failure(let error): survey.add(error)
        }
      }
      #expect(survey.add(whole) == 3)
      return survey.finish()
    }
    #expect(findings.records == 4 && findings.malformed == 2)
    #expect(findings.malformedExamples.count == 2 && !findings.isClean)
  }

  @Test("Empty data has no findings, and findings survive JSON")
  func json() throws {
    #expect(survey([]).isClean)
    var findings = survey([LabeledInk(ink: ink(1), label: "a", writer: "v")])
    findings.suspectLabels = [
      DataFindings.SuspectLabel(index: 0, label: "a", suggested: "b", score: 0.5, writer: nil)
    ]
    let data = try JSONEncoder().encode(findings)
    #expect(try JSONDecoder().decode(DataFindings.self, from: data) == findings)
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let suspect = try #require((object["suspectLabels"] as? [[String: Any]])?.first)
    #expect(Set(suspect.keys) == ["index", "label", "suggested", "score", "writer"])
    #expect(object["judge"] is NSNull)
  }

  @Test("The page draws suspect inks, and hostile texts stay text", arguments: HostileText.all)
  func page(text: String) throws {
    let records = (0..<3).map {
      LabeledInk(ink: ink(1 + Double($0)), label: text, writer: "\(text)\($0)")
    }
    var findings = survey(records)
    findings.judge = "/home/someone/\(text)"
    findings.malformedExamples = ["/home/someone/a.jsonl:3: expected, found"]
    findings.malformed = 1
    findings.suspectLabels = [
      DataFindings.SuspectLabel(index: 1, label: text, suggested: text, score: 0.5, writer: text)
    ]
    #expect(FindingsReport.drawnIndices(of: findings) == [1])
    let page = try FindingsReport(findings, inks: [1: records[1]]).html()
    #expect(HostileText.found(in: page).isEmpty)
    #expect(page.matches(of: /<svg class="ink"/).count == 1)
    #expect(page.contains("Thin classes") && !page.contains("/home/someone"))
  }
}
