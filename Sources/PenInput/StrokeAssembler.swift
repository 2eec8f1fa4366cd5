import InkCore

/// Converts pen events to strokes: keeps coalesced samples, replaces predictions, and applies
/// updates that arrive during the stroke, after it, or during later strokes.
///
/// A value: copies are independent. Samples without an active stroke, updates of unknown samples
/// and samples whose position is not finite are ignored and counted. A stroke is final when all
/// promised updates have come or ``updateDeadline`` has passed since its end; samples without their
/// update remain marked as estimated. Not thread-safe.
///
///     var assembler = StrokeAssembler()
///     for event in events { assembler.handle(event) }
///     let ink = Ink(strokes: assembler.takeFinished().map(\.stroke))
public struct StrokeAssembler: Hashable, Sendable {
  /// Milliseconds to wait for updates after the end of a stroke.
  public var updateDeadline: Double
  /// Events and samples that were ignored.
  public private(set) var ignoredCount = 0

  /// The strokes that are being drawn, wait for updates, or have not been taken, in the order
  /// begun.
  public private(set) var strokes: [AssembledStroke] = []
  private var nextID = 0
  private var clock = -Double.infinity
  private var active: [Int: Int] = [:]
  private var pending: [Int: Place] = [:]
  private var deadlines: [Int: Double] = [:]
  /// Strokes that ended before any time was known: their deadline begins with the first time.
  private var undated: Set<Int> = []

  private struct Place: Hashable, Sendable {
    var stroke: Int
    var sample: Int
  }

  /// Makes an assembler.
  ///
  /// - Parameter updateDeadline: Milliseconds; real updates come up to 154 ms late.
  public init(updateDeadline: Double = 200) {
    self.updateDeadline = updateDeadline
  }

  /// The samples for which updates are promised.
  public var pendingCount: Int { pending.count }

  /// True if a pointer is drawing.
  public var isDrawing: Bool { !active.isEmpty }

  /// The stroke that a pointer is drawing.
  public func current(pointer: Int = 0) -> AssembledStroke? {
    active[pointer].flatMap { place(of: $0) }.map { strokes[$0] }
  }

  /// Handles one event. O(its samples), and O(samples) if azimuths are filled in.
  ///
  /// A stroke that begins while its pointer is drawing ends the previous one.
  @discardableResult
  public mutating func handle(_ event: PenEvent, pointer: Int = 0) -> [StrokeChange] {
    var changes: [StrokeChange] = []
    switch event {
    case .began(let sample): begin(sample, pointer, &changes)
    case .moved(let coalesced, let predicted): move(coalesced, predicted, pointer, &changes)
    case .updated(let update): apply(update, &changes)
    case .ended(let sample): end(sample, pointer, &changes)
    case .cancelled: cancel(pointer, &changes)
    }
    finalizeOverdue(&changes)
    return changes
  }

  /// Sets the time, in milliseconds of the samples' clock. Strokes whose deadline has passed become
  /// final.
  @discardableResult
  public mutating func advance(to time: Double) -> [StrokeChange] {
    var changes: [StrokeChange] = []
    if time.isFinite, time > clock { clock = time }
    finalizeOverdue(&changes)
    return changes
  }

  /// Ends the wait for updates of one ended stroke; nothing happens to others.
  @discardableResult
  public mutating func finalize(stroke id: Int) -> [StrokeChange] {
    var changes: [StrokeChange] = []
    finalize(id, &changes)
    return changes
  }

  /// Ends the wait for updates of all ended strokes.
  @discardableResult
  public mutating func finalizeAll() -> [StrokeChange] {
    var changes: [StrokeChange] = []
    for stroke in strokes where stroke.state == .awaitingUpdates {
      finalize(stroke.id, &changes)
    }
    return changes
  }

  /// Returns and removes the final strokes, in the order begun.
  public mutating func takeFinished() -> [AssembledStroke] {
    let finished = strokes.filter { $0.state == .final }
    strokes.removeAll { $0.state == .final }
    return finished
  }

  // MARK: - Events

  private mutating func begin(
    _ sample: PenSample, _ pointer: Int, _ changes: inout [StrokeChange]
  ) {
    guard sample.hasUsablePosition else {
      ignoredCount += 1
      return
    }
    if active[pointer] != nil { end(nil, pointer, &changes) }
    let id = nextID
    nextID += 1
    strokes.append(AssembledStroke(id: id, pointer: pointer, samples: []))
    active[pointer] = id
    _ = append(sample, to: strokes.count - 1, isCoalesced: false)
    changes.append(.began(stroke: id))
  }

