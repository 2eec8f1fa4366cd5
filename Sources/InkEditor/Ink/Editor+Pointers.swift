import InkCore
import PenInput

extension Editor {
  /// Handles a pointer that touches the view.
  ///
  /// - Parameters:
  ///   - x: Pixels.
  ///   - y: Pixels.
  ///   - t: Milliseconds since 1970, or -1 for now.
  ///   - force: 0 ... 1, a share of the device's largest force; 0 if it is unknown.
  ///   - type: The type of pointer; ``tools`` maps it to a tool.
  ///   - id: The id of the pointer, or -1 if it is the only one.
  /// - Returns: The id of the item of ink that the pointer begins; nil for tools that do not write,
  ///   and for a touch by the palm of a writing hand.
  /// - Throws: ``EditorError`` if the pointer is already down, if another is down and one of the
  ///   two has the id -1, and for invalid numbers.
  @discardableResult
  public func pointerDown(
    x: Double, y: Double, t: Int64 = -1, force: Double = 0, type: PointerType = .pen, id: Int = -1
  ) throws(EditorError) -> Int? {
    try send(PointerEvent(.down, x: x, y: y, t: t, force: force, type: type, id: id))
  }

  /// Handles a move of a pointer that is down.
  ///
  /// - Throws: ``EditorError``, as ``pointerDown(x:y:t:force:type:id:)``; also if the type differs
  ///   from that of the down event.
  public func pointerMove(
    x: Double, y: Double, t: Int64 = -1, force: Double = 0, type: PointerType = .pen, id: Int = -1
  ) throws(EditorError) {
    try send(PointerEvent(.move, x: x, y: y, t: t, force: force, type: type, id: id))
  }

  /// Handles a pointer that leaves the view.
  ///
  /// - Throws: ``EditorError``, as ``pointerMove(x:y:t:force:type:id:)``.
  public func pointerUp(
    x: Double, y: Double, t: Int64 = -1, force: Double = 0, type: PointerType = .pen, id: Int = -1
  ) throws(EditorError) {
    try send(PointerEvent(.up, x: x, y: y, t: t, force: force, type: type, id: id))
  }

  /// Reverts everything that a pointer did since its down event.
  ///
  /// - Throws: ``EditorError/pointerSequence(pointer:expected:found:)`` if it is not down.
  public func pointerCancel(id: Int = -1) throws(EditorError) {
    try send(PointerEvent(.cancel, x: 0, y: 0, id: id))
  }

