import Files

/// Events that wait for one reader, in order.
///
/// Unread changes of content are merged into one event, as are those of the view. A slow reader, or one that never comes,
/// costs no more memory than the blocks that changed.
package final class EventQueue: Sendable {
  package init() {}

  private struct State {
    var waiting: [EditorEvent] = []
    var reader: CheckedContinuation<EditorEvent?, Never>?
    var isFinished = false
    var isDraining = false

    /// Returns the index of the unread change of the history after the last change of part.
    func lastHistoryChange() -> Int? {
      for place in waiting.indices.reversed() {
        switch waiting[place] {
        case .historyChanged: return place
        case .partChanged: return nil
        default: continue
        }
      }
      return nil
    }

    /// Returns the index of the unread change of content after the last change of part.
    func lastContentChange() -> Int? {
      for place in waiting.indices.reversed() {
        switch waiting[place] {
        case .contentChanged: return place
        case .partChanged: return nil
        default: continue
        }
      }
      return nil
    }
  }

  private let state = Guarded(State())

  /// Adds an event without waking the reader; see ``wake()``. O(blocks that changed).
  package func append(_ event: EditorEvent) {
    state.withLock { state in
      guard !state.isFinished else { return }
      if case .viewChanged(_, let view) = event, case .viewChanged(let old, _)? = state.waiting.last
      {
        state.waiting[state.waiting.count - 1] = .viewChanged(old: old, new: view)
        return
      }
      if case .historyChanged = event, let place = state.lastHistoryChange() {
        state.waiting[place] = event
        return
      }
      guard case .contentChanged(let added, let removed, let updated) = event,
        let place = state.lastContentChange(),
        case .contentChanged(let added0, let removed0, let updated0) = state.waiting[place]
      else {
        state.waiting.append(event)
        return
      }
      var changes = BlockChanges(added: added0, removed: removed0, updated: updated0)
      changes.merge(BlockChanges(added: added, removed: removed, updated: updated))
      state.waiting[place] = changes.event
    }
  }

  /// Gives the waiting reader the next event. Do not call under a lock: the reader may run inside.
  func wake() {
    let due = state.withLock {
      (state) -> (CheckedContinuation<EditorEvent?, Never>, EditorEvent?)? in
      guard let reader = state.reader, state.isFinished || !state.waiting.isEmpty else {
        return nil
      }
      state.reader = nil
      return (reader, state.waiting.isEmpty ? nil : state.waiting.removeFirst())
    }
    if let due { due.0.resume(returning: due.1) }
  }

  /// Returns the next event when there is one; nil at the end.
  func next() async -> EditorEvent? {
    await withCheckedContinuation { continuation in
      let now = state.withLock { (state) -> EditorEvent?? in
        if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
        if state.isFinished || state.reader != nil { return .some(nil) }
        state.reader = continuation
        return nil
      }
      if let now { continuation.resume(returning: now) }
    }
  }

  /// Ends the queue: no more events come, but those that wait can still be read.
  func finish() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  /// Drops all waiting events.
  func removeAll() { state.withLock { $0.waiting = [] } }

  /// True if events wait or are being delivered.
  package var isBusy: Bool { state.withLock { $0.isDraining || !$0.waiting.isEmpty } }

  /// Returns true if the caller must deliver the waiting events: it calls ``take()`` until that is
  /// nil.
  func beginDraining() -> Bool {
    state.withLock { state in
      guard !state.isDraining, !state.waiting.isEmpty else { return false }
      state.isDraining = true
      return true
    }
  }

  /// Returns the next event to deliver; nil ends the delivery.
  package func take() -> EditorEvent? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isDraining = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// Ends the delivery without checking for new events.
  func stopDraining() { state.withLock { $0.isDraining = false } }
}
