import InkCore
import PenInput
import Testing

@Suite("Stroke assembler")
struct StrokeAssemblerTests {
  @Test("a late update changes only its sample and clears its pending bit")
  func lateUpdate() throws {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, key: 1)))
    assembler.handle(.moved(coalesced: [guessed(1, key: 2), guessed(2, key: 3)], predicted: []))
    let before = try #require(assembler.current())
    let changes = assembler.handle(.updated(PenUpdate(index: 2, force: 0.8)))
    let after = try #require(assembler.current())
    #expect(changes == [.corrected(stroke: 0, samples: 1..<2, movesInk: false)])
    #expect(after.samples[1].point.force == 0.8)
    #expect(after.samples[1].expectingUpdates == [])
    #expect(after.samples[1].estimated == [])
    #expect(after.samples[0] == before.samples[0])
    #expect(after.samples[2] == before.samples[2])
    #expect(assembler.pendingCount == 2)
  }

  @Test("only an update that moves a point reports that the ink moved")
  func movedPoint() {
    var assembler = StrokeAssembler()
    var sample = guessed(0, key: 1)
    sample.estimated = [.force, .location]
    sample.expectingUpdates = [.force, .location]
    assembler.handle(.began(sample))
    let force = assembler.handle(
      .updated(
        PenUpdate(
          index: 1, location: .init(x: 0, y: 0), force: 0.8, estimated: .location,
          expectingUpdates: .location)))
    #expect(force == [.corrected(stroke: 0, samples: 0..<1, movesInk: false)])
    #expect(assembler.pendingCount == 1)
    let location = assembler.handle(.updated(PenUpdate(index: 1, location: .init(x: 3, y: 4))))
    #expect(location == [.corrected(stroke: 0, samples: 0..<1, movesInk: true)])
    #expect(assembler.current()?.samples[0].point.x == 3)
    #expect(assembler.pendingCount == 0)
  }

  @Test("updates after the end, and during the next stroke, change the right stroke")
  func updatesAfterTheEnd() throws {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, t: 0, key: 1)))
    assembler.handle(.moved(coalesced: [guessed(1, t: 4, key: 2)], predicted: []))
    assembler.handle(.ended(certain(2, t: 8)))
    #expect(assembler.strokes[0].state == .awaitingUpdates)
    assembler.handle(.updated(PenUpdate(index: 1, force: 0.7)))
    assembler.handle(.began(guessed(50, t: 60, key: 3)))
    let changes = assembler.handle(.updated(PenUpdate(index: 2, force: 0.9)))
    #expect(changes.contains(.finalized(stroke: 0)))
    let first = try #require(assembler.takeFinished().first)
    #expect(first.samples.map(\.point.force) == [0.7, 0.9, 0.5])
    #expect(assembler.current()?.samples[0].point.force == 1.0 / 3)
  }

  @Test("unknown and repeated indices are ignored, and the pending table empties")
  func unknownIndices() {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, key: 1)))
    assembler.handle(.updated(PenUpdate(index: 99, force: 0.9)))
    assembler.handle(.updated(PenUpdate(index: 1, force: 0.8)))
    assembler.handle(.updated(PenUpdate(index: 1, force: 0.1)))
    #expect(assembler.current()?.samples[0].point.force == 0.8)
    #expect(assembler.ignoredCount == 2)
    #expect(assembler.pendingCount == 0)
  }

  @Test("a withdrawn promise ends the wait and leaves the sample estimated")
  func withdrawnPromise() {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, key: 1)))
    assembler.handle(.ended(nil))
    let changes = assembler.handle(.updated(PenUpdate(index: 1, estimated: .force)))
    #expect(changes.contains(.finalized(stroke: 0)))
    #expect(assembler.strokes[0].samples[0].estimated == .force)
  }

  @Test("predictions vanish on the next real sample and never overwrite one")
  func predictions() throws {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, key: 1)))
    // In real logs predictions have the key of the last real sample.
    assembler.handle(
      .moved(coalesced: [guessed(1, key: 2)], predicted: [guessed(9, key: 2), guessed(10, key: 2)]))
    #expect(assembler.current()?.predicted.count == 2)
    assembler.handle(.updated(PenUpdate(index: 2, force: 0.6)))
    assembler.handle(.moved(coalesced: [guessed(2, key: 3)], predicted: []))
    let stroke = try #require(assembler.current())
    #expect(stroke.predicted.isEmpty)
    #expect(stroke.samples.map(\.point.x) == [0, 1, 2])
    #expect(stroke.samples[1].point.force == 0.6)
    assembler.handle(.moved(coalesced: [], predicted: [guessed(3, key: 3)]))
    assembler.handle(.ended(certain(3)))
    #expect(assembler.strokes[0].predicted.isEmpty)
  }

  @Test("coalesced samples keep order and count, and all but the last of a delivery are flagged")
  func coalesced() throws {
    var assembler = StrokeAssembler()
    assembler.handle(.began(certain(0)))
    assembler.handle(.moved(coalesced: (1...4).map { certain(Double($0)) }, predicted: []))
    assembler.handle(.moved(coalesced: [certain(5)], predicted: []))
    let stroke = try #require(assembler.current())
    #expect(stroke.samples.map(\.point.x) == [0, 1, 2, 3, 4, 5])
    #expect(stroke.samples.map(\.isCoalesced) == [false, true, true, true, false, false])
  }

  @Test("without its last updates a stroke is final at the deadline, its samples estimated")
  func deadline() {
    var assembler = StrokeAssembler(updateDeadline: 100)
    assembler.handle(.began(guessed(0, t: 1000, key: 1)))
    assembler.handle(.moved(coalesced: [guessed(1, t: 1004, key: 2)], predicted: []))
    assembler.handle(.ended(certain(2, t: 1008)))
    assembler.handle(.updated(PenUpdate(index: 1, force: 0.7)))
    #expect(assembler.advance(to: 1107.9).isEmpty)
    #expect(assembler.advance(to: 1108) == [.finalized(stroke: 0)])
    #expect(assembler.pendingCount == 0)
    let samples = assembler.takeFinished().flatMap(\.samples)
    #expect(samples.map(\.estimated) == [[], .force, []])
    #expect(assembler.strokes.isEmpty)
  }

  @Test("the clock of later strokes finalises earlier ones")
  func laterStroke() {
    var assembler = StrokeAssembler(updateDeadline: 100)
    assembler.handle(.began(guessed(0, t: 0, key: 1)))
    assembler.handle(.ended(nil))
    let changes = assembler.handle(.began(certain(5, t: 500)))
    #expect(changes.contains(.finalized(stroke: 0)))
  }

  @Test("perpendicular force is F upright, 2 F at 30 degrees and finite for a flat pen")
  func perpendicularForce() throws {
    func force(_ altitude: Double) -> Double? {
      PenSample(point: StrokePoint(x: 0, y: 0, force: 0.6, altitude: altitude)).perpendicularForce
    }
    let tolerance = 1e-12
    #expect(abs(try #require(force(.pi / 2)) - 0.6) < tolerance)
    #expect(abs(try #require(force(.pi / 6)) - 1.2) < tolerance)
    for altitude in [0, 1e-9, -1e-9, .pi] {
      let value = try #require(force(altitude))
      #expect(value.isFinite && value <= 0.6 / PenSample.leastSine)
    }
    #expect(PenSample(point: StrokePoint(x: 0, y: 0)).perpendicularForce == nil)
    let sample = PenSample(point: StrokePoint(x: 0, y: 0, force: 2))
    #expect(sample.normalizedForce(maximum: 4) == 0.5)
    #expect(sample.normalizedForce(maximum: 0) == nil)
  }

  @Test("The first real azimuth names all samples that it fills in")
  func azimuthRange() {
    func sample(_ x: Double, _ azimuth: Double, guess: Bool) -> PenSample {
      PenSample(
        point: StrokePoint(x: x, y: 0, azimuth: azimuth), estimated: guess ? .azimuth : [],
        expectingUpdates: [], updateIndex: nil)
    }
    var assembler = StrokeAssembler()
    assembler.handle(.began(sample(0, 0, guess: true)))
    assembler.handle(.moved(coalesced: [sample(1, 0.1, guess: true)], predicted: []))
    let changes = assembler.handle(.moved(coalesced: [sample(2, 0.5, guess: false)], predicted: []))
    #expect(
      changes == [
        .corrected(stroke: 0, samples: 0..<2, movesInk: false),
        .appended(stroke: 0, samples: 2..<3),
      ])
    #expect(assembler.current()?.samples.map(\.point.azimuth) == [0.5, 0.5, 0.5])
    // Later ones fill in nothing.
    let later = assembler.handle(.moved(coalesced: [sample(3, 0.7, guess: false)], predicted: []))
    #expect(later == [.appended(stroke: 0, samples: 3..<4)])
  }

  @Test("an estimated first azimuth takes the first real one")
  func azimuthBackfill() throws {
    func sample(_ x: Double, _ azimuth: Double, guess: Bool, key: Int?) -> PenSample {
      PenSample(
        point: StrokePoint(x: x, y: 0, azimuth: azimuth), estimated: guess ? .azimuth : [],
        expectingUpdates: guess ? .azimuth : [], updateIndex: key)
    }
    var assembler = StrokeAssembler()
    assembler.handle(.began(sample(0, 9, guess: true, key: 1)))
    assembler.handle(
      .moved(
        coalesced: [sample(1, 8, guess: true, key: 2), sample(2, 0.5, guess: false, key: nil)],
        predicted: []))
    #expect(assembler.current()?.samples.map(\.point.azimuth) == [0.5, 0.5, 0.5])
    #expect(assembler.current()?.samples[0].estimated == .azimuth)
    // A real value that comes late is kept, and fills the one before it.
    assembler.handle(.updated(PenUpdate(index: 2, azimuth: 0.25)))
    #expect(assembler.current()?.samples.map(\.point.azimuth) == [0.25, 0.25, 0.5])
    assembler.handle(.updated(PenUpdate(index: 1, azimuth: 0.125)))
    #expect(assembler.current()?.samples.map(\.point.azimuth) == [0.125, 0.25, 0.5])
  }

  @Test("cancelling commits nothing and removes the promises")
  func cancel() {
    var assembler = StrokeAssembler()
    assembler.handle(.began(guessed(0, key: 1)))
    assembler.handle(.moved(coalesced: [guessed(1, key: 2)], predicted: [guessed(2, key: 2)]))
    #expect(assembler.handle(.cancelled) == [.cancelled(stroke: 0)])
    #expect(assembler.strokes.isEmpty)
    #expect(assembler.pendingCount == 0)
    assembler.handle(.updated(PenUpdate(index: 1, force: 1)))
    #expect(assembler.ignoredCount == 1)
  }

  @Test("samples with no active stroke and positions that are not finite are ignored")
  func ignored() {
    var assembler = StrokeAssembler()
    assembler.handle(.moved(coalesced: [certain(0), certain(1)], predicted: []))
    assembler.handle(.ended(certain(2)))
    assembler.handle(.began(certain(.nan)))
    #expect(assembler.strokes.isEmpty)
    #expect(assembler.ignoredCount == 4)
    assembler.handle(.began(certain(0)))
    assembler.handle(.moved(coalesced: [certain(.infinity), certain(1)], predicted: []))
    #expect(assembler.current()?.samples.count == 2)
  }

  @Test("several pointers draw at once")
  func pointers() {
    var assembler = StrokeAssembler()
    assembler.handle(.began(certain(0)), pointer: 1)
    assembler.handle(.began(certain(100)), pointer: 2)
    assembler.handle(.moved(coalesced: [certain(1)], predicted: []), pointer: 1)
    assembler.handle(.moved(coalesced: [certain(101)], predicted: []), pointer: 2)
    assembler.handle(.ended(nil), pointer: 1)
    assembler.handle(.ended(nil), pointer: 2)
    let strokes = assembler.takeFinished()
    #expect(strokes.map { $0.samples.map(\.point.x) } == [[0, 1], [100, 101]])
    #expect(strokes.map(\.pointer) == [1, 2])
  }
}
