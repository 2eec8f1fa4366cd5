import Features
import InkCore
import InkDatasets
import Testing

/// Tests which real inks count as several rows of writing (`NormalizedLine.rows`).
@Suite struct RowsOfRealInkTests {
  /// For each number of rows the inks that have so many.
  private func rows(of data: String) throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    var line = NormalizedLine()
    for record in try records(data) {
      line.load(try Trajectory(record.labeled.ink), area: nil)
      counts[line.rows?.count ?? 1, default: 0] += 1
    }
    return counts
  }

  @Test(.enabled(if: dataset("iam-ondb") != nil, "no IAM-OnDB"))
  func aLineIsOneRow() throws {
    let folder = try #require(dataset("iam-ondb"))
    let train = try rows(of: "iam-ondb:\(folder)?split=train")
    let val1 = try rows(of: "iam-ondb:\(folder)?split=val1")
    #expect(train == [1: 5360, 2: 1] && val1 == [1: 1438])
  }

  @Test(.enabled(if: dataset("unipen") != nil && dataset("splits/unipen.tsv") != nil, "no UNIPEN"))
  func aWordIsOneRowAndListsAreSeveral() throws {
    let folder = try #require(datasetsFolder)
    let splits = "\(folder)/unipen?splits=\(folder)/splits/unipen.tsv&split=val"
    let words = try rows(of: "unipen:\(splits)&category=7")
    let texts = try rows(of: "unipen:\(splits)&category=8")
    #expect(words == [1: 9013, 2: 1, 3: 1])
    #expect(texts == [1: 1020, 2: 82, 3: 41, 4: 128, 5: 10, 6: 2])
  }
}
