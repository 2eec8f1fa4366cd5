import Foundation
import InkCore
import Layout
import Testing

@Suite("Order, repeats and angle of ink") struct WritingOrderTests {
  private static let words = [4, 2, 6, 3, 5, 3]

  private static func page(seed: UInt64, lines: Int = 6) -> WrittenPage {
    var page = WrittenPage(seed: seed)
    for line in 0..<lines {
      page.write(words: words, x: 40, y: 50 + 42 * Double(line), line: line)
    }
    return page
  }

  private static func shuffled(_ ink: Ink, seed: UInt64) -> (ink: Ink, order: [Int]) {
    var generator = SeededGenerator(seed: seed)
    let order = Array(ink.strokes.indices).shuffled(using: &generator)
    return (Ink(strokes: order.map { ink.strokes[$0] }), order)
  }

  @Test("Strokes that run to the left and up, taken together, are backward; few say nothing")
  func direction() {
    func ink(_ ends: [(Double, Double)]) -> Ink {
      Ink(
        strokes: ends.enumerated().map { index, end in
          Stroke(
            points: (0...4).map {
              StrokePoint(x: Double(20 * index) + end.0 * Double($0), y: end.1 * Double($0))
            })
        })
    }
    let forward = [(1.0, 4.0), (4, 1), (2, -1), (-1, 0), (0, 5)]
    let backward = forward.map { (-$0.0, -$0.1) }
    #expect(!StrokeDirection.isBackward(ink(forward)))
    #expect(StrokeDirection.isBackward(ink(backward)))
    #expect(!StrokeDirection.isBackward(ink(Array(backward.prefix(3)))))
    #expect(!StrokeDirection.isBackward(Ink(strokes: [])))
  }

  @Test("A page in the order of writing is known as such", arguments: [UInt64(1), 2, 3, 4])
  func written(seed: UInt64) {
    #expect(WritingOrder(Self.page(seed: seed).ink).isOfWriting(isTimed: false), "seed \(seed)")
  }

  @Test(
    "A page in another order is known, and its lines are found", arguments: [UInt64(1), 2, 3, 4])
  func storage(seed: UInt64) {
    let page = Self.page(seed: seed).ink
    let (shuffled, order) = Self.shuffled(page, seed: seed)
    for ink in [shuffled, Ink(strokes: page.strokes.reversed())] {
      #expect(!WritingOrder(ink).isOfWriting(isTimed: false), "seed \(seed)")
    }
    let expected = PageLayout(page).lines.map { Set($0.strokes) }
    let found = PageLayout(shuffled, isOrdered: false).lines.map {
      Set($0.strokes.map { order[$0] })
    }
    #expect(found == expected, "seed \(seed)")
  }

  @Test("The lines of a shuffled page do not depend on how it is shuffled")
  func stable() {
    let page = Self.page(seed: 5).ink
    let layouts = (UInt64(1)...3).map { seed in
      let (ink, order) = Self.shuffled(page, seed: seed)
      return PageLayout(ink, isOrdered: false).lines.map { $0.strokes.map { order[$0] } }
    }
    #expect(layouts[0] == layouts[1] && layouts[1] == layouts[2])
  }

  @Test("Two columns in any order are two blocks")
  func columns() {
    var page = WrittenPage(seed: 7)
    for line in 0..<5 { page.write(words: [4, 3], x: 40, y: 50 + 42 * Double(line), line: line) }
    for line in 0..<5 {
      page.write(words: [3, 4], x: 430, y: 50 + 42 * Double(line), line: 5 + line)
    }
    let (ink, _) = Self.shuffled(page.ink, seed: 3)
    let layout = PageLayout(ink, isOrdered: false)
    #expect(layout.blocks.count == 2)
    #expect(layout.lines.count == 10)
  }

