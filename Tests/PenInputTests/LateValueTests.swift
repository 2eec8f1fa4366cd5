import InkCore
import PenInput
import Testing

@Suite("Late and bad values")
struct LateValueTests {
  @Test("The last sample's stand-in force follows the sample that it was taken from")
  func borrowedForce() {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, key: 1)))
    assembler.handle(.ended(PenSample(point: StrokePoint(x: 1, y: 0, t: 5, force: 0))))
    let changes = assembler.handle(.updated(PenUpdate(index: 1, force: 0.8)))
    #expect(changes.contains(.corrected(stroke: 0, samples: 0..<2, movesInk: false)))
    #expect(assembler.takeFinished().first?.samples.map(\.point.force) == [0.8, 0.8])
  }

  @Test("Promises hold for strokes without times")
  func withoutTimes() {
    var assembler = StrokeAssembler()
    let sample = PenSample(
      point: StrokePoint(x: 0, y: 0, force: 0.3), estimated: .force, expectingUpdates: .force,
      updateIndex: 1)
    assembler.handle(.began(sample))
    assembler.handle(.ended(nil))
    #expect(assembler.takeFinished() == [])
    assembler.handle(.updated(PenUpdate(index: 1, force: 0.8)))
    #expect(assembler.ignoredCount == 0)
    #expect(assembler.takeFinished().first?.samples.first?.point.force == 0.8)
    // The deadline begins with the first time that is known.
    assembler.handle(.began(sample))
    assembler.handle(.ended(nil))
    assembler.advance(to: 1000)
    #expect(assembler.takeFinished() == [])
    assembler.advance(to: 1000 + assembler.updateDeadline)
    #expect(assembler.takeFinished().map(\.pointer) == [0])
  }

  @Test("Numbers that are no measurement are left out, and places that are none are ignored")
  func badNumbers() throws {
    for bad in [Double.infinity, -.infinity, 1e300] {
      var assembler = StrokeAssembler()
      assembler.handle(
        .began(
          PenSample(
            point: StrokePoint(
              x: 0, y: 0, t: bad, force: bad, azimuth: .infinity, altitude: .infinity,
              roll: .infinity), estimated: .force, expectingUpdates: .force, updateIndex: 1)))
      assembler.handle(.moved(coalesced: [certain(bad)], predicted: [certain(bad)]))
      assembler.handle(
        .updated(
          PenUpdate(
            index: 1, location: .init(x: bad, y: 0), force: bad, roll: .infinity,
            estimated: .force, expectingUpdates: .force)))
      let stroke = try #require(assembler.current())
      #expect(stroke.samples.map(\.point) == [StrokePoint(x: 0, y: 0)])
      #expect(stroke.predicted.isEmpty && stroke.samples[0].point.roll == nil)
      assembler.advance(to: bad)
    }
    #expect(StrokePoint(x: 0, y: 0, force: -1).cleaned.force == nil)
  }

  @Test("A stroke is finalised by its number, and no other")
  func finalizeOne() {
    var assembler = StrokeAssembler()
    for key in 1...2 {
      assembler.handle(.began(guessed(0, key: key)))
      assembler.handle(.ended(nil))
    }
    #expect(assembler.finalize(stroke: 1) == [.finalized(stroke: 1)])
    #expect(assembler.takeFinished().map(\.id) == [1])
    #expect(assembler.finalize(stroke: 9) == [])
  }
}

@Suite("Palms, clocks and the gestures of the hand on the pen")
struct PalmTests {
  @Test("A touch beside, before or shortly after a pen is a palm")
  func palms() {
    var palms = PalmRejection()
    #expect(palms.touchBegan(1, at: 0) == true)
    #expect(palms.penBegan(9, at: 10) == [1])
    #expect(palms.touchBegan(2, at: 20) == false)
    palms.penEnded(9, at: 100)
    #expect(palms.touchBegan(3, at: 250) == false)
    #expect(palms.touchBegan(4, at: 251) == true)
    palms.touchEnded(4)
    palms.penHovers(9, isNear: true, at: 300)
    #expect(palms.touchBegan(5, at: 9000) == false)
    palms.penHovers(9, isNear: false, at: 9000)
    #expect(palms.touchBegan(6, at: 9100) == false)
    #expect(palms.touchBegan(7, at: 9151) == true)
    #expect(palms.penBegan(9, at: 9200) == [7])
    #expect(palms.penBegan(8, at: 9200) == [])
  }

  @Test("The difference of a clock is found at the first sample and kept")
  func clock() {
    var clock = InputClock()
    #expect(clock.time(5000, now: 1_700_000_000_000) == 1_700_000_000_000)
    #expect(clock.time(5010, now: 1_700_000_099_999) == 1_700_000_000_010)
    var same = InputClock()
    #expect(same.time(1_700_000_000_000, now: 1_700_000_000_030) == 1_700_000_000_000)
  }

  @Test("A squeeze acts at its end, and not when it is cancelled")
  func squeeze() {
    var state = PenActionState()
    #expect(state.action(for: .doubleTap) == .switchEraser)
    #expect(state.action(for: .squeezeEnded) == nil)
    #expect(state.action(for: .squeezeBegan) == nil)
    #expect(state.isSqueezed == true)
    #expect(state.action(for: .squeezeCancelled) == nil)
    #expect(state.isSqueezed == false)
    #expect(state.action(for: .squeezeBegan) == nil)
    #expect(state.action(for: .squeezeEnded) == .showPalette)
    state.doubleTap = .ignore
    #expect(state.action(for: .doubleTap) == nil)
  }

  @Test("The height of a hovering pen is 0 ... 1")
  func hover() {
    #expect(HoverEvent(.moved, x: 0, y: 0, height: 7).height == 1)
    #expect(HoverEvent(.moved, x: 0, y: 0, height: -1).height == 0)
    #expect(HoverEvent(.moved, x: 0, y: 0, height: .nan).height == 1)
  }
}
