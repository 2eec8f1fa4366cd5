import Features
import Foundation
import InkCore
import Testing

@Suite("Late marks")
struct LateMarksTests {
  /// A wave of joined letters, each 0.5 line heights wide and 0.5 tall, in one stroke.
  private func wave(_ letters: Int) -> Trajectory {
    var line = Trajectory()
    for step in 0...letters * 10 {
      let angle = 2 * Float.pi * Float(step) / 10
      line.append(x: 0.05 * Float(step), y: -0.25 * cos(angle), time: 0)
    }
    line.endStroke()
    return line
  }

  private func addMark(_ line: inout Trajectory, x: Float, y: Float = -0.5, width: Float = 0.1) {
    for step in 0...2 { line.append(x: x + width * Float(step) / 2, y: y, time: 0) }
    line.endStroke()
  }

  private func arranged(_ line: Trajectory) -> LateMarks {
    var marks = LateMarks()
    marks.arrange(line)
    return marks
  }

  @Test("Every point is read once, and unmoved lines in the order of writing")
  func permutation() {
    var line = wave(8)
    #expect(arranged(line).runs.map(\.points) == [0..<81])
    #expect(!arranged(line).hasMoved)
    addMark(&line, x: 1)
    addMark(&line, x: 3)
    addMark(&line, x: 2, y: 0.4)
    let marks = arranged(line)
    #expect(marks.hasMoved)
    #expect(marks.runs.flatMap { Array($0.points) }.sorted() == Array(0..<line.count))
    #expect(marks.runs.filter(\.isMark).map(\.stroke) == [1, 3, 2])
  }

  @Test("A late mark is read within the stroke, at the end of its letter")
  func withinStroke() throws {
    var line = wave(8)
    addMark(&line, x: 0.95)
    let runs = arranged(line).runs
    #expect(runs.map(\.isMark) == [false, true, false])
    let last = line.x[try #require(runs.first).points.upperBound - 1]
    #expect((1.0...1.3).contains(last), "\(last)")
  }

  @Test("Two dots of a letter are read together")
  func pairs() {
    var line = wave(8)
    addMark(&line, x: 0.9, width: 0.02)
    addMark(&line, x: 1.1, width: 0.02)
    #expect(arranged(line).runs.map(\.isMark) == [false, true, true, false])
  }

  @Test(
    "Other strokes stay where they were written",
    arguments: [
      (x: 3.7, y: -0.5, width: 0.1, "at the last letter"),
      (x: 1, y: -0.5, width: 1, "too wide"),
      (x: 9, y: 0, width: 0.1, "after the writing"),
    ] as [(Float, Float, Float, String)])
  func others(x: Float, y: Float, width: Float, name: String) {
    var line = wave(8)
    addMark(&line, x: x, y: y, width: width)
    #expect(!arranged(line).hasMoved, "\(name)")
  }

  @Test("A mark where nothing is written stays")
  func gap() {
    var line = wave(2)
    for step in 0...40 { line.append(x: 3 + 0.05 * Float(step), y: 0, time: 0) }
    line.endStroke()
    addMark(&line, x: 2)
    #expect(!arranged(line).hasMoved)
  }

  @Test("The steps of a line hold a late mark at its letter; the stroke goes on without a pen lift")
  func steps() throws {
    // In ink units; the line height becomes 1.
    var ink = Trajectory()
    let letters = wave(8)
    for point in letters.x.indices {
      ink.append(x: 100 * letters.x[point], y: 100 * letters.y[point], time: 0)
    }
    ink.endStroke()
    ink.append(x: 95, y: -60, time: 0)
    ink.append(x: 110, y: -50, time: 0)
    ink.endStroke()
    var line = NormalizedLine()
    line.load(ink, area: nil)
    var pipeline = LinePipeline()
    var plain = LineEncoder(pipeline)
    plain.encode(line)
    pipeline.placesMarks = true
    var placed = LineEncoder(pipeline)
    placed.encode(line)
    #expect(placed.steps == plain.steps)
    #expect(placed.sources == placed.sources.sorted())
    func column(_ channel: Int, of encoder: LineEncoder) -> [Float] {
      (0..<encoder.steps).map { encoder.values[$0 * pipeline.channels + channel] }
    }
    // Directions, heights and ends of strokes are the same in another order.
    for channel in [0, 1, 2, 3, 4] {
      #expect(column(channel, of: placed).sorted() == column(channel, of: plain).sorted())
    }
    let begins = column(3, of: placed).indices.filter { column(3, of: placed)[$0] == 1 }
    let mark = try #require(begins.last)
    #expect(mark < placed.steps / 2)
    let jumps = column(5, of: placed)
    let back = try #require(jumps.indices.last { jumps[$0] != 0 })
    #expect(back > mark && column(3, of: placed)[back] == 0 && jumps[back] > 0)
    // The mark lies less far behind the pen.
    #expect(column(7, of: plain).max() ?? 0 > column(7, of: placed).max() ?? 9)
  }

  @Test("Marks on curves are refused")
  func curves() {
    var pipeline = LinePipeline()
    pipeline.curveError = 0.03
    pipeline.placesMarks = true
    #expect(throws: FeatureError.self) { try pipeline.check() }
  }
}
