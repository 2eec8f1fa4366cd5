import InkCore
import PenInput
import Testing

@Suite("Pen simulator")
struct PenSimulatorTests {
  @Test("simulated events give back the ink")
  func roundTrip() {
    for seed in UInt64(0)..<200 {
      let ink = wanderingInk(seed: seed)
      var assembler = StrokeAssembler()
      for timed in PenSimulator(seed: seed).events(of: ink) { assembler.handle(timed.event) }
      assembler.finalizeAll()
      let strokes = assembler.takeFinished()
      #expect(strokes.map { $0.samples.count } == ink.strokes.map(\.points.count), "seed \(seed)")
      for (stroke, original) in zip(strokes, ink.strokes) {
        for (sample, point) in zip(stroke.samples, original.points) {
          #expect(sample.point.x == point.x && sample.point.y == point.y, "seed \(seed)")
          if sample.updateIndex != nil, sample.estimated.isEmpty {
            #expect(sample.point.force == point.force, "seed \(seed)")
          }
        }
        // The last three to six before the final sample never get an update.
        let estimated = stroke.samples.dropLast().filter { !$0.estimated.isEmpty }
        #expect(estimated.count >= min(2, original.points.count - 1), "seed \(seed)")
        #expect(estimated.count <= 6, "seed \(seed)")
      }
    }
  }

  @Test("equal seeds give equal events, in the order of their delivery")
  func determinism() {
    let ink = wanderingInk(seed: 5)
    let events = PenSimulator(seed: 1).events(of: ink)
    #expect(events == PenSimulator(seed: 1).events(of: ink))
    #expect(events != PenSimulator(seed: 2).events(of: ink))
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test("random events never crash, and every table empties")
  func randomEvents() {
    for seed in UInt64(0)..<300 {
      var generator = SeededGenerator(seed: seed, 0xF0)
      var assembler = StrokeAssembler(updateDeadline: 20)
      var time = 0.0
      for _ in 0..<400 {
        time += Double(generator.uniform(-2...6))
        let pointer = generator.index(below: 3)
        let event = randomEvent(at: time, using: &generator)
        for change in assembler.handle(event, pointer: pointer) {
          if case .corrected(let id, let samples, _) = change {
            let stroke = assembler.strokes.first { $0.id == id }
            #expect(samples.upperBound <= (stroke?.samples.count ?? .max), "seed \(seed)")
          }
        }
        let pending = assembler.strokes.reduce(0) { $0 + $1.pendingCount }
        #expect(pending == assembler.pendingCount, "seed \(seed)")
        #expect(
          assembler.strokes.allSatisfy { $0.samples.allSatisfy(\.point.hasFinitePosition) },
          "seed \(seed)")
      }
      for pointer in 0..<3 { assembler.handle(.ended(nil), pointer: pointer) }
      assembler.finalizeAll()
      _ = assembler.takeFinished()
      #expect(assembler.pendingCount == 0, "seed \(seed)")
      #expect(assembler.strokes.isEmpty, "seed \(seed)")
    }
  }

  private func randomEvent(
    at time: Double, using generator: inout SeededGenerator
  ) -> PenEvent {
    func number(_ generator: inout SeededGenerator) -> Double {
      generator.index(below: 40) == 0
        ? [.nan, .infinity, -.infinity, 1e300][generator.index(below: 4)]
        : Double(generator.uniform(-50...50))
    }
    func sample(_ generator: inout SeededGenerator) -> PenSample {
      PenSample(
        point: StrokePoint(
          x: number(&generator), y: number(&generator), t: time, force: number(&generator),
          azimuth: number(&generator)),
        estimated: PenProperties(rawValue: generator.index(below: 32)),
        expectingUpdates: PenProperties(rawValue: generator.index(below: 32)),
        updateIndex: generator.index(below: 4) == 0 ? nil : generator.index(below: 60))
    }
    switch generator.index(below: 10) {
    case 0, 1: return .began(sample(&generator))
    case 2, 3, 4:
      let samples = (0..<generator.index(below: 5)).map { _ in sample(&generator) }
      let guesses = (0..<generator.index(below: 3)).map { _ in sample(&generator) }
      return .moved(coalesced: samples, predicted: guesses)
    case 5, 6, 7:
      return .updated(
        PenUpdate(
          index: generator.index(below: 64),
          location: .init(x: number(&generator), y: number(&generator)),
          force: number(&generator), azimuth: number(&generator),
          estimated: PenProperties(rawValue: generator.index(below: 32)),
          expectingUpdates: PenProperties(rawValue: generator.index(below: 32))))
    case 8: return .ended(generator.index(below: 2) == 0 ? nil : sample(&generator))
    default: return .cancelled
    }
  }
}
