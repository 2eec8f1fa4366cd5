import InkCore

extension Editor {
  /// The view: transform, size and limits. A change is reported as
  /// ``EditorEvent/viewChanged(old:new:)``. A size that is not above 0 is ignored.
  public var viewState: ViewState {
    get { read { state in state.view } }
    set { changeView { $0 = newValue } }
  }

  /// Changes the view and reports it.
  func changeView(_ body: (inout ViewState) -> Void) {
    locked { state in
      let old = state.view
      var new = old
      body(&new)
      state.transform = new.transform
      if new.width.isFinite, new.height.isFinite, new.width > 0, new.height > 0 {
        state.viewSize = (new.width, new.height)
      }
      state.rendering.scaleLimits = new.scaleLimits
      state.rendering.panLimits = new.panLimits
      new = state.view
      guard new != old else { return }
      state.pendingEvents.append(.viewChanged(old: old, new: new))
      if state.rendering.isWatched { state.rendering.invalidateAll() }
      let isMoved =
        !new.transform.hasOtherSize(than: old.transform)
        && new.width == old.width && new.height == old.height
      state.refreshGuides(evenIfSame: !isMoved)
    }
  }

  /// Returns the box of the page and of all its content, for scroll bars. Millimetres.
  ///
  /// It holds the view at 100 % and grows with the ink.
  ///
  /// - Parameter margin: Millimetres around the content, at least 0.
  public func pageExtent(margin: Double = 10) -> BoundingBox {
    read { state in
      let view = state.view
      let size = view.transform.size(width: view.width, height: view.height)
      var box = BoundingBox(minX: 0, minY: 0, maxX: size.width, maxY: size.height)
      guard let document = state.document else { return box }
      let boxes = [document.root.box] + document.blocks.values.map(\.box)
      if let content = BoundingBox(holding: boxes.compactMap { $0 }) {
        box.formUnion(content.grown(by: max(0, margin)))
      }
      return box
    }
  }

  // MARK: - What is to be drawn again

  /// Returns the parts of the layers that look different since the last call, and forgets them.
  ///
  /// The first call returns all layers, and from then on the editor keeps watch. It sends
  /// ``EditorEvent/redrawNeeded`` when there is something to take.
  public func takeInvalidations() -> [Invalidation] {
    read { state in
      if !state.rendering.isWatched {
        state.rendering.isWatched = true
        state.document?.strokes.isRecording = true
        state.rendering.invalidateAll()
        state.rememberLive()
        let sheet = state.rendering.styleSheet
        state.rendering.decorations = state.document?.decorationPictures(sheet) ?? [:]
      }
      return state.rendering.take(state.view)
    }
  }
}

extension EditorState {
  var view: ViewState {
    ViewState(
      transform: transform, width: viewSize?.width ?? 0, height: viewSize?.height ?? 0,
      scaleLimits: rendering.scaleLimits, panLimits: rendering.panLimits)
  }

  /// Begins to watch another document, whose picture replaces that of the old one.
  mutating func partWillBeDrawn(_ document: Document?, instead old: Document?) {
    rendering.guides = document.flatMap { guides($0) }
    guard rendering.isWatched else { return }
    old?.strokes.isRecording = false
    _ = old?.strokes.takeChanges()
    document?.strokes.isRecording = true
    rendering.invalidateAll()
    rendering.live = [:]
    rendering.selection = []
    rendering.decorations = document?.decorationPictures(rendering.styleSheet) ?? [:]
  }

  mutating func rememberLive() {
    rendering.live = Dictionary(
      liveStrokes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Finds out what is to be drawn again.
  mutating func collectInvalidations() {
    guard let document else { return tellOfRedraw() }
    let changes = document.strokes.takeChanges()
    for change in changes { invalidate(change, document) }
    invalidateBlocks(document)
    if !changes.isEmpty || !document.changes.isEmpty { invalidateDecorations(document) }
    let before = rendering.live
    rememberLive()
    for (id, stroke) in rendering.live where before[id] != stroke {
      let half = stroke.style.greatestWidth / 2
      let old = before[id].map { $0.points + $0.predicted } ?? []
      if let box = StrokeDifference.box(old, stroke.points + stroke.predicted, half: half) {
        rendering.invalidate(.live, box)
      }
    }
    for (id, stroke) in before where rendering.live[id] == nil {
      let half = stroke.style.greatestWidth / 2
      if let box = StrokeDifference.box(stroke.points + stroke.predicted, [], half: half) {
        rendering.invalidate(.live, box)
      }
    }
    let frames = selectionFrames(document)
    if frames != rendering.selection {
      for box in frames + rendering.selection {
        rendering.invalidate(.selection, box.grown(by: Self.frameWidth))
      }
      rendering.selection = frames
    }
    tellOfRedraw()
  }

  /// Decorations may have changed, or the ink and the words under them.
  mutating func invalidateDecorations(_ document: Document) {
    let before = rendering.decorations
    guard !before.isEmpty || !document.decorations.isEmpty else { return }
    let now = document.decorationPictures(rendering.styleSheet)
    for id in Set(before.keys).union(now.keys) where before[id] != now[id] {
      for picture in [before[id], now[id]] {
        if let picture { rendering.invalidate(.ink, picture.box) }
      }
    }
    rendering.decorations = now
  }

  mutating func tellOfRedraw() {
    guard rendering.hasInvalidations, !rendering.isTold else { return }
    rendering.isTold = true
    pendingEvents.append(.redrawNeeded)
  }

  mutating func invalidate(_ change: StrokeTable.Change, _ document: Document) {
    let width = [change.old, change.new].compactMap { $0?.style?.greatestWidth }
      .reduce(rendering.styleSheet.greatestWidth, max)
    let old = change.old?.points ?? []
    let new = change.new?.points ?? []
    if let box = StrokeDifference.box(old, new, half: width / 2) {
      rendering.invalidate(.ink, box)
    } else if let box = change.new?.box {
      rendering.invalidate(.ink, box.grown(by: width / 2))
    }
  }

  /// If ink looks different in different blocks, ink of a block that changed may look different.
  mutating func invalidateBlocks(_ document: Document) {
    guard rendering.styleSheet.hasBlockRules else { return }
    for id in document.changes.added + document.changes.updated {
      guard let block = document.blocks[id], block !== document.root, let box = block.box else {
        continue
      }
      rendering.invalidate(.ink, box.grown(by: rendering.styleSheet.greatestWidth / 2))
    }
  }
}

extension StyleSheet {
  /// True if ink looks different in different blocks.
  var hasBlockRules: Bool {
    ["text", "math", "drawing", "node", "edge"].contains { name in
      strokeStyle(for: name) != strokeStyle(for: "ink")
    }
  }
}
