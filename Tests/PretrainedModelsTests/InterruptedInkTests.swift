import Foundation
import InkCore
import InkDatasets
import PretrainedModels
import Recognition
import Testing

@Suite("Ink of a pen that loses contact")
struct InterruptedInkTests {
  @Test(
    "A line stays one line when its long strokes are cut, and hardly ever breaks without times",
    .enabled(if: datasets != nil, "no IAM-OnDB"))
  func lines() throws {
    let folder = try #require(datasets)
    let records = try DataSpecification(
      parsing: "iam-ondb:\(folder)/iam-ondb?split=val1&every=6"
    ).records()
    var (count, broken, brokenWithoutTimes) = (0, 0, 0)
    for record in records {
      let labeled = try record.get().labeled
      var generator = SeededGenerator(seed: 1, UInt64(count))
      let cut = InkDisturbance.interrupted.apply(to: labeled, using: &generator)
      let plain = InkDisturbance.positionsAlone.apply(to: cut, using: &generator)
      let rows = LineRecognizer.rows(of: cut, direction: .leftToRight)
      #expect(Set(rows.joined()).count == rows.joined().count, "line \(count)")
      if rows.count > 1 { broken += 1 }
      if LineRecognizer.rows(of: plain, direction: .leftToRight).count > 1 {
        brokenWithoutTimes += 1
      }
      count += 1
    }
    // Before the parts were joined, 19 were broken both ways.
    #expect(
      count > 200 && broken <= 1 && brokenWithoutTimes <= 8, "\(broken), \(brokenWithoutTimes)")
  }

  @Test("Every stroke of a page of pieces is in one place, and its lines do not fall apart")
  func page() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Cases/languages/de.jsonl")
    let data = try DataSpecification(parsing: "ink:\(file.path)?split=all")
    let records = try Array(data.records(unlabelled: true))
    let whole = try #require(records.first).get().labeled
    var generator = SeededGenerator(seed: 1)
    let ink = InkDisturbance.interrupted.apply(to: whole, using: &generator).ink
    let result = try DigitalInkRecognizer(model: "latin-lines", provider: try PretrainedModels())
      .recognizeNow(ink)
    let placed =
      result.blocks.flatMap(\.strokes) + result.edges.flatMap(\.strokes)
      + result.marks.flatMap(\.strokes)
    #expect(placed.sorted() == Array(ink.strokes.indices))
    // 27 lines before the parts were joined; 14 of whole strokes.
    #expect(result.lines.count < 25)
    let words = result.text().split { !$0.isLetter }
    #expect(words.contains("bisherige"), "\(result.text())")
  }
}
