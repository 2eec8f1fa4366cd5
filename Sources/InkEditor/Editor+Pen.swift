import InkCore
import PenInput

extension Editor {
  /// Takes an event of a pen with estimated, coalesced and predicted samples, in pixels of the view and
  /// milliseconds of the pen's clock.
  ///
  /// The tool is that of the type, as for pointers. Predictions never become ink. Updates that come late
  /// reach the stroke, wherever its part is set by then; only a changed position lets it be recognised
  /// again. Numbers that are no measurement are left out.
  ///
  /// - Parameters:
  ///   - pointer: The number of the pen.
  ///   - type: What the pen is: `.eraser` for its other end or while its button is pressed.
  /// - Returns: The id of the item of ink that the event begins, else nil.
  /// - Throws: ``EditorError/noPart``.
  @discardableResult
  public func handle(
    _ event: PenEvent, pointer: Int = 0, type: PointerType = .pen
  ) throws(EditorError) -> Int? {
    let now = Double(engine.now())
    var others: [Correction] = []
    let item = try withDocument { (document) throws(EditorError) in
      if case .began = event { assembler.updateDeadline = number("pen.update-deadline") }
      let changes = assembler.handle(event, pointer: pointer)
      return apply(changes, to: document, pointer, type, now, &others)
    }
    correct(others)
    return item
  }

