import Foundation
import InkCore
import InkDatasets
import InkFormats
import InkSynthesis
import Testing

@Suite("Virtual writers of characters")
final class VirtualRecordsTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("virtual-\(UUID().uuidString)")
  private let path: String

  /// Three characters: a box, か, and one with a dot; the first has two forms.
  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("tomoe.jsonl").path
    let lines = [
      #"{"character":"口","strokes":[[[60,60],[60,260]],[[60,60],[260,60],[260,260]],[[60,250],[260,250]]]}"#,
      #"{"character":"か","strokes":[[[30,110],[170,90],[150,270],[110,250]],[[120,20],[100,150],[30,290]],[[230,70],[290,180]]]}"#,
      #"{"character":"一","strokes":[[[20,160],[300,150]]]}"#,
      #"{"character":"口","strokes":[[[60,60],[70,260]],[[60,70],[260,50],[240,250],[70,260]]]}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func records(_ keys: String) throws -> [InkRecord] {
    try DataSpecification(parsing: "tomoe:\(path)?\(keys)").records().map { try $0.get() }
  }

  @Test("Each writer writes each label once")
  func labels() throws {
    let made = try records("population=7")
    #expect(made.count == 21 && Set(made.compactMap(\.labeled.writer)).count == 7)
    for (_, inks) in Dictionary(grouping: made, by: \.labeled.writer) {
      #expect(inks.map(\.labeled.label) == ["口", "か", "一"])
    }
    for record in made {
      try record.labeled.ink.validate()
      #expect(record.labeled.writingArea != nil && record.level == .character)
      #expect(record.labeled.ink.strokes.allSatisfy { $0.points.count >= 2 })
    }
    #expect(try records("population=7&limit=4").count == 4)
    #expect(try records("population=7&labels=口").count == 7)
  }

  @Test("The same seed gives the same bits, another seed other ink", arguments: [1, 7, 1234])
  func determinism(seed: UInt64) throws {
    let one = try records("population=12&seed=\(seed)")
    #expect(try one == records("population=12&seed=\(seed)"), "seed \(seed)")
    let other = try records("population=12&seed=\(seed + 1)")
    #expect(!zip(one, other).contains { $0.labeled.ink == $1.labeled.ink }, "seed \(seed)")
  }

  @Test("A writer does not depend on the number of writers")
  func prefix() throws {
    #expect(try records("population=3") == Array(records("population=30").prefix(9)))
  }

  @Test("The parts have different writers, and are the whole together")
  func parts() throws {
    var writers: [Set<String>] = []
    for part in ["train", "val", "test"] {
      writers.append(Set(try records("population=40&split=\(part)").compactMap(\.labeled.writer)))
    }
    #expect(writers.map(\.count) == [32, 4, 4])
    #expect(writers[0].union(writers[1]).union(writers[2]).count == 40)
  }

  @Test("Inks differ as those of people do: in strokes, in their order and in proportions")
  func variety() throws {
    let seed: UInt64 = 5
    let made = try records("population=400&seed=\(seed)&labels=か").map(\.labeled.ink)
    let counts = Dictionary(grouping: made, by: \.strokes.count).mapValues(\.count)
    #expect(Set(counts.keys).isSuperset(of: [2, 3]), "seed \(seed): \(counts)")
    #expect(counts[3, default: 0] > 200, "seed \(seed): \(counts)")
    let aspects = made.compactMap(\.boundingBox).map { $0.width / $0.height }.sorted()
    let spread = aspects[360] / aspects[40]
    #expect(1.3 < spread && spread < 3, "seed \(seed): \(spread)")
  }

  @Test("Voiced and small kana are composed if asked for")
  func kana() throws {
    #expect(Set(try records("population=1").map(\.labeled.label)) == ["口", "か", "一"])
    let made = try records("population=40&compose=kana")
    #expect(Set(made.map(\.labeled.label)) == ["口", "か", "一", "が"])
    let heights = Dictionary(grouping: made, by: \.labeled.label).mapValues { inks in
      inks.reduce(0) { $0 + $1.labeled.ink.strokes.count }
    }
    #expect(heights["が", default: 0] > heights["か", default: 0])
  }

  @Test("Keys that have no meaning beside it are refused, and so are bad values")
  func keys() {
    for keys in [
      "population=0", "population=x", "seed=3", "compose=kana", "population=5&compose=latin",
      "population=5&fold=0/2", "population=5&splits=a.tsv", "population=5&split-by=ink",
      "population=5&writers=1-1",
    ] {
      #expect(throws: DataError.self, "\(keys)") {
        try DataSpecification(parsing: "tomoe:\(path)?\(keys)")
      }
    }
  }

  @Test("Bad lines are failures, once, and the others are written")
  func badLines() throws {
    let file = folder.appendingPathComponent("bad.jsonl")
    try Data(
      (#"{"character":"一","strokes":[[[20,160],[300,150]]]}"# + "\n{\n").utf8
    ).write(to: file)
    let results = Array(
      try DataSpecification(parsing: "tomoe:\(file.path)?population=3").records())
    #expect(results.count == 4)
    #expect(results.compactMap { try? $0.get() }.count == 3)
  }

  @Test("Ink without a box is written in one, and a dot is a short movement")
  func withoutBox() throws {
    let ink = Ink(strokes: [
      Stroke(points: [StrokePoint(x: 5, y: 5)]),
      Stroke(points: [
        StrokePoint(x: 0, y: 10), StrokePoint(x: .nan, y: 1), StrokePoint(x: 10, y: 30),
      ]),
    ])
    let form = try #require(Prototype(ink: ink, label: "x", area: nil))
    #expect(form.strokes.count == 2 && form.strokes.allSatisfy { $0.count == 2 })
    let box = form.box
    #expect(box.minY >= 0 && box.maxY <= 100 && box.minX >= 0 && box.maxX <= 100)
    #expect(Prototype(ink: Ink(), label: "x", area: nil) == nil)
  }
}

