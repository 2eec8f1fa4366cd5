import Features
import InkCore
import InkDatasets
import Testing

@testable import Training

@Suite("Words made of the beginnings and ends of a writer's words")
struct WordSplicingTests {
  private static let tolerance: Float = 1e-4

  /// Bars side by side, a stroke for each letter.
  private static func word(
    _ text: String, height: Double = 1, advance: Double = 0.5
  ) throws -> CutWord {
    let ink = Ink(
      strokes: (0..<text.count).map { place in
        Stroke(points: [
          StrokePoint(x: Double(place) * advance, y: -0.5 * height),
          StrokePoint(x: Double(place) * advance + 0.1, y: 0),
        ])
      })
    let trajectory = try Trajectory(ink)
    let area = try WritingArea(
      x: 0, y: -height * (1 - TextProfile.baseline), width: 1, height: height)
    return CutWord(
      trajectory: trajectory, area: LocalArea(area, in: trajectory.frame), text: text,
      seams: (1..<text.count).map { characters in
        InkSeam(
          characters: characters, isBefore: (0..<text.count).map { $0 < characters })
      })
  }

  private static func set(writers: [String?]) throws -> LineTrainingSet {
    var set = LineTrainingSet(labels: [" "] + "abcdefghijklmnopqrstuvwxyz".map(String.init))
    for writer in writers {
      let refusal = set.append(
        try Trajectory(.word(0)), text: "lol", writer: writer, for: .training)
      try #require(refusal == nil)
    }
    return set
  }

  @Test("The end stands where the word's own stood, on its baseline and in its size")
  func geometry() throws {
    let own = try Self.word("wander", height: 2, advance: 0.5)
    let other = try Self.word("hold", height: 1, advance: 0.3)
    let spliced = own.spliced(at: own.seams[3], with: other, at: other.seams[2])
    #expect(spliced.text == "wandd")
    #expect(spliced.area == own.area)
    let (unit, ends) = (own.trajectory.frame.unit, spliced.trajectory.strokeEnds)
    #expect(ends == [2, 4, 6, 8, 10])
    #expect(spliced.trajectory.x[0..<8] == own.trajectory.x[0..<8])
    #expect(abs(spliced.trajectory.x[8] - own.trajectory.x[8]) < Self.tolerance)
    #expect(abs(spliced.trajectory.y[9] - own.trajectory.y[9]) < Self.tolerance)
    let height = spliced.trajectory.y[9] - spliced.trajectory.y[8]
    #expect(abs(Double(height) * unit - 1) < Double(Self.tolerance))
  }

  @Test("Both parts are one writer's, and follow the same character")
  func partners() throws {
    let set = try Self.set(writers: ["one", "one", "two", nil])
    let texts = ["wander", "holdout", "sandal", "dodder"]
    let words = try texts.enumerated().map { (line: $0, word: try Self.word($1)) }
    let splicing = WordSplicing(words, of: set, seed: 3, share: 1)
    var found: [Set<String>] = texts.map { _ in [] }
    for epoch in 0..<200 {
      let made = splicing.words(of: epoch)
      #expect(made.map(\.line) == [0, 1, 2, 3])
      for (index, one) in made.enumerated() { found[index].insert(one.word.text) }
    }
    #expect(
      found == [["wander", "wandout"], ["holdout", "holder"], ["sandal"], ["dodder"]], "seed 3")
  }

  @Test("Marks alone are no word")
  func marks() throws {
    let set = try Self.set(writers: ["one", "one"])
    let words = try ["\"but", "e\"."].enumerated().map { (line: $0, word: try Self.word($1)) }
    let splicing = WordSplicing(words, of: set, seed: 5, share: 1)
    let made = Set((0..<100).flatMap { splicing.words(of: $0).map(\.word.text) })
    #expect(made == ["\"but", "e\".", "e\"but"], "seed 5")
  }

  @Test("An epoch's words are the same again, another epoch's are others")
  func determinism() throws {
    let set = try Self.set(writers: Array(repeating: "one", count: 8))
    let texts = ["wander", "hold", "tender", "dread", "older", "under", "endless", "red"]
    let words = try texts.enumerated().map { (line: $0, word: try Self.word($1)) }
    func made(_ epoch: Int, share: Float = 0.5) -> [String] {
      WordSplicing(words, of: set, seed: 7, share: share).words(of: epoch).map(\.word.text)
    }
    #expect(made(4) == made(4))
    #expect(made(4) != made(5) && made(4) != texts)
    #expect(made(4, share: 0) == texts)
  }
}