  /// Tells the time of the pen's clock, in milliseconds: values that are still guesses after
  /// `pen.update-deadline` remain as they are. Not needed: the editor looks at its own clock.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func advancePenClock(to time: Double) throws(EditorError) {
    var others: [Correction] = []
    try withDocument { (document) throws(EditorError) in
      _ = apply(assembler.advance(to: time), to: document, 0, .pen, time, &others)
    }
    correct(others)
  }

  /// The largest force that the pen can report: forces of pens are divided by it, so that they are
  /// 0 ... 1 as those of pointers. nil keeps them as they come.
  public var maximumPenForce: Double? {
    get { condition.withLock { maximumForce } }
    set {
      condition.withLock {
        maximumForce = newValue.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
      }
    }
  }

  /// Strokes of pens whose values may still change.
  public var pendingPenStrokes: Int { condition.withLock { penStrokes.count } }

  /// A pen hovers over the view, or does so no more: told as an event with the block below the tip.
  /// It leaves no ink; a touch meanwhile is a palm.
  public func hover(_ event: HoverEvent) {
    guard event.x.isFinite, event.y.isFinite else { return }
    let now = Double(engine.now())
    locked {
      var event = event
      palms.penHovers(event.pointer, isNear: event.phase != .left, at: now)
      let place = transform.document(x: event.x, y: event.y)
      event.block = lockedDocument.flatMap { topBlock(x: place.x, y: place.y, $0)?.id }
      hover = event.phase == .left ? nil : event
      pendingEvents.append(.hovered(event))
    }
  }

  /// The pen that hovers over the view, or nil.
  public var hoveringPen: HoverEvent? { condition.withLock { hover } }

  /// What a double tap and a squeeze of the pen do; give in what the user chose in the system's
  /// settings.
  public func setPenActions(doubleTap: PenAction, squeeze: PenAction) {
    condition.withLock {
      penActions.doubleTap = doubleTap
      penActions.squeeze = squeeze
    }
  }

  /// The pen was tapped or squeezed: switches the tool of pens, or tells the app what to do.
  public func handle(_ gesture: PenGesture) {
    locked {
      guard let action = penActions.action(for: gesture) else { return }
      switch action {
      case .switchEraser: tools.toggleEraser()
      case .switchPrevious: tools.usePrevious()
      case .showPalette, .custom: break
      case .ignore: return
      }
      pendingEvents.append(.penAction(action))
    }
  }

  // MARK: - Under the lock

  /// Better values of ink in a part that is set elsewhere, or nowhere.
  private struct Correction {
    var part: ContentPart
    var item: Int
    var points: [StrokePoint]
    var movesInk: Bool
  }

  private func apply(
    _ changes: [StrokeChange], to document: Document, _ pointer: Int, _ type: PointerType,
    _ now: Double, _ others: inout [Correction]
  ) -> Int? {
    var begun: Int?
    for change in changes {
      switch change {
      case .began(let id): begun = begin(id, pointer, type, now, document)
      case .appended(let id, let samples): extend(id, samples, document)
      case .ended(let id): commit(id, now, document)
      case .corrected(let id, _, let movesInk):
        guard let pen = penStrokes[id], pen.isInDocument, let points = points(of: id, pen) else {
          continue
        }
        guard pen.part === lockedPart else {
          others.append(
            Correction(part: pen.part, item: pen.stroke.item, points: points, movesInk: movesInk))
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

  /// Numbers of pens beside those of pointers.
  private func penKey(_ pointer: Int) -> Int { -2 - pointer }

  private func begin(
    _ id: Int, _ pointer: Int, _ type: PointerType, _ now: Double, _ document: Document
  ) -> Int? {
    guard let part = lockedPart else { return nil }
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

  private func sample(_ id: Int) -> PenSample? {
    assembler.strokes.last { $0.id == id }?.samples.first
  }

  private func extend(_ id: Int, _ samples: Range<Int>, _ document: Document) {
    guard var pen = penStrokes[id], pen.stroke.tool != .pen,
      let points = points(of: id, pen)
    else { return }
    let first = min(pen.stroke.points.count, points.count)
    pen.stroke.points = points
    if first < points.count { extend(&pen.stroke, from: first, document) }
    penStrokes[id] = pen
  }

  private func commit(_ id: Int, _ now: Double, _ document: Document) {
    guard var pen = penStrokes[id], let points = points(of: id, pen) else { return }
    pen.isDown = false
    palms.penEnded(penKey(pen.pointer), at: now)
    if pen.stroke.tool == .pen {
      pen.isInDocument = pen.stroke.generation == generation && !points.isEmpty
      pen.stroke.points = points
    }
    finish(pen.stroke, document)
    if pen.stroke.tool == .pen, let rolls = rolls(of: id) {
      document.setRolls(rolls, of: pen.stroke.item)
    }
    penStrokes[id] = pen
    finalizeLater(id)
  }

  /// Ends the wait for updates of a stroke without a further event.
  private func finalizeLater(_ id: Int) {
    engine.work.after(milliseconds: assembler.updateDeadline) { [weak self] in
      guard let self else { return }
      self.locked {
        self.assembler.finalize(stroke: id)
        _ = self.assembler.takeFinished()
        self.penStrokes[id] = nil
      }
    }
  }

  private func correct(
    _ document: Document, _ item: Int, _ points: [StrokePoint], _ movesInk: Bool
  ) {
    document.replace(points: points, of: item, movesInk: movesInk)
    guard movesInk, document.strokes[item] != nil else { return }
    if document.type.rootType.holdsShapes {
      // Shapes that are being found are of the ink as it was.
      discardReadings()
      document.requeueDirtyRuns()
    }
    schedule()
  }

  /// Corrects ink of parts that are not set here, under the lock of the editor that has them.
  private func correct(_ others: [Correction]) {
    guard !others.isEmpty else { return }
    let own = part
    for other in others {
      let owner = engine.lock.withLock { () -> Editor? in
        if other.part.owner == nil { other.part.owner = self }
        return other.part.owner
      }
      guard let owner else { continue }
      owner.locked {
        owner.correct(other.part.document, other.item, other.points, other.movesInk)
      }
      engine.lock.withLock {
        // Only where it was claimed for this alone.
        if owner === self, other.part !== own { other.part.owner = nil }
      }
    }
  }

  /// The points of a stroke in millimetres; a tap is one point.
  private func points(of id: Int, _ pen: PenStroke) -> [StrokePoint]? {
    guard let stroke = assembler.strokes.last(where: { $0.id == id }) else { return nil }
    var points = stroke.samples.map { sample in
      var point = sample.point
      (point.x, point.y) = pen.stroke.transform.document(x: point.x, y: point.y)
      if let t = point.t { point.t = clock.time(t) }
      if let maximumForce, let force = sample.normalizedForce(maximum: maximumForce) {
        point.force = force
      }
      return point
    }
    if stroke.state != .active, points.count == 2, points[0].x == points[1].x,
      points[0].y == points[1].y
    {
      points.removeLast()
    }
    return points
  }

  private func rolls(of id: Int) -> [Double?]? {
    let samples = assembler.strokes.last { $0.id == id }?.samples ?? []
    return samples.contains { $0.roll != nil } ? samples.map(\.roll) : nil
  }
}
