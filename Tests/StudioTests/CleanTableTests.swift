import Foundation
import InkCore
import InkDatasets
import InkFormats
import Studio
import Testing

/// The strokes of a drawing as pairs of numbers.
private func strokes(_ drawing: InkTable.Drawing) throws -> [[[Int]]] {
  let bytes = try #require(Data(base64Encoded: drawing.strokes))
  let numbers = stride(from: 0, to: bytes.count, by: 2).map {
    Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8
  }
  var result: [[[Int]]] = []
  var next = 0
  while next < numbers.count {
    let count = numbers[next]
    result.append((0..<count).map { [numbers[next + 1 + 2 * $0], numbers[next + 2 + 2 * $0]] })
    next += 1 + 2 * count
  }
  #expect(next == numbers.count)
  return result
}

private func record(
  _ points: [[(Double, Double)]], label: String = "a", writer: String? = nil,
  area: WritingArea? = nil
) -> InkRecord {
  let strokes = points.map { Stroke(points: $0.map { StrokePoint(x: $0.0, y: $0.1) }) }
  return InkRecord(
    labeled: LabeledInk(
      ink: Ink(strokes: strokes), label: label, writer: writer, writingArea: area),
    location: SourceLocation(path: "/x/f.jsonl", line: 7), source: "f.jsonl", indexInSource: 0)
}

private func table(_ records: [InkRecord]) -> InkTable {
  var table = InkTable()
  for (index, each) in records.enumerated() {
    let labeled = each.labeled
    table.append(
      each, InkKey(InkFingerprint(label: labeled.label, ink: labeled.ink), nth: index))
  }
  return table
}

@Suite("Packed inks of a wall") struct CleanTableTests {
  @Test("A drawing has the strokes, their order and their proportions")
  func drawing() throws {
    let ink = table([
      record([[(10, 10), (110, 10)], [(60, 60)]]), record([[(0, 0), (0, 5)]]),
    ])
    let first = ink.drawing(of: 0, .thumbnail)
    #expect(first.width == 255 && first.height == 128)
    #expect(try strokes(first) == [[[0, 0], [255, 0]], [[128, 128]]])
    let second = ink.drawing(of: 1, .large)
    #expect(second.width == 0 && second.height == 16383 || second.height == 4095)
    #expect(try strokes(second).map(\.count) == [2])
    #expect(ink.sources[ink.sourceOf[1]] == "f.jsonl" && ink.lineOf[1] == 7)
  }

  @Test("A line of text has more units, so that its letters can be seen")
  func long() throws {
    let drawing = table([record([[(0, 0), (1000, 50)]])]).drawing(of: 0, .thumbnail)
    #expect(drawing.width > 900 && drawing.width <= 1023)
    #expect(drawing.height >= 45)
  }

  @Test("Dots, nothing, and points that are not numbers can be drawn")
  func extremes() throws {
    let hostile = table([
      record([[(5, 5)]]), record([]), record([[]]), record([[(.nan, 1), (1, .infinity)]]),
      record([[(-1.7e308, -1.7e308), (1.7e308, 1.7e308)]]),
      record([[(.leastNonzeroMagnitude, 0), (0, .leastNonzeroMagnitude)]]),
      record([[(0, 0), (.nan, 0), (1, 1)]]),
    ])
    #expect(try strokes(hostile.drawing(of: 0, .thumbnail)) == [[[0, 0]]])
    for index in 1...3 { #expect(try strokes(hostile.drawing(of: index, .thumbnail)).isEmpty) }
    for index in 0..<hostile.count {
      for detail in [InkTable.Detail.thumbnail, .large] {
        let drawing = hostile.drawing(of: index, detail)
        for point in try strokes(drawing).joined() {
          #expect((0...drawing.width).contains(point[0]))
          #expect((0...drawing.height).contains(point[1]))
        }
      }
    }
    #expect(try strokes(hostile.drawing(of: 6, .thumbnail)).map(\.count) == [2])
  }

  @Test("A drawing of very many points is thinned, and keeps its ends")
  func many() throws {
    var generator = SeededGenerator(seed: 3)
    let points = (0..<40_000).map { _ in
      (Double(generator.uniform()), Double(generator.uniform()))
    }
    let drawing = table([record([points])]).drawing(of: 0, .thumbnail)
    let found = try strokes(drawing)
    #expect(found.count == 1)
    #expect(found[0].count < 40_000)
    let last = try #require(found[0].last), end = points[points.count - 1]
    #expect(abs(Double(last[0]) / 255 - end.0) < 0.02)
    #expect(abs(Double(last[1]) / 255 - end.1) < 0.02)
  }

  @Test("A writing area is in the units of the drawing")
  func area() throws {
    let area = try WritingArea(x: 0, y: -10, width: 100, height: 40)
    let drawing = table([record([[(0, 0), (20, 20)]], area: area)]).drawing(of: 0, .thumbnail)
    #expect(drawing.area == [-127.5, 382.5])
  }

  @Test("Spellings of one character are two labels")
  func spellings() {
    let spelled = table([
      record([[(0, 0)]], label: "\u{E9}"), record([[(0, 0)]], label: "e\u{301}"),
    ])
    #expect(spelled.labels.names.count == 2)
    #expect(spelled.labels.known("e\u{301}") == 1)
  }
}

@Suite("Filters of a wall") struct CleanFilterTests {
  private func state() -> WallState {
    WallState(
      table([
        record([[(0, 0)]], label: "b", writer: "w2"), record([[(0, 1)]], label: "a", writer: "w1"),
        record([[(0, 2)]], label: "Ab"), record([[(0, 3)]], label: "", writer: "w1"),
      ]))
  }

