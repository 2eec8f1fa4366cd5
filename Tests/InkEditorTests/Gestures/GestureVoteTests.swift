import Foundation
import InkCore
import InkEditor
import PenInput
import Recognition
import TestSamples
import Testing

@Suite("The model of gestures has a vote")
struct GestureVoteTests {
  /// Returns a model that gives one label to every ink, and counts how often it is asked.
  private final class Voter: Recognizer, @unchecked Sendable {
    // Unchecked because the lock guards the count.
    private let lock = NSLock()
    private var count = 0
    private let label: String
    var labels: [String]? { nil }
    var calls: Int { lock.withLock { count } }

    init(_ label: String) { self.label = label }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      lock.withLock { count += 1 }
      return RecognitionResult(candidates: [
        RecognitionCandidate(text: label, score: log(0.9)),
        RecognitionCandidate(text: "writing", score: log(0.1)),
      ])
    }
  }

  private struct Refusal: Error {}

  /// A desk whose model of gestures gives one label to every ink.
  private func desk(_ label: String) throws -> (Desk, Voter) {
    let desk = try Desk(type: nil)
    let voter = Voter(label)
    desk.models.setGestures(voter)
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    return (desk, voter)
  }

  /// A line with a turn.
  private static func bend(
    _ from: (Double, Double), _ tip: (Double, Double), _ to: (Double, Double)
  ) -> [StrokePoint] {
    GestureInk.line(from: from, to: tip) + GestureInk.line(from: tip, to: to).dropFirst()
  }

  /// A caret below "hello", with its tip between e and l.
  private static let caret = bend((24, 20), (25.5, 16), (27, 20))

  /// An arch from one word to the next.
  private static func arch(from left: Double, to right: Double, y: Double) -> [StrokePoint] {
    (0...20).map { step in
      let part = Double(step) / 20
      return StrokePoint(x: left + part * (right - left), y: y - 2.5 * sin(part * .pi))
    }
  }

  @Test("A caret that the model knows inserts a space; without a model, or as a tick, it is ink")
  func caret() throws {
    let (desk, _) = try desk("caret")
    try desk.write("hello")
    #expect(try desk.text() == "hello")
    let steps = desk.editor.undoStackIndex
    try desk.draw([Self.caret])
    #expect(try desk.text() == "he llo")
    #expect(desk.editor.undoStackIndex == steps + 1)
    try desk.editor.undo()
    #expect(try desk.text() == "hello")
    for other in [try Desk(), try self.desk("tick").0, try self.desk("writing").0] {
      try other.write("hello")
      _ = try other.text()
      try other.draw([Self.caret])
      try other.editor.waitUntilIdle()
      #expect(try other.root.items.count == 6)
    }
  }

  @Test("An arch from word to word that the model knows joins them; elsewhere it is ink")
  func arch() throws {
    let (desk, _) = try desk("join")
    try desk.write("he llo wow")
    #expect(try desk.text() == "he llo wow")
    try desk.draw([Self.arch(from: 24.5, to: 30, y: 12)])
    #expect(try desk.text() == "hello wow")
    try desk.editor.undo()
    #expect(try desk.text() == "he llo wow")
    let count = try desk.root.items.count
    try desk.draw([Self.arch(from: 29.5, to: 34, y: 12)])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.items.count == count + 1)
    let plain = try Desk()
    try plain.write("he llo wow")
    _ = try plain.text()
    try plain.draw([Self.arch(from: 24.5, to: 30, y: 12)])
    try plain.editor.waitUntilIdle()
    #expect(try plain.root.items.count == count + 1)
  }

  @Test("Batches and pens are voted on, too")
  func doors() throws {
    let (desk, _) = try desk("caret")
    try desk.write("hello")
    _ = try desk.text()
    let kinds = { (index: Int) -> PointerEvent.Kind in
      index == 0 ? .down : index == Self.caret.count - 1 ? .up : .move
    }
    try desk.editor.pointerEvents(
      Self.caret.enumerated().map { PointerEvent(kinds($0), x: $1.x, y: $1.y, id: 3) },
      processGestures: true)
    #expect(try desk.text() == "he llo")
    try desk.editor.undo()
    _ = try desk.text()
    for (index, point) in Self.caret.enumerated() {
      let sample = PenSample(
        point: StrokePoint(x: point.x, y: point.y, t: Double(10 * index)))
      switch kinds(index) {
      case .down: try desk.editor.handle(.began(sample))
      case .up: try desk.editor.handle(.ended(sample))
      default: try desk.editor.handle(.moved(coalesced: [sample], predicted: []))
      }
    }
    #expect(try desk.text() == "he llo")
  }

  @Test("A delegate that answers later gets the gesture that was voted for")
  func later() throws {
    final class Judge: EditorDelegate, Sendable {
      func editor(_ editor: Editor, decide gesture: EditorGesture) -> GestureAnswer? { nil }
    }
    let (desk, voter) = try desk("caret")
    try desk.write("hello")
    _ = try desk.text()
    let judge = Judge()
    desk.editor.delegate = judge
    let item = try #require(try desk.draw([Self.caret]).first)
    let calls = voter.calls
    try desk.editor.answer(.apply, to: item)
    #expect(try desk.text() == "he llo")
    #expect(voter.calls == calls)
  }

  @Test("Letters are not asked about, nor anything without gestures or without a name")
  func asked() throws {
    let (desk, voter) = try desk("writing")
    try desk.write("hello")
    _ = try desk.text()
    let before = voter.calls
    // A wave is no line, loop or zigzag.
    let wave = (0...30).map { step in
      StrokePoint(x: 50 + Double(step) / 5, y: 13 + 1.5 * sin(Double(step) / 4))
    }
    try desk.draw([wave])
    #expect(voter.calls == before)
    for key in ["gesture.configuration", "gesture.enable"] {
      if key == "gesture.enable" {
        try desk.editor.configuration.set(key, to: false)
      } else {
        try desk.editor.configuration.set(key, to: "")
      }
      try desk.draw([Self.caret])
      #expect(voter.calls == before)
    }
  }

  @Test("A model that fails has no vote")
  func failing() throws {
    let desk = try Desk(type: nil)
    desk.models.setGestures(ScriptedReader { _ in throw Refusal() })
    try desk.editor.setPart(desk.engine.makePart(type: "Text"))
    try desk.write("hello")
    #expect(try desk.text() == "hello")
    try desk.draw([GestureInk.line(from: (25.5, 11), to: (25.5, 19))])
    #expect(try desk.text() == "he llo")
  }

  @Test("A model that appears later votes from then on, and its vote is told to who asks why")
  func appears() throws {
    let desk = try Desk()
    desk.editor.explainGestures()
    try desk.write("hello")
    _ = try desk.text()
    try desk.draw([Self.caret])
    try desk.editor.undo()
    desk.models.setGestures(Voter("caret"))
    desk.engine.modelsDidChange()
    _ = desk.editor.takeGestureReasons()
    try desk.draw([Self.caret])
    #expect(try desk.text() == "he llo")
    #expect(desk.editor.takeGestureReasons().contains { $0.hasPrefix("model: caret 0.90; ") })
  }
}
