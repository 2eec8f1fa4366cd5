import Foundation
import InkCore
import InkDatasets
import InkFormats
import Testing

@Suite("Decisions about labels")
struct DecisionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Records of two points each, the same label and number giving the same ink.
  private func ink(_ records: [(label: String, number: Int, writer: String?)]) throws -> String {
    let lines = records.map { record in
      let writer = record.writer.map { #","writer":"\#($0)""# } ?? ""
      return #"{"label":"\#(record.label)"\#(writer),"#
        + #""strokes":[{"x":[0,\#(record.number)],"y":[0,1]}]}"#
    }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "s.jsonl")
  }

  private func keys(_ text: String) throws -> [InkKey] {
    try DataSpecification(parsing: text).keyedRecords().compactMap { try? $0.get().key }
  }

  private func decide(_ entries: [DecisionEntry]) throws -> String {
    let path = folder.path + "/d.jsonl"
    try DecisionFile.append(entries, to: path)
    return path
  }

  private func labels(_ text: String) throws -> [String] {
    try records(text).map(\.labeled.label)
  }

  @Test("A record is dropped, another relabelled, and labels= sees the new label")
  func drops() throws {
    let data = "ink:" + (try ink([("a", 1, nil), ("b", 2, nil), ("c", 3, nil)]))
    let keys = try keys(data)
    let file = try decide([
      DecisionEntry(keys[0], .drop), DecisionEntry(keys[1], .relabel("c")),
      DecisionEntry(keys[2], .accept),
    ])
    #expect(try labels(data + "?decisions=\(file)") == ["c", "c"])
    #expect(try labels(data + "?decisions=\(file)&labels=b").isEmpty)
    #expect(try labels(data + "?decisions=\(file)&relabel=c:d") == ["d", "d"])
    #expect(try labels(data + "?decisions=\(file)&limit=1") == ["c"])
    #expect(try labels(data) == ["a", "b", "c"])
  }

  @Test("One of two equal records is dropped, whatever part is read")
  func duplicates() throws {
    let data =
      "ink:"
      + (try ink([("a", 1, "w1"), ("a", 1, "w2"), ("a", 1, "w3"), ("b", 1, "w1")]))
    let keys = try keys(data)
    #expect(keys.map(\.nth) == [0, 1, 2, 0])
    #expect(Set(keys.map(\.fingerprint)).count == 2)
    let file = try decide([DecisionEntry(keys[1], .drop)])
    #expect(
      try records(data + "?decisions=\(file)").map(\.labeled.writer) == ["w1", "w3", "w1"])
    #expect(try records(data + "?decisions=\(file)&writers=w2").isEmpty)
    #expect(try records(data + "?decisions=\(file)&writers=w3").count == 1)
  }

  @Test("Parts of writers stay as they are when records are dropped")
  func parts() throws {
    let data =
      "ink:"
      + (try ink((0..<200).map { ("l\($0 % 7)", $0, "w\($0 % 20)") }))
    let train = try records(data + "?split=train")
    let test = try records(data + "?split=test")
    #expect(!train.isEmpty && !test.isEmpty)
    // Dropping most ink of the first part would move the borders between the parts.
    let all = try DataSpecification(parsing: data).keyedRecords().map { try $0.get() }
    let writers = Set(train.map(\.labeled.writer))
    let dropped = all.filter { writers.contains($0.record.labeled.writer) }.dropLast(3)
    let file = try decide(dropped.map { DecisionEntry($0.key, .drop) })
    #expect(try records(data + "?decisions=\(file)&split=train").count == 3)
    #expect(try records(data + "?decisions=\(file)&split=test") == test)
    let first = DataPool()
    for part in ["train", "test", "all"] {
      let text = data + "?decisions=\(file)&split=\(part)"
      let pooled = try DataSpecification(parsing: text).kept(in: first).records()
      #expect(try pooled.map { try $0.get() } == records(text))
    }
  }

  @Test("Equal inks are counted over all parts of a set that makes only one")
  func starter() throws {
    let data = "starter:shapes?count=400&seed=4"
    let all = try DataSpecification(parsing: data).keyedRecords().map { try $0.get() }
    let test = try DataSpecification(parsing: data + "&split=test").keyedRecords()
      .map { try $0.get() }
    let byIndex = Dictionary(
      uniqueKeysWithValues: all.map { ($0.record.indexInSource, $0.key) })
    #expect(!test.isEmpty && test.count < all.count)
    #expect(test.allSatisfy { byIndex[$0.record.indexInSource] == $0.key })
    let file = try decide([
      DecisionEntry(test[0].key, .drop), DecisionEntry(test[1].key, .relabel("new")),
    ])
    let decided = try records(data + "&split=test&decisions=\(file)")
    #expect(decided.count == test.count - 1)
    #expect(decided[0].labeled.label == "new")
    #expect(try records(data + "&decisions=\(file)").count == all.count - 1)
    let specification = try DataSpecification(parsing: data + "&split=train&decisions=\(file)")
    let train = try specification.records()
    _ = Array(train)
    // Both decisions are about records, though about none of this part.
    #expect(train.decisionUse?.unmatched == 0 && train.decisionUse?.isComplete == true)
  }

  @Test(
    "Decisions work in every format of files",
    arguments: ["ndjson", "inkml", "svg"])
  func formats(format: String) throws {
    let path: String
    switch format {
    case "ndjson":
      path = try folder.write(
        #"{"label":"a","strokes":[[[1,2],[3,4]]]}"# + "\n" + #"{"label":"b","strokes":[[[1,2]]]}"#,
        to: "s.ndjson")
    case "inkml":
      path = try folder.write(
        """
        <ink xmlns="http://www.w3.org/2003/InkML">\
        <traceGroup><annotation type="truth">a</annotation><trace>1 2, 3 4</trace></traceGroup>\
        <traceGroup><annotation type="truth">b</annotation><trace>1 2, 3 5</trace></traceGroup>\
        </ink>
        """, to: "s.inkml")
    default:
      path = try folder.write(
        """
        <svg xmlns="http://www.w3.org/2000/svg"><polyline points="1,2 3,4"/></svg>
        """, to: "s.svg")
      try folder.write("s.svg\ta\n", to: "t.tsv")
    }
    let keys: String =
      switch format {
      case "inkml": "?unit=group"
      case "svg": "?texts=\(folder.path)/t.tsv"
      default: "?split=all"
      }
    let data = "\(format):\(path)\(keys)"
    let all = try DataSpecification(parsing: data).keyedRecords().map { try $0.get() }
    #expect(all.count == (format == "svg" ? 1 : 2))
    let file = try decide([DecisionEntry(all[0].key, .relabel("z"))])
    #expect(try labels("\(data)&decisions=\(file)").first == "z")
    _ = try decide([DecisionEntry(all[0].key, .drop)])
    #expect(try labels("\(data)&decisions=\(file)").count == all.count - 1)
    _ = try decide([DecisionEntry(all[0].key, nil)])
    #expect(try labels("\(data)&decisions=\(file)").first == "a")
  }

  @Test("A decision labels ink that has no label")
  func unlabelled() throws {
    let path = try folder.write(#"{"strokes":[{"x":[1,2],"y":[3,4]}]}"# + "\n", to: "u.jsonl")
    #expect(try records("ink:\(path)").isEmpty)
    let file = try decide([DecisionEntry(try keys("ink:\(path)")[0], .relabel("é"))])
    #expect(try labels("ink:\(path)?decisions=\(file)") == ["é"])
  }

  @Test("Decisions about no record are counted once all was read")
  func unmatched() throws {
    let data = "ink:" + (try ink([("a", 1, nil), ("b", 2, nil)]))
    let other = InkFingerprint(label: "x", ink: Ink())
    let file = try decide([
      DecisionEntry(try keys(data)[0], .drop), DecisionEntry(InkKey(other), .drop),
      DecisionEntry(InkKey(try keys(data)[1].fingerprint, nth: 1), .accept),
    ])
    let records = try DataSpecification(parsing: data + "?decisions=\(file)").records()
    #expect(records.decisionUse?.problem == nil)
    _ = Array(records)
    #expect(records.decisionUse?.unmatched == 2)
    #expect(records.decisionUse?.problem != nil)
  }

  @Test("Keys belong to the selected records only")
  func keysOfSelected() throws {
    let data = "ink:" + (try ink([("a", 1, nil), ("b", 2, nil), ("a", 1, nil), ("b", 2, nil)]))
    #expect(try keys(data + "?labels=b").map(\.nth) == [0, 1])
    #expect(try keys(data + "?every=2").map(\.nth) == [0, 1])
    #expect(try keys(data + "?every=3") == [keys(data)[0], keys(data)[3]])
  }
}

