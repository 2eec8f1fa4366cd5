/// Undo and redo.
///
/// A change is the effect of one call: a stroke, the strokes erased on one path, a batch of events,
/// pasted, removed or retyped ink, a chosen candidate. Recognition is not a change of its own:
/// undoing a stroke restores the previous readings. A part keeps its history while it is set on
/// another editor or on none.
extension Editor {
  /// True if there is a change to undo.
  public var canUndo: Bool { possibleUndoCount > 0 }

  /// True if there is an undone change to redo.
  public var canRedo: Bool { possibleRedoCount > 0 }

  /// The number of changes that can be undone: at most 100, fewer on pages of thousands of strokes.
  public var possibleUndoCount: Int {
    read { state in state.document?.history.undoCount ?? 0 }
  }

  /// The number of undone changes that can be redone.
  public var possibleRedoCount: Int {
    read { state in state.document?.history.redoCount ?? 0 }
  }

  /// The number of changes in the content: a change increases it, an undo decreases it. The same
  /// number means the same content until another change is made.
  public var undoStackIndex: Int { read { state in state.document?.history.index ?? 0 } }

  /// Undoes the last change: restores ink, blocks and readings. A stroke about which the delegate
  /// is being asked vanishes, and no other change is undone.
  ///
  /// - Returns: true if there was one.
  /// - Throws: ``EditorError/noPart``, ``EditorError/pointerIsDown``, and
  ///   ``EditorError/insideCallback`` in a callback of an editor, because the change that is being
  ///   reported would be gone.
  @discardableResult
  public func undo() throws(EditorError) -> Bool {
    try travel(isUndo: true) { document in document.history.undo { document.makeState() } }
  }

  /// Redoes the change that was undone last.
  ///
  /// - Returns: true if there was one.
  /// - Throws: The errors of ``undo()``.
  @discardableResult
  public func redo() throws(EditorError) -> Bool {
    try travel(isUndo: false) { document in document.history.redo { document.makeState() } }
  }

  private func travel(
    isUndo: Bool, _ step: (Document) -> DocumentState?
  ) throws(EditorError) -> Bool {
    guard !Self.isInsideCallback else { throw .insideCallback }
    return try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      if isUndo, state.withdrawPending(document) { return true }
      guard let content = step(document) else { return false }
      document.install(content)
      // Ink that is being read may be gone.
      state.discardReadings()
      if let selectedBlock = state.selectedBlock, document.blocks[selectedBlock] == nil {
        state.select(nil)
      }
      state.checkSelection()
      state.tell(state.presentText)
      state.schedule()
      return true
    }
  }
}

extension EditorState {
  /// Reports the text that lost ink.
  mutating func tellOfLoss(_ document: Document, since before: DocumentState) {
    if let active = document.activeBlock {
      tellText(of: active)
    } else if let gone = before.activeBlock {
      tell(ActiveText(block: gone, lines: []))
    }
  }

  /// Runs a possible change of the document as one step of its history, or as part of the enclosing
  /// step.
  mutating func change<Value, Failure>(
    _ document: Document, _ body: (inout EditorState) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard !isChanging else { return try body(&self) }
    isChanging = true
    let (before, edits, losses) = (document.makeState(), document.edits, document.textLosses)
    defer {
      isChanging = false
      if document.edits != edits {
        followNodes(document)
        document.arrange()
        document.remember(before)
        if document.textLosses != losses { tellOfLoss(document, since: before) }
        if let selectedBlock, document.blocks[selectedBlock] == nil { select(nil) }
        checkSelection()
      }
      if needsSchedule { schedule() }
    }
    return try body(&self)
  }

  /// Runs a body that continues the last step of the history.
  mutating func continueChange(_ document: Document, _ body: (inout EditorState) -> Void) {
    guard !isChanging else { return body(&self) }
    isChanging = true
    let losses = document.textLosses
    body(&self)
    followNodes(document)
    document.arrange()
    isChanging = false
    if document.textLosses != losses { tell(presentText) }
    if let selectedBlock, document.blocks[selectedBlock] == nil { select(nil) }
    checkSelection()
    if needsSchedule { schedule() }
  }
}
