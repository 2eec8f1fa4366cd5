import Foundation
import InkCore
import InkDatasets
import InkSynthesis
import Testing

@Suite("Words of virtual writers from right to left") struct RightToLeftWordsTests {
  /// The points of each character of a line, in the order of the text.
  private func characters(of text: String, _ index: Int) throws -> [[StrokePoint]] {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "texts.txt")
    let set = try DataSpecification(
      parsing: "starter:words?words=\(file)&count=40&length=1-1&style=printed"
    ).starterSet()
    let record = set.record(at: index)
    #expect(record.labeled.label == text)
    let segmentation = try #require(record.segmentation)
    var points = [[StrokePoint]](repeating: [], count: text.count)
    for (stroke, runs) in zip(record.labeled.ink.strokes, segmentation.strokes) {
      for run in runs where run.characters.count == 1 {
        points[run.characters.lowerBound] += stroke.points[run.points]
      }
    }
    return points
  }

  /// The horizontal middle of the ink of each character of a line, in the order of the text.
  private func middles(of text: String, _ index: Int) throws -> [Double?] {
    try characters(of: text, index).map { points in
      points.isEmpty ? nil : points.reduce(0) { $0 + $1.x } / Double(points.count)
    }
  }

  @Test("An opening parenthesis opens to the left, and a closing one to the right")
  func parentheses() throws {
    var (right, all) = (0, 0)
    for index in 0..<12 {
      let letters = try characters(of: "(אב)", index)
      for (place, isOpening) in [(0, true), (3, false)] {
        let points = letters[place]
        let (first, last) = try (#require(points.first), #require(points.last))
        let middle = points[points.count / 2]
        // The bow, right of the line through its ends.
        let bow = middle.x - (first.x + last.x) / 2
        right += (bow > 0) == isOpening ? 1 : 0
        all += 1
      }
    }
    // A hook may hide the bow.
    #expect(right >= all - 2, "\(right) of \(all)")
  }

  @Test(
    "Letters go to the left, the digits of a number and Latin letters to the right",
    arguments: 0..<8)
  func order(_ index: Int) throws {
    let text = "אבג 1234 דה abc"
    let middles = try middles(of: text, index)
    func places(_ range: Range<Int>) throws -> [Double] {
      try range.map { try #require(middles[$0], "character \($0)") }
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
    /// The characters whose stroke goes on to the next character.
    func joints(_ text: String, writer: Int) -> Set<Int> {
      let composer = WordComposer(
        synthesizer: InkSynthesizer(writer: VirtualWriter(seed: 3, index: writer)),
        library: library, addresses: addresses, joining: 0)
      var generator = SeededGenerator(seed: 3, UInt64(writer))
      var joints: Set<Int> = []
      for stroke in composer.strokes(of: text, using: &generator) {
        for movement in 0..<stroke.knots.count - 1 {
          let characters = stroke.characters(ofMovement: movement)
          if characters.count > 1 { joints.insert(characters.lowerBound) }
        }
      }
      return joints
    }
    // Some writers lift the pen between joined letters, but rarely.
    var joined = 0
    for writer in 0..<20 {
      joined += joints("ببا", writer: writer) == [0, 1] ? 1 : 0
      #expect(joints("بب\u{200C}با", writer: writer).isSubset(of: [0, 2]))
      #expect(joints("ابا", writer: writer).isSubset(of: [1]))
    }
    #expect(joined >= 14)
  }
}
