import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Gestures by shape and place")
struct GestureFinderTests {
  /// Words of one line, from 0 and from 30 on, 4 high, with small letters between 11 and 15.
  private static func finder() -> GestureFinder {
    func word(_ text: String, x: Double) -> Ink {
      Ink(strokes: Pen.strokes(text, x: x, y: 13).map { Stroke(points: $0) })
    }
    return GestureFinder(lines: [[word("hello", x: 0), word("world", x: 30)]])
  }

  private static func kind(_ points: [StrokePoint]) -> GestureKind? {
    finder().gesture(in: Stroke(points: points))
  }

  private typealias Place = (x: Double, y: Double)

  @Test(
    "Over text the gesture",
    arguments: [
      ((0.0, 13.0), (14.0, 13.2), GestureKind.strikeThrough), ((14, 13), (0, 13), .strikeThrough),
      ((0, 16), (14, 16), .underline), ((30, 15.5), (44, 16), .underline),
      ((8.5, 9), (8.6, 17), .insert), ((22, 17), (22.3, 9), .join), ((22, 9), (22, 17), .insert),
    ])
  func overText(
    _ from: (Double, Double), _ to: (Double, Double), _ kind: GestureKind
  ) {
    #expect(Self.kind(GestureInk.line(from: (from.0, from.1), to: (to.0, to.1))) == kind)
  }

  @Test(
    "Over empty space, and too short or too steep for the text, the ink is writing",
    arguments: [
      ((60.0, 9.0), (60.0, 17.0)), ((0, 40), (20, 40)), ((8.5, 12), (8.5, 15)),
      ((8.5, 17), (8.5, 9)), ((0, 13), (2, 13)), ((0, 10), (14, 19)), ((0, 6), (14, 6)),
    ])
  func overNothing(_ from: (Double, Double), _ to: (Double, Double)) {
    #expect(Self.kind(GestureInk.line(from: (from.0, from.1), to: (to.0, to.1))) == nil)
  }

  @Test("Loops and zigzags need content")
  func areas() {
    let hello = BoundingBox(minX: 0, minY: 11, maxX: 14, maxY: 15)
    let nothing = BoundingBox(minX: 60, minY: 11, maxX: 74, maxY: 15)
    #expect(Self.kind(GestureInk.zigzag(hello)) == .scratchOut)
    #expect(Self.kind(GestureInk.zigzag(hello, ways: 3)) == nil)
    #expect(Self.kind(GestureInk.zigzag(nothing)) == nil)
    #expect(Self.kind(GestureInk.loop(hello)) == .surround)
    #expect(Self.kind(GestureInk.loop(nothing)) == nil)
    #expect(Self.kind(Array(GestureInk.loop(hello).prefix(30))) == nil)
  }

  @Test("Strokes without a path, with numbers that are none, and text without ink are no gestures")
  func badInput() {
    #expect(Self.kind([]) == nil)
    #expect(Self.kind([StrokePoint(x: 1, y: 1)]) == nil)
    #expect(Self.kind([StrokePoint](repeating: StrokePoint(x: 3, y: 13), count: 9)) == nil)
    #expect(Self.kind([StrokePoint(x: .nan, y: 1), StrokePoint(x: 0, y: .infinity)]) == nil)
    var line = GestureInk.line(from: (0, 13), to: (14, 13))
    line[4].x = .nan
    #expect(Self.kind(line) == .strikeThrough)
    let zigzag = GestureInk.zigzag(BoundingBox(minX: 0, minY: 0, maxX: 9, maxY: 9))
    for lines in [[], [[]], [[Ink()]], [[Ink(strokes: [Stroke(points: [])])]]] as [[[Ink]]] {
      #expect(GestureFinder(lines: lines).gesture(in: Stroke(points: zigzag)) == nil)
    }
  }
}
