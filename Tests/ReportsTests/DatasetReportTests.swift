import Evaluation
import Foundation
import InkCore
import InkDatasets
import InkFormats
import Reports
import TestSamples
import Testing

@Suite("The page of a dataset")
struct DatasetReportTests {
  private func inspection(
    _ records: [LabeledInk], extraLines: [String] = []
  ) throws -> DatasetInspection {
    try TemporaryInk.with(records, extraLines: extraLines) { specification in
      var inspection = DatasetInspection(specification)
      for element in try specification.records() { inspection.add(element) }
      return inspection
    }
  }

  private func page(_ records: [LabeledInk], extraLines: [String] = []) throws -> String {
    let inspection = try inspection(records, extraLines: extraLines)
    return try DatasetReport([.init(inspection: inspection, hash: "1234abcd")]).html()
  }

  @Test("It contains drawings of each class, counts, distributions and bad records with reasons")
  func contents() throws {
    let records = (0..<10).map { index in
      TemporaryInk.line(3 + index, label: index < 8 ? "a" : "b", writer: "w\(index % 2)")
    }
    let inspection = try inspection(records, extraLines: ["not JSON"])
    let kind = try #require(inspection.bad.first).code.rawValue
    let page = try DatasetReport([.init(inspection: inspection, hash: "1234abcd")]).html()
    // Six of the eight of one class, both of the other.
    #expect(page.matches(of: /<svg class="ink"/).count == 8)
    for text in [
      "1234abcd", "Points per record", "Strokes per record", "Sampling rate",
      "Records per writer", "2 writers with 5 to 5 records.", "1 \(kind).", "<td>\(kind)</td>",
      "Times", "Force", "100.0\u{202F}% of records",
    ] {
      #expect(page.contains(text), "\(text) is missing")
    }
  }

  @Test("Bad records do not reveal the folder of the data")
  func paths() throws {
    let page = try page([TemporaryInk.line(3, label: "a")], extraLines: ["not JSON"])
    #expect(page.contains(".jsonl:2</code>"))
    let folder = FileManager.default.temporaryDirectory.path
    #expect(!page.contains(folder + "/"))
  }

  @Test("Hostile labels, writers and file names are shown, not obeyed")
  func hostile() throws {
    let texts = HostileText.all.filter { !$0.isEmpty }
    let records = texts.map { TemporaryInk.line(3, label: $0, writer: $0) }
    #expect(HostileText.found(in: try page(records)) == [])

    var inspection = DatasetInspection(try DataSpecification(parsing: "ink:<script>x</script>"))
    for text in texts {
      inspection.add(
        .failure(
          InkFormatError(
            .malformed, at: SourceLocation(path: text), expected: text, found: text,
            advice: text)))
    }
    let part = DatasetReport.Part(inspection: inspection, hash: "")
    #expect(HostileText.found(in: try DatasetReport([part, part]).html()) == [])
  }

  @Test("Several datasets have a section each; no dataset gives a page too")
  func several() throws {
    let part = DatasetReport.Part(
      inspection: try inspection([TemporaryInk.line(3, label: "a")]), hash: "h")
    let page = try DatasetReport([part, part]).html()
    #expect(page.contains(##"href="#data-2""##) && page.contains(##"id="data-2""##))
    #expect(try DatasetReport([]).html().contains("0 datasets"))
  }

  @Test("Its size is bounded for any number of classes and writers")
  func bounded() throws {
    let records = (0..<6000).map { index in
      TemporaryInk.line(40, label: "class \(index % 2000)", writer: "writer \(index)")
    }
    let page = try page(records)
    #expect(page.utf8.count < 5_000_000, "\(page.utf8.count) bytes")
    #expect(page.contains("1\u{202F}600 more classes, without drawings"))
    #expect(page.contains("and 5\u{202F}600 more"))
  }

  @Test("Each ink of a class is drawn with the same probability")
  func sampler() {
    var counts = [Int](repeating: 0, count: 20)
    var sampler = InkSampler(perClass: 5, classLimit: 300)
    for label in 0..<300 {
      for index in 0..<20 {
        sampler.add(TemporaryInk.line(1 + index, label: "\(label)"))
      }
    }
    for inks in sampler.inks.values {
      #expect(inks.count == 5)
      for labeled in inks { counts[labeled.ink.pointCount - 1] += 1 }
    }
    // 75 expected of 300 draws with chance 1/4: five standard deviations are 38.
    #expect(counts.allSatisfy { abs($0 - 75) < 38 }, "\(counts)")
    sampler.add(TemporaryInk.line(1, label: "one too many"))
    #expect(sampler.inks.count == 300)
  }
}