  private mutating func move(
    _ coalesced: [PenSample], _ predicted: [PenSample], _ pointer: Int,
    _ changes: inout [StrokeChange]
  ) {
    guard let id = active[pointer], let index = place(of: id) else {
      ignoredCount += coalesced.count
      return
    }
    let before = strokes[index].samples.count
    let last = coalesced.count - 1
    for (position, sample) in coalesced.enumerated() {
      tell(append(sample, to: index, isCoalesced: position < last), id, &changes)
    }
    let hadPredictions = !strokes[index].predicted.isEmpty
    if !coalesced.isEmpty || !predicted.isEmpty {
      strokes[index].predicted = predicted.filter(\.hasUsablePosition).map(\.cleaned)
    }
    let after = strokes[index].samples.count
    if after > before { changes.append(.appended(stroke: id, samples: before..<after)) }
    if hadPredictions || !predicted.isEmpty { changes.append(.predicted(stroke: id)) }
  }

  private mutating func end(
    _ sample: PenSample?, _ pointer: Int, _ changes: inout [StrokeChange]
  ) {
    guard let id = active.removeValue(forKey: pointer), let index = place(of: id) else {
      if sample != nil { ignoredCount += 1 }
      return
    }
    let before = strokes[index].samples.count
    if var sample {
      // A pen that has left reports force 0: use the force of the previous sample.
      if sample.point.force == 0, let force = strokes[index].samples.last?.point.force {
        sample.point.force = force
        sample.estimated.insert(.force)
        strokes[index].borrowsForce = sample.hasUsablePosition
      }
      tell(append(sample, to: index, isCoalesced: false), id, &changes)
    }
    let after = strokes[index].samples.count
    if after > before { changes.append(.appended(stroke: id, samples: before..<after)) }
    strokes[index].predicted = []
    strokes[index].state = .awaitingUpdates
    let time = max(strokes[index].samples.last?.point.t ?? clock, clock)
    if time.isFinite { deadlines[id] = time + updateDeadline } else { undated.insert(id) }
    changes.append(.ended(stroke: id))
    if strokes[index].pendingCount == 0 { finalize(id, &changes) }
  }

  private mutating func cancel(_ pointer: Int, _ changes: inout [StrokeChange]) {
    guard let id = active.removeValue(forKey: pointer), let index = place(of: id) else { return }
    forgetPending(of: id)
    strokes.remove(at: index)
    changes.append(.cancelled(stroke: id))
  }

  private mutating func apply(_ update: PenUpdate, _ changes: inout [StrokeChange]) {
    guard let place = pending[update.index], let index = self.place(of: place.stroke) else {
      ignoredCount += 1
      return
    }
    var sample = strokes[index].samples[place.sample]
    let before = sample
    if let location = update.location,
      StrokePoint(x: location.x, y: location.y).hasUsablePosition
    {
      sample.point.x = location.x
      sample.point.y = location.y
    }
    if let force = update.force, PenSample.isUsable(force: force) { sample.point.force = force }
    if let azimuth = update.azimuth, azimuth.isFinite { sample.point.azimuth = azimuth }
    if let altitude = update.altitude, altitude.isFinite { sample.point.altitude = altitude }
    if let roll = update.roll, roll.isFinite { sample.point.roll = roll }
    // A value that was not an estimate does not become one.
    sample.estimated.formIntersection(update.estimated)
    sample.expectingUpdates.formIntersection(update.expectingUpdates)
    sample.expectingUpdates.formIntersection(sample.estimated)
    strokes[index].samples[place.sample] = sample
    var range = place.sample..<place.sample + 1
    // A stand-in for the force of the last sample follows the force that it was taken from.
    let last = strokes[index].samples.count - 1
    if strokes[index].borrowsForce, place.sample == last - 1 {
      strokes[index].samples[last].point.force = sample.point.force
      range = place.sample..<last + 1
    }
    if before.estimated.contains(.azimuth), !sample.estimated.contains(.azimuth),
      place.sample <= strokes[index].azimuthGuesses
    {
      strokes[index].azimuthGuesses =
        strokes[index].samples.firstIndex { !$0.estimated.contains(.azimuth) } ?? 0
      strokes[index].backfillAzimuth()
      range = 0..<max(range.upperBound, strokes[index].azimuthGuesses)
    }
    let moves = before.point.x != sample.point.x || before.point.y != sample.point.y
    changes.append(.corrected(stroke: place.stroke, samples: range, movesInk: moves))
    guard sample.expectingUpdates.isEmpty else { return }
    pending[update.index] = nil
    strokes[index].pendingCount -= 1
    if strokes[index].pendingCount == 0, strokes[index].state == .awaitingUpdates {
      finalize(place.stroke, &changes)
    }
  }

  // MARK: - Samples