@Suite("Japanese prototypes")
struct JapanesePrototypeTests {
  @Test("All kana of everyday Japanese are there, and each has several forms")
  func complete() throws {
    let hiragana = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
    let katakana = String(
      String.UnicodeScalarView(
        hiragana.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x60) }))
    let library = try PrototypeLibrary.japanese.get()
    let composed = ComposedKana.voiced + ComposedKana.small.map(\.small)
    for label in (hiragana + katakana + "ー。、「」・々").map(String.init) + composed {
      #expect(library.prototypes[label, default: []].count >= 2, "\(label)")
    }
    for prototype in library.prototypes.values.joined() {
      let box = prototype.box
      #expect(box.minX >= -10 && box.maxX <= 110 && box.minY >= -10 && box.maxY <= 110)
    }
  }

  @Test("七 and ヒ have a flat, a rising and a falling first stroke, and 餅 both forms")
  func forms() throws {
    let library = try PrototypeLibrary.japanese.get()
    for label in ["七", "ヒ"] {
      let rises = library.prototypes[label, default: []].map { form in
        // The stroke that is wider than it is tall, from left to right.
        let stroke =
          form.strokes.first { abs($0[$0.count - 1].x - $0[0].x) > 40 && $0.count < 4 } ?? []
        let ends = stroke.sorted { $0.x < $1.x }
        return (ends.last?.y ?? 0) - (ends.first?.y ?? 0)
      }
      #expect(rises.contains { abs($0) < 7 } && rises.contains { $0 > 15 }, "\(label) \(rises)")
      #expect(rises.contains { $0 < -5 }, "\(label) \(rises)")
    }
    #expect(Set(library.prototypes["餅", default: []].map(\.strokes.count)).count >= 2)
  }

  @Test("Sets of one name with other labels are read one by one from a pool")
  func pool() throws {
    let pool = DataPool()
    let sets = try ["[アイ]", "[ッャ]"].map { labels in
      Set(
        try DataSpecification(parsing: "starter:katakana?limit=20&labels=\(labels)").kept(in: pool)
          .records().map { try $0.get().labeled.label })
    }
    #expect(sets == [["ア", "イ"], ["ッ", "ャ"]])
  }

  @Test("Small kana are small, and voiced kana have two strokes more")
  func composed() throws {
    let library = try PrototypeLibrary.katakana.get()
    let large = try #require(library.prototypes["ツ"]?.first).box
    let small = try #require(library.prototypes["ッ"]?.first).box
    #expect(small.height < 0.7 * large.height && small.maxY < large.maxY)
    let (base, voiced) = (library.prototypes["カ"]?.first, library.prototypes["ガ"]?.first)
    #expect(voiced?.strokes.count == (base?.strokes.count ?? 0) + 2)
  }
}
