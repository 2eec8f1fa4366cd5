import InkDatasets
import InkFormats
import Testing

@Suite("Data specifications")
struct DataSpecificationTests {
  @Test("all parts of a specification are read")
  func allKeys() throws {
    let data = try DataSpecification(
      parsing: "unipen:some/folder?category=1a,1b&split=train&splits=a.tsv&limit=10"
        + "&labels=%5Ba-z%5D&writers=aga.*&y=down&area=none")
    #expect(data.format == .unipen)
    #expect(data.path == "some/folder")
    #expect(data.categories == ["1a", "1b"])
    #expect(data.split == .train)
    #expect(data.splits == "a.tsv")
    #expect(data.limit == 10)
    #expect(data.labels == "[a-z]")
    #expect(data.writers == "aga.*")
    #expect(data.yAxis == .down)
    #expect(data.area == .none)
  }

  @Test("what is not named has its default")
  func defaults() throws {
    let data = try DataSpecification(parsing: "ndjson:/a:b/c.ndjson")
    #expect(data.path == "/a:b/c.ndjson")
    #expect(data.split == nil && data.limit == nil && data.yAxis == nil && data.fold == nil)
    #expect(data.area == .form)
    #expect(try data.resolvedSplit() == .all)
  }

  @Test(
    "folds run from 0 or from 1",
    arguments: [("0/5", 0), ("4/5", 4), ("5/5", 0), ("1/5", 1)])
  func folds(text: String, index: Int) throws {
    let data = try DataSpecification(parsing: "dollar:a?fold=\(text)&split=test")
    #expect(data.fold == DataFold(index: index, count: 5))
  }

  @Test("a fold or a split file without a part is refused, unless a default is given")
  func missingSplit() throws {
    for key in ["fold=1/5", "splits=a.tsv"] {
      let data = try DataSpecification(parsing: "dollar:a?\(key)")
      let error = #expect(throws: DataError.self) { try data.resolvedSplit() }
      #expect(error?.code == .missingSplit)
      #expect(try data.withDefaultSplit(.test).resolvedSplit() == .test)
    }
    let whole = try DataSpecification(parsing: "dollar:a")
    #expect(try whole.withDefaultSplit(.test).resolvedSplit() == .all)
  }

  @Test("official validation sets have no folds")
  func officialSplitOfFold() throws {
    let data = try DataSpecification(parsing: "iam-ondb:a?split=val1&fold=1/5")
    let error = #expect(throws: DataError.self) { try data.resolvedSplit() }
    #expect(error?.code == .missingSplit)
  }

  @Test(
    "wrong specifications are typed errors that name what is right",
    arguments: [
      ("dollar", DataError.Code.malformedSpecification, "FORMAT:PATH"),
      ("a.jsonl?limit=1", .malformedSpecification, "no file at the path"),
      ("dollar:", .malformedSpecification, "path"), ("", .malformedSpecification, "FORMAT:PATH"),
      ("jpeg:a", .unknownFormat, "unipen, dollar, ndjson, iam-ondb, quickdraw, inkml"),
      ("dollar:a?color=1", .unknownKey, "labels"),
      ("dollar:a?category=1a", .unknownKey, "labels"),
      ("dollar:a?limit=1&limit=2", .repeatedKey, "limit"),
      ("dollar:a?limit=-1", .invalidValue, "whole number"),
      ("dollar:a?limit=x", .invalidValue, "whole number"),
      ("dollar:a?area-scale=0", .invalidValue, "0.01 to 100"),
      ("dollar:a?area-scale=nan", .invalidValue, "0.01 to 100"),
      ("dollar:a?area-scale=2-0.5", .invalidValue, "0.01 to 100"),
      ("dollar:a?area-scale=0.5-2-3", .invalidValue, "0.01 to 100"),
      ("dollar:a?limit", .invalidValue, "value"), ("dollar:a?limit=", .invalidValue, "value"),
      ("dollar:a?split=dev", .invalidValue, "train, val, test, all"),
      ("dollar:a?split=val1", .invalidValue, "train, val, test, all"),
      ("iam-ondb:a?split=val3", .invalidValue, "train, val1, val2, val, test, all"),
      ("dollar:a?fold=6/5", .invalidValue, "K/N"), ("dollar:a?fold=0/1", .invalidValue, "K/N"),
      ("dollar:a?fold=5", .invalidValue, "K/N"), ("dollar:a?relabel=a", .invalidValue, "OLD:NEW"),
      ("dollar:a?relabel=a:b,a:c", .invalidValue, "once"),
      ("dollar:a?y=left", .invalidValue, "up, down"),
      ("dollar:a?area=box", .invalidValue, "form, text, guides, none"),
      ("dollar:a?labels=%5B", .invalidValue, "regular expression"),
      ("dollar:a?labels=%zz", .invalidValue, "percent-encoded"),
      ("unipen:a?category=../b", .invalidValue, "1a,1b"),
      ("unipen:a?category=1a,", .invalidValue, "1a,1b"),
    ])
  func wrong(text: String, code: DataError.Code, hint: String) {
    let error = #expect(throws: DataError.self) { try DataSpecification(parsing: text) }
    #expect(error?.code == code)
    #expect(error?.description.contains(hint) == true)
  }

  @Test("a path alone is data in the format of its content, a folder too")
  func barePath() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"label":"a","strokes":[{"x":[1],"y":[2]}]}"# + "\n", to: "in/a.data")
    try folder.write("[[[1,2],[3,4],[5,6],[7,8],[9,9]]]", to: "b:c.txt")
    let file = try DataSpecification(parsing: folder.path + "/in/a.data?limit=1")
    #expect(file.format == .ink)
    #expect(file.limit == 1)
    #expect(file.text == "ink:" + folder.path + "/in/a.data?limit=1")
    #expect(try DataSpecification(parsing: file.text) == file)
    #expect(try DataSpecification(parsing: folder.path + "/in").format == .ink)
    let json = try DataSpecification(parsing: folder.path + "/b:c.txt")
    #expect(json.format == .json)
    #expect(try Array(json.records(unlabelled: true)).count == 1)
  }

  @Test("the error of a file without ink names the formats", arguments: ["a picture", "", "[1,2]"])
  func unknownContent(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a")
    let error = #expect(throws: DataError.self) {
      try DataSpecification(parsing: folder.path + "/a")
    }
    #expect(error?.code == .unknownFormat)
    #expect(error?.expected.contains("inkml") == true && error?.expected.contains("json") == true)
  }

  @Test("relative paths fall back to the folder that INK_DATASETS names")
  func locate() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "set/a.jsonl")
    let environment = ["INK_DATASETS": folder.path]
    let locate = { DataSpecification.locate($0, environment: environment) }
    #expect(locate("set/a.jsonl") == folder.path + "/set/a.jsonl")
    #expect(locate("set/none.jsonl") == "set/none.jsonl")
    #expect(locate("Package.swift") == "Package.swift")
    #expect(locate("/set/a.jsonl") == "/set/a.jsonl")
    #expect(DataSpecification.locate("set", environment: [:]) == "set")
  }
}
