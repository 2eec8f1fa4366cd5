import Features
import Foundation
import InkCore
import Testing

/// Rows of writing, one under another: x and y in heights of a letter.
@Suite struct RowsTests {
  private typealias Point = (x: Float, y: Float)

  /// Letters of a word, each a stroke up and down with a turn.
  private func word(_ letters: Int, x: Float, y: Float, slope: Float = 0) -> [[Point]] {
    (0..<letters).map { letter in
      (0...24).map { step in
        let part = Float(step) / 24
        let across = 0.9 * Float(letter) + 0.7 * part
        return (x + across, y + slope * across - abs(sine(2 * .pi * part)))
      }
    }
  }

  private func loaded(_ strokes: [[Point]]) -> NormalizedLine {
    var line = NormalizedLine()
    line.load(Trajectory(local: strokes), area: nil)
    return line
  }

  private func box(of strokes: Range<Int>, in line: NormalizedLine) -> (left: Float, right: Float) {
    let xs = strokes.flatMap { line.trajectory.points($0).map(\.x) }
    return (xs.min() ?? .nan, xs.max() ?? .nan)
  }

  @Test func rowsAreLaidSideBySideAtTheirOwnHeight() throws {
    let one = loaded(word(5, x: 0, y: 0))
    #expect(one.rowShifts == nil && one.strokeOrder == nil)
    let rows = loaded(word(5, x: 3, y: 0) + word(4, x: 3.2, y: 2, slope: 0.1) + word(6, x: 3, y: 4))
    #expect(rows.trajectory.strokeEnds.count == 15)
    // Long segments have more points, with the index of the one before.
    #expect(Set(rows.sources) == Set(0..<Int32(15 * 25)) && rows.sources == rows.sources.sorted())
    #expect(rows.strokeOrder == Array(0..<15))
    #expect(rows.rows == [Array(0..<5), Array(5..<9), Array(9..<15)])
    let boxes = [0..<5, 5..<9, 9..<15].map { box(of: $0, in: rows) }
    for (left, right) in zip(boxes, boxes.dropFirst()) {
      // A space, wider than those between letters.
      #expect((0.3...1.5).contains(right.left - left.right))
    }
    // As tall as one row, and all of them level.
    #expect(abs(rows.unit / one.unit - 1) < 0.05)
    let ys = rows.trajectory.y
    #expect(try #require(ys.max()) - (try #require(ys.min())) < 1.5)
    #expect(abs(rows.middle - one.middle) < 0.01)
    let shifts = try #require(rows.rowShifts)
    #expect(shifts.count == 15 && Set(shifts[0..<5]).count == 1 && shifts[9] > shifts[5])
    #expect(abs((shifts[9] + 3) / rows.unit - boxes[2].left) < 1e-3)
  }

  @Test func aRowMayBeginWithASmallLetter() {
    func letter(x: Float, y: Float, size: Float) -> [Point] {
      (0...24).map { step in
        let part = Float(step) / 24
        return (x + 0.5 * part, y - size * abs(sine(2 * .pi * part)))
      }
    }
    let first = word(5, x: 0, y: 0)
    let second = [letter(x: 0, y: 2.2, size: 0.36)] + word(4, x: 0.9, y: 2.2)
    #expect(loaded(first + second).rows == [Array(0..<5), Array(5..<10)])
    // A dot or a bar begins none.
    let bar: [Point] = [(0, 1), (4, 1)]
    #expect(loaded(first + [bar]).rows == nil)
    #expect(loaded(first + [[(0, 1.4)]]).rows == nil)
  }

  @Test func manyLongRowsAreAsTallAsOne() {
    let one = loaded(word(30, x: 0, y: 0))
    let rows = loaded((0..<8).flatMap { word(30, x: 0, y: 2 * Float($0)) })
    #expect(rows.rowShifts != nil && abs(rows.unit / one.unit - 1) < 0.05)
    #expect(box(of: 0..<240, in: rows).right > 64)
  }

  @Test func rowsAreFoundWhereverAndHoweverLargeTheyAre() {
    let rows = word(4, x: 0, y: 0) + word(4, x: 0, y: 1.8)
    let line = loaded(rows)
    #expect(line.rowShifts != nil)
    let other = loaded(rows.map { $0.map { (1e4 + 300 * $0.x, 300 * $0.y - 1e4) } })
    #expect(largestDifference(line.trajectory.x, other.trajectory.x) < 1e-2)
    #expect(largestDifference(line.trajectory.y, other.trajectory.y) < 1e-2)
  }

  @Test func aDotThatWasForgottenIsReadWithItsRow() {
    let dot: [Point] = [(1, -1.3), (1.05, -1.35)]
    let line = loaded(word(4, x: 0, y: 0) + word(4, x: 0, y: 2.5) + [dot])
    #expect(line.strokeOrder == [0, 1, 2, 3, 8, 4, 5, 6, 7])
    #expect(line.sources[line.trajectory.stroke(4)] == [200, 201])
    #expect(line.rowShifts?.count == 9 && line.rowShifts?[8] == line.rowShifts?[0])
  }

  @Test func theTailOfALetterAndBarsAreNoRows() {
    let letters = word(8, x: 0, y: 0)
    let tail: [Point] = (0...20).map {
      let angle = Float.pi * Float($0) / 20
      return (3 + cos(angle), 0.1 + 0.9 * sin(angle))
    }
    let bar: [Point] = (0...20).map { (0.3 * Float($0), 1.4 + 0.02 * Float($0)) }
    let above: [Point] = (0...20).map { (0.3 * Float($0), -2) }
    for strokes in [letters + [tail], letters + [bar], [above] + letters, [above, bar]] {
      #expect(loaded(strokes).rowShifts == nil)
    }
  }

  @Test func aLineThatFallsAndAWordPutInAreOneRow() {
    let falling = word(30, x: 0, y: 0, slope: 0.12)
    let inserted = word(3, x: 0, y: 0) + word(3, x: 8, y: 0) + word(3, x: 4, y: 0.3)
    for strokes in [falling, inserted] {
      let line = loaded(strokes)
      #expect(line.rowShifts == nil)
    }
  }

  @Test func aPageOfMoreThanAThousandStrokesIsNotSearched() {
    let rows = (0..<60).flatMap { word(20, x: 0, y: 2 * Float($0)) }
    #expect(loaded(Array(rows[..<1000])).rowShifts?.count == 1000)
    #expect(loaded(rows).rowShifts == nil)
  }

  @Test func loadingAgainLeavesNoRowsBehind() {
    var line = loaded(word(4, x: 0, y: 0) + word(4, x: 0, y: 2))
    var copy = NormalizedLine()
    line.copy(into: &copy)
    #expect(copy.rowShifts != nil && copy.rowShifts == line.rowShifts)
    line.load(Trajectory(local: word(4, x: 0, y: 0)), area: nil)
    #expect(line.rows == nil && line.rowShifts == nil && line.strokeOrder == nil)
  }
}
