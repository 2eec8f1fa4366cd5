import InkCore
import PenInput

extension Editor {
  /// Handles an event of a pen with estimated, coalesced and predicted samples, in pixels of the
  /// view and milliseconds of the pen's clock.
  ///
  /// As for pointers, the type determines the tool, and tells pens from fingers. Predictions never become ink. Late updates
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
    if case .ended(let last) = event {
      askGestureModel { state in
        let contact = PenMachine.contact(ofPen: pointer)
        return state.gestureQuestion(
          of: state.input.strokes.lastIndex { $0.contact == contact && $0.isDown },
          last: last.map { state.input.point(of: $0, state.transform) })
      }
    }
    let (result, others) = locked { state -> (Result<Int?, EditorError>, [PenCorrection]) in
      let document = state.document
      guard document != nil || event.isLift else { return (.failure(.noPart), []) }
      if case .began = event {
        state.input.assembler.updateDeadline = state.number("pen.update-deadline")
      }
      var others: [PenCorrection] = []
      let changes = state.input.assembler.handle(event, pointer: pointer)
      let contact = PenMachine.contact(ofPen: pointer)
      let item = state.apply(changes, to: document, contact, type, now, &others)
      return (document == nil ? .failure(.noPart) : .success(item), others)
    }
    correct(others)
    return try result.get()
  }

  /// Reports the time of the pen's clock, in milliseconds. Values that are still estimates after
  /// `pen.update-deadline` become final. This call is optional: the editor also uses its own clock.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func advancePenClock(to time: Double) throws(EditorError) {
    try withDocument { (state, document) throws(EditorError) in
      var others: [PenCorrection] = []
      let changes = state.input.assembler.advance(to: time)
      _ = state.apply(changes, to: document, 0, .pen, time, &others)
    }
  }

  /// The largest force that the pen can report. Forces of pens are divided by it, so that they are
  /// 0 ... 1 like those of pointers. If nil, forces are stored as they are reported.
  public var maximumPenForce: Double? {
    get { read { state in state.input.maximumForce } }
    set {
      read { state in
        state.input.maximumForce = newValue.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
      }
    }
  }

  /// The number of pen strokes whose values may still change.
  public var pendingPenStrokes: Int { read { state in state.input.pendingCount } }

  /// Reports that a pen hovers over the view, or no longer does. It leaves no ink. The editor sends
  /// an event with the block below the tip, and takes touches meanwhile for palms.
  public func hover(_ event: HoverEvent) {
    guard event.x.isFinite, event.y.isFinite else { return }
    let now = Double(engine.now())
    locked { state in
      var event = event
      state.input.palms.penHovers(event.pointer, isNear: event.phase != .left, at: now)
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
        state.correct(other, other.part.document)
      }
      other.part.store?.partDidChange(other.part)
      other.part.ownership.withLock { ownership in
        // Releases the part only if it was claimed for this correction.
        if owner === self, other.part !== own { ownership.owner = nil }
      }
    }
  }
}

extension PenEvent {
  /// True if the pen leaves the surface.
  fileprivate var isLift: Bool {
    switch self {
    case .ended, .cancelled: true
    case .began, .moved, .updated: false
    }
  }
}

extension EditorState {
  /// Applies changes of pens' strokes.
  ///
  /// - Parameters:
  ///   - document: nil if no part is set: then the pen can only leave.
  ///   - now: Milliseconds since 1970 when the event arrived.
  ///   - others: Gets the corrections of ink in parts that are not set here.
  /// - Returns: The id of the item of ink that begins, or nil.
  fileprivate mutating func apply(
    _ changes: [StrokeChange], to document: Document?, _ contact: Int, _ type: PointerType,
    _ now: Double, _ others: inout [PenCorrection]
  ) -> Int? {
    var begun: Int?
    for change in changes {
      switch change {
      case .began(let id):
        guard let document, let first = input.assembled(id)?.samples.first else { continue }
        let point = input.point(of: first, transform, now: now)
        begun = begin(.pen(id), contact: contact, type, at: now, point, document)
      case .appended(let id, let samples):
        guard let document, let index = input.index(of: .pen(id)) else { continue }
        input.take(samples, at: index, of: id, present: transform, now: now)
        extend(index, from: samples.lowerBound, document)
      case .corrected(let id, let samples, let movesInk):
        guard let index = input.index(of: .pen(id)) else { continue }
        input.correct(samples, at: index, of: id)
        let stroke = input.strokes[index]
        guard stroke.isInDocument else { continue }
        let correction = PenCorrection(
          part: stroke.part, item: stroke.item, points: stroke.inkPoints,
          movesInk: movesInk)
        if let document, stroke.part === part {
          correct(correction, document)
        } else {
          others.append(correction)
        }
      case .ended(let id):
        if let index = input.index(of: .pen(id)) { lift(index, at: now, document) }
      case .finalized(let id): input.forget(.pen(id))
      case .cancelled(let id):
        if let index = input.index(of: .pen(id)) { cancel(index, at: now, document) }
      case .predicted: break
      }
    }
    _ = input.assembler.takeFinished()
    return begun
  }
}