  /// Handles one event; see ``pointerDown(x:y:t:force:type:id:)``.
  @discardableResult
  public func send(_ event: PointerEvent) throws(EditorError) -> Int? {
    try event.check()
    // Ask the host's clock before the lock is taken.
    let now = event.t < 0 ? Double(engine.now()) : Double(event.t)
    if event.kind == .up { askGestureModel { $0.gestureQuestion(endedBy: event) } }
    let result = locked { (state) -> Result<Int?, EditorError> in
      guard let document = state.document else {
        state.lift(event, time: now)
        return .failure(.noPart)
      }
      do throws(EditorError) {
        return .success(try state.apply(event, to: document, time: now, stamp: now))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Handles a batch of whole strokes, or none of it if one of its events is refused.
  ///
  /// Events without a time stay without one, because the duration of the strokes is unknown.
  ///
  /// - Parameters:
  ///   - events: The events of whole strokes, in the order they happened.
  ///   - processGestures: If true, strokes may be gestures; a batch then has at most 20 strokes.
  /// - Returns: The ids of the items, in the order they were begun.
  /// - Throws: ``EditorError``, ``EditorError/pointerIsDown`` if a pointer is already writing.
  @discardableResult
  public func pointerEvents(
    _ events: [PointerEvent], processGestures: Bool
  ) throws(EditorError) -> [Int] {
    try EditorState.check(events)
    let now = Double(engine.now())
    let votes = processGestures ? votes(onBatch: events) : [:]
    return try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      let down = state.input.pointers
      if let event = events.first(where: { down.contains($0.id) }) {
        throw EditorState.sequence(event, expected: "a pointer that is not down")
      }
      if processGestures {
        let strokes = events.count { $0.kind == .down && tools.tool(for: $0.type) == .pen }
        guard strokes <= Self.mostGestureStrokes else {
          throw .invalidArgument(
            "batch with gestures", expected: "at most \(Self.mostGestureStrokes) strokes",
            found: "\(strokes)")
        }
      }
      state.findsGestures = processGestures
      defer { state.findsGestures = true }
      return try state.change(document) { (state) throws(EditorError) in
        var items: [Int] = []
        for (place, event) in events.enumerated() {
          let time = event.t < 0 ? now : Double(event.t)
          let stamp = event.t < 0 ? nil : time
          if let vote = votes[place], let index = state.input.index(of: .pointer(event.id)) {
            state.votes[state.input.strokes[index].item] = vote
          }
          if let item = try state.apply(
            event, to: document, time: time, stamp: stamp, inBatch: true)
          {
            items.append(item)
          }
        }
        return items
      }
    }
  }

  /// Returns the votes of the model of gestures on the strokes of a batch, by the places of the
  /// events that end them. Do not call under the lock.
  private func votes(onBatch events: [PointerEvent]) -> [Int: GestureVote] {
    guard events.count(where: { $0.kind == .up }) <= Self.mostGestureStrokes,
      let (model, transform) = read({ state in state.gestureModel.map { ($0, state.transform) } })
    else { return [:] }
    var open: [Int: [StrokePoint]] = [:]
    var result: [Int: GestureVote] = [:]
    for (place, event) in events.enumerated() {
      switch event.kind {
      case .down: open[event.id] = [PenMachine.point(event, transform, nil)]
      case .move: open[event.id]?.append(PenMachine.point(event, transform, nil))
      case .cancel: open[event.id] = nil
      case .up:
        guard tools.tool(for: event.type) == .pen, var points = open.removeValue(forKey: event.id)
        else { continue }
        points.append(PenMachine.point(event, transform, nil))
        result[place] = vote(on: GestureQuestion(item: 0, model: model, points: points))
      }
    }
    return result
  }

  /// The largest number of strokes in a batch with gestures.
  /// Chosen by hand.
  public static let mostGestureStrokes = 20
}

extension EditorState {
  /// Returns the question about the stroke that an event ends.
  fileprivate mutating func gestureQuestion(endedBy event: PointerEvent) -> GestureQuestion? {
    guard let index = input.index(of: .pointer(event.id)) else { return nil }
    let used = input.strokes[index].transform(present: transform)
    return gestureQuestion(of: index, last: PenMachine.point(event, used, nil))
  }

  /// Forgets a pointer that leaves the view while there is no part: it may come down again later.
  mutating func lift(_ event: PointerEvent, time: Double) {
    guard event.kind == .up || event.kind == .cancel,
      let index = input.index(of: .pointer(event.id))
    else { return }
    cancel(index, at: time, nil)
  }

  /// Checks that a batch consists of whole strokes.
  static func check(_ events: [PointerEvent]) throws(EditorError) {
    var down: [(id: Int, type: PointerType)] = []
    for event in events {
      try event.check()
      let place = down.firstIndex { $0.id == event.id }
      switch event.kind {
      case .down:
        guard place == nil else { throw sequence(event, expected: "a move, up or cancel") }
        try checkAlone(event, among: down.map(\.id))
        down.append((event.id, event.type))
      case .move, .up:
        guard let place else { throw sequence(event, expected: "a down") }
        guard down[place].type == event.type else { throw otherType(event, down[place].type) }
        if event.kind == .up { down.remove(at: place) }
      case .cancel:
        guard let place else { throw sequence(event, expected: "a down") }
        down.remove(at: place)
      }
    }
    if let open = down.first {
      throw .pointerSequence(
        pointer: open.id, expected: "an up or cancel", found: "the batch's end")
    }
  }

  static func sequence(_ event: PointerEvent, expected: String) -> EditorError {
    .pointerSequence(pointer: event.id, expected: expected, found: event.kind.rawValue)
  }

  static func otherType(_ event: PointerEvent, _ type: PointerType) -> EditorError {
    .pointerSequence(
      pointer: event.id, expected: "a \(event.kind.rawValue) of type \(type.rawValue)",
      found: "type \(event.type.rawValue)")
  }

  /// Throws if two pointers would be down and one of them has the id -1.
  static func checkAlone(_ event: PointerEvent, among ids: [Int]) throws(EditorError) {
    guard let other = ids.first, event.id == -1 || ids.contains(-1) else { return }
    throw .pointerSequence(
      pointer: event.id, expected: "no other pointer while -1 is in use",
      found: "pointer \(other) down")
  }

  /// Applies one event.
  ///
  /// - Parameters:
  ///   - time: Milliseconds since 1970, for decisions that depend on the order of events.
  ///   - stamp: The time that the point gets.
  ///   - inBatch: If true, the batch has no palms: only the tool decides which strokes write.
  mutating func apply(
    _ event: PointerEvent, to document: Document, time: Double, stamp: Double?,
    inBatch: Bool = false
  ) throws(EditorError) -> Int? {
    let index = input.index(of: .pointer(event.id))
    guard event.kind != .down else {
      guard index == nil else { throw Self.sequence(event, expected: "a move, up or cancel") }
      try Self.checkAlone(event, among: input.pointers)
      return begin(
        .pointer(event.id), contact: event.id, event.type, at: time,
        PenMachine.point(event, transform, stamp), document, inBatch: inBatch)
    }
    guard let index else { throw Self.sequence(event, expected: "a down") }
    let type = input.strokes[index].type
    guard event.kind == .cancel || type == event.type else { throw Self.otherType(event, type) }
    switch event.kind {
    case .down: break
    case .move: add(event, to: index, stamp, document)
    case .up:
      add(event, to: index, stamp, document)
      lift(index, at: time, document)
    case .cancel: cancel(index, at: time, document)
    }
    return nil
  }

  @inline(__always)
  private mutating func add(
    _ event: PointerEvent, to index: Int, _ stamp: Double?, _ document: Document
  ) {
    let used = input.strokes[index].transform(present: transform)
    let point = PenMachine.point(event, used, stamp)
    let count = input.strokes[index].points.count
    if event.kind == .up {
      // A dot is one point: the pen leaves the view where it touched it.
      let last = input.strokes[index].points[count - 1]
      guard last.x != point.x || last.y != point.y else { return }
    }
    input.strokes[index].points.append(point)
    extend(index, from: count, document)
  }
}
