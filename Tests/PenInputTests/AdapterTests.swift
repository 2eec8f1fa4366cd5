import Foundation
import InkCore
import PenInput
import Testing

@Suite("Adapters of touches and of pointer events of a browser")
struct AdapterTests {
  /// A log as deliveries of touches: what a host gets.
  private func strokes(byAdapter entries: [PenLogEntry]) -> [AssembledStroke] {
    var assembler = StrokeAssembler()
    let adapter = TouchAdapter()
    var pointers: [String: Int] = [:]
    var coalesced: [PenLogEntry] = []
    var predicted: [PenLogEntry] = []
    func deliver() {
      guard let main = coalesced.last else { return }
      assembler.handle(
        adapter.event(main, coalesced: coalesced, predicted: predicted),
        pointer: pointers[main.touch] ?? 0)
      (coalesced, predicted) = ([], [])
    }
    for entry in entries {
      if pointers[entry.touch] == nil { pointers[entry.touch] = pointers.count }
      if entry.isUpdate {
        deliver()
        if let update = adapter.update(entry) { assembler.handle(update) }
      } else if entry.isPrediction {
        predicted.append(entry)
      } else {
        if !predicted.isEmpty || entry.phase != .moved || coalesced.last?.touch != entry.touch {
          deliver()
        }
        if entry.phase == .moved || entry.phase == .stationary {
          coalesced.append(entry)
        } else {
          assembler.handle(adapter.event(entry), pointer: pointers[entry.touch] ?? 0)
        }
      }
    }
    deliver()
    assembler.finalizeAll()
    return assembler.takeFinished()
  }

  @Test("A simulated pen by the adapter of touches is the ink that was drawn, and a log by replay")
  func touches() throws {
    for seed in UInt64(1)...20 {
      let ink = wanderingInk(seed: seed)
      var entries: [PenLogEntry] = []
      var touch = 0
      for timed in PenSimulator(seed: seed).events(of: ink) {
        switch timed.event {
        case .began(let sample):
          touch += 1
          entries.append(PenLogEntry(touch: "\(touch)", phase: .began, sample: sample))
        case .moved(let coalesced, let predicted):
          for sample in coalesced {
            entries.append(PenLogEntry(touch: "\(touch)", phase: .moved, sample: sample))
          }
          for sample in predicted {
            var entry = PenLogEntry(touch: "\(touch)", phase: .moved, sample: sample)
            entry.isPrediction = true
            entries.append(entry)
          }
        case .updated(let update):
          var sample = PenSample(
            point: StrokePoint(x: 0, y: 0, force: update.force), updateIndex: update.index)
          let known = entries.first { $0.sample.updateIndex == update.index && !$0.isPrediction }
          (sample.point.x, sample.point.y) = known?.place ?? (0, 0)
          var entry = PenLogEntry(touch: "\(touch)", phase: .moved, sample: sample)
          entry.isUpdate = true
          entries.append(entry)
        case .ended(let sample):
          let last = entries.last { !$0.isUpdate && !$0.isPrediction }?.sample
          guard let sample = sample ?? last else { continue }
          entries.append(PenLogEntry(touch: "\(touch)", phase: .ended, sample: sample))
        case .cancelled: break
        }
      }
      var replay = PenLogReplay()
      for entry in entries { replay.play(entry) }
      replay.deliver()
      var assembler = replay.assembler
      assembler.finalizeAll()
      let expected = assembler.takeFinished()
      let found = strokes(byAdapter: entries)
      #expect(found.map { $0.samples.map(\.point) } == expected.map { $0.samples.map(\.point) })
    }
  }

  @Test(
    "Recorded logs by the adapter are the strokes that replay gives",
    .enabled(if: dataset("pencil-logs") != nil, "no pencil logs"), arguments: PenLogTests.names)
  func logs(_ name: String) throws {
    let path = try #require(dataset("pencil-logs/\(name).json"))
    let entries = try PenLogEntry.entries(of: Data(contentsOf: URL(fileURLWithPath: path)))
    var replay = PenLogReplay()
    for entry in entries { replay.play(entry) }
    replay.deliver()
    var assembler = replay.assembler
    assembler.finalizeAll()
    let expected = assembler.takeFinished()
    let found = strokes(byAdapter: entries)
    #expect(found.map { $0.samples.map(\.point) } == expected.map { $0.samples.map(\.point) })
  }

  @Test("A predicted touch is never registered, and a touch without a key has no update")
  func predictions() {
    let adapter = TouchAdapter()
    var guess = PenLogEntry(
      touch: "a", phase: .moved,
      sample: PenSample(
        point: StrokePoint(x: 1, y: 1), estimated: .force, expectingUpdates: .force, updateIndex: 4)
    )
    guard case .moved(_, let predicted) = adapter.event(guess, predicted: [guess]) else {
      Issue.record("no move")
      return
    }
    #expect(predicted.map(\.updateIndex) == [nil] && predicted[0].expectingUpdates == [])
    guess.sample.updateIndex = nil
    #expect(adapter.update(guess) == nil)
    #expect(PenLogEntry.azimuth(unitX: 0, unitY: 1) == .pi / 2)
    #expect(PenLogEntry.azimuth(unitX: 0, unitY: 0) == nil)
  }

