/// Undo and redo.
///
/// A change is what one call does: a stroke, what an eraser takes on its way, a batch of events, ink that
/// is pasted, removed or given another type, a candidate that is chosen. What recognition makes of ink is
/// no change of its own: undoing a stroke restores what was read before it. A part keeps its history
/// while it is set on another editor or on none.
extension Editor {
  /// Whether there is a change to undo.
  public var canUndo: Bool { possibleUndoCount > 0 }

  /// Whether there is an undone change to make again.
  public var canRedo: Bool { possibleRedoCount > 0 }

  /// The changes that can be undone: at most 100, fewer on pages of thousands of strokes.
  public var possibleUndoCount: Int {
    condition.withLock { lockedDocument?.history.undoCount ?? 0 }
  }

  /// The undone changes that can be made again.
  public var possibleRedoCount: Int {
    condition.withLock { lockedDocument?.history.redoCount ?? 0 }
  }

  /// The changes that the content is made of: the same number means the same content until another
  /// change is made. Grows with each change, falls with each undo.
  public var undoStackIndex: Int { condition.withLock { lockedDocument?.history.index ?? 0 } }

  /// Takes back the last change: ink, blocks and readings are what they were before it.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``EditorError/noPart``, ``EditorError/pointerIsDown``, and
  ///   ``EditorError/insideCallback`` in a callback of an editor, which tells of a change that would be gone.
  @discardableResult
  public func undo() throws(EditorError) -> Bool {
    try travel { document in document.history.undo { document.makeState() } }
  }

  /// Makes the change again that was undone last.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: As ``undo()``.
  @discardableResult
  public func redo() throws(EditorError) -> Bool {
    try travel { document in document.history.redo { document.makeState() } }
  }

  private func travel(
    _ step: (Document) -> DocumentState?
  ) throws(EditorError) -> Bool {
    guard !Self.isInsideCallback else { throw .insideCallback }
    return try withDocument { (document) throws(EditorError) in
      guard !isWriting else { throw .pointerIsDown }
      guard let state = step(document) else { return false }
      document.install(state)
      // What is being read now is of ink that may be gone.
      discardReadings()
      if let selectedBlock, document.blocks[selectedBlock] == nil { select(nil) }
      tell(presentText)
      schedule()
      return true
    }
  }

  /// Tells the text that ink was taken from.
  private func tellOfLoss(_ document: Document, since before: DocumentState) {
    if let active = document.activeBlock {
      tellText(of: active)
    } else if let gone = before.activeBlock {
      tell(ActiveText(block: gone, lines: []))
    }
  }

  /// Runs what may change a document as one step of its history, or as a part of the step that it is
  /// called in; under the lock.
  func change<Value, Failure>(
    _ document: Document, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard !isChanging else { return try body() }
    isChanging = true
    let (before, edits, losses) = (document.makeState(), document.edits, document.textLosses)
    defer {
      isChanging = false
      if document.edits != edits {
        document.arrange()
        document.remember(before)
        if document.textLosses != losses { tellOfLoss(document, since: before) }
        if let selectedBlock, document.blocks[selectedBlock] == nil { select(nil) }
      }
      if needsSchedule { schedule() }
    }
    return try body()
  }

  /// Runs what goes on with the last step of the history; under the lock.
  func continueChange(_ document: Document, _ body: () -> Void) {
    guard !isChanging else { return body() }
    isChanging = true
    let losses = document.textLosses
    body()
    document.arrange()
    isChanging = false
    if document.textLosses != losses { tell(presentText) }
    if let selectedBlock, document.blocks[selectedBlock] == nil { select(nil) }
    if needsSchedule { schedule() }
  }
}
