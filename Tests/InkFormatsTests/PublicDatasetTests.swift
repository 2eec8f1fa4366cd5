import InkCore
import InkFormats
import Testing

// These tests read the real files. Each is skipped, with a line that says so, where the dataset is
// not unpacked in INK_DATASETS or ~/.cache/ink-datasets.
@Suite("Public datasets")
struct PublicDatasetTests {
  @Test(
    "UNIPEN's segments are all there, with the writers of the split file",
    .enabled(if: dataset("unipen") != nil && dataset("splits/unipen.tsv") != nil, "no UNIPEN"))
  func unipen() throws {
    let folder = try #require(dataset("unipen"))
    let table = try #require(dataset("splits/unipen.tsv"))
    var expected: [String: (count: Int, writer: String)] = [:]
    for line in try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("1") {
      let fields = line.split(separator: "\t").map(String.init)
      expected[fields[0]] = (try #require(Int(fields[3])), fields[1])
    }
    // The table leaves out the last segment of this file; its pen block ends with the file.
    expected["1a/lou/lou0/jl_vo_c.dat"]?.count = 7

    var counts: [String: Int] = [:]
    for element in try UNIPENReader(folder: folder, categories: ["1a", "1b", "1c", "1d"]) {
      let record = try element.get()
      counts[record.source, default: 0] += 1
      #expect(record.labeled.writer == expected[record.source]?.writer)
    }
    #expect(counts == expected.mapValues(\.count))
  }

  @Test("all $1 gestures are read", .enabled(if: dataset("dollar1") != nil, "no $1 data"))
  func dollar() throws {
    try check(
      InkReader(.gestureXML, path: try #require(dataset("dollar1"))), count: 5280, classes: 16,
      writers: 11)
  }

  @Test("all MMG gestures are read", .enabled(if: dataset("ndollar-mmg") != nil, "no MMG data"))
  func multistroke() throws {
    try check(
      InkReader(.gestureXML, path: try #require(dataset("ndollar-mmg"))), count: 9598, classes: 16,
      writers: 20)
  }

  @Test("all NicIcon icons are read", .enabled(if: dataset("nicicon") != nil, "no NicIcon data"))
  func nicIcon() throws {
    try check(
      InkReader(.strokeLines, path: try #require(dataset("nicicon/NicIcon.ndjson")), yAxis: .up),
      count: 13827, classes: 14, writers: 33)
  }

  @Test("all LaViola symbols are read", .enabled(if: dataset("laviola") != nil, "no LaViola data"))
  func laViola() throws {
    try check(
      InkReader(.strokeLines, path: try #require(dataset("laviola/LaViola.ndjson"))), count: 10568,
      classes: 48, writers: 11)
  }

  @Test("all drawings are read", .enabled(if: dataset("quickdraw") != nil, "no Quick, Draw! data"))
  func quickDraw() throws {
    try check(
      InkReader(.quickDraw, path: try #require(dataset("quickdraw"))), count: 9570, classes: 345,
      writers: 0)
  }

  @Test(
    "all drawings of Omniglot's small parts are read, those of both once",
    .enabled(if: dataset("omniglot/strokes_background_small1") != nil, "no Omniglot strokes"))
  func omniglot() throws {
    try check(
      OmniglotReader(folder: try #require(dataset("omniglot"))), count: 4840, classes: 242,
      writers: 160)
  }

  @Test(
    "all IAM-OnDB lines are read, and the faults of the training part are failures",
    .enabled(if: dataset("iam-ondb") != nil, "no IAM-OnDB data"),
    arguments: [
      (IAMOnDBPart.train, 5361, 93), (.val1, 1438, 20), (.val2, 1518, 20),
    ])
  func iamOnDB(part: IAMOnDBPart, count: Int, writers: Int) throws {
    let folder = try #require(dataset("iam-ondb"))
    let outcome = Outcome(try IAMOnDBReader(folder: folder, part: part))
    #expect(outcome.records.count == count)
    #expect(Set(outcome.records.compactMap(\.labeled.writer)).count == writers)
    // Two texts differ from the task's; one line has no text.
    let faults: [InkFormatError.Code] = [
      .mismatchedTranscription, .missingTranscription, .mismatchedTranscription,
    ]
    #expect(outcome.codes == (part == .train ? faults : []))
  }

  private func check(
    _ reader: some Sequence<Result<InkRecord, InkFormatError>>, count: Int, classes: Int,
    writers: Int
  ) throws {
    let outcome = Outcome(reader)
    #expect(outcome.failures.isEmpty)
    #expect(outcome.records.count == count)
    #expect(Set(outcome.labels).count == classes)
    #expect(Set(outcome.records.compactMap(\.labeled.writer)).count == writers)
  }
}