  private static let page = """
    [{"type":"pointermove","pointerId":1,"pointerType":"mouse","x":1,"y":1,"timeStamp":1},
    {"type":"pointerdown","pointerId":2,"pointerType":"pen","x":10,"y":20,"timeStamp":100,
    "pressure":0.25,"tiltX":45,"tiltY":0,"twist":90},
    {"type":"pointermove","pointerId":2,"pointerType":"pen","x":14,"y":20,"timeStamp":116,
    "pressure":0.5,"coalesced":[
    {"type":"pointermove","pointerId":2,"pointerType":"pen","x":12,"y":20,"timeStamp":108,"pressure":0.5},
    {"type":"pointermove","pointerId":2,"pointerType":"pen","x":14,"y":20,"timeStamp":116,"pressure":0.5}],
    "predicted":[
    {"type":"pointermove","pointerId":2,"pointerType":"pen","x":16,"y":20,"timeStamp":124,"pressure":0.5}]},
    {"type":"pointerup","pointerId":2,"pointerType":"pen","x":14,"y":20,"timeStamp":124,"pressure":0},
    {"type":"pointerdown","pointerId":1,"pointerType":"mouse","offsetX":5,"offsetY":6,"timeStamp":200,
    "pressure":0.5},
    {"type":"pointerup","pointerId":1,"pointerType":"mouse","x":7,"y":6,"timeStamp":210,"pressure":0},
    {"type":"pointerdown","pointerId":3,"pointerType":"pen","x":1,"y":1,"timeStamp":300,"buttons":32},
    {"type":"pointerrawupdate","pointerId":3,"pointerType":"pen","x":2,"y":1,"timeStamp":301},
    {"type":"pointermove","pointerId":3,"pointerType":"pen","x":2,"y":1,"timeStamp":302},
    {"type":"pointercancel","pointerId":3,"pointerType":"pen","x":2,"y":1,"timeStamp":303}]
    """

  @Test("Pointer events of a browser become ink: forces, angles, roll, kinds, and no guesses")
  func browser() throws {
    var adapter = DOMPointerAdapter()
    var assembler = StrokeAssembler()
    var kinds: [DOMPointerAdapter.Kind] = []
    var raw = 0
    for event in try DOMPointerEvent.events(of: Data(Self.page.utf8)) {
      guard let delivery = adapter.delivery(of: event) else { continue }
      if case .began = delivery.event { kinds.append(delivery.kind) }
      if delivery.kind == .eraser, case .moved = delivery.event { raw += 1 }
      assembler.handle(delivery.event, pointer: delivery.pointer)
    }
    #expect(kinds == [.pen, .mouse, .eraser] && raw == 1)
    let strokes = assembler.takeFinished()
    #expect(strokes.map { $0.samples.map(\.point.x) } == [[10, 12, 14, 14], [5, 7]])
    let first = try #require(strokes.first?.samples.first)
    #expect(abs((first.point.altitude ?? 0) - .pi / 4) < 1e-12 && first.point.azimuth == 0)
    #expect(abs((first.point.roll ?? 0) - .pi / 2) < 1e-12)
    #expect(strokes[0].samples.map(\.point.force) == [0.25, 0.5, 0.5, 0.5])
    #expect(strokes[1].samples.allSatisfy { $0.point.force == nil })
  }

  @Test("No tilt is upright; angles that are told are taken; malformed events are refused")
  func tilt() throws {
    func event(_ fields: String) throws -> DOMPointerEvent {
      let json =
        #"{"type":"pointermove","pointerId":1,"pointerType":"pen","x":0,"y":0,"timeStamp":0"#
        + fields + "}"
      return try JSONDecoder().decode(DOMPointerEvent.self, from: Data(json.utf8))
    }
    #expect(try event(#","tiltX":0,"tiltY":0"#).angles?.altitude == .pi / 2)
    let down = try event(#","tiltX":0,"tiltY":-45"#).angles
    #expect(abs((down?.azimuth ?? 0) - 1.5 * .pi) < 1e-12)
    let told = try event(#","altitudeAngle":1,"azimuthAngle":2,"tiltX":9,"tiltY":9"#).angles
    #expect(told?.altitude == 1 && told?.azimuth == 2)
    #expect(try event("").angles == nil)
    for bad in ["{}", "[]", #"[{"type":"pointerdown"}]"#, "[1]"] {
      #expect(throws: (any Error).self) {
        let all = try DOMPointerEvent.events(of: Data(bad.utf8))
        if all.isEmpty { throw CocoaError(.coderInvalidValue) }
      }
    }
  }
}