  /// Adds a sample, and returns the samples before it whose azimuth it decides, or nil.
  private mutating func append(
    _ sample: PenSample, to index: Int, isCoalesced: Bool
  ) -> Range<Int>? {
    guard sample.hasUsablePosition else {
      ignoredCount += 1
      return nil
    }
    var sample = sample.cleaned
    sample.isCoalesced = isCoalesced
    if let time = sample.point.t, time > clock { clock = time }
    let place = Place(stroke: strokes[index].id, sample: strokes[index].samples.count)
    if let key = sample.updateIndex, !sample.expectingUpdates.isEmpty {
      // A device that reuses a key will not update its first use.
      if let old = pending[key], let oldIndex = self.place(of: old.stroke) {
        strokes[oldIndex].pendingCount -= 1
      }
      pending[key] = place
      strokes[index].pendingCount += 1
    }
    strokes[index].samples.append(sample)
    guard strokes[index].azimuthGuesses == place.sample else { return nil }
    if sample.estimated.contains(.azimuth) {
      strokes[index].azimuthGuesses += 1
      return nil
    }
    return strokes[index].backfillAzimuth() ? 0..<place.sample : nil
  }

  /// Reports samples whose azimuth was filled in.
  private func tell(_ filled: Range<Int>?, _ id: Int, _ changes: inout [StrokeChange]) {
    guard let filled else { return }
    changes.append(.corrected(stroke: id, samples: filled, movesInk: false))
  }

  private mutating func finalizeOverdue(_ changes: inout [StrokeChange]) {
    if clock.isFinite, !undated.isEmpty {
      for id in undated { deadlines[id] = clock + updateDeadline }
      undated = []
    }
    guard !deadlines.isEmpty else { return }
    for (id, deadline) in deadlines.sorted(by: { $0.key < $1.key }) where clock >= deadline {
      finalize(id, &changes)
    }
  }

  private mutating func finalize(_ id: Int, _ changes: inout [StrokeChange]) {
    deadlines[id] = nil
    undated.remove(id)
    guard let index = place(of: id), strokes[index].state == .awaitingUpdates else { return }
    if strokes[index].pendingCount > 0 { forgetPending(of: id) }
    strokes[index].pendingCount = 0
    strokes[index].state = .final
    changes.append(.finalized(stroke: id))
  }

  private mutating func forgetPending(of id: Int) {
    pending = pending.filter { $0.value.stroke != id }
  }

  /// Only a few strokes are kept, and the requested one is among the last.
  private func place(of id: Int) -> Int? {
    strokes.lastIndex { $0.id == id }
  }
}

/// A stroke with the data received so far.
public struct AssembledStroke: Hashable, Sendable, Identifiable {
  /// The state of a stroke.
  public enum State: Hashable, Sendable {
    /// The pen is on the surface.
    case active
    /// The pen has left, and updates are still promised.
    case awaitingUpdates
    /// No further event changes the stroke.
    case final
  }

  /// The number of the stroke, from 0, in the order begun.
  public let id: Int
  /// The pointer that drew it.
  public let pointer: Int
  /// The real samples, in order.
  public internal(set) var samples: [PenSample]
  /// Predictions of the next samples; empty once the stroke has ended.
  public internal(set) var predicted: [PenSample] = []
  /// The state of the stroke.
  public internal(set) var state = State.active
  /// Samples with promised updates.
  package var pendingCount = 0
  /// True if the last sample has no force of its own and uses that of the previous one.
  var borrowsForce = false
  /// Leading samples whose azimuth is a guess.
  var azimuthGuesses = 0

  /// The real samples as a stroke. O(samples).
  public var stroke: Stroke { Stroke(points: samples.map(\.point)) }

  /// Sets estimated azimuths at the beginning to the first real one. They remain marked as
  /// estimated.
  ///
  /// - Returns: True if one changed.
  @discardableResult
  mutating func backfillAzimuth() -> Bool {
    guard azimuthGuesses < samples.count else { return false }
    let first = samples[azimuthGuesses]
    guard !first.estimated.contains(.azimuth), let azimuth = first.point.azimuth else {
      return false
    }
    var isChanged = false
    for index in 0..<azimuthGuesses
    where samples[index].estimated.contains(.azimuth) && samples[index].point.azimuth != azimuth {
      samples[index].point.azimuth = azimuth
      isChanged = true
    }
    return isChanged
  }
}

/// The effect of an event on a stroke.
public enum StrokeChange: Hashable, Sendable {
  /// A stroke began.
  case began(stroke: Int)
  /// Samples were added.
  case appended(stroke: Int, samples: Range<Int>)
  /// Values of existing samples changed; `movesInk` if a position did.
  case corrected(stroke: Int, samples: Range<Int>, movesInk: Bool)
  /// The predictions of the next samples changed.
  case predicted(stroke: Int)
  /// The pen left the surface.
  case ended(stroke: Int)
  /// No further event changes the stroke.
  case finalized(stroke: Int)
  /// The stroke was cancelled and removed.
  case cancelled(stroke: Int)
}
