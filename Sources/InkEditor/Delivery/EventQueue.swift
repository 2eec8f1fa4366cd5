import Foundation

/// Events that wait for one reader, in order.
///
/// Unread changes of content are merged into one event, as are those of the view. A slow reader, or one that never comes,
/// costs no more memory than the blocks that changed.
final class EventQueue: @unchecked Sendable {
  // Unchecked because the lock guards all members.
  private let lock = NSLock()
  private var waiting: [EditorEvent] = []
  private var reader: CheckedContinuation<EditorEvent?, Never>?
  private var isFinished = false
  private var isDraining = false

  /// Adds an event without waking the reader; see ``wake()``. O(blocks that changed).
  func append(_ event: EditorEvent) {
    lock.withLock {
      guard !isFinished else { return }
      if case .viewChanged(_, let view) = event, case .viewChanged(let old, _)? = waiting.last {
        waiting[waiting.count - 1] = .viewChanged(old: old, new: view)
        return
      }
      if case .historyChanged = event, let place = lastHistoryChange() {
        waiting[place] = event
        return
      }
      guard case .contentChanged(let added, let removed, let updated) = event,
        let place = lastContentChange(),
        case .contentChanged(let added0, let removed0, let updated0) = waiting[place]
      else {
        waiting.append(event)
        return
      }
      var changes = BlockChanges(added: added0, removed: removed0, updated: updated0)
      changes.merge(BlockChanges(added: added, removed: removed, updated: updated))
      waiting[place] = changes.event
    }
  }

  /// Returns the index of the unread change of the history after the last change of part.
  private func lastHistoryChange() -> Int? {
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
  private func lastContentChange() -> Int? {
    for place in waiting.indices.reversed() {
      switch waiting[place] {
      case .contentChanged: return place
      case .partChanged: return nil
      default: continue
      }
    }
    return nil
  }

  /// Gives the waiting reader the next event. Do not call under a lock: the reader may run inside.
  func wake() {
    let due = lock.withLock { () -> (CheckedContinuation<EditorEvent?, Never>, EditorEvent?)? in
      guard let reader, isFinished || !waiting.isEmpty else { return nil }
      self.reader = nil
      return (reader, waiting.isEmpty ? nil : waiting.removeFirst())
    }
    if let due { due.0.resume(returning: due.1) }
  }

  /// Returns the next event when there is one; nil at the end.
  func next() async -> EditorEvent? {
    await withCheckedContinuation { continuation in
      let now = lock.withLock { () -> EditorEvent?? in
        if !waiting.isEmpty { return .some(waiting.removeFirst()) }
        if isFinished || reader != nil { return .some(nil) }
        reader = continuation
        return nil
      }
      if let now { continuation.resume(returning: now) }
    }
  }

  /// Ends the queue: no more events come, but those that wait can still be read.
  func finish() {
    lock.withLock { isFinished = true }
    wake()
  }

  /// Drops all waiting events.
  func removeAll() { lock.withLock { waiting = [] } }

  /// True if events wait or are being delivered.
  var isBusy: Bool { lock.withLock { isDraining || !waiting.isEmpty } }

  /// Returns true if the caller must deliver the waiting events: it calls ``take()`` until that is
  /// nil.
  func beginDraining() -> Bool {
    lock.withLock {
      guard !isDraining, !waiting.isEmpty else { return false }
      isDraining = true
      return true
    }
  }

  /// Returns the next event to deliver; nil ends the delivery.
  func take() -> EditorEvent? {
    lock.withLock {
      guard !waiting.isEmpty else {
        isDraining = false
        return nil
      }
      return waiting.removeFirst()
    }
  }

  /// Ends the delivery without checking for new events.
  func stopDraining() { lock.withLock { isDraining = false } }
}
