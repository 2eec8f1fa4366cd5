import InkDatasets
import Testing

@Suite("Checking a folder for public datasets")
struct DatasetCheckTests {
  @Test("Present, incomplete and missing files are distinguished")
  func states() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "nicicon/NicIcon.ndjson")
    try folder.write("", to: "dollar1/s01/circle01.xml")
    try folder.write("", to: "dollar1/readme.txt")
    var states: [String: DatasetCheck] = [:]
    for dataset in try PublicDataset.all() {
      states[dataset.folder] = try dataset.check(below: folder.path)
    }
    #expect(states["nicicon"]?.state == .present)
    #expect(states["dollar1"]?.state == .incomplete)
    #expect(states["dollar1"]?.findings.map(\.found) == [1])
    #expect(states["dollar1"]?.description.contains("1 of 5280") == true)
    #expect(states["unipen"]?.state == .missing)
    #expect(states["unipen"]?.description.contains("zenodo") == true)
  }

  @Test("A folder that is not there is a typed error")
  func noFolder() throws {
    let error = #expect(throws: DataError.self) {
      _ = try PublicDataset.all()[0].check(below: "/no/such/folder")
    }
    #expect(error?.code == .invalidValue)
  }

  @Test("Every dataset names its origin, licence, citation and split")
  func catalogue() throws {
    for dataset in try PublicDataset.all() {
      for text in [dataset.origin, dataset.licence, dataset.citation, dataset.split] {
        #expect(!text.isEmpty, "\(dataset.name)")
      }
      #expect(!dataset.files.isEmpty)
    }
  }

  @Test(
    "The installed gestures are complete",
    .enabled(if: dataset("dollar1") != nil, "no $1 gestures are installed"))
  func installed() throws {
    let folder = try #require(datasetsFolder)
    let gestures = try #require(try PublicDataset.all().first { $0.folder == "dollar1" })
    #expect(try gestures.check(below: folder).state == .present)
  }
}