@Suite("Files of decisions")
struct DecisionFileTests {
  let folder: TemporaryFolder
  let key = InkKey(InkFingerprint(label: "a", ink: Ink()))

  init() throws {
    folder = try TemporaryFolder()
  }

  private func parse(_ text: String) throws -> [InkKey: LabelDecision] {
    try DecisionFile(parsing: Data(text.utf8), name: "d").decisions
  }

  @Test("A fingerprint is 16 digits of label and points, and survives its text")
  func fingerprint() throws {
    let ink = Ink(strokes: [Stroke(points: [StrokePoint(x: 1, y: 2)])])
    let first = InkFingerprint(label: "a", ink: ink)
    #expect(InkFingerprint(first.description) == first)
    #expect(first.description.count == 16)
    #expect(first != InkFingerprint(label: "b", ink: ink))
    #expect(first != InkFingerprint(label: "a", ink: Ink()))
    var hasher = DataHasher()
    hasher.update(with: LabeledInk(ink: ink, label: "a"))
    #expect(hasher.finalize().hasPrefix(first.description))
    for text in ["", "123", "0123456789abcdeF", "0123456789abcdeg", "+123456789abcdef"] {
      #expect(InkFingerprint(text) == nil)
    }
  }

  @Test("The last line of a record decides, and undo takes it back")
  func last() throws {
    let other = InkKey(key.fingerprint, nth: 1)
    let path = folder.path + "/d.jsonl"
    try DecisionFile.append([DecisionEntry(key, .drop), DecisionEntry(other, .accept)], to: path)
    try DecisionFile.append([DecisionEntry(key, .relabel("\u{202E}\n\"z"))], to: path)
    #expect(
      try DecisionFile(path: path).decisions == [
        key: .relabel("\u{202E}\n\"z"), other: .accept,
      ])
    try DecisionFile.append([DecisionEntry(key, nil)], to: path)
    #expect(try DecisionFile(path: path).decisions == [other: .accept])
  }

  @Test(
    "A bad line is an error with its number",
    arguments: [
      "{}", "[]", "nonsense", #"{"ink":"12","decision":"drop"}"#,
      #"{"ink":"0123456789abcdef","decision":"forget"}"#, #"{"ink":"0123456789abcdef"}"#,
      #"{"ink":"0123456789abcdef","decision":"relabel"}"#,
      #"{"ink":"0123456789abcdef","decision":"relabel","label":""}"#,
      #"{"ink":"0123456789abcdef","decision":"drop","nth":-1}"#,
      #"{"ink":"0123456789abcdef","decision":"drop","nth":0.5}"#,
      #"{"ink":"0123456789abcdef","decision":"drop","nth":1e300}"#,
      #"{"ink":"0123456789abcdef","decision":"drop","decision":"accept"}"#,
      #"{"ink":"0123456789abcdef","decision":"drop"} x"#, "\u{0}",
    ])
  func malformed(line: String) throws {
    let good = #"{"ink":"0123456789abcdef","decision":"drop"}"#
    do {
      _ = try parse("\(good)\n\n\(line)\n\(good)\n")
      Issue.record("no error")
    } catch let error as DataError {
      #expect(error.code == .malformedDecisions)
      #expect(error.subject == "d:3")
    }
  }

  @Test("A missing file is an error when the data is opened")
  func missing() throws {
    let path = try folder.writeRecords([("a", nil)], to: "s.ndjson")
    do {
      _ = try records("ndjson:\(path)?decisions=\(folder.path)/none.jsonl")
      Issue.record("no error")
    } catch let error as DataError {
      #expect(error.code == .malformedDecisions)
    }
  }

  @Test("After a kill at any byte of an append, what was confirmed is there, and goes on")
  func killed() throws {
    let path = folder.path + "/d.jsonl"
    let other = InkKey(key.fingerprint, nth: 1)
    try DecisionFile.append([DecisionEntry(key, .relabel("ü"))], to: path)
    let confirmed = try Data(contentsOf: URL(fileURLWithPath: path))
    try DecisionFile.append([DecisionEntry(other, .relabel("öä"))], to: path)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in confirmed.count...whole.count {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let isWhole = length >= whole.count - 1
      let expected: [InkKey: LabelDecision] =
        isWhole ? [key: .relabel("ü"), other: .relabel("öä")] : [key: .relabel("ü")]
      #expect(try DecisionFile(path: path).decisions == expected, "\(length) bytes")
      let third = InkKey(key.fingerprint, nth: 2)
      try DecisionFile.append([DecisionEntry(third, .drop)], to: path)
      #expect(
        try DecisionFile(path: path).decisions
          == expected.merging([third: .drop]) { $1 }, "\(length) bytes")
    }
  }

  @Test("Threads that append at the same time lose nothing")
  func parallel() async throws {
    let path = folder.path + "/d.jsonl"
    let fingerprint = key.fingerprint
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for each in 0..<10 {
            try DecisionFile.append(
              [DecisionEntry(InkKey(fingerprint, nth: writer * 10 + each), .drop)], to: path)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try DecisionFile(path: path).decisions.count == 40)
  }

  @Test("A folder or a link is not written to")
  func unwritable() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/elsewhere")
    for path in [folder.path, folder.path + "/link", folder.path + "/none/d.jsonl"] {
      do {
        try DecisionFile.append([DecisionEntry(key, .drop)], to: path)
        Issue.record("no error")
      } catch {
        #expect(error.code == .unwritableDecisions)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
  }
}
