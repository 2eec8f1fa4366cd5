import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Selection by touch")
struct TouchSelectionTests {
  private static let start: Int64 = 1_700_000_900_000

  /// A desk with "abc def" and a listener, and a hand for touches.
  private func desk(_ type: String = "Text") throws -> (Desk, Listener) {
    let desk = try Desk(type: type)
    desk.editor.tools.setTool(.hand, for: .touch)
    try desk.write("abc def")
    try desk.editor.waitUntilIdle()
    let listener = Listener()
    desk.editor.delegate = listener
    return (desk, listener)
  }

  /// Touches the view at places, `after` milliseconds from the start, for some milliseconds.
  private func touch(
    _ desk: Desk, _ places: [(Double, Double)], after: Int64, lasting: Int64 = 50
  ) throws {
    let t = Self.start + after
    let last = places[places.count - 1]
    try desk.editor.pointerDown(x: places[0].0, y: places[0].1, t: t, type: .touch, id: 7)
    for place in places.dropFirst() {
      try desk.editor.pointerMove(x: place.0, y: place.1, t: t + 10, type: .touch, id: 7)
    }
    try desk.editor.pointerUp(x: last.0, y: last.1, t: t + lasting, type: .touch, id: 7)
    try desk.editor.waitUntilIdle()
  }

  private func selections(_ listener: Listener) -> [Int] {
    listener.events.compactMap {
      if case .selectionChanged(let selection) = $0 { selection?.items.count ?? 0 } else { nil }
    }
  }

  @Test("A tap selects the word below, and beside of words nothing")
  func tap() throws {
    let (desk, listener) = try desk()
    let items = try desk.root.items
    let steps = desk.editor.possibleUndoCount
    try touch(desk, [(34, 15)], after: 0)
    #expect(desk.editor.selection?.items == Array(items.suffix(3)))
    try touch(desk, [(22, 15)], after: 1000)
    #expect(desk.editor.selection?.items == Array(items.prefix(3)))
    try touch(desk, [(120, 90)], after: 2000)
    #expect(desk.editor.selection == nil)
    #expect(selections(listener) == [3, 3, 0])
    #expect(desk.editor.possibleUndoCount == steps)
  }

  @Test("A long press selects the block, with one event")
  func longPress() throws {
    let (desk, listener) = try desk()
    try touch(desk, [(34, 15)], after: 0, lasting: 600)
    #expect(try desk.editor.selection?.items.sorted() == desk.root.items.sorted())
    #expect(selections(listener) == [6])
  }

  @Test("A drag moves the selected word in one step; elsewhere it scrolls")
  func drag() throws {
    let (desk, listener) = try desk()
    let before = try desk.editor.export(as: .jiix)
    try touch(desk, [(34, 15)], after: 0)
    let box = try #require(desk.editor.selection?.box)
    let steps = desk.editor.possibleUndoCount
    try touch(desk, [(34, 15), (60, 15), (74, 15)], after: 1000)
    let moved = try #require(desk.editor.selection)
    #expect(moved.items.count == 3 && moved.isValid)
    #expect(abs((moved.box?.minX ?? 0) - box.minX - 40) < 1e-6)
    #expect(desk.editor.possibleUndoCount == steps + 1)
    #expect(!listener.events.contains { if case .scrolled = $0 { true } else { false } })
    try touch(desk, [(22, 15), (30, 40), (40, 60)], after: 2000)
    #expect(listener.events.contains { if case .scrolled = $0 { true } else { false } })
    #expect(desk.editor.possibleUndoCount == steps + 1)
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.export(as: .jiix) == before)
    #expect(desk.editor.selection == nil)
  }

  @Test("A touch that stays and then moves drags the block")
  func pressAndDrag() throws {
    let (desk, listener) = try desk()
    let left = try #require(try desk.root.box?.minX)
    let steps = desk.editor.possibleUndoCount
    try desk.editor.pointerDown(x: 34, y: 15, t: Self.start, type: .touch, id: 7)
    let begin = ContinuousClock.now
    while desk.editor.selection == nil, ContinuousClock.now - begin < .seconds(10) {
      Thread.sleep(forTimeInterval: 0.02)
    }
    try desk.editor.pointerMove(x: 44, y: 25, t: Self.start + 900, type: .touch, id: 7)
    try desk.editor.pointerUp(x: 44, y: 15, t: Self.start + 950, type: .touch, id: 7)
    try desk.editor.waitUntilIdle()
    let moved = try #require(try desk.root.box?.minX)
    #expect(abs(moved - left - 10) < 1e-6)
    #expect(desk.editor.possibleUndoCount == steps + 1)
    #expect(!listener.events.contains { if case .scrolled = $0 { true } else { false } })
  }

  @Test("A drag after the selected ink was erased moves nothing")
  func gone() throws {
    let (desk, _) = try desk()
    try touch(desk, [(34, 15)], after: 0)
    let word = try #require(desk.editor.selection)
    try desk.editor.erase(word)
    try desk.editor.waitUntilIdle()
    let steps = desk.editor.possibleUndoCount
    try touch(desk, [(34, 15), (60, 15), (74, 15)], after: 1000)
    #expect(desk.editor.possibleUndoCount == steps)
    #expect(try desk.text() == "abc")
  }
}
