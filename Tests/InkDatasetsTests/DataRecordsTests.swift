import InkCore
import InkDatasets
import InkFormats
import Testing

@Suite("Selected records")
struct DataRecordsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("labels and writers match whole, and the limit counts what is selected")
  func filters() throws {
    let path = try folder.writeRecords(
      [("a", "w1"), ("ab", "w1"), ("b", "w2"), ("a", "w11"), ("a", nil), ("a", "w1")],
      to: "s.ndjson")
    #expect(try records("ndjson:\(path)?labels=a").count == 4)
    #expect(try records("ndjson:\(path)?labels=%5Bab%5D").count == 5)
    #expect(try records("ndjson:\(path)?writers=w1").map(\.labeled.label) == ["a", "ab", "a"])
    #expect(try records("ndjson:\(path)?labels=a&limit=2").map(\.indexInSource) == [0, 3])
    #expect(try records("ndjson:\(path)?labels=a&every=2").map(\.indexInSource) == [0, 4])
    #expect(try records("ndjson:\(path)?every=4&limit=1").map(\.indexInSource) == [0])
    #expect(try records("ndjson:\(path)?limit=0").isEmpty)
  }

  @Test("what the reader noted selects, or leaves out")
  func notes() throws {
    for form in ["x01-001z", "x01-002"] {
      let place = "\(form.prefix(3))/\(form.prefix(7))/\(form)"
      try folder.write("CSR:\n\n\(form)\n", to: "iam/ascii/\(place).txt")
      try folder.write(
        "<S><Stroke><Point x='1' y='1'/></Stroke></S>", to: "iam/lineStrokes/\(place)-01.xml")
    }
    let path = "iam-ondb:\(folder.path)/iam"
    #expect(try records(path).count == 2)
    #expect(try records("\(path)?with-note=spacedTokens").map(\.labeled.label) == ["x01-002"])
    #expect(try records("\(path)?without-note=spacedTokens").map(\.labeled.label) == ["x01-001z"])
    #expect(throws: DataError.self) {
      try DataSpecification(parsing: "iam-ondb:a?with-note=nothing")
    }
  }

  @Test("labels change after the selection")
  func relabels() throws {
    let path = try folder.writeRecords(
      [("a", nil), ("b", nil), ("c", nil), ("a", nil)], to: "s.ndjson")
    let labels = { (query: String) in try records("ndjson:\(path)?\(query)").map(\.labeled.label) }
    #expect(try labels("relabel=a:x,b:a") == ["x", "a", "c", "x"])
    #expect(try labels("labels=a|b&relabel=b:y,*:z") == ["z", "y", "z"])
  }

  @Test("the records can be iterated again")
  func iterateAgain() throws {
    let path = try folder.writeRecords([("a", nil), ("b", nil)], to: "s.ndjson")
    let records = try DataSpecification(parsing: "ndjson:\(path)").records()
    #expect(Array(records).count == 2)
    #expect(Array(records).count == 2)
  }

  @Test("failures stand between the records")
  func failures() throws {
    let path = try folder.write("{}\n" + #"{"label":"a","strokes":[[[1,2]]]}"#, to: "s.ndjson")
    let elements = Array(try DataSpecification(parsing: "ndjson:\(path)?labels=b").records())
    #expect(elements.count == 1)
    #expect(throws: InkFormatError.self) { try elements[0].get() }
  }

  @Test("the parts of a dataset are disjoint by writer and make up the whole")
  func writerParts() throws {
    let path = try folder.writeRecords(
      (0..<40).flatMap { writer in
        (0...writer % 4).map { ("c\($0)", "w\(writer)") }
      }, to: "s.ndjson")
    var parts: [[String]] = []
    for split in ["train", "val", "test"] {
      parts.append(try records("ndjson:\(path)?split=\(split)").compactMap(\.labeled.writer))
    }
    #expect(parts.map(\.count).reduce(0, +) == 100)
    #expect(parts.allSatisfy { !$0.isEmpty })
    #expect(Set(parts[0]).isDisjoint(with: parts[1]) && Set(parts[0]).isDisjoint(with: parts[2]))
    #expect(Set(parts[1]).isDisjoint(with: parts[2]))
    #expect(try records("ndjson:\(path)?split=all").count == 100)
  }

  @Test("every writer is test in exactly one fold")
  func folds() throws {
    let path = try folder.writeRecords((0..<23).map { ("a", "w\($0)") }, to: "s.ndjson")
    var tested: [String] = []
    for fold in 0..<5 {
      let test = try records("ndjson:\(path)?fold=\(fold)/5&split=test")
        .compactMap(\.labeled.writer)
      let train = try records("ndjson:\(path)?fold=\(fold)/5&split=train")
        .compactMap(\.labeled.writer)
      let val = try records("ndjson:\(path)?fold=\(fold)/5&split=val").compactMap(\.labeled.writer)
      #expect(Set(test + train + val).count == 23)
      #expect(test.count + train.count + val.count == 23)
      tested += test
    }
    #expect(tested.count == 23)
    #expect(Set(tested).count == 23)
  }

  @Test("split-by=ink parts the inks of one writer, and every ink is in one part")
  func splitByInk() throws {
    let path = try folder.writeRecords(
      (0..<200).map { ("l\($0)", "me") }, to: "s.ndjson")
    let byWriter = try ["train", "val", "test"].map {
      try records("ndjson:\(path)?split=\($0)").count
    }
    #expect(byWriter == [200, 0, 0])
    let parts = try ["train", "val", "test"].map {
      try records("ndjson:\(path)?split=\($0)&split-by=ink").map(\.labeled.label)
    }
    #expect(parts.flatMap(\.self).sorted() == (0..<200).map { "l\($0)" }.sorted())
    #expect((130...180).contains(parts[0].count) && parts[1].count > 5 && parts[2].count > 5)
    #expect(throws: DataError.self) {
      try DataSpecification(parsing: "starter:shapes?split-by=ink")
    }
  }

  @Test("split-by=mixed has the test part of split-by=writer, and parts the inks of others")
  func splitMixed() throws {
    let path = try folder.writeRecords(
      (0..<300).map { ("l\($0)", "w\($0 % 3)") } + (0..<100).map { ("n\($0)", nil) }, to: "s.ndjson"
    )
    let labels = { (query: String) in
      try records("ndjson:\(path)?\(query)").map(\.labeled.label)
    }
    for fold in ["", "&fold=1/3"] {
      let test = try labels("split=test&split-by=mixed\(fold)")
      #expect(try test == labels("split=test\(fold)"))
      let (train, val) = try (
        labels("split=train&split-by=mixed\(fold)"), labels("split=val&split-by=mixed\(fold)")
      )
      #expect((train + val + test).sorted() == (try labels("split=all")).sorted())
      #expect(val.count > 5 && val.count < train.count / 4)
    }
  }

  @Test("records without a writer are split one by one, always the same way")
  func samples() throws {
    let path = try folder.writeRecords((0..<1000).map { ("a\($0)", nil) }, to: "s.ndjson")
    let counts = try ["train", "val", "test"].map { split in
      try records("ndjson:\(path)?split=\(split)").count
    }
    #expect(counts.reduce(0, +) == 1000)
    #expect((740...860).contains(counts[0]) && (60...140).contains(counts[1]))
    let moved = try folder.writeRecords((0..<1000).map { ("a\($0)", nil) }, to: "else/s.ndjson")
    #expect(try records("ndjson:\(moved)?split=val").count == counts[1])
  }

  @Test("ink without a writer stays with its page or document, in folds and by hashes")
  func pages() throws {
    for form in (1...30).map({ "a01-\(100 + $0)u" }) {
      try folder.write(
        "CSR:\n\n" + String(repeating: "\(form)\n", count: 4), to: "iam/ascii/\(form).txt")
      for line in 1...4 {
        try folder.write(
          "<S><Stroke><Point x='1' y='2' time='3'/></Stroke></S>",
          to: "iam/lineStrokes/\(form)-0\(line).xml")
      }
    }
    for name in (1...30).map({ "d\($0)" }) {
      let group =
        "<traceGroup><annotation type='truth'>\(name)</annotation><trace>1 2</trace></traceGroup>"
      try folder.write(
        "<ink>\(String(repeating: group, count: 4))</ink>", to: "inkml/\(name).inkml")
      let node = #"{"type":"Node","kind":"\#(name)","items":[{"type":"stroke","X":[1],"Y":[2]}]}"#
      try folder.write(
        #"{"type":"Raw Content","version":"3","elements":[\#(node),\#(node),\#(node),\#(node)]}"#,
        to: "jiix/\(name).jiix")
    }
    for data in [
      "iam-ondb:\(folder.path)/iam", "inkml:\(folder.path)/inkml",
      "flowchart:\(folder.path)/inkml", "jiix:\(folder.path)/jiix",
    ] {
      let isIAM = data.hasPrefix("iam")
      for query in ["fold=0/5"] + (isIAM ? [] : ["y=down"]) {
        // The labels are the names of the pages and documents.
        let parts = try ["train", "val", "test"].map {
          try records("\(data)?\(query)&split=\($0)").map(\.labeled.label)
        }
        #expect(parts.map(\.count).reduce(0, +) == 120, "\(data) \(query)")
        #expect(parts.map { Set($0).count }.reduce(0, +) == 30, "\(data) \(query)")
        #expect(parts.allSatisfy { $0.count < 120 }, "\(data) \(query)")
      }
    }
    // Single inks are asked for.
    let inks = try ["train", "val", "test"].map {
      try records("jiix:\(folder.path)/jiix?split-by=ink&split=\($0)").map(\.labeled.label)
    }
    #expect(inks.map { Set($0).count }.reduce(0, +) > 30)
  }

  @Test("a split file selects UNIPEN's segment files")
  func splitFile() throws {
    try folder.write(".COORD X Y\n.PEN_DOWN\n0 0\n1 1\n", to: "u/include/a.dat")
    for name in ["a", "b", "c"] {
      try folder.write(
        ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"\(name)\"\n", to: "u/data/1a/x/\(name).dat")
    }
    let table = try folder.write(
      "# ours\npath\twriters\tsplit\tsegments\n1a/x/a.dat\tw\ttrain\t1\n1a/x/b.dat\tw\ttest\t1\n"
        + "1b/x/d.dat\tw\ttest\t1\n1a/x/gone.dat\tw\tval\t1\n", to: "t.tsv")
    let base = "unipen:\(folder.path)/u?splits=\(table)&category=1a"
    #expect(try records(base + "&split=train").map(\.labeled.label) == ["a"])
    #expect(try records(base + "&split=test").map(\.labeled.label) == ["b"])
    #expect(try records(base + "&split=all").map(\.labeled.label) == ["a", "b", "c"])
    let gone = Array(try DataSpecification(parsing: base + "&split=val").records())
    #expect(gone.count == 1)
    #expect(throws: InkFormatError.self) { try gone[0].get() }
  }

  @Test("A table that comes with the package is found by its name")
  func namedSplit() throws {
    try folder.write(".COORD X Y\n.PEN_DOWN\n0 0\n1 1\n", to: "u/include/a.dat")
    for (name, label) in [("amywldrp", "a"), ("annzchrl", "b"), ("unknown", "c")] {
      try folder.write(
        ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"\(label)\"\n",
        to: "u/data/1a/aga/\(name).dat")
    }
    let base = "unipen:\(folder.path)/u?splits=unipen&category=1a"
    #expect(try records(base + "&split=test").map(\.labeled.label) == ["a"])
    #expect(try records(base + "&split=train").map(\.labeled.label) == ["b"])
    let error = #expect(throws: DataError.self) {
      try records("unipen:\(folder.path)/u?splits=nothing&split=train")
    }
    #expect(error?.code == .malformedSplits)
  }

  @Test("IAM-OnDB has its official parts, unless a table or a fold is given")
  func officialSplit() throws {
    for (form, part) in [
      ("a01-001", "trainset"), ("a01-002", "testset_v"), ("a01-003", "testset_t"),
    ] {
      try folder.write("CSR:\n\n\(part)\n", to: "iam/ascii/\(form).txt")
      try folder.write(
        "<S><Stroke><Point x='1' y='2' time='3'/></Stroke></S>",
        to: "iam/lineStrokes/\(form)-01.xml")
      try folder.write(" \(form)\n", to: "iam/\(part).txt")
    }
    let base = "iam-ondb:\(folder.path)/iam?"
    let labels = { try records(base + $0).map(\.labeled.label) }
    #expect(try labels("split=train") == ["trainset"])
    #expect(try labels("split=val1") == ["testset_v"] && labels("split=val") == ["testset_v"])
    #expect(try labels("split=val2") == ["testset_t"])
    #expect(try labels("split=all").count == 3 && labels("limit=2").count == 2)
    let error = #expect(throws: InkFormatError.self) { try records(base + "split=test") }
    #expect(error?.code == .missingFile)
    let table = try folder.write(
      "path\tsplit\nlineStrokes/a01-003-01.xml\ttrain\n", to: "t.tsv")
    #expect(try labels("splits=\(table)&split=train") == ["testset_t"])
    let folds = try ["train", "val", "test"].map { try labels("fold=1/2&split=\($0)").count }
    #expect(folds.reduce(0, +) == 3)
  }

  @Test("data and split files that are not there are errors that name INK_DATASETS")
  func missingData() throws {
    for text in ["unipen:no-such-folder?category=1a", "dollar:no-such-folder", "ink:no-such.jsonl"]
    {
      let error = #expect(throws: InkFormatError.self) { try records(text) }
      #expect(error?.code == .missingFile)
      #expect(error?.description.contains("INK_DATASETS") == true, "\(text)")
    }
    let absolute = #expect(throws: InkFormatError.self) { try records("dollar:/no-such-folder") }
    #expect(absolute?.description.contains("INK_DATASETS") == false)
    let splits = #expect(throws: DataError.self) {
      try records("dollar:no-such-folder?splits=no-such.tsv&split=test")
    }
    #expect(splits?.description.contains("INK_DATASETS") == true)
  }

  @Test(
    "malformed split files are typed errors",
    arguments: ["", "path\tpart\n", "path\tsplit\na.dat\n", "path\tsplit\na.dat\tdev\n"])
  func malformedSplitFile(text: String) {
    let error = #expect(throws: DataError.self) { try SplitFile(parsing: text, name: "t.tsv") }
    #expect(error?.code == .malformedSplits)
  }

  @Test("a file or writer in two parts is an error with the line, one twice in a part is none")
  func twoParts() throws {
    for key in ["path", "writer"] {
      let error = #expect(throws: DataError.self) {
        try SplitFile(parsing: "\(key)\tsplit\na\ttrain\nb\ttest\na\ttest\n", name: "t.tsv")
      }
      #expect(error?.code == .malformedSplits && error?.subject == "t.tsv:4")
      let table = try SplitFile(parsing: "\(key)\tsplit\na\ttrain\na\ttrain\n", name: "t.tsv")
      #expect(table.sources.merging(table.writers) { $1 } == ["a": .train])
    }
  }

  @Test("a byte order mark is no part of a split file")
  func byteOrderMark() throws {
    for line in ["path\tsplit\n", "# ours\npath\tsplit\n"] {
      let table = try SplitFile(parsing: "\u{FEFF}\(line)a.dat\ttest\n", name: "t.tsv")
      #expect(table.sources == ["a.dat": .test])
    }
  }

  @Test("records in no part and rows that match nothing are counted by each reading to the end")
  func splitFileUse() throws {
    let path = try folder.writeRecords(
      [("a", "w1"), ("b", "w2"), ("c", "w3"), ("d", nil)], to: "s.ndjson")
    let table = try folder.write("writer\tsplit\nw1\ttrain\nw9\ttest\nw8\ttest\n", to: "t.tsv")
    let base = "ndjson:\(path)?splits=\(table)"
    let records = try DataSpecification(parsing: base + "&split=train").records()
    let use = try #require(records.splitFileUse)
    #expect(use.problem == nil)
    for _ in 0..<2 {
      #expect(Array(records).count == 1)
      #expect(use.isComplete && use.inNoPart == 3 && use.unmatched == 2 && use.unit == .record)
      #expect(use.problem?.contains("3 records of the data in no part") == true)
    }
    let limited = try DataSpecification(parsing: base + "&split=train&limit=1").records()
    #expect(Array(limited).count == 1 && limited.splitFileUse?.problem == nil)
    #expect(try DataSpecification(parsing: base + "&split=all").records().splitFileUse == nil)
  }

  @Test("UNIPEN's files in no part are counted without reading them")
  func splitFileUseOfFiles() throws {
    try folder.write(".COORD X Y\n.PEN_DOWN\n0 0\n1 1\n", to: "u/include/a.dat")
    for name in ["1a/a", "1a/b", "1b/c"] {
      try folder.write(
        ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"a\"\n", to: "u/data/\(name).dat")
    }
    let table = try folder.write(
      "path\tsplit\n1a/a.dat\ttrain\n1a/gone.dat\ttest\n1b/gone.dat\ttest\n", to: "t.tsv")
    let base = "unipen:\(folder.path)/u?splits=\(table)&split=train"
    let all = try #require(try DataSpecification(parsing: base).records().splitFileUse)
    #expect(all.unit == .file && all.inNoPart == 2 && all.unmatched == 2)
    let some = try DataSpecification(parsing: base + "&category=1a").records()
    #expect(some.splitFileUse?.inNoPart == 1 && some.splitFileUse?.unmatched == 1)
    #expect(Array(some).count == 1)
    #expect(some.splitFileUse?.problem?.contains("1 file of the data in no part") == true)
  }

  @Test("a split file by writer selects records of any format")
  func writerTable() throws {
    let path = try folder.writeRecords([("a", "w1"), ("b", "w2"), ("c", "w3")], to: "s.ndjson")
    let table = try folder.write("writer\tsplit\nw1\ttrain\nw2\ttest\n", to: "t.tsv")
    let test = try records("ndjson:\(path)?splits=\(table)&split=test")
    #expect(test.map(\.labeled.label) == ["b"])
  }

  @Test("areas come from the file's other characters, or are dropped")
  func areas() throws {
    try folder.write(
      ".COORD X Y\n"
        + (0..<6).map { ".PEN_DOWN\n\($0 * 20) 100\n\($0 * 20 + 10) 110\n" }.joined(),
      to: "u/include/a.dat")
    try folder.write(
      ".INCLUDE a.dat\n"
        + (0..<5).map { ".SEGMENT CHARACTER \($0) ? \"a\"\n" }.joined()
        + ".SEGMENT WORD 0-5 ? \"aaaaaa\"\n", to: "u/data/1a/x/a.dat")
    let path = "unipen:\(folder.path)/u"
    let areas = try records(path).map(\.labeled.writingArea)
    #expect(areas.map { $0 != nil } == [true, true, true, true, true, false])
    #expect(areas[0]?.height == 20 && areas[0]?.y == -115)
    #expect(try records(path + "?area=none").allSatisfy { $0.labeled.writingArea == nil })
    // The estimate sees the whole file, whatever is selected of it.
    #expect(try records(path + "?limit=1").map(\.labeled.writingArea) == [areas[0]])
  }

  @Test("area=guides keeps what the guide lines of a file say, of words too")
  func guides() throws {
    try folder.write(
      ".COORD X Y\n.PEN_DOWN\n0 9\n.H_LINE 100 110\n"
        + (0..<5).map { ".PEN_DOWN\n\($0 * 20) 100\n\($0 * 20 + 10) 110\n" }.joined(),
      to: "u/include/a.dat")
    try folder.write(
      ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"a\"\n.SEGMENT CHARACTER 1 ? \"a\"\n"
        + ".SEGMENT WORD 1-5 ? \"aaaaa\"\n", to: "u/data/1a/x/a.dat")
    let areas = try records("unipen:\(folder.path)/u?area=guides").map(\.labeled.writingArea)
    #expect(areas.map { $0?.height } == [nil, 30, 30])
    // The default, on which published figures depend.
    let estimated = try records("unipen:\(folder.path)/u").map(\.labeled.writingArea)
    #expect(estimated[2] == nil)
    let named = try records("unipen:\(folder.path)/u?area=form").map(\.labeled.writingArea)
    #expect(named == estimated)
  }

  @Test("area=text knows how large the other letters of a file are, area=form does not")
  func texts() throws {
    // Small letters of 10, then capitals of 20: one hand, whose capitals are 20 high.
    try folder.write(
      ".COORD X Y\n"
        + (0..<5).map { ".PEN_DOWN\n\($0 * 30) 100\n\($0 * 30 + 9) 110\n" }.joined(),
      to: "u/include/small.dat")
    try folder.write(
      ".COORD X Y\n"
        + (0..<5).map { ".PEN_DOWN\n\($0 * 30) 100\n\($0 * 30 + 9) 120\n" }.joined(),
      to: "u/include/capital.dat")
    for (name, label) in [("small", "v"), ("capital", "V")] {
      try folder.write(
        ".INCLUDE \(name).dat\n"
          + (0..<5).map { ".SEGMENT CHARACTER \($0) ? \"\(label)\"\n" }.joined(),
        to: "u/data/1a/\(name)/a.dat")
    }
    func heights(_ area: String) throws -> [Double] {
      try records("unipen:\(folder.path)/u?area=\(area)").map {
        try #require($0.labeled.writingArea).height
      }
    }
    let form = try heights("form")
    let text = try heights("text")
    #expect(form.count == 10 && text.count == 10)
    #expect(form.max() == 2 * (try #require(form.min())))
    #expect(text.allSatisfy { (24...36).contains($0) })
  }

  @Test("recorded areas are kept, or dropped")
  func recordedAreas() throws {
    let path = try folder.write(
      #"{"label":"a","area":{"width":2,"height":1},"strokes":[{"x":[1],"y":[2]}]}"#,
      to: "a.jsonl")
    #expect(
      try records("ink:\(path)").map(\.labeled.writingArea) == [WritingArea(width: 2, height: 1)])
    #expect(try records("ink:\(path)?area=none").map(\.labeled.writingArea) == [nil])
    let area = try #require(try records("ink:\(path)")[0].labeled.writingArea)
    let twice = try #require(try records("ink:\(path)?area-scale=2")[0].labeled.writingArea)
    #expect(twice.height == 2 * area.height && twice.width == area.width)
    #expect(twice.y + twice.height / 2 == area.y + area.height / 2)
  }

  @Test("areas are wrong by factors of a range, as often below as above its geometric mean")
  func wrongAreas() throws {
    let line = #"{"label":"a","area":{"width":2,"height":1},"strokes":[{"x":[1],"y":[2]}]}"#
    let path = try folder.write(
      [String](repeating: line, count: 400).joined(separator: "\n"), to: "a.jsonl")
    func heights() throws -> [Double] {
      try records("ink:\(path)?area-scale=0.5-2").map {
        try #require($0.labeled.writingArea).height
      }
    }
    let found = try heights()
    #expect(found.allSatisfy { (0.5...2).contains($0) })
    #expect((150...250).contains(found.count { $0 < 1 }))
    #expect(try #require(found.min()) < 0.55 && (try #require(found.max())) > 1.8)
    #expect(try heights() == found)
  }
}