  private func inks(_ query: [String: String], _ state: WallState? = nil) throws -> [Int32] {
    try WallFilter(query).inks(of: state ?? self.state())
  }

  @Test("Labels, writers and decisions select, and orders order")
  func select() throws {
    #expect(try inks([:]) == [0, 1, 2, 3])
    #expect(try inks(["label": "a"]) == [1])
    #expect(try inks(["label": "none"]) == [])
    #expect(try inks(["text": "B"]) == [0, 2])
    #expect(try inks(["writer": "w1"]) == [1, 3])
    #expect(try inks(["nowriter": "1"]) == [2])
    #expect(try inks(["sort": "label"]) == [3, 2, 1, 0])
    #expect(try inks(["sort": "writer"]) == [1, 3, 0, 2])
    var state = state()
    state.decide([state.table.keys[0]: .drop, state.table.keys[1]: .relabel("b")])
    #expect(try inks(["decision": "open"], state) == [2, 3])
    #expect(try inks(["decision": "any"], state) == [0, 1])
    #expect(try inks(["decision": "drop"], state) == [0])
    #expect(try inks(["label": "b"], state) == [0, 1])
    #expect(state.label(of: 1) == "b")
    state.decide([:])
    #expect(state.label(of: 1) == "a" && state.decisionOf.isEmpty)
  }

  @Test("Readings select by error and confidence, and follow decisions")
  func readings() throws {
    var state = state()
    #expect(try inks(["error": "1"], state).isEmpty)
    #expect(try inks(["below": "0.9"], state).isEmpty)
    var readings = WallReadings(model: "m", isOfLabels: true, marks: [], count: 4)
    readings.set(0, "b", score: log(0.9), label: "b")
    readings.set(1, "b", score: log(0.5), label: "a")
    readings.set(3, "x", score: log(0.2), label: "")
    state.read(readings)
    #expect(try inks(["error": "1"], state) == [1])
    #expect(try inks(["error": "0"], state) == [0])
    #expect(try inks(["below": "0.6"], state) == [1, 3])
    #expect(try inks(["sort": "confidence"], state) == [3, 1, 0, 2])
    #expect(try inks(["sort": "error"], state) == [1, 0, 2, 3])
    state.decide([state.table.keys[1]: .relabel("b")])
    #expect(try inks(["error": "1"], state).isEmpty)
    state.decide([state.table.keys[0]: .relabel("q")])
    #expect(try inks(["error": "1"], state) == [0, 1])
  }

  @Test(
    "Values that are none are refused with their names",
    arguments: [
      ("below", "2"), ("below", "nan"), ("below", "x"), ("error", "yes"), ("suspects", "2"),
      ("decision", "maybe"), ("sort", "size"), ("label", String(repeating: "a", count: 4001)),
    ])
  func refused(name: String, value: String) {
    do {
      _ = try WallFilter([name: value])
      Issue.record("accepted")
    } catch {
      #expect(error.code == .invalidValue && error.field == name)
    }
  }
}

@Suite("The place of decisions") struct CleanDecisionPlaceTests {
  private let project: Project

  init() throws {
    project = try Project(
      at: FileManager.default.temporaryDirectory
        .appendingPathComponent("ductus-clean-\(UUID().uuidString)"))
  }

  private func place(_ data: String) throws -> DecisionPlace {
    try DecisionPlace(of: DataSpecification(parsing: data), in: project)
  }

  @Test(
    "A file is named after the data",
    arguments: [
      ("ink:mine.jsonl", "mine"), ("ink:collect/mine.jsonl?split=all", "collect-mine"),
      ("starter:characters", "starter-characters"), ("unipen:/data/ink/unipen", "ink-unipen"),
      ("ink:../../etc/x.jsonl", "etc-x"), ("ink:.hidden", "hidden"), ("ink:a b'$?y=up", "a-b--"),
      ("ink:/", "data"), ("ink:ü/字.jsonl", "ü-字"),
    ])
  func names(data: String, name: String) throws {
    #expect(try place(data).path == "decisions/\(name).jsonl")
  }

  @Test("A long name is cut between characters")
  func long() throws {
    let path = try place("ink:" + String(repeating: "字", count: 200)).path
    #expect(path.utf8.count < 110 && path.hasSuffix("字.jsonl"))
  }

  @Test(
    "Decisions are written to the folder of decisions only",
    arguments: [
      "collect/mine.jsonl", "/etc/x.jsonl", "decisions/../mine.jsonl", "decisions/x.txt",
      "decisions/.x.jsonl", "../decisions/x.jsonl",
    ])
  func elsewhere(file: String) {
    #expect(throws: StudioError.self) { try place("ink:mine.jsonl?decisions=\(file)") }
  }

  @Test("The data with its decisions parses to the same file")
  func decided() throws {
    for text in ["ink:mine.jsonl", "ink:a b&c.jsonl?split=all", "ink:x.jsonl?labels=a"] {
      let place = try place(text)
      let decided = try DataSpecification(parsing: place.decided(text))
      #expect(decided.decisions == place.path)
      #expect(place.decided(decided.text) == decided.text)
    }
  }
}
