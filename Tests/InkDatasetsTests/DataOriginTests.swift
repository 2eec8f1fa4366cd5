import Foundation
import InkDatasets
import InkFormats
import Testing

@Suite("Origins of data")
struct DataOriginTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func origins(_ text: String) throws -> [DataOrigin] {
    try DataSpecification(parsing: text).origins()
  }

  @Test("The catalogue and the starter set tell licence and attribution")
  func known() throws {
    let unipen = try #require(origins("unipen:somewhere?category=1a").first)
    #expect(unipen.name == "UNIPEN train_r01_v07 (unipen:somewhere?category=1a)")
    #expect(unipen.licence.hasPrefix("CC BY 4.0") && unipen.attribution.hasPrefix("Guyon"))
    #expect(try origins("iam-ondb:x").map(\.licence) == ["non-commercial research"])
    #expect(try origins("flowchart:x").map(\.licence) == ["CC BY-NC-SA 3.0, research only"])
    #expect(try origins("starter:shapes").map(\.licence) == ["Apache-2.0"])
  }

  @Test("Formats of many datasets tell nothing; the specification does, without naming itself")
  func named() throws {
    #expect(try origins("dollar:x") == [DataOrigin(name: "dollar:x")])
    #expect(try origins("dollar:x").map(\.licence) == ["not stated"])
    #expect(
      try origins("ink:x.jsonl?licence=CC0&split=all&attribution=us") == [
        DataOrigin(name: "ink:x.jsonl?split=all", licence: "CC0", attribution: "us")
      ])
  }

  @Test("Every public dataset whose format is its own is named, with its licence and citation")
  func formats() throws {
    for (format, name) in [
      (DataFormat.unipen, "UNIPEN train_r01_v07"), (.iamOnDB, "IAM-OnDB"),
      (.quickdraw, "Quick, Draw!"), (.flowchart, "FC_A flowcharts"), (.omniglot, "Omniglot"),
      (.tomoe, "Tomoe"), (.kanjivg, "KanjiVG"),
    ] {
      let dataset = try #require(PublicDataset.all().first { $0.name == name })
      let text = "\(format.rawValue):x"
      #expect(
        try origins(text) == [
          DataOrigin(
            name: "\(name) (\(text))", licence: dataset.licence, attribution: dataset.citation)
        ])
    }
  }

  @Test("A file beside ink is written and read, for a file and for a folder of files")
  func beside() throws {
    let (one, other) = (folder.path + "/one.jsonl", folder.path + "/other.jsonl")
    let sources = try origins("iam-ondb:x") + origins("ink:mine.jsonl")
    try DataOrigin.write(sources, besideInk: one)
    try DataOrigin.write(origins("starter:words"), besideInk: other)
    #expect(
      try origins("ink:\(one)?every=2") == [
        DataOrigin(
          name: "IAM-OnDB (iam-ondb:x) as ink:\(one)?every=2", licence: sources[0].licence,
          attribution: sources[0].attribution),
        DataOrigin(name: "ink:mine.jsonl as ink:\(one)?every=2"),
      ])
    #expect(try origins("ink:\(folder.path)").count == 3)
    #expect(try origins("ink:\(one)?licence=CC0").map(\.licence) == ["CC0", "CC0"])
    let both = try [one, other, one].map { try DataSpecification(parsing: "ink:\($0)") }
    #expect(try both.origins().count == 3)
  }

  @Test("Without known origins no file remains, not even an old one")
  func unknown() throws {
    let path = folder.path + "/ink.jsonl"
    try DataOrigin.write(origins("starter:words"), besideInk: path)
    try DataOrigin.write(origins("ink:mine.jsonl"), besideInk: path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "A file beside ink that is something else is an error that names it",
    arguments: ["", "{", "{}", #"[{"name":"a"}]"#, "[1]", String(repeating: " ", count: 1 << 21)])
  func malformed(text: String) throws {
    let place = try folder.write(text, to: "ink.jsonl.sources.json")
    let error = try #require(throws: DataError.self) {
      try origins("ink:\(folder.path)/ink.jsonl")
    }
    #expect(error.code == .malformedOrigins && error.subject == place)
  }

  @Test("A place that cannot be written to is an error that names it")
  func unwritable() throws {
    let error = try #require(throws: InkFormatError.self) {
      try DataOrigin.write(origins("starter:words"), besideInk: "/nonexistent/ink.jsonl")
    }
    #expect(error.code == .unwritableFile)
    #expect(error.location.path == "/nonexistent/ink.jsonl.sources.json")
  }

  @Test("The name of an origin holds the data that it was made from")
  func roundTrip() throws {
    for format in DataFormat.allCases where format != .starter {
      for text in [
        "\(format.rawValue):x", "\(format.rawValue):some/folder?split=train&limit=5",
        "\(format.rawValue):a (1)?writers=w as v",
      ] {
        let data = try DataSpecification(parsing: text)
        for origin in try data.origins() {
          #expect(DataSpecification(originName: origin.name) == data, "\(origin.name)")
        }
      }
    }
    let starter = try DataSpecification(parsing: "starter:words?seed=3&split=val")
    #expect(try DataSpecification(originName: starter.origins()[0].name) == starter)
  }

  @Test("The origin of ink made from other data contains the name of the ink")
  func roundTripOfInk() throws {
    let path = folder.path + "/made.jsonl"
    try DataOrigin.write(origins("unipen:u?category=1a"), besideInk: path)
    let ink = try DataSpecification(parsing: "ink:\(path)?split=test")
    #expect(try ink.origins().map(\.name).allSatisfy { $0.contains("unipen:u") })
    #expect(try DataSpecification(originName: ink.origins()[0].name) == ink)
    #expect(DataSpecification(originName: "shrink:a.jsonl") == nil)
  }
}
