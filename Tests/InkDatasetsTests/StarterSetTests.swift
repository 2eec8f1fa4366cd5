import Foundation
import InkCore
import InkDatasets
import InkFormats
import InkSynthesis
import Testing

private let names = [
  "characters", "shapes", "gestures", "words", "sketches", "hiragana", "katakana", "japanese",
]

@Suite("The starter set")
struct StarterSetTests {
  @Test("Every named set streams as many valid inks as asked for", arguments: names)
  func named(name: String) throws {
    let made = try records("starter:\(name)?limit=300")
    #expect(made.count == 300)
    for record in made {
      let ink = record.labeled.ink
      try ink.validate()
      #expect(!ink.isEmpty && !record.labeled.label.isEmpty)
      #expect(ink.strokes.allSatisfy { $0.points.count >= 2 })
      let times = ink.strokes.flatMap(\.points).map { $0.t ?? .nan }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      #expect((record.labeled.writingArea == nil) == ["shapes", "sketches"].contains(name))
      #expect(record.level != nil && record.labeled.writer != nil)
    }
    // Not all devices record force. A set of many labels has few writers in so few inks.
    if Set(made.map(\.labeled.writer)).count > 8 {
      #expect(made.contains { $0.labeled.ink.strokes[0].points[0].force != nil })
    }
  }

  @Test("The same seed gives the same bits, another seed other ink", arguments: names)
  func determinism(name: String) throws {
    let one = try records("starter:\(name)?limit=200&seed=7")
    #expect(try one == records("starter:\(name)?limit=200&seed=7"))
    let other = try records("starter:\(name)?limit=200&seed=8")
    #expect(!zip(one, other).contains { $0.labeled.ink == $1.labeled.ink })
  }

  @Test("A record made alone equals the one of the stream", arguments: names)
  func alone(name: String) throws {
    let stream = try records("starter:\(name)?limit=250")
    let set = try DataSpecification(parsing: "starter:\(name)?limit=250").starterSet()
    for index in [249, 0, 117, 3] { #expect(set.record(at: index) == stream[index]) }
  }

  @Test("A shorter stream is the beginning of a longer one")
  func prefix() throws {
    let long = try records("starter:words?limit=90")
    #expect(try records("starter:words?limit=40") == Array(long.prefix(40)))
  }

  @Test("The parts are disjoint by writer and make up the whole", arguments: names)
  func parts(name: String) throws {
    var writers: [Set<String>] = []
    var total = 0
    for part in ["train", "val", "test"] {
      let made = try records("starter:\(name)?count=2000&population=60&split=\(part)")
      writers.append(Set(made.compactMap(\.labeled.writer)))
      total += made.count
    }
    #expect(total == 2000)
    #expect(writers.allSatisfy { !$0.isEmpty })
    #expect(writers[0].isDisjoint(with: writers[1]) && writers[0].isDisjoint(with: writers[2]))
    #expect(writers[1].isDisjoint(with: writers[2]))
  }

  @Test("Folds hold out writers by the rule of all formats")
  func folds() throws {
    let base = "starter:characters?labels=[0-9]&count=500&fold=1/5"
    let test = Set(try records(base + "&split=test").compactMap(\.labeled.writer))
    let train = Set(try records(base + "&split=train").compactMap(\.labeled.writer))
    #expect(test.count == 10 && !train.isEmpty && test.isDisjoint(with: train))
  }

  @Test("Labels select what is made, each equally often")
  func labels() throws {
    let made = try records("starter:characters?labels=[0-9]&limit=100")
    let counts = Dictionary(grouping: made, by: \.labeled.label).mapValues(\.count)
    #expect(counts.count == 10 && counts.values.allSatisfy { $0 == 10 })
    #expect(try records("starter:characters?labels=none").isEmpty)
  }

  @Test("Size and position on the line separate o from O and a comma from an apostrophe")
  func sizes() throws {
    let made = try records("starter:characters?labels=[coCO',]&limit=1200")
    func shares(_ label: String) throws -> (height: Double, middle: Double) {
      let values = try made.filter { $0.labeled.label == label }.map { record in
        let box = try #require(record.labeled.ink.boundingBox)
        let area = try #require(record.labeled.writingArea)
        return (box.height / area.height, (box.midY - area.y) / area.height)
      }
      let heights = values.map(\.0).sorted()
      let middles = values.map(\.1).sorted()
      return (heights[heights.count / 2], middles[middles.count / 2])
    }
    #expect(try shares("O").height > 1.6 * shares("o").height)
    #expect(try shares("C").height > 1.6 * shares("c").height)
    #expect(try shares(",").middle > 0.5 + shares("'").middle)
  }

  @Test("Words are of the list, with spaces, and as many to a line as asked for")
  func words() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("ink\n\nAdd  (two), 3\r\n", to: "words.txt")
    let made = try records("starter:words?words=\(path)&limit=50")
    #expect(Set(made.map(\.labeled.label)) == ["ink", "Add (two), 3"])
    #expect(made.allSatisfy { ($0.level == .text) == $0.labeled.label.contains(" ") })
    let lines = try records("starter:words?length=2-4&limit=60").map {
      $0.labeled.label.split(separator: " ").count
    }
    #expect(Set(lines) == [2, 3, 4])
  }

