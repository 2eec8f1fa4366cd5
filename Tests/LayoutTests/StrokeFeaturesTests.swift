import Foundation
import InkCore
import Layout
import Testing

@Suite("Stroke features")
struct StrokeFeaturesTests {
  /// Three lines of writing, a frame and a line.
  private static func page() -> Ink {
    var page = WrittenPage(seed: 3)
    for line in 0..<3 {
      page.write(words: [4, 2, 6], x: 40, y: 50 + 42 * Double(line), line: line)
    }
    page.drawRectangle(x: 20, y: 20, width: 420, height: 160)
    page.add(
      (0...40).map { StrokePoint(x: 30 + 10 * Double($0), y: 200 + Double($0 % 2)) }, line: nil)
    return page.ink
  }

  private func values(_ ink: Ink) -> [[Float]] {
    let features = StrokeFeatures(ink)
    var rows = [[Float]](repeating: [], count: ink.strokes.count)
    let (own, edges) = (
      StrokeFeatures.ownCount, StrokeFeatures.edgeCount * StrokeFeatures.neighbourCount
    )
    for (row, item) in features.items.enumerated() {
      rows[item] =
        Array(features.own[(row * own)..<((row + 1) * own)])
        + features.edges[(row * edges)..<((row + 1) * edges)]
    }
    return rows
  }

  private func expectNear(_ found: [[Float]], _ expected: [[Float]], _ tolerance: Float) {
    #expect(found.count == expected.count)
    for (row, other) in zip(found, expected) {
      #expect(row.count == other.count)
      #expect(zip(row, other).allSatisfy { abs($0 - $1) <= tolerance })
    }
  }

  @Test("All values are finite and of the stated number")
  func shape() {
    let features = StrokeFeatures(Self.page())
    let pairs = features.count * StrokeFeatures.neighbourCount
    #expect(features.count == Self.page().strokes.count)
    #expect(features.own.count == features.count * StrokeFeatures.ownCount)
    #expect(features.neighbours.count == pairs)
    #expect(features.edges.count == pairs * StrokeFeatures.edgeCount)
    #expect((features.own + features.edges).allSatisfy { $0.isFinite && abs($0) < 20 })
  }

  @Test("The order of the strokes changes no bit", arguments: [UInt64(1), 2, 3])
  func order(seed: UInt64) {
    let ink = Self.page()
    var generator = SeededGenerator(seed: seed)
    let order = ink.strokes.indices.shuffled(using: &generator)
    let shuffled = values(Ink(strokes: order.map { ink.strokes[$0] }))
    let plain = values(ink)
    #expect(shuffled == order.map { plain[$0] })
  }

  @Test("Times and pressure change no bit")
  func times() {
    var ink = Self.page()
    let plain = values(ink)
    for stroke in ink.strokes.indices {
      for point in ink.strokes[stroke].points.indices {
        ink.strokes[stroke].points[point].t = Double(stroke * 100 + point)
        ink.strokes[stroke].points[point].force = 0.5
      }
    }
    #expect(values(ink) == plain)
  }

  @Test("Unit and place of the ink do not matter", arguments: [(0.01, 0.0), (37, 500), (1, -9000)])
  func unit(scale: Double, offset: Double) {
    let ink = Self.page()
    let other = Ink(
      strokes: ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map {
            StrokePoint(x: scale * $0.x + offset, y: scale * $0.y - 2 * offset)
          })
      })
    // Rounding of coordinates may move a turn or a corner over its limit in single values only.
    let (found, expected) = (values(other), values(ink))
    let far = zip(found.joined(), expected.joined()).count { abs($0 - $1) > 1e-3 }
    #expect(far <= found.count / 10)
  }

  @Test("Strokes drawn backward have the same values")
  func backward() {
    let ink = Self.page()
    let back = Ink(strokes: ink.strokes.map { Stroke(points: $0.points.reversed()) })
    let (found, expected) = (values(back), values(ink))
    let far = zip(found.joined(), expected.joined()).count { abs($0 - $1) > 0.05 }
    #expect(far <= found.count)
  }

  @Test("Strokes without points or with infinite ones are left out")
  func empty() {
    var ink = Self.page()
    ink.strokes.insert(Stroke(points: []), at: 2)
    ink.strokes.append(Stroke(points: [StrokePoint(x: .nan, y: 0), StrokePoint(x: 1, y: 1)]))
    let features = StrokeFeatures(ink)
    #expect(features.count == ink.strokes.count - 2)
    #expect(!features.items.contains(2))
    #expect(StrokeFeatures(Ink()).count == 0)
  }
}
