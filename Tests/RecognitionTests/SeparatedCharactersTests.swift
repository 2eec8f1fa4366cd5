import Foundation
import InkCore
import Recognition
import Testing

@Suite("Consulting a glyph model on characters that stand apart")
struct SeparatedCharactersTests {
  /// A model of "a", "b", "é", "0" and "O".
  private static let glyphs = Samples.model()
  private static let labels = [" ", "a", "b", "0", "O"]

  private static func classes(_ text: String) -> [Int32] {
    text.compactMap { character in
      labels.firstIndex(of: String(character)).map { Int32($0 + 1) }
    }
  }

  private static func text(_ labels: [Int32]) -> String {
    labels.map { Self.labels[Int($0) - 1] }.joined()
  }

  private static func readings(_ scores: KeyValuePairs<String, Float>) -> [BeamDecoder.Reading] {
    scores.map { BeamDecoder.Reading(labels: classes($0.key), score: $0.value) }
  }

  /// So many characters of one stroke side by side, with gaps in heights of a character.
  private static func row(_ count: Int, gaps: [Double]) -> Ink {
    var strokes: [Stroke] = []
    var left = 0.0
    for index in 0..<count {
      strokes.append(
        Stroke(
          points: (0...20).map { step in
            let angle = Double(step) * 0.3
            return StrokePoint(
              x: left + 5 - 5 * cos(angle), y: 10 - 10 * sin(angle) * cos(angle / 2))
          }))
      let right = strokes[index].points.map(\.x).max() ?? 0
      let ys = strokes[index].points.map(\.y)
      left = right + (index < gaps.count ? gaps[index] : 0) * ((ys.max() ?? 0) - (ys.min() ?? 0))
    }
    return Ink(strokes: strokes)
  }

  private static func separated(_ ink: Ink) throws -> SeparatedCharacters? {
    try SeparatedCharacters(
      in: ink.separatedGroups(), CharacterOpinion(glyphs, labels: labels), RecognitionContext(),
      mayRead: { _ in true })
  }

  @Test("Strokes one above the other are one group, strokes side by side are several")
  func groups() {
    func stroke(_ x: ClosedRange<Double>, y: Double) -> Stroke {
      Stroke(points: [
        StrokePoint(x: x.lowerBound, y: y), StrokePoint(x: x.upperBound, y: y + 1),
      ])
    }
    // A plus, a one, an equals sign, and the dot of an i that was written last.
    let ink = Ink(strokes: [
      stroke(0...10, y: 5), stroke(4...5, y: 0), stroke(20...21, y: 0), stroke(30...40, y: 4),
      stroke(33...43, y: 8), stroke(20.2...20.8, y: -4),
    ])
    #expect(ink.separatedGroups().map(\.strokes.count) == [2, 2, 2])
    #expect(ink.separatedGroups().flatMap(\.strokes).count == ink.strokes.count)
    #expect(Ink().separatedGroups().isEmpty)
  }

  @Test("A single group and a long line are left to the search")
  func counts() throws {
    #expect(try Self.separated(Self.row(1, gaps: [])) == nil)
    let many = Self.row(30, gaps: [Double](repeating: 0.5, count: 29))
    #expect(try Self.separated(many) == nil)
  }

  @Test("The total probability of the readings with one character for each group stays")
  func total() throws {
    let separated = try #require(try Self.separated(Self.row(2, gaps: [0.3])))
    let readings = Self.readings(["ab": -1, "ba": -1.5, "00": -2, "aba": -1.2, "a": -3])
    func share(_ readings: [BeamDecoder.Reading], of count: Int) -> Double {
      let shares = WordConfidences.probabilities(readings.map(\.score), temperature: 1)
      return zip(readings, shares).reduce(0) {
        $1.0.labels.count == count ? $0 + $1.1 : $0
      }
    }
    let weighed = separated.weighed(readings, temperature: 1)
    #expect(weighed.count == readings.count)
    #expect(abs(share(weighed, of: 2) - share(readings, of: 2)) < 1e-4)
    #expect(weighed.map(\.score) == weighed.map(\.score).sorted(by: >))
  }

  @Test("Readings that the glyph model finds are named, and those without inner spaces")
  func added() throws {
    let separated = try #require(try Self.separated(Self.row(2, gaps: [0.3])))
    let added = separated.readings(beside: Self.readings(["a b": -1, "ab": -2])).map(Self.text)
    #expect(added.contains("ab"))
    #expect(added.allSatisfy { $0.count == 2 })
  }

  @Test("A space in a gap that is no wider than the others loses to the text without it")
  func spaces() throws {
    let readings = Self.readings(["a bab": -1, "abab": -1.4])
    let even = try #require(try Self.separated(Self.row(4, gaps: [0.2, 0.2, 0.2])))
    #expect(Self.text(even.weighed(readings, temperature: 1)[0].labels) == "abab")
    let wide = try #require(try Self.separated(Self.row(4, gaps: [1.5, 0.2, 0.2])))
    #expect(Self.text(wide.weighed(readings, temperature: 1)[0].labels) == "a bab")
  }
}