  @Test("Strokes that are stored twice or traced twice are found; neighbours are none")
  func repeats() {
    let ink = Self.page(seed: 3).ink
    #expect(RepeatedStrokes.found(in: ink).isEmpty)
    let twice = Ink(strokes: ink.strokes + ink.strokes)
    let found = RepeatedStrokes.found(in: twice)
    #expect(found.count == ink.strokes.count)
    #expect(found.allSatisfy { $0.key == $0.value + ink.strokes.count })
    // Traced by hand: a little beside the first stroke, and from its end to its start.
    let traced = ink.strokes.map { stroke in
      Stroke(points: stroke.points.reversed().map { StrokePoint(x: $0.x + 0.8, y: $0.y + 0.6) })
    }
    let letters = ink.strokes.filter { stroke in
      Ink(strokes: [stroke]).boundingBox.map { max($0.width, $0.height) > 15 } ?? false
    }.count
    #expect(RepeatedStrokes.found(in: Ink(strokes: ink.strokes + traced)).count >= letters)
  }

  @Test("The direction of the lines is found", arguments: [0, 20, 45, 90, -60])
  func angle(degrees: Int) throws {
    let (ink, _) = Self.shuffled(Self.page(seed: 4).ink.rotated(by: degrees), seed: 2)
    let angle = try #require(PageAngle(ink)?.directions().first)
    let off = abs(angle - degrees) % 180
    #expect(min(off, 180 - off) <= 4, "\(angle) instead of \(degrees)")
  }

  @Test("Marks in rows and columns are level, though they are in bands in other directions")
  func grid() throws {
    let marks = (0..<16).map { number -> Stroke in
      let (row, column) = number.quotientAndRemainder(dividingBy: 4)
      let (x, y) = (60.0 * Double(column), 60.0 * Double(row))
      return Stroke(
        points: [(0, 0), (10, 8), (0, 16), (10, 20)].map { StrokePoint(x: x + $0.0, y: y + $0.1) })
    }
    let angle = try #require(PageAngle(Ink(strokes: marks)))
    let isLevel = [-45, 45, 27].map { angle.isLevel(against: $0) }
    #expect(isLevel == [true, true, true])
  }

  @Test("Lines of text that climb or fall are not level", arguments: [-40, -15, 12, 30])
  func slope(degrees: Int) throws {
    let angle = try #require(PageAngle(Self.page(seed: 4).ink.rotated(by: degrees)))
    let isLevel = angle.isLevel(against: degrees)
    #expect(!isLevel)
  }

  @Test("The order of writing shows the direction", arguments: [0, 90, 180])
  func progress(degrees: Int) throws {
    let ink = Self.page(seed: 4).ink.rotated(by: degrees)
    let progress = try #require(PageAngle(ink)?.progress)
    let off = abs(progress.angle - degrees) % 360
    #expect(progress.certainty > 0.4)
    #expect(min(off, 360 - off) <= 30, "\(progress.angle) instead of \(degrees)")
  }

  @Test("Ink without a size, of one spot or of thousands of strokes is measured in bounded time")
  func odd() {
    let dot = Stroke(points: [StrokePoint(x: 5, y: 5)])
    let line = Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 1e9, y: 1e9)])
    let inks = [
      Ink(), Ink(strokes: [dot]), Ink(strokes: Array(repeating: dot, count: 10_000)),
      Ink(strokes: [line, dot]), Ink(strokes: Array(repeating: line, count: 500)),
    ]
    for ink in inks {
      _ = PageAngle(ink)?.directions()
      #expect(
        RepeatedStrokes.found(in: ink).count == max(0, ink.strokes.count - Set(ink.strokes).count))
      _ = WritingOrder(ink).isOfWriting(isTimed: false)
      let layout = PageLayout(ink, isOrdered: false)
      #expect(layout.lines.flatMap(\.strokes).count + layout.drawing.count == ink.strokes.count)
    }
  }
}

extension Ink {
  /// The ink turned about the origin, clockwise.
  fileprivate func rotated(by degrees: Int) -> Ink {
    let angle = Double(degrees) * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    return Ink(
      strokes: strokes.map { stroke in
        Stroke(
          points: stroke.points.map {
            StrokePoint(x: $0.x * cosine - $0.y * sine, y: $0.x * sine + $0.y * cosine)
          })
      })
  }
}
