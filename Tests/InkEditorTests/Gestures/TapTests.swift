import Foundation
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("Taps and long presses")
struct TapTests {
  private func desk(_ listener: Listener) throws -> Desk {
    let desk = try Desk()
    desk.editor.tools.setTool(.hand, for: .touch)
    try desk.write("abc")
    try desk.editor.waitUntilIdle()
    desk.editor.delegate = listener
    return desk
  }

  private func touch(_ desk: Desk, x: Double, _ start: Int64, _ end: Int64, id: Int = 1) throws {
    try desk.editor.pointerDown(x: x, y: 15, t: start, type: .touch, id: id)
    try desk.editor.pointerUp(x: x, y: 15, t: end, type: .touch, id: id)
  }

  private func gestures(_ listener: Listener) -> [EditorGesture] {
    listener.events.compactMap { if case .gesture(let gesture) = $0 { gesture } else { nil } }
  }

  @Test("A tap is told at once, and a second one soon and near is a double tap")
  func taps() throws {
    let listener = Listener()
    let desk = try desk(listener)
    try touch(desk, x: 22, 1000, 1050)
    try touch(desk, x: 23, 1200, 1250)
    try touch(desk, x: 23, 1300, 1350)
    try touch(desk, x: 23, 1700, 1750)
    try touch(desk, x: 60, 1800, 1850)
    try desk.editor.waitUntilIdle()
    let found = gestures(listener)
    #expect(found.map(\.kind) == [.tap, .doubleTap, .tap, .tap, .tap])
    #expect(found[0].pointer == 1 && found[0].view?.x == 22 && found[0].view?.y == 15)
    #expect(found[0].block == "0" && found[4].block == nil)
  }

  @Test("A contact that moves, or with another one, is no tap")
  func others() throws {
    let listener = Listener()
    let desk = try desk(listener)
    try desk.editor.pointerDown(x: 22, y: 15, t: 1000, type: .touch, id: 1)
    try desk.editor.pointerMove(x: 42, y: 15, t: 1020, type: .touch, id: 1)
    try desk.editor.pointerUp(x: 22, y: 15, t: 1050, type: .touch, id: 1)
    try desk.editor.pointerDown(x: 22, y: 15, t: 2000, type: .touch, id: 1)
    try desk.editor.pointerDown(x: 62, y: 15, t: 2010, type: .touch, id: 2)
    try desk.editor.pointerUp(x: 22, y: 15, t: 2050, type: .touch, id: 1)
    try desk.editor.pointerUp(x: 62, y: 15, t: 2060, type: .touch, id: 2)
    try desk.editor.configuration.set("gesture.enable", to: false)
    try touch(desk, x: 22, 3000, 3050)
    try desk.editor.waitUntilIdle()
    #expect(gestures(listener).isEmpty)
  }

  @Test("A touch that stays is a long press, told once: while it is down, or when it leaves")
  func longPress() throws {
    let listener = Listener()
    let desk = try desk(listener)
    try desk.editor.pointerDown(x: 22, y: 15, t: 1000, type: .touch, id: 1)
    let start = ContinuousClock.now
    while gestures(listener).isEmpty, ContinuousClock.now - start < .seconds(10) {
      Thread.sleep(forTimeInterval: 0.02)
    }
    #expect(gestures(listener).map(\.kind) == [.longPress])
    try desk.editor.pointerUp(x: 22, y: 15, t: 1600, type: .touch, id: 1)
    try touch(desk, x: 22, 3000, 3600)
    try desk.editor.waitUntilIdle()
    #expect(gestures(listener).map(\.kind) == [.longPress, .longPress])
  }

  @Test("A dot of a pen is ink and a tap; a small letter is no tap")
  func pen() throws {
    let listener = Listener()
    let desk = try desk(listener)
    try desk.editor.pointerDown(x: 50, y: 15, t: 1000)
    try desk.editor.pointerUp(x: 50, y: 15, t: 1040)
    try desk.draw([GestureInk.loop(BoundingBox(minX: 70, minY: 14, maxX: 74, maxY: 17))])
    try desk.editor.waitUntilIdle()
    #expect(gestures(listener).map(\.kind) == [.tap])
    #expect(try desk.root.items.count == 5)
  }
}