  @Test("A joined word has a stroke for its letters, then its dots; a printed one has more")
  func styles() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("minimum\n", to: "words.txt")
    let joined = try records("starter:words?words=\(path)&style=joined&limit=40")
    #expect(joined.allSatisfy { $0.labeled.ink.strokes.count == 3 })
    for record in joined {
      let strokes = record.labeled.ink.strokes
      #expect(strokes[0].points.count > 4 * strokes[1].points.count)
    }
    let printed = try records("starter:words?words=\(path)&style=printed&limit=40")
    #expect(printed.allSatisfy { $0.labeled.ink.strokes.count >= 7 })
  }

  @Test("Synthetic texts have the character of each point, and spaces have none")
  func segmentation() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("in an old inn\n", to: "words.txt")
    let made = try records("starter:words?words=\(path)&limit=60")
    for record in made {
      let ink = record.labeled.ink
      let strokes = try #require(record.segmentation).strokes
      #expect(strokes.count == ink.strokes.count)
      var sums = [(x: Double, count: Double)](repeating: (0, 0), count: record.labeled.label.count)
      for (stroke, runs) in zip(ink.strokes, strokes) {
        #expect(runs.first?.points.lowerBound == 0)
        #expect(runs.last?.points.upperBound == stroke.points.count)
        for (run, next) in zip(runs, runs.dropFirst()) {
          #expect(run.points.upperBound == next.points.lowerBound)
        }
        for run in runs where run.characters.count == 1 {
          let character = run.characters.lowerBound
          sums[character].x += stroke.points[run.points].reduce(0) { $0 + $1.x }
          sums[character].count += Double(run.points.count)
        }
      }
      let spaces = zip(record.labeled.label, sums).filter { $0.0 == " " }
      #expect(spaces.count == 3 && spaces.allSatisfy { $0.1.count == 0 })
      let middles = sums.filter { $0.count > 0 }.map { $0.x / $0.count }
      #expect(middles.count == 10)
      #expect(zip(middles, middles.dropFirst()).allSatisfy(<))
    }
  }

  @Test("In a joined word, connections belong to both letters and dots to their letters")
  func joinedSegmentation() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("minimum\n", to: "words.txt")
    for record in try records("starter:words?words=\(path)&style=joined&limit=20") {
      let strokes = try #require(record.segmentation).strokes
      let expected = (0..<7).flatMap { $0 < 6 ? [$0...$0, $0...($0 + 1)] : [$0...$0] }
      #expect(strokes[0].map(\.characters) == expected)
      #expect(strokes.dropFirst().map { $0.map(\.characters) } == [[1...1], [3...3]])
    }
    for record in try records("starter:words?words=\(path)&style=printed&limit=20") {
      let strokes = try #require(record.segmentation).strokes
      #expect(strokes.allSatisfy { $0.count == 1 && $0[0].characters.count == 1 })
    }
  }

  @Test("Nothing else says so, nor does a text with another label")
  func absentSegmentation() throws {
    #expect(try records("starter:characters?limit=5").allSatisfy { $0.segmentation == nil })
    let folder = try TemporaryFolder()
    let path = try folder.write("the\nan\n", to: "words.txt")
    let made = try records("starter:words?words=\(path)&limit=40&relabel=the:The")
    #expect(Set(made.map(\.labeled.label)) == ["The", "an"])
    #expect(made.allSatisfy { ($0.segmentation == nil) == ($0.labeled.label == "The") })
  }

  @Test("The built-in words use every letter in both cases")
  func builtInWords() throws {
    let library = try PrototypeLibrary.characters.get()
    let words = try StarterWords(
      parsing: StarterWords.builtIn(), name: "built in", library: library)
    let used = Set(words.texts.joined())
    #expect("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".allSatisfy(used.contains))
    #expect(Set(words.texts).count == words.texts.count)
  }

  @Test(
    "Wrong keys and values are typed errors",
    arguments: [
      (
        "starter:letters", DataError.Code.invalidValue,
        "characters, latin, cyrillic, greek, georgian, hebrew, armenian, arabic, shapes, gestures, words, sketches"
      ),
      ("starter:words?words=/no/such/file", .invalidValue, "readable file"),
      ("starter:words?style=neat", .invalidValue, "printed, joined, mixed"),
      ("starter:words?length=0", .invalidValue, "A-B"),
      ("starter:words?length=4-2", .invalidValue, "A-B"),
      ("starter:words?length=1-2-3", .invalidValue, "A-B"),
      ("starter:characters?seed=-1", .invalidValue, "whole number"),
      ("starter:characters?count=x", .invalidValue, "whole number"),
      ("starter:characters?population=9", .invalidValue, "10 ..."),
      ("starter:characters?category=1a", .unknownKey, "population"),
      ("dollar:a?seed=1", .unknownKey, "labels"),
    ])
  func wrong(text: String, code: DataError.Code, hint: String) {
    let error = #expect(throws: DataError.self) {
      _ = try DataSpecification(parsing: text).records()
    }
    #expect(error?.code == code)
    #expect(error?.description.contains(hint) == true)
  }

  @Test("A word with a character that has no strokes is a typed error with its line")
  func unknownCharacter() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("ink\nna\u{65E5}ve\n", to: "words.txt")
    let error = #expect(throws: DataError.self) {
      _ = try DataSpecification(parsing: "starter:words?words=\(path)").records()
    }
    #expect(error?.subject == path + ":2" && error?.found == "U+65e5")
    let empty = try folder.write("\n \n", to: "empty.txt")
    #expect(throws: DataError.self) {
      _ = try DataSpecification(parsing: "starter:words?words=\(empty)").records()
    }
  }

  @Test("Squares are nearly as wide as high, rectangles are not")
  func aspects() throws {
    let made = try records("starter:shapes?labels=square|rectangle&limit=400")
    func elongation(_ label: String) throws -> Double {
      let values = try made.filter { $0.labeled.label == label }.map { record in
        let box = try #require(record.labeled.ink.boundingBox)
        return max(box.width, box.height) / min(box.width, box.height)
      }.sorted()
      return values[values.count / 2]
    }
    #expect(try elongation("square") < 1.3)
    #expect(try elongation("rectangle") > 1.5)
  }

  @Test("Synthetic ink survives our own file format")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/made.jsonl"
    let made = try records("starter:words?limit=20")
    let writer = try InkJSONLinesWriter(path: path)
    for record in made { try writer.write(record.labeled) }
    try writer.finish()
    #expect(try records("ink:\(path)").map(\.labeled) == made.map(\.labeled))
  }

  @Test func shapesHaveTheirForms() throws {
    func extents(_ labels: String) throws -> [(label: String, strokes: [Stroke], box: BoundingBox)]
    {
      try records("starter:shapes?labels=\(labels)&limit=200").map { made in
        let ink = made.labeled.ink
        return (made.labeled.label, ink.strokes, try #require(ink.boundingBox))
      }
    }
    for shape in try extents("rectangle|triangle|diamond|circle|ellipse|star|cloud") {
      let (first, last) = (shape.strokes[0].points[0], shape.strokes.last?.points.last)
      let end = try #require(last)
      let gap = hypot(first.x - end.x, first.y - end.y)
      // Side by side, strokes need not end where the first began.
      #expect(
        shape.strokes.count > 1 || gap < 0.5 * max(shape.box.width, shape.box.height),
        "\(shape.label)")
    }
    let circles = try extents("circle").map { $0.box.width / $0.box.height }
    #expect(circles.allSatisfy { (0.6...1.7).contains($0) })
    let ellipses = try extents("ellipse").map { $0.box.width / $0.box.height }
    #expect(ellipses.count { $0 > 1.25 || $0 < 0.8 } > ellipses.count / 2)
    // An arrow is a line with a head: longer than its box's diagonal.
    for arrow in try extents("arrow") {
      let length = arrow.strokes.reduce(0.0) { sum, stroke in
        sum
          + zip(stroke.points, stroke.points.dropFirst()).reduce(0) {
            $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
          }
      }
      #expect(length > 1.03 * hypot(arrow.box.width, arrow.box.height))
    }
  }
}
