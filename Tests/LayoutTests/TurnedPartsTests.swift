import Foundation
import InkCore
import Layout
import Testing

@Suite("Parts of a page that run in another direction") struct TurnedPartsTests {
  /// A paragraph of four lines, and a line at an angle beside or below it.
  private static func page(angle: Int, lines: Int = 1) -> (ink: Ink, note: [Int]) {
    var page = WrittenPage(seed: 21)
    for line in 0..<4 {
      page.write(words: [4, 3, 5, 4], x: 40, y: 60 + 42 * Double(line), line: line)
    }
    let count = page.ink.strokes.count
    var note = WrittenPage(seed: 22)
    for line in 0..<lines {
      note.write(words: [4, 3, 3], x: 0, y: 42 * Double(line), line: line)
    }
    var turned = note.ink.rotated(by: angle)
    guard let box = turned.boundingBox, let edge = page.ink.boundingBox else { return (turned, []) }
    let isSteep = abs(angle) > 60
    let (dx, dy) =
      isSteep
      ? (edge.maxX + 60 - box.minX, edge.minY - box.minY)
      : (edge.minX - box.minX, edge.maxY + 50 - box.minY)
    for stroke in turned.strokes.indices {
      for point in turned.strokes[stroke].points.indices {
        turned.strokes[stroke].points[point].x += dx
        turned.strokes[stroke].points[point].y += dy
      }
    }
    let ink = Ink(strokes: page.ink.strokes + turned.strokes)
    return (ink, Array(count..<ink.strokes.count))
  }

  @Test("A line at an angle is found, with its direction", arguments: [90, -90, 30, -30, 45, 135])
  func line(angle: Int) throws {
    let (ink, note) = Self.page(angle: angle)
    let parts = TurnedParts.found(in: ink, isOrdered: true)
    let part = try #require(parts.first)
    #expect(parts.count == 1 && part.strokes == note)
    #expect(abs(part.angle - angle) < 10, "\(part.angle)")
  }

  @Test("Two lines side by side are one part")
  func lines() throws {
    let (ink, note) = Self.page(angle: 90, lines: 2)
    let parts = TurnedParts.found(in: ink, isOrdered: true)
    #expect(parts.map(\.strokes) == [note])
  }

  @Test("Without an order of writing a part is found by its place; it may run the other way")
  func anyOrder() throws {
    let (ink, note) = Self.page(angle: 90)
    var generator = SeededGenerator(seed: 2)
    let order = ink.strokes.indices.shuffled(using: &generator)
    let parts = TurnedParts.found(
      in: Ink(strokes: order.map { ink.strokes[$0] }), isOrdered: false)
    let part = try #require(parts.first)
    #expect(Set(part.strokes.map { order[$0] }) == Set(note))
    #expect(abs(abs(part.angle) - 90) < 10)
  }

  @Test("Upright pages have none: text, slopes, columns of words, lines and arrows")
  func upright() {
    var page = WrittenPage(seed: 23)
    for line in 0..<8 {
      page.write(
        words: [4, 3, 5], x: 40, y: 60 + 42 * Double(line), slope: 0.12, line: line)
    }
    for line in 0..<6 { page.write(words: [5], x: 420, y: 60 + 42 * Double(line), line: line) }
    #expect(TurnedParts.found(in: page.ink, isOrdered: true).isEmpty)
    #expect(TurnedParts.found(in: page.ink, isOrdered: false).isEmpty)
    page.add((0...20).map { StrokePoint(x: 600, y: 60 + 20 * Double($0)) }, line: nil)
    page.add(
      (0...20).map { StrokePoint(x: 620 + 9 * Double($0), y: 60 + 20 * Double($0)) }, line: nil)
    #expect(TurnedParts.found(in: page.ink, isOrdered: true).isEmpty)
  }

  @Test("The lines of a part are blocks of its angle, where they are read; each stroke is once")
  func layout() throws {
    let (ink, note) = Self.page(angle: 90, lines: 2)
    let parts = TurnedParts.found(in: ink, isOrdered: true)
    let layout = PageLayout(ink, turned: parts, isOrdered: true, kinds: nil)
    #expect(layout.lines.flatMap(\.strokes).sorted() == Array(ink.strokes.indices))
    let block = try #require(layout.blocks.first { $0.angle != 0 })
    #expect(layout.blocks.map { $0.angle != 0 } == [false, true])
    #expect(block.lines.count == 2 && block.lines.flatMap(\.strokes).sorted() == note)
    #expect(block.box == Ink(strokes: note.map { ink.strokes[$0] }).boundingBox)
    let structure = PageStructure(ink, layout: layout, kinds: nil)
    #expect(structure.blocks.map(\.angle) == layout.blocks.map(\.angle))
  }

