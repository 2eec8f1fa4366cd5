import Foundation
import InkCore
import InkDatasets
import InkSynthesis
import Testing

@Suite("Words of virtual writers from right to left") struct RightToLeftWordsTests {
  /// The horizontal middle of the ink of each character of a line, in the order of the text.
  private func middles(of text: String, _ index: Int) throws -> [Double?] {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "texts.txt")
    let set = try DataSpecification(
      parsing: "starter:words?words=\(file)&count=40&length=1-1&style=printed"
    ).starterSet()
    let record = set.record(at: index)
    #expect(record.labeled.label == text)
    let segmentation = try #require(record.segmentation)
    var sums = [(x: Double, count: Double)](repeating: (0, 0), count: text.count)
    for (stroke, runs) in zip(record.labeled.ink.strokes, segmentation.strokes) {
      for run in runs where run.characters.count == 1 {
        for point in stroke.points[run.points] {
          sums[run.characters.lowerBound].x += point.x
          sums[run.characters.lowerBound].count += 1
        }
      }
    }
    return sums.map { $0.count > 0 ? $0.x / $0.count : nil }
  }

  @Test(
    "Letters go to the left, the digits of a number and Latin letters to the right",
    arguments: 0..<8)
  func order(_ index: Int) throws {
    let text = "אבג 1234 דה abc"
    let places = try middles(of: text, index)
    func places(_ range: Range<Int>) throws -> [Double] {
      try range.map { try #require(places[$0], "character \($0)") }
    }
    let (first, number, second, word) = try (
      places(0..<3), places(4..<8), places(9..<11), places(12..<15)
    )
    for letters in [first, second] { #expect(letters == letters.sorted(by: >)) }
    for letters in [number, word] { #expect(letters == letters.sorted()) }
    // The words follow each other from right to left.
    for (before, after) in [(first, number), (number, second), (second, word)] {
      #expect(before.min() ?? 0 > after.max() ?? 0)
    }
  }

  @Test("Arabic letters of a word are joined; alef and a non-joiner end the stroke")
  func joined() throws {
    let library = try PrototypeLibrary.alphabets.get()
    let addresses = Dictionary(
      uniqueKeysWithValues: library.labels.enumerated().map { ($1, UInt64($0)) })
    func bodies(_ text: String, writer: Int) -> [PlannedStroke] {
      let composer = WordComposer(
        synthesizer: InkSynthesizer(writer: VirtualWriter(seed: 3, index: writer)),
        library: library, addresses: addresses, joining: 0)
      var generator = SeededGenerator(seed: 3, UInt64(writer))
      return composer.strokes(of: text, using: &generator)
    }
    // Writers who lift the pen do so rarely; most strokes show the rule.
    var joined = 0
    for writer in 0..<20 {
      let word = bodies("ببا", writer: writer).filter { $0.knots.count > 4 }
      joined += word.count == 1 ? 1 : 0
      let apart = bodies("بب\u{200C}با", writer: writer).filter { $0.knots.count > 4 }
      #expect(apart.count >= 2)
      #expect(bodies("ابا", writer: writer).count >= 3)
    }
    #expect(joined >= 14)
  }
}
