import InkCore

/// A pointer that is down.
struct ActivePointer {
  var id: Int
  var type: PointerType
  var tool: PointerTool
  /// The item that the pointer writes, for the pen.
  var item: Int
  /// Millimetres.
  var points: [StrokePoint]
}

extension Editor {
  /// A pointer touches the view.
  ///
  /// - Parameters:
  ///   - x: Pixels.
  ///   - y: Pixels.
  ///   - t: Milliseconds since 1970, or -1 for now.
  ///   - force: At least 0; 0 where it is not known.
  ///   - type: What touches; ``tools`` says what it does.
  ///   - id: The number of the pointer, or -1 for the only one.
  /// - Returns: The id of the item of ink that the pointer begins; nil for tools that do not write.
  /// - Throws: ``EditorError`` for a pointer that is down already, and for bad numbers.
  @discardableResult
  public func pointerDown(
    x: Double, y: Double, t: Int64 = -1, force: Double = 0, type: PointerType = .pen, id: Int = -1
  ) throws(EditorError) -> Int? {
    try send(PointerEvent(.down, x: x, y: y, t: t, force: force, type: type, id: id))
  }

  /// A pointer that is down moves.
  ///
  /// - Throws: ``EditorError``, as ``pointerDown(x:y:t:force:type:id:)``.
  public func pointerMove(
    x: Double, y: Double, t: Int64 = -1, force: Double = 0, type: PointerType = .pen, id: Int = -1
  ) throws(EditorError) {
    try send(PointerEvent(.move, x: x, y: y, t: t, force: force, type: type, id: id))
  }

  /// A pointer that is down leaves the view.
  ///
  /// - Throws: ``EditorError``, as ``pointerDown(x:y:t:force:type:id:)``.
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
    condition.lock()
    defer { condition.unlock() }
    guard let document = lockedDocument else { throw .noPart }
    return try apply(event, to: document, now: event.t < 0 ? engine.now() : event.t)
  }

  /// Takes a batch of whole strokes, or none of it where one of its events is refused.
  ///
  /// - Parameters:
  ///   - events: The events of whole strokes, in the order of time.
  ///   - processGestures: Whether strokes may be gestures; at most 20 strokes then.
  /// - Returns: The ids of the items, in the order begun.
  /// - Throws: ``EditorError``, ``EditorError/pointerIsDown`` where a pointer is down already.
  @discardableResult
  public func pointerEvents(
    _ events: [PointerEvent], processGestures: Bool
  ) throws(EditorError) -> [Int] {
    try Self.check(events)
    condition.lock()
    defer { condition.unlock() }
    guard let document = lockedDocument else { throw .noPart }
    guard pointers.isEmpty, !assembler.isDrawing else { throw .pointerIsDown }
    if processGestures {
      let strokes = events.count { $0.kind == .down && tools.tool(for: $0.type) == .pen }
      guard strokes <= Self.mostGestureStrokes else {
        throw .invalidArgument(
          "batch with gestures", expected: "at most \(Self.mostGestureStrokes) strokes",
          found: "\(strokes)")
      }
    }
    let now = engine.now()
    return try change(document) { () throws(EditorError) in
      var items: [Int] = []
      for event in events {
        if let item = try apply(event, to: document, now: event.t < 0 ? now : event.t) {
          items.append(item)
        }
      }
      return items
    }
  }

  /// The most strokes of a batch with gestures.
  public static let mostGestureStrokes = 20

  /// Checks that a batch consists of whole strokes.
  private static func check(_ events: [PointerEvent]) throws(EditorError) {
    var down: [Int] = []
    for event in events {
      try event.check()
      let place = down.firstIndex(of: event.id)
      switch event.kind {
      case .down:
        guard place == nil else { throw sequence(event, expected: "a move, up or cancel") }
        down.append(event.id)
      case .move:
        guard place != nil else { throw sequence(event, expected: "a down") }
      case .up, .cancel:
        guard let place else { throw sequence(event, expected: "a down") }
        down.remove(at: place)
      }
    }
    if let open = down.first {
      throw .pointerSequence(pointer: open, expected: "an up or cancel", found: "the batch's end")
    }
  }

  private static func sequence(_ event: PointerEvent, expected: String) -> EditorError {
    .pointerSequence(pointer: event.id, expected: expected, found: event.kind.rawValue)
  }

  // MARK: - Under the lock

  @inline(__always)
  private func point(_ event: PointerEvent, _ now: Int64) -> StrokePoint {
    let place = transform.document(x: event.x, y: event.y)
    return StrokePoint(
      x: place.x, y: place.y, t: Double(now), force: event.force > 0 ? event.force : nil)
  }

  private func apply(
    _ event: PointerEvent, to document: Document, now: Int64
  ) throws(EditorError) -> Int? {
    let index = pointers.firstIndex { $0.id == event.id }
    switch event.kind {
    case .down:
      guard index == nil else { throw Self.sequence(event, expected: "a move, up or cancel") }
      return begin(event, document, now)
    case .move:
      guard let index else { throw Self.sequence(event, expected: "a down") }
      pointers[index].points.append(point(event, now))
    case .up:
      guard let index else { throw Self.sequence(event, expected: "a down") }
      let last = point(event, now)
      // A dot is one point: the pen leaves where it is.
      if pointers[index].points.last.map({ $0.x != last.x || $0.y != last.y }) ?? true {
        pointers[index].points.append(last)
      }
      finish(pointers.remove(at: index), document)
    case .cancel:
      guard let index else { throw Self.sequence(event, expected: "a down") }
      pointers.remove(at: index)
    }
    return nil
  }

  private func begin(_ event: PointerEvent, _ document: Document, _ now: Int64) -> Int? {
    let tool = tools.tool(for: event.type)
    let item = tool == .pen ? document.makeItemID() : 0
    var pointer = ActivePointer(
      id: event.id, type: event.type, tool: tool, item: item, points: [])
    pointer.points.reserveCapacity(64)
    pointer.points.append(point(event, now))
    pointers.append(pointer)
    return tool == .pen ? item : nil
  }

  /// Takes a stroke that a pen has finished.
  func append(_ stroke: InkStroke, to document: Document) {
    let pause = sessionTime(of: document)
    change(document) { document.append(stroke, pause: pause) }
    schedule()
  }

  /// Milliseconds after which raw content begins anew; 0 for never.
  private func sessionTime(of document: Document) -> Double {
    guard document.type == .rawContent else { return 0 }
    return (try? configuration.number("raw-content.session-time")) ?? 0
  }

  private func finish(_ pointer: ActivePointer, _ document: Document) {
    switch pointer.tool {
    case .pen:
      append(
        InkStroke(id: pointer.item, pointer: pointer.type, points: pointer.points), to: document)
    case .eraser:
      let radius = (try? configuration.number("text.eraser.radius")) ?? 3
      let isPrecise = (try? configuration.boolean("text.eraser.erase-precisely")) ?? false
      change(document) {
        if isPrecise {
          document.erasePrecisely(along: pointer.points, within: radius)
        } else {
          document.erase(along: pointer.points, within: radius)
        }
      }
      schedule(force: true)
    case .hand, .selector, .highlighter: break
    }
  }
}
