import InkCore
import PenInput

extension Editor {
  /// Handles an event of a pen with estimated, coalesced and predicted samples, in pixels of the
  /// view and milliseconds of the pen's clock.
  ///
  /// As for pointers, the type determines the tool. Predictions never become ink. Late updates
  /// change the stroke even if its part has been set on another editor. The stroke is recognised
  /// again only if a position changed. A value that cannot be a measurement is left out.
  ///
  /// - Parameters:
  ///   - event: The event, with its coalesced and predicted samples and late updates.
  ///   - pointer: The number of the pen.
  ///   - type: The kind of pen: `.eraser` for its other end or while its button is pressed.
  /// - Returns: The id of the item of ink that the event begins, or nil.
  /// - Throws: ``EditorError/noPart``.
  @discardableResult
  public func handle(
    _ event: PenEvent, pointer: Int = 0, type: PointerType = .pen
  ) throws(EditorError) -> Int? {
    let now = Double(engine.now())
    var others: [PenCorrection] = []
    let item = try withDocument { (state, document) throws(EditorError) in
      if case .began = event {
        state.assembler.updateDeadline = state.number("pen.update-deadline")
      }
      let changes = state.assembler.handle(event, pointer: pointer)
      return state.apply(changes, to: document, pointer, type, now, &others)
    }
    correct(others)
    return item
  }

  /// Reports the time of the pen's clock, in milliseconds. Values that are still estimates after
  /// `pen.update-deadline` become final. This call is optional: the editor also uses its own clock.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func advancePenClock(to time: Double) throws(EditorError) {
    var others: [PenCorrection] = []
    try withDocument { (state, document) throws(EditorError) in
      _ = state.apply(state.assembler.advance(to: time), to: document, 0, .pen, time, &others)
    }
    correct(others)
  }

  /// The largest force that the pen can report. Forces of pens are divided by it, so that they are
  /// 0 ... 1 like those of pointers. If nil, forces are stored as they are reported.
  public var maximumPenForce: Double? {
    get { read { state in state.maximumForce } }
    set {
      read { state in
        state.maximumForce = newValue.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
      }
    }
  }

  /// The number of pen strokes whose values may still change.
  public var pendingPenStrokes: Int { read { state in state.penStrokes.count } }

  /// Reports that a pen hovers over the view, or no longer does. It leaves no ink. The editor sends
  /// an event with the block below the tip, and takes touches meanwhile for palms.
  public func hover(_ event: HoverEvent) {
    guard event.x.isFinite, event.y.isFinite else { return }
    let now = Double(engine.now())
    locked { state in
      var event = event
      state.palms.penHovers(event.pointer, isNear: event.phase != .left, at: now)
      let place = state.transform.document(x: event.x, y: event.y)
      event.block = state.document.flatMap { state.topBlock(x: place.x, y: place.y, $0)?.id }
      state.hover = event.phase == .left ? nil : event
      state.pendingEvents.append(.hovered(event))
    }
  }

  /// The pen that hovers over the view, or nil.
  public var hoveringPen: HoverEvent? { read { state in state.hover } }

  /// Sets the actions of a double tap and a squeeze of the pen. Pass what the user chose in the
  /// system's settings.
  public func setPenActions(doubleTap: PenAction, squeeze: PenAction) {
    read { state in
      state.penActions.doubleTap = doubleTap
      state.penActions.squeeze = squeeze
    }
  }

  /// Handles a tap or squeeze of the pen: switches the tool of pens, or tells the app what to do.
  public func handle(_ gesture: PenGesture) {
    locked { state in
      guard let action = state.penActions.action(for: gesture) else { return }
      switch action {
      case .switchEraser: tools.toggleEraser()
      case .switchPrevious: tools.usePrevious()
      case .showPalette, .custom: break
      case .ignore: return
      }
      state.pendingEvents.append(.penAction(action))
    }
  }

  /// Corrects ink of parts that are not set here, under the lock of the editor that has the part.
  private func correct(_ others: [PenCorrection]) {
    guard !others.isEmpty else { return }
    let own = part
    for other in others {
      let owner = other.part.ownership.withLock { ownership -> Editor? in
        if ownership.owner == nil { ownership.owner = self }
        return ownership.owner
      }
      guard let owner else { continue }
      owner.locked { state in
        state.correct(other.part.document, other.item, other.points, other.movesInk)
      }
      other.part.store?.partDidChange(other.part)
      other.part.ownership.withLock { ownership in
        // Releases the part only if it was claimed for this correction.
        if owner === self, other.part !== own { ownership.owner = nil }
      }
    }
  }
}