  @Test("Bad input takes bounded time", .timeLimit(.minutes(1)))
  func bounds() {
    let dot = (0..<4).map { StrokePoint(x: Double($0), y: 5) }
    let crowd = Ink(strokes: (0..<10_000).map { _ in Stroke(points: dot) })
    #expect(TurnedParts.found(in: crowd, isOrdered: true).isEmpty)
    #expect(TurnedParts.found(in: crowd, isOrdered: false).isEmpty)
    let spot = Ink(strokes: Array(crowd.strokes.prefix(300)))
    let across = Ink(strokes: [
      Stroke(points: (0..<100_000).map { StrokePoint(x: Double($0), y: 1e3 * sin(Double($0))) })
    ])
    var far = Self.page(angle: 90).ink
    far.strokes.append(Stroke(points: [StrokePoint(x: 1e9, y: -1e9), StrokePoint(x: 1e9, y: 0)]))
    for ink in [spot, across, far, Ink(strokes: spot.strokes + across.strokes)] {
      for isOrdered in [true, false] {
        let parts = TurnedParts.found(in: ink, isOrdered: isOrdered)
        let layout = PageLayout(ink, turned: parts, isOrdered: isOrdered, kinds: nil)
        let placed = layout.lines.flatMap(\.strokes) + layout.drawing
        #expect(placed.sorted() == Array(ink.strokes.indices))
      }
    }
  }

  /// Two frames with words, a connector between them, and a word along it.
  private static func diagram(_ degrees: Int) -> (ink: Ink, label: [Int]) {
    var page = WrittenPage(seed: 9)
    page.drawRectangle(x: 0, y: 0, width: 150, height: 60)
    page.write(words: [6], x: 30, y: 30, line: 0)
    let (sine, cosine) = (sin(Double(degrees) * .pi / 180), cos(Double(degrees) * .pi / 180))
    func place(_ along: Double) -> (x: Double, y: Double) {
      (150 + along * cosine, 30 + along * sine)
    }
    page.drawRectangle(x: place(200).x, y: place(200).y - 30, width: 150, height: 60)
    page.write(words: [6], x: place(200).x + 30, y: place(200).y, line: 1)
    page.add(
      (0...20).map { StrokePoint(x: place(10 * Double($0)).x, y: place(10 * Double($0)).y) },
      line: nil)
    var label = WrittenPage(seed: 4)
    label.write(words: [5], x: 70, y: -24, line: 2)
    let first = page.ink.strokes.count
    for stroke in label.ink.rotated(by: degrees).strokes {
      page.add(
        stroke.points.map { StrokePoint(x: $0.x + 150, y: $0.y + 30) }, line: 2)
    }
    return (page.ink, Array(first..<page.ink.strokes.count))
  }

  @Test(
    "A short word along a connector is a part, and the words in frames are not",
    arguments: [-55, -35, 35, 55])
  func connector(degrees: Int) throws {
    let (ink, label) = Self.diagram(degrees)
    let parts = TurnedParts.found(in: ink, isOrdered: true)
    #expect(parts.map(\.strokes) == [label])
    #expect(abs(try #require(parts.first).angle - degrees) < 12)
    // Without the connector, so short a word is none.
    let without = Ink(
      strokes: ink.strokes.indices.filter { $0 != label[0] - 1 }.map { ink.strokes[$0] })
    #expect(TurnedParts.found(in: without, isOrdered: true).isEmpty)
  }

  @Test("Frames show that a page is level, and text shows nothing")
  func axisRules() {
    let (ink, _) = Self.diagram(35)
    #expect(AxisRules.areParallel(in: ink))
    #expect(AxisRules.areParallel(in: ink.rotated(by: 90)))
    #expect(!AxisRules.areParallel(in: ink.rotated(by: 20)))
    var page = WrittenPage(seed: 3)
    for line in 0..<6 { page.write(words: [4, 6, 3, 7], x: 20, y: 60 * Double(line), line: line) }
    for degrees in [0, 20, 45, 90] {
      #expect(!AxisRules.areParallel(in: page.ink.rotated(by: degrees)))
    }
  }
}
