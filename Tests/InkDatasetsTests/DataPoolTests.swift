import Foundation
import InkDatasets
import InkFormats
import Testing

@Suite("Records that are kept between readings")
struct DataPoolTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.writeRecords((0..<500).map { ("l\($0)", "w\($0 % 9)") }, to: "some.ndjson")
  }

  private func labels(_ records: some Sequence<DataRecords.Element>) -> [String] {
    records.compactMap { try? $0.get().labeled.label }
  }

  @Test("Data that is too large to keep is read again", arguments: [0, 10_000, 1 << 20])
  func limits(limit: Int) throws {
    let plain = try DataSpecification(parsing: "ndjson:\(path)?split=train")
    let pool = DataPool(limit: limit)
    let kept = plain.kept(in: pool)
    let expected = labels(try plain.records())
    #expect(expected.count > 300)
    for _ in 0..<3 { #expect(labels(try kept.records()) == expected) }
  }

  @Test("Readings at the same time get all records, wherever the limit is met")
  func interleaved() throws {
    let plain = try DataSpecification(parsing: "ndjson:\(path)")
    let kept = plain.kept(in: DataPool(limit: 50_000))
    let expected = labels(try plain.records())
    var (first, second) = (
      try kept.records().makeIterator(), try kept.records().makeIterator()
    )
    var (firstLabels, secondLabels): ([String], [String]) = ([], [])
    // The second is behind where the first meets the limit.
    for _ in 0..<20 { if let one = second.next() { secondLabels += labels([one]) } }
    while let one = first.next() { firstLabels += labels([one]) }
    while let one = second.next() { secondLabels += labels([one]) }
    #expect(firstLabels == expected && secondLabels == expected)
  }

  @Test("What comes through a pipe is kept, however large")
  func pipe() throws {
    let pipe = folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    Thread.detachNewThread { try? bytes.write(to: URL(fileURLWithPath: pipe)) }
    let kept = try DataSpecification(parsing: "ndjson:\(pipe)").kept(in: DataPool(limit: 0))
    let first = labels(try kept.records())
    #expect(first.count == 500)
    #expect(labels(try kept.records()) == first)
  }
}
