import InkCore
import InkEditor
import Testing

@Suite("Line grouping")
struct LineGroupingTests {
  /// Upright strokes 3 mm high, one each 2 mm, on a line that rises by 7 in 100.
  private func rising(from x: Double, y: Double, count: Int) -> [[StrokePoint]] {
    (0..<count).map { index in
      let left = x + 2 * Double(index)
      let middle = y - 0.07 * 2 * Double(index)
      return [StrokePoint(x: left, y: middle - 1.5), StrokePoint(x: left + 0.4, y: middle + 1.5)]
    }
  }

  private func lines(_ strokes: [[StrokePoint]]) -> [[Int]] {
    let document = Document(type: .text)
    for (index, points) in strokes.enumerated() {
      document.append(InkStroke(id: index, pointer: .pen, points: points))
    }
    return document.root.lines.map { $0.items.sorted() }
  }

  @Test("a line that rises is one line, and so is the tall quotation mark at its end")
  func risingLine() {
    var strokes = rising(from: 20, y: 30, count: 60)
    let end = 30 - 0.07 * 120
    for x in [140.5, 141.2] {
      strokes.append([
        StrokePoint(x: x, y: end - 4.5), StrokePoint(x: x + 0.2, y: end - 3),
      ])
    }
    strokes += rising(from: 143, y: end - 0.2, count: 5)
    #expect(lines(strokes) == [Array(strokes.indices)])
  }

  @Test("a pen that goes back to the left and down begins a line")
  func newLine() {
    let strokes =
      rising(from: 20, y: 30, count: 20) + rising(from: 20, y: 37, count: 20)
      + rising(from: 20, y: 44, count: 20)
    #expect(lines(strokes) == [Array(0..<20), Array(20..<40), Array(40..<60)])
  }

  @Test("what is written above the end of a line, and not by the last line's pen, is a line")
  func aboveTheEnd() {
    let strokes =
      rising(from: 20, y: 30, count: 20) + rising(from: 20, y: 40, count: 10)
      + rising(from: 50, y: 22, count: 10)
    #expect(lines(strokes) == [Array(30..<40), Array(0..<20), Array(20..<30)])
  }
}
