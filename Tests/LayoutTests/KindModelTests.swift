import Foundation
import InkCore
import Layout
import Testing

@Suite("Stroke kinds")
struct KindModelTests {
  private let model = KindModel.standard

  /// Lines of writing.
  private func written(_ lines: Int = 5, seed: UInt64 = 4) -> WrittenPage {
    var page = WrittenPage(seed: seed)
    for line in 0..<lines {
      page.write(words: [4, 2, 6, 3, 5], x: 60, y: 60 + 44 * Double(line), line: line)
    }
    return page
  }

  private func line(
    from start: (Double, Double), to end: (Double, Double)
  ) -> [StrokePoint] {
    (0...40).map { step in
      let part = Double(step) / 40
      return StrokePoint(
        x: start.0 + part * (end.0 - start.0),
        y: start.1 + part * (end.1 - start.1) + 0.5 * sin(9 * part))
    }
  }

  @Test("The probabilities of each stroke sum to 1")
  func probabilities() {
    let page = written()
    let found = model.probabilities(page.ink)
    #expect(found.count == page.ink.strokes.count)
    for row in found {
      #expect(row.count == StrokeKind.allCases.count)
      #expect(abs(row.reduce(0, +) - 1) < 1e-4)
    }
    #expect(StrokeKind.allCases.enumerated().allSatisfy { $0.offset == $0.element.index })
  }

  @Test("A page of writing is text, all of it", arguments: [UInt64(4), 5, 6])
  func text(seed: UInt64) {
    #expect(model.kinds(written(seed: seed).ink).allSatisfy { $0 == .text })
  }

  @Test("A frame around writing is a frame, and the writing is text")
  func frame() {
    var page = written(3)
    page.drawRectangle(x: 30, y: 25, width: 420, height: 160)
    let kinds = model.kinds(page.ink)
    #expect(kinds.last == .frame)
    #expect(kinds.dropLast().allSatisfy { $0 == .text })
  }

  @Test("A line from edge to edge between blocks is a divider")
  func divider() {
    var page = written(3)
    for line in 4..<7 {
      page.write(words: [4, 2, 6, 3, 5], x: 60, y: 60 + 44 * Double(line), line: line)
    }
    page.add(line(from: (40, 192), to: (480, 193)), line: nil)
    let kinds = model.kinds(page.ink)
    #expect(kinds.last == .divider)
    #expect(kinds.dropLast().allSatisfy { $0 == .text })
  }

  @Test("A line beneath a word is an underline")
  func underline() throws {
    var page = written(3)
    let words = page.strokes(of: 1).prefix(4).compactMap {
      Ink(strokes: [page.ink.strokes[$0]]).boundingBox
    }
    let left = try #require(words.map(\.minX).min())
    let right = try #require(words.map(\.maxX).max())
    page.add(line(from: (left - 2, 118), to: (right + 3, 118)), line: nil)
    let kinds = model.kinds(page.ink)
    #expect(kinds.last == .underline)
    #expect(kinds.dropLast().allSatisfy { $0 == .text })
  }

  @Test("The order of the strokes does not matter")
  func order() {
    var page = written()
    page.drawRectangle(x: 30, y: 25, width: 420, height: 260)
    let plain = model.probabilities(page.ink)
    var generator = SeededGenerator(seed: 8)
    let order = plain.indices.shuffled(using: &generator)
    let shuffled = model.probabilities(Ink(strokes: order.map { page.ink.strokes[$0] }))
    #expect(shuffled == order.map { plain[$0] })
  }

  @Test("Where nothing is sure, it is text")
  func surety() {
    var row = [Float](repeating: 0, count: StrokeKind.allCases.count)
    row[StrokeKind.text.index] = 1 - model.surety + 0.01
    row[StrokeKind.frame.index] = model.surety - 0.01
    #expect(model.kind(row) == .text)
    row[StrokeKind.text.index] = 1 - model.surety - 0.01
    row[StrokeKind.frame.index] = model.surety + 0.01
    #expect(model.kind(row) == .frame)
  }

  @Test("No ink, and strokes without points")
  func empty() {
    #expect(model.kinds(Ink()).isEmpty)
    #expect(model.kinds(Ink(strokes: [Stroke(points: [])])) == [.text])
    let bad = Stroke(points: [StrokePoint(x: .infinity, y: 0)])
    #expect(model.kinds(Ink(strokes: [bad, bad])) == [.text, .text])
  }

  // MARK: - Bounds

  /// The seconds that a page may take without optimisation; it takes less than a tenth with it.
  private static let bound = 60.0

  private func expectBounded(_ ink: Ink, _ comment: Comment) {
    let start = Date()
    let kinds = model.kinds(ink)
    #expect(kinds.count == ink.strokes.count)
    #expect(Date().timeIntervalSince(start) < Self.bound, comment)
  }

  @Test("Two thousand strokes on one spot take bounded time")
  func spot() {
    let stroke = Stroke(points: line(from: (0, 0), to: (20, 20)))
    expectBounded(Ink(strokes: Array(repeating: stroke, count: 2000)), "equal strokes")
    var generator = SeededGenerator(seed: 2)
    let near = (0..<2000).map { _ in
      let x = Double.random(in: 0...5, using: &generator)
      return Stroke(points: line(from: (x, 0), to: (20, 20 + x)))
    }
    expectBounded(Ink(strokes: near), "strokes near each other")
  }

  @Test("Two thousand frames around the whole page take bounded time")
  func large() {
    var page = written()
    for index in 0..<1000 {
      page.drawRectangle(
        x: -Double(index), y: -Double(index), width: 900 + 2 * Double(index),
        height: 900 + 2 * Double(index))
    }
    expectBounded(page.ink, "large strokes")
  }

  @Test("A page kilometres long, and points at the ends of the number line")
  func far() {
    var page = written()
    page.write(words: [4, 2], x: 4e9, y: 7e9, line: 8)
    page.add(line(from: (-4e9, 0), to: (4e9, 1e9)), line: nil)
    expectBounded(page.ink, "a page kilometres long")
    page.add(line(from: (-1e300, 0), to: (1e300, 1e300)), line: nil)
    expectBounded(page.ink, "huge numbers")
    let tiny = Ink(
      strokes: page.ink.strokes.map { stroke in
        Stroke(points: stroke.points.map { StrokePoint(x: 1e-300 * $0.x, y: 1e-300 * $0.y) })
      })
    expectBounded(tiny, "tiny numbers")
  }
}
