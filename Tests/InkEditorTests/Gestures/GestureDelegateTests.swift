import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Delegates that decide about gestures", .serialized)
struct GestureDelegateTests {
  /// A delegate that gives one answer, or none.
  final class Judge: EditorDelegate, @unchecked Sendable {
    // Unchecked because the lock guards the members.
    private let lock = NSLock()
    private var log: [EditorGesture] = []
    private var found: [EditorEvent] = []
    private let decision: GestureAnswer?
    init(_ decision: GestureAnswer?) { self.decision = decision }
    var asked: [EditorGesture] { lock.withLock { log } }
    var notices: [EditorNotice.Code] {
      lock.withLock {
        found.compactMap { if case .notice(let notice) = $0 { notice.code } else { nil } }
      }
    }
    func editor(_ editor: Editor, decide gesture: EditorGesture) -> GestureAnswer? {
      lock.withLock { log.append(gesture) }
      return decision
    }
    func editor(_ editor: Editor, didEmit event: EditorEvent) {
      lock.withLock { found.append(event) }
    }
  }

  private static let zigzag = GestureInk.zigzag(GestureEffectTests.box(0..<3))

  private func desk(_ judge: Judge) throws -> Desk {
    let desk = try Desk()
    try desk.write("abc def")
    _ = try desk.text()
    desk.editor.delegate = judge
    return desk
  }

  @Test("The answer apply has the effect, ignore has none, and add makes ink")
  func answers() throws {
    for (answer, text, steps) in [
      (GestureAnswer.apply, "def", 1), (.ignore, "abc def", 0), (.add, nil, 1),
    ] {
      let judge = Judge(answer)
      let desk = try desk(judge)
      let before = (try desk.editor.export(as: .jiix), desk.editor.undoStackIndex)
      try desk.draw([Self.zigzag])
      let found = try desk.text()
      #expect(judge.asked.count == 1)
      let gesture = try #require(judge.asked.first)
      #expect(gesture.kind == .scratchOut && gesture.tool == .pen && gesture.words.count == 1)
      #expect(desk.editor.undoStackIndex == before.1 + steps)
      if let text { #expect(found == text) }
      if answer == .ignore { #expect(try desk.editor.export(as: .jiix) == before.0) }
      if answer == .add {
        #expect(try desk.root.items.contains(gesture.stroke))
        try desk.editor.undo()
        #expect(try desk.text() == "abc def")
      }
    }
  }

  @Test("Insert and join say what stands before and after their place")
  func places() throws {
    let judge = Judge(.ignore)
    let desk = try desk(judge)
    let items = try desk.root.items
    try desk.draw([
      GestureInk.line(from: (22.5, 11), to: (22.5, 19)),
      GestureInk.line(from: (30, 19), to: (30, 11)),
    ])
    try desk.editor.waitUntilIdle()
    #expect(judge.asked.map(\.kind) == [.insert, .join])
    #expect(judge.asked.map { $0.before?.item } == [items[0], items[2]])
    #expect(judge.asked.map { $0.after?.item } == [items[1], items[3]])
    #expect(try desk.text() == "abc def")
  }

  @Test("While nobody answers, the stroke is ink that is not read, and writing goes on")
  func waiting() throws {
    let judge = Judge(nil)
    let desk = try desk(judge)
    try desk.editor.configuration.set("gesture.answer-timeout", to: 3_600_000)
    let item = try #require(try desk.draw([Self.zigzag]).first)
    #expect(!desk.editor.isIdle)
    #expect(try desk.root.items.contains(item))
    #expect(try desk.editor.waitUntilIdle(timeout: 0.3) == false)
    try desk.write("ghi", x: 50)
    #expect(desk.editor.openGestures.map(\.stroke) == [item])
    #expect(desk.editor.read { $0.document?.faults ?? [] } == [])
    try desk.editor.answer(.apply, to: item)
    #expect(try desk.text() == "def ghi")
    for late in [item, item + 100] {
      #expect(throws: EditorError.noSuchGesture(late)) {
        try desk.editor.answer(.apply, to: late)
      }
    }
    #expect(try desk.text() == "def ghi")
    #expect(desk.editor.read { $0.document?.faults ?? [] } == [])
  }

  @Test("Undo takes away the stroke that waits; an answer after it is refused")
  func undo() throws {
    let judge = Judge(nil)
    let desk = try desk(judge)
    try desk.editor.configuration.set("gesture.answer-timeout", to: 3_600_000)
    let steps = desk.editor.undoStackIndex
    let item = try #require(try desk.draw([Self.zigzag]).first)
    #expect(try desk.editor.undo())
    #expect(desk.editor.undoStackIndex == steps)
    #expect(try desk.text() == "abc def")
    #expect(throws: EditorError.noSuchGesture(item)) { try desk.editor.answer(.apply, to: item) }
    #expect(try desk.root.items.count == 6)
  }

  @Test("Without an answer in time, the gesture is applied and that is told")
  func timeout() throws {
    let judge = Judge(nil)
    let desk = try desk(judge)
    try desk.editor.configuration.set("gesture.answer-timeout", to: 50)
    try desk.draw([Self.zigzag])
    #expect(try desk.text() == "def")
    #expect(judge.notices == [.gestureNotAnswered])
  }

  @Test("Another part decides about the strokes that wait")
  func otherPart() throws {
    let judge = Judge(nil)
    let desk = try desk(judge)
    try desk.editor.configuration.set("gesture.answer-timeout", to: 3_600_000)
    let part = desk.editor.part
    try desk.draw([Self.zigzag])
    try desk.editor.setPart(nil)
    try desk.editor.setPart(part)
    #expect(try desk.text() == "def")
    #expect(judge.notices == [.gestureNotAnswered])
  }

  @Test("A gesture whose content is gone when it is answered is told, and its stroke is ink")
  func gone() throws {
    let judge = Judge(nil)
    let desk = try desk(judge)
    try desk.editor.configuration.set("gesture.answer-timeout", to: 3_600_000)
    let item = try #require(try desk.draw([Self.zigzag]).first)
    let words = try desk.root.words
    try desk.editor.removeItems(words[0].items)
    try desk.editor.answer(.apply, to: item)
    try desk.editor.waitUntilIdle()
    #expect(judge.notices == [.gestureNotApplied])
    #expect(try desk.root.items.contains(item))
    #expect(desk.editor.read { $0.document?.faults ?? [] } == [])
  }
}
