import Foundation
import InkCore
import InkDatasets
import InkFormats
import Testing

@Suite("Summaries and hashes")
struct DatasetSummaryTests {
  private func record(
    _ label: String, writer: String? = nil, points: [StrokePoint]
  ) -> InkRecord {
    InkRecord(
      labeled: LabeledInk(
        ink: Ink(strokes: [Stroke(points: points)]), label: label, writer: writer, quality: .ok),
      location: SourceLocation(path: "a"), source: "a", indexInSource: 0)
  }

  @Test("counts, medians, rates and shares are those of the records")
  func summary() throws {
    var summary = DatasetSummary()
    let timed = (0..<5).map { StrokePoint(x: 0, y: 0, t: Double($0) * 10, force: 1) }
    summary.add(.success(record("a", writer: "w", points: timed)))
    summary.add(.success(record("a", points: [StrokePoint(x: 0, y: 0)])))
    summary.add(.success(record("b", points: [StrokePoint](repeating: timed[0], count: 3))))
    summary.add(
      .failure(
        InkFormatError(
          .truncated, at: SourceLocation(path: "a", line: 3), expected: "x", found: "y",
          advice: "z")))
    #expect(summary.good == 3 && summary.bad == 1)
    #expect(summary.classes == ["a": 2, "b": 1])
    #expect(summary.writers == ["w": 1] && summary.withoutWriter == 2)
    #expect(summary.fewestPoints == 1 && summary.medianPoints == 3 && summary.mostPoints == 5)
    #expect(summary.pointsPerSecond == 100)
    #expect(summary.withTime == 2 && summary.withForce == 2 && summary.withArea == 0)
    #expect(summary.failures == [.truncated: 1])
    let object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(summary)) as? [String: Any])
    #expect(object["good"] as? Int == 3)
    #expect(object["areaShare"] as? Double == 0)
    #expect(summary.description.contains("3 good, 1 bad"))
    #expect(summary.description.contains("66.7 % of records"))
    #expect(summary.description.contains("classes   2: a 2, b 1"))
    #expect(summary.text { "<\($0)>" }.contains("classes   2: <a> 2, <b> 1"))
  }

  @Test("problems corrected by readers are counted")
  func notes() throws {
    var summary = DatasetSummary()
    var mended = record("a", points: [StrokePoint(x: 0, y: 0)])
    mended.notes = [.clockRanBackward]
    summary.add(.success(mended))
    summary.add(.success(record("a", points: [StrokePoint(x: 0, y: 0)])))
    #expect(summary.notes == [.clockRanBackward: 1])
    #expect(summary.description.contains("notes     clockRanBackward 1"))
  }

  @Test("an empty summary describes itself")
  func empty() {
    #expect(DatasetSummary().description == "records   0 good, 0 bad")
    #expect(DatasetSummary().medianPoints == nil)
  }

  @Test("the hash depends on content and order of records, not on their location")
  func hash() {
    func hash(_ records: [LabeledInk]) -> String {
      var hasher = DataHasher()
      for record in records { hasher.update(with: record) }
      return hasher.finalize()
    }
    let a = record("a", writer: "w", points: [StrokePoint(x: 0, y: -0.0, t: 1)]).labeled
    var others = Array(repeating: a, count: 5)
    others[0].label = "b"
    others[1].writer = nil
    others[2].ink.strokes[0].points[0].t = nil
    others[3].ink.strokes.append(Stroke(points: []))
    others[4].writingArea = try? WritingArea(width: 1, height: 1)
    let hashes = Set(others.map { hash([$0]) })
    #expect(hashes.count == 5 && !hashes.contains(hash([a])))
    var same = a
    same.quality = .bad
    same.ink.strokes[0].points[0].y = 0
    #expect(hash([same]) == hash([a]))
    #expect(hash([a, others[0]]) != hash([others[0], a]))
    #expect(hash([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}

@Suite("Public data by name")
struct PublicDataTests {
  // Skipped, with a line that says so, where UNIPEN is not unpacked in INK_DATASETS or
  // ~/.cache/ink-datasets.
  @Test(
    "the UNIPEN digits of the test split are those of the split file",
    .enabled(if: dataset("unipen") != nil && dataset("splits/unipen.tsv") != nil, "no UNIPEN"))
  func unipen() throws {
    let folder = try #require(datasetsFolder)
    let base = "unipen:\(folder)/unipen?category=1a&splits=\(folder)/splits/unipen.tsv"
    let test = try records(base + "&split=test")
    #expect(test.count == 1545)
    // Most digits stand on lines of others, so that they have an area.
    #expect(test.filter { $0.labeled.writingArea != nil }.count > test.count * 9 / 10)
    #expect(try records(base + "&split=val").count == 1381)
  }
}
