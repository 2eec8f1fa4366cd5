import InkCore
import Recognition
import Testing

@Suite("Items of lists") struct PageItemsTests {
  /// A page of lines with texts and left edges, all in one block.
  private static func page(_ lines: [(String, Double)]) -> (RecognitionResult, Ink) {
    var result = RecognitionResult(candidates: [])
    var strokes: [Stroke] = []
    for (index, line) in lines.enumerated() {
      let (x, y) = (line.1, 40 * Double(index))
      strokes.append(
        Stroke(points: [StrokePoint(x: x, y: y), StrokePoint(x: x + 200, y: y + 20)]))
      result.lines.append(
        RecognizedLine(
          block: 0, strokes: [index],
          candidates: [RecognitionCandidate(text: line.0, score: 0)]))
    }
    result.blocks = [
      RecognizedBlock(
        kind: .text, bounds: nil, strokes: Array(lines.indices), lines: Array(lines.indices))
    ]
    return (result, Ink(strokes: strokes))
  }

  private static func levels(
    _ lines: [(String, Double)], _ direction: WritingDirection = .leftToRight
  ) -> [Int] {
    var (result, ink) = page(lines)
    result.markItems(in: ink, direction: direction)
    return result.lines.map(\.level)
  }

  @Test("Numbers that follow each other are items; other lines are none")
  func numbers() {
    #expect(
      Self.levels([("Plan", 0), ("1. buy milk", 0), ("2. sleep", 0), ("and dream", 30)])
        == [0, 1, 1, 0])
    #expect(Self.levels([("a) one", 0), ("b) two", 3), ("3.5 is a number", 0)]) == [1, 1, 0])
    #expect(Self.levels([("1. alone", 0), ("text", 0)]) == [0, 0])
    #expect(Self.levels([("1. one", 0), ("7. seven", 0)]) == [0, 0])
    #expect(Self.levels([("R. G. Worcester", 0), ("S. Smith", 0)]) == [0, 0])
  }

  @Test("Numbers have the digits of any script, and levels follow the indentation at the right")
  func rightToLeft() {
    for digits in ["12", "١٢", "۱۲"] {
      let (one, two) = (digits.prefix(1), digits.suffix(1))
      #expect(
        Self.levels(
          [("\(one). תפוח", 0), ("- אגס", -40), ("- ענב", -36), ("\(two). שזיף", 0), ("סוף", 0)],
          .rightToLeft) == [1, 2, 2, 1, 0])
    }
  }

  @Test("Dashes need company, and levels follow the indentation, on margins that move")
  func dashes() {
    #expect(
      Self.levels([
        ("- one", 0), ("- two", 4), ("- inner", 40), ("- deep", 80), ("- inner", 44), ("- one", 8),
      ]) == [1, 1, 2, 3, 2, 1])
    #expect(Self.levels([("- said he", 0), ("and left", 0)]) == [0, 0])
    #expect(Self.levels([("-5", 0), ("-6", 0)]) == [0, 0])
  }

  @Test("A bullet is sure, and its place counts as the edge of the line")
  func bullets() {
    var (result, ink) = Self.page([("one", 30), ("two", 60), ("three", 30)])
    for (line, x) in [(0, 0.0), (1, 30)] {
      ink.strokes.append(Stroke(points: [StrokePoint(x: x, y: 40 * Double(line) + 10)]))
      result.marks.append(
        RecognizedMark(
          kind: .bullet, strokes: [3 + line],
          words: [RecognizedMark.Word(line: line, word: 0)]))
    }
    result.markItems(in: ink)
    #expect(result.lines.map(\.level) == [1, 2, 0])
  }

  @Test("Items in two columns have levels of their own")
  func columns() {
    var (result, ink) = Self.page([("- a", 0), ("- b", 0), ("- c", 600), ("- d", 600)])
    result.blocks = [[0, 1], [2, 3]].map {
      RecognizedBlock(kind: .text, bounds: nil, strokes: $0, lines: $0)
    }
    result.markItems(in: ink)
    #expect(result.lines.map(\.level) == [1, 1, 1, 1])
  }
}
