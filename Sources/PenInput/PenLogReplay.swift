/// Plays a log into a ``StrokeAssembler``.
///
/// A log does not say where a delivery ends: a run of real samples of one touch is taken for one,
/// together with the guesses that follow it. A value: a copy goes on by itself.
public struct PenLogReplay: Hashable, Sendable {
  /// What the log has made so far; the delivery under way is not in it until it is complete.
  public private(set) var assembler: StrokeAssembler
  /// Everything that was handed to the assembler.
  public private(set) var deliveries = 0

  private var coalesced: [PenSample] = []
  private var predicted: [PenSample] = []
  private var touch = ""
  private var pointers: [String: Int] = [:]

  /// Begins with no event.
  public init(assembler: StrokeAssembler = StrokeAssembler()) {
    self.assembler = assembler
  }

  /// Plays one record.
  public mutating func play(_ entry: PenLogEntry) {
    let pointer = pointers[entry.touch] ?? pointers.count
    pointers[entry.touch] = pointer
    if entry.isUpdate {
      deliver()
      let sample = entry.sample
      send(
        .updated(
          PenUpdate(
            index: sample.updateIndex ?? -1,
            location: PenUpdate.Location(x: sample.point.x, y: sample.point.y),
            force: sample.point.force, azimuth: sample.point.azimuth,
            altitude: sample.point.altitude, estimated: sample.estimated,
            expectingUpdates: sample.expectingUpdates)), pointer)
      return
    }
    if entry.isPrediction {
      if touch != entry.touch { deliver() }
      touch = entry.touch
      predicted.append(entry.sample)
      return
    }
    // A real sample after guesses, or of another touch, begins a delivery.
    if !predicted.isEmpty || touch != entry.touch || entry.phase != .moved { deliver() }
    touch = entry.touch
    switch entry.phase {
    case .began: send(.began(entry.sample), pointer)
    case .moved, .stationary: coalesced.append(entry.sample)
    case .ended: send(.ended(entry.sample), pointer)
    case .cancelled: send(.cancelled, pointer)
    }
  }

  /// Hands over the delivery under way, as at the end of a log.
  public mutating func deliver() {
    guard !coalesced.isEmpty || !predicted.isEmpty else { return }
    send(.moved(coalesced: coalesced, predicted: predicted), pointers[touch] ?? 0)
    coalesced = []
    predicted = []
  }

  private mutating func send(_ event: PenEvent, _ pointer: Int) {
    deliveries += 1
    assembler.handle(event, pointer: pointer)
  }
}
