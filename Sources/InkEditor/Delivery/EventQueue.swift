import Foundation

/// Events that wait for one reader, in order.
///
/// Changes of content that are not read yet are one event, so that a reader who is slow, or never
/// comes, costs no more than the blocks that changed.
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

  /// The change of content that waits, after the last change of part.
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

  /// Gives the reader who waits the next event. Not under a lock: it may run the reader.
  func wake() {
    let due = lock.withLock { () -> (CheckedContinuation<EditorEvent?, Never>, EditorEvent?)? in
      guard let reader, isFinished || !waiting.isEmpty else { return nil }
      self.reader = nil
      return (reader, waiting.isEmpty ? nil : waiting.removeFirst())
    }
    if let due { due.0.resume(returning: due.1) }
  }

  /// The next event, once it is there; nil at the end.
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

  /// No more events come; those that wait can still be read.
  func finish() {
    lock.withLock { isFinished = true }
    wake()
  }

  /// Forgets what waits.
  func removeAll() { lock.withLock { waiting = [] } }

  /// Whether events wait or are being told.
  var isBusy: Bool { lock.withLock { isDraining || !waiting.isEmpty } }

  /// Whether someone is to begin telling what waits, who then calls ``take()`` until it is nil.
  func beginDraining() -> Bool {
    lock.withLock {
      guard !isDraining, !waiting.isEmpty else { return false }
      isDraining = true
      return true
    }
  }

  /// The next event to tell; nil ends the telling.
  func take() -> EditorEvent? {
    lock.withLock {
      guard !waiting.isEmpty else {
        isDraining = false
        return nil
      }
      return waiting.removeFirst()
    }
  }

  /// Ends the telling without looking whether more has come.
  func stopDraining() { lock.withLock { isDraining = false } }
}
