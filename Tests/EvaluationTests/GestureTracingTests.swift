import Evaluation
import Foundation
import InkCore
import InkDatasets
import TestSamples
import Testing

@Suite("Gestures of people, placed over words")
struct GestureTracingTests {
  private static func ink(_ label: String, _ points: [(Double, Double)]) -> LabeledInk {
    LabeledInk(
      ink: Ink(strokes: [
        Stroke(points: points.map { StrokePoint(x: $0.0, y: $0.1) })
      ]), label: label)
  }

  private static let row = GestureDrawer.Row(baseline: 20, top: 17)
  private static let word = BoundingBox(minX: 40, minY: 15, maxX: 60, maxY: 21)

  private static func placed(_ record: LabeledInk, _ kind: String) throws -> BoundingBox? {
    try TemporaryInk.with([record]) { data in
      let tracings = try GestureTracings([data])
      let sort = try #require(tracings.sorts.first { $0.name == kind })
      let points = tracings.ink(
        sort, index: 0, over: word, tipAt: 47, row, sizes: (0.5, 0.5))
      return Ink(strokes: [Stroke(points: points ?? [])]).boundingBox
    }
  }

  @Test("The tip of a caret is at the gap, whatever its size")
  func caret() throws {
    for size in [1.0, 90] {
      let record = Self.ink("caret", [(0, 2 * size), (size, 0), (3 * size, 2 * size)])
      let box = try #require(try Self.placed(record, "insert.caret"))
      #expect(abs(box.minX + box.width / 3 - 47) < 1e-9)
      #expect(box.minY > 17 && box.minY < 20 && box.maxY > 20)
    }
  }

  @Test("Circles hold the word; lines go through it or below it")
  func words() throws {
    let circle = (0...20).map { step in
      let angle = Double(step) / 10 * .pi
      return (300 + 100 * cos(angle), 100 * sin(angle))
    }
    let around = try #require(try Self.placed(Self.ink("circle", circle), "surround.circle"))
    #expect(around.minX < 40 && around.maxX > 60 && around.minY < 15 && around.maxY > 21)
    let line = Self.ink("line", [(0, 0), (50, 2), (100, 1)])
    let through = try #require(try Self.placed(line, "strike-through.line"))
    #expect(through.midY > 17 && through.midY < 20 && through.width > 20)
    let below = try #require(try Self.placed(line, "underline.line"))
    #expect(below.minY >= 20 && below.minY < 23)
  }

  @Test("Upright lines, several strokes and other labels are left out")
  func leftOut() throws {
    var two = Self.ink("caret", [(0, 2), (1, 0), (3, 2)])
    two.ink.strokes.append(two.ink.strokes[0])
    let records = [
      two, Self.ink("line", [(0, 0), (2, 50)]), Self.ink("pigtail", [(0, 0), (2, 50)]),
      Self.ink("check", [(0, 0), (2, 5), (9, -9)]),
    ]
    try TemporaryInk.with(records) { data in
      let tracings = try GestureTracings([data])
      #expect(tracings.sorts.map(\.name) == ["ink.check"])
      #expect(tracings.count(of: tracings.sorts[0]) == 1)
    }
  }

  @Test("The scenario reports them apart, and ticks as ink")
  func scenario() throws {
    var options = EditorEvaluation.Options()
    options.scenario = .gestures
    let record = Self.ink("check", [(0, 0), (2, 5), (9, -9)])
    try TemporaryInk.with([record]) { data in
      let figures = try EditorEvaluation.figures(
        line: try SmallModels.untrainedLines(), shapes: nil, options: options,
        data: [DataSpecification(parsing: "starter:words?seed=4&length=3&limit=2")],
        gestureData: [data])
      let gestures = try #require(figures.gestures)
      #expect(gestures.words > 0 && gestures.people != nil)
    }
  }
}