extension EditorState {
  mutating func apply(
    _ changes: [StrokeChange], to document: Document, _ pointer: Int, _ type: PointerType,
    _ now: Double, _ others: inout [PenCorrection]
  ) -> Int? {
    var begun: Int?
    for change in changes {
      switch change {
      case .began(let id): begun = begin(id, pointer, type, now, document)
      case .appended(let id, let samples):
        penStrokes[id]?.sampled(with: transform, from: samples.lowerBound)
        extend(id, samples, document)
      case .ended(let id): commit(id, now, document)
      case .corrected(let id, _, let movesInk):
        guard let pen = penStrokes[id], pen.isInDocument, let points = points(of: id, pen) else {
          continue
        }
        guard pen.part === part else {
          others.append(
            PenCorrection(part: pen.part, item: pen.stroke.item, points: points, movesInk: movesInk)
          )
          continue
        }
        correct(document, pen.stroke.item, points, movesInk)
      case .finalized(let id): penStrokes[id] = nil
      case .cancelled(let id):
        guard let pen = penStrokes.removeValue(forKey: id) else { continue }
        palms.penEnded(penKey(pointer), at: now)
        cancel(pen.stroke, document)
      case .predicted: break
      }
    }
    _ = assembler.takeFinished()
    return begun
  }

  /// Returns the key of a pen, distinct from all pointer ids.
  func penKey(_ pointer: Int) -> Int { -2 - pointer }

  mutating func begin(
    _ id: Int, _ pointer: Int, _ type: PointerType, _ now: Double, _ document: Document
  ) -> Int? {
    guard let part else { return nil }
    if let first = sample(id)?.point.t { _ = clock.time(first, now: now) }
    penTouches(penKey(pointer), at: now, document)
    var pen = PenStroke(
      pointer: pointer, part: part, stroke: beginTool(type, time: now, document))
    if pen.stroke.tool != .pen {
      pen.stroke.points = points(of: id, pen) ?? []
      extend(&pen.stroke, from: 0, document)
    }
    penStrokes[id] = pen
    return pen.stroke.tool == .pen ? pen.stroke.item : nil
  }

  func sample(_ id: Int) -> PenSample? {
    assembler.strokes.last { $0.id == id }?.samples.first
  }

  mutating func extend(_ id: Int, _ samples: Range<Int>, _ document: Document) {
    guard var pen = penStrokes[id], pen.stroke.tool != .pen,
      let points = points(of: id, pen)
    else { return }
    let first = min(pen.stroke.points.count, points.count)
    pen.stroke.points = points
    if first < points.count { extend(&pen.stroke, from: first, document) }
    penStrokes[id] = pen
  }

  mutating func commit(_ id: Int, _ now: Double, _ document: Document) {
    guard var pen = penStrokes[id], let points = points(of: id, pen) else { return }
    pen.isDown = false
    palms.penEnded(penKey(pen.pointer), at: now)
    if pen.stroke.tool == .pen {
      pen.isInDocument = pen.stroke.generation == generation && !points.isEmpty
      pen.stroke.points = points
    }
    finish(pen.stroke, document)
    penStrokes[id] = pen
    finalizeLater(id)
  }

  /// Ends the wait for updates of a stroke after the deadline.
  mutating func finalizeLater(_ id: Int) {
    requests.append(.finalize(stroke: id, milliseconds: assembler.updateDeadline))
  }

  mutating func correct(
    _ document: Document, _ item: Int, _ points: [StrokePoint], _ movesInk: Bool
  ) {
    document.replace(points: points, of: item, movesInk: movesInk)
    guard movesInk, document.strokes[item] != nil else { return }
    if document.type.rootType.holdsShapes {
      // Shapes that are being found used the old points.
      discardReadings()
      document.requeueDirtyRuns()
    }
    schedule()
  }

  /// Returns the points of a stroke in millimetres; a tap is one point.
  func points(of id: Int, _ pen: PenStroke) -> [StrokePoint]? {
    guard let stroke = assembler.strokes.last(where: { $0.id == id }) else { return nil }
    var points = stroke.samples.enumerated().map { index, sample in
      point(of: sample, pen.transform(of: index))
    }
    if stroke.state != .active, points.count == 2, points[0].x == points[1].x,
      points[0].y == points[1].y
    {
      points.removeLast()
    }
    return points
  }

  /// Returns a sample in millimetres of the document and milliseconds since 1970.
  func point(of sample: PenSample, _ transform: ViewTransform) -> StrokePoint {
    var point = sample.point
    (point.x, point.y) = transform.document(x: point.x, y: point.y)
    if let t = point.t { point.t = clock.time(t) }
    if let maximumForce, let force = sample.normalizedForce(maximum: maximumForce) {
      point.force = force
    }
    return point
  }

}

/// A correction of ink in a part that is set on another editor, or on none.
struct PenCorrection {
  var part: ContentPart
  var item: Int
  var points: [StrokePoint]
  var movesInk: Bool
}
