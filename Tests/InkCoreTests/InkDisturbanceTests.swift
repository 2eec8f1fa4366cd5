import Foundation
import InkCore
import Testing

@Suite("Disturbed ink")
struct InkDisturbanceTests {
  /// A bar of 61 points, 180 high, two of 21 points, 100 high, and a dot over the first of these,
  /// drawn in its turn.
  private let word = LabeledInk(
    ink: Ink(
      strokes: [
        Stroke(
          points: (0...60).map { StrokePoint(x: 0, y: 3 * Double($0), t: Double($0), force: 1) }),
        bar(30), Stroke(points: [StrokePoint(x: 30, y: -40, t: 90)]), bar(60),
      ]),
    label: "iii", writer: "w", writingArea: try? WritingArea(x: -10, y: -50, width: 90, height: 160)
  )

  private static func bar(_ x: Double) -> Stroke {
    Stroke(
      points: (0...20).map { StrokePoint(x: x, y: 5 * Double($0), t: x + Double($0), force: 1) })
  }

  private func apply(_ disturbance: InkDisturbance, seed: UInt64 = 7) -> LabeledInk {
    var generator = SeededGenerator(seed: seed)
    return disturbance.apply(to: word, using: &generator)
  }

  @Test(
    "Each keeps label and writer, gives finite ink, and the same for the same seed",
    arguments: InkDisturbance.allCases)
  func same(disturbance: InkDisturbance) throws {
    let result = apply(disturbance)
    #expect(result.label == "iii" && result.writer == "w")
    try result.ink.validate()
    #expect(result == apply(disturbance))
    #expect((1...20).contains { apply(disturbance, seed: $0).ink != word.ink })
    #expect(!disturbance.title.isEmpty)
  }

  @Test("Empty ink, one dot, and a flat line are accepted", arguments: InkDisturbance.allCases)
  func small(disturbance: InkDisturbance) throws {
    let dot = Stroke(points: [StrokePoint(x: 1e9, y: -1e9)])
    let flat = Stroke(points: (0..<9).map { StrokePoint(x: Double($0), y: 3) })
    for ink in [Ink(), Ink(strokes: [Stroke(points: [])]), Ink(strokes: [dot, flat])] {
      var generator = SeededGenerator(seed: 1)
      let result = disturbance.apply(to: LabeledInk(ink: ink, label: ""), using: &generator)
      try result.ink.validate()
      #expect(result.ink.isEmpty == ink.isEmpty)
    }
  }

  @Test("Fewer points keep the ends of strokes")
  func rates() {
    #expect(apply(.halfRate).ink.strokes.map(\.points.count) == [31, 11, 1, 11])
    #expect(apply(.quarterRate).ink.strokes.map(\.points.count) == [16, 6, 1, 6])
    #expect(apply(.lostPoints).ink.strokes.allSatisfy { $0.points.last != nil })
    #expect(apply(.quarterRate).ink.strokes[0].points.last == word.ink.strokes[0].points.last)
  }

  @Test("A mouse tells positions on the grid alone")
  func mouse() {
    for point in apply(.mouse).ink.strokes.flatMap(\.points) {
      #expect(point.t == nil && point.force == nil)
      let steps = point.y / (100.0 / 24)
      #expect(abs(steps - steps.rounded()) < 1e-9)
    }
    #expect(apply(.positionsAlone).ink.pointCount == word.ink.pointCount)
  }

  @Test("Strokes part, turn round, and change places")
  func strokes() {
    #expect(apply(.interrupted).ink.strokes.map(\.points.count) == [30, 30, 21, 1, 21])
    #expect(apply(.otherOrder).ink.strokes == word.ink.strokes.reversed())
    #expect(apply(.lateDots).ink.strokes.map(\.points.count) == [61, 21, 21, 1])
    let backward = apply(.backward).ink.strokes[1].points
    #expect(backward.first?.y == 100 && backward.last?.y == 0)
    #expect(backward.map(\.t) == word.ink.strokes[1].points.map(\.t))
    let turned = (1...200).map { seed in
      zip(apply(.someBackward, seed: seed).ink.strokes, word.ink.strokes).count { $0 != $1 }
    }
    // Three strokes of more than one point.
    #expect((30...100).contains(turned.reduce(0, +)), "\(turned)")
  }

  @Test("The kinds of strokes go with their strokes", arguments: InkDisturbance.allCases)
  func kinds(disturbance: InkDisturbance) throws {
    var word = word
    let names = ["text", "frame", "bullet", "divider"]
    word.kinds = names
    var generator = SeededGenerator(seed: 7)
    let result = disturbance.apply(to: word, using: &generator)
    let kinds = try #require(result.kinds)
    #expect(kinds.count == result.ink.strokes.count)
    #expect(result.ink == apply(disturbance).ink)
    switch disturbance {
    case .interrupted: #expect(kinds == ["text", "text", "frame", "bullet", "divider"])
    case .otherOrder: #expect(kinds == names.reversed())
    case .lateDots: #expect(kinds == ["text", "frame", "divider", "bullet"])
    case .twice: #expect(kinds == names + names)
    case .anyOrder:
      #expect(kinds != names)
      for (stroke, kind) in zip(result.ink.strokes, kinds) {
        let place = try #require(names.firstIndex(of: kind))
        #expect(stroke.points.map(\.y) == word.ink.strokes[place].points.map(\.y))
      }
    default: #expect(kinds == names)
    }
  }

  @Test("Kinds that are not as many as the strokes are dropped where strokes move")
  func unequalKinds() {
    var word = word
    word.kinds = ["text"]
    word.takeStrokes([3, 0, 0])
    #expect(word.kinds == nil)
    #expect(word.ink.strokes.map(\.points.count) == [21, 61, 61])
  }

  @Test("Slant, rotation and scale are applied about the middle of the ink")
  func shapes() throws {
    let right = try #require(apply(.leaningRight).ink.strokes.first?.points)
    #expect(right[0].x > right[60].x && right[0].y == 0)
    let left = try #require(apply(.leaningLeft).ink.strokes.first?.points)
    #expect(left[0].x < left[60].x)
    let (first, last) = (apply(.uphill).ink.strokes[0].points, apply(.uphill).ink.strokes[3].points)
    #expect(first[0].y > last[0].y)
    let wide = try #require(apply(.wide).ink.boundingBox)
    #expect(abs(wide.width - 84) < 1e-9 && abs(wide.minX + 12) < 1e-9)
    let tiny = apply(.tiny)
    #expect(tiny.writingArea?.height == 0.16 && tiny.ink.strokes[3].points[0].x == 0.06)
  }

  @Test("Lines have other disturbances than glyphs")
  func subjects() {
    #expect(!InkDisturbance.all(of: .lines).contains(.otherOrder))
    #expect(!InkDisturbance.all(of: .glyphs).contains(.lateDots))
    let all = InkDisturbance.all(of: .lines) + InkDisturbance.all(of: .glyphs)
    #expect(Set(all) == Set(InkDisturbance.allCases))
  }
}
