import Foundation

extension Editor {
  /// A stream of the present state, followed by the changes. Each call returns a new stream, which
  /// ends with the editor.
  ///
  /// It begins with the part, the block written in last and all blocks, as far as there are any.
  /// Unread changes of content are merged into one; no other event is lost.
  public var events: AsyncStream<EditorEvent> {
    let queue = EventQueue()
    condition.withLock {
      eventQueues.removeAll { $0.queue == nil }
      eventQueues.append(WeakEventQueue(queue: queue))
      guard let part = lockedPart else { return }
      queue.append(.partChanged(old: nil, new: part))
      if let lastActiveBlock { queue.append(.activeBlockChanged(lastActiveBlock)) }
      queue.append(
        .contentChanged(added: part.document.blockIDs, removed: [], updated: []))
    }
    return AsyncStream {
      await queue.next()
    } onCancel: {
      queue.finish()
    }
  }

  /// A stream of the text of the active block: its present text, then each new reading. It also
  /// reports when another block or part becomes active. Only the newest text waits for the reader.
  /// The stream ends with the editor.
  public var activeText: AsyncStream<ActiveText> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ActiveText.self, bufferingPolicy: .bufferingNewest(1))
    let number = condition.withLock {
      nextStream += 1
      textStreams[nextStream] = continuation
      if lockedPart != nil { continuation.yield(presentText) }
      return nextStream
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      self.condition.withLock { self.textStreams[number] = nil }
    }
    return stream
  }

  /// The delegate that is told of changes; held weakly.
  public var delegate: (any EditorDelegate)? {
    get { condition.withLock { delegateValue } }
    set {
      condition.withLock {
        delegateValue = newValue
        // Events that wait for the previous delegate are dropped.
        inbox.removeAll()
      }
    }
  }

  /// The executor on which the delegate is called, from the next event on. The default is the main
  /// actor.
  public var callbackExecutor: CallbackExecutor {
    get { condition.withLock { executor } }
    set { condition.withLock { executor = newValue } }
  }

  // MARK: - Callbacks

  private static let callbackKey = "ductus.editor.callback"

  /// True if the calling thread is inside code of the host that the editor waits for: a callback, a
  /// recogniser, or the lookup of a model.
  static var isInsideCallback: Bool {
    Thread.current.threadDictionary[callbackKey] != nil
  }

  /// Runs code of the host. Do not call under the lock.
  static func calling<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let dictionary = Thread.current.threadDictionary
    let isOuter = dictionary[callbackKey] == nil
    dictionary[callbackKey] = true
    defer { if isOuter { dictionary.removeObject(forKey: callbackKey) } }
    return try body()
  }

  // MARK: - Notifications

  /// Adds the changes since the last call to the queues. Call under the lock.
  ///
  /// Changes of a step that is not finished, such as one of the history, are reported at its end.
  func collectEvents() {
    guard !isChanging else { return }
    if rendering.isWatched { collectInvalidations() }
    var events = pendingEvents
    pendingEvents = []
    if let document = lockedDocument {
      let changes = document.changes
      let hasOtherActive = document.activeBlock?.id != lastActiveBlock
      let history = HistoryCounts(document.history)
      if changes.isEmpty, !hasOtherActive, events.isEmpty, history == lastHistory { return }
      if history != lastHistory {
        lastHistory = history
        events.append(.historyChanged(undo: history.undo, redo: history.redo))
      }
      if hasOtherActive {
        lastActiveBlock = document.activeBlock?.id
        events.append(.activeBlockChanged(lastActiveBlock))
        if let active = document.activeBlock { tellText(of: active) }
      }
      if !changes.isEmpty {
        if let part = lockedPart, part.store != nil { changedParts.insert(part) }
        document.changes = BlockChanges()
        events.append(changes.event)
      }
    }
    guard !events.isEmpty else { return }
    let hasDelegate = delegateValue != nil
    for event in events {
      if hasDelegate { inbox.append(event) }
      for stream in eventQueues { stream.queue?.append(event) }
    }
    hasNews = true
  }

  /// Wakes the readers of events. Do not call under the lock.
  func tellNews() {
    let changed = condition.withLock { () -> Set<ContentPart> in
      guard !changedParts.isEmpty else { return [] }
      defer { changedParts = [] }
      return changedParts
    }
    for part in changed { part.store?.partDidChange(part) }
    let (streams, executor, waiters) = condition.withLock {
      () -> ([EventQueue], CallbackExecutor, [IdleWaiter]) in
      guard hasNews || !idleWaiters.isEmpty else { return ([], self.executor, []) }
      hasNews = false
      return (eventQueues.compactMap(\.queue), self.executor, takeIdleWaiters())
    }
    for stream in streams { stream.wake() }
    for waiter in waiters { waiter.continuation.resume(returning: true) }
    guard inbox.beginDraining() else { return }
    executor.run { [weak self, inbox] in
      guard let self else { return inbox.stopDraining() }
      self.drain()
    }
  }

  private func drain() {
    while let event = inbox.take() {
      guard let delegate = condition.withLock({ delegateValue }) else { continue }
      Self.calling { tell(event, to: delegate) }
    }
    condition.withLock { condition.broadcast() }
    tellNews()
  }

  private func tell(_ event: EditorEvent, to delegate: any EditorDelegate) {
    delegate.editor(self, didEmit: event)
    switch event {
    case .partChanged(let old, let new):
      delegate.editor(self, partDidChangeFrom: old, to: new)
    case .contentChanged(let added, let removed, let updated):
      delegate.editor(self, contentDidChange: added, removed: removed, updated: updated)
    case .activeBlockChanged(let block): delegate.editor(self, activeBlockDidChange: block)
    case .notice(let notice): delegate.editor(self, didFind: notice)
    case .historyChanged, .selectedBlockChanged, .configurationChanged, .scrolled, .hovered,
      .penAction,
      .viewChanged, .guidesChanged, .redrawNeeded:
      break
    }
  }

  /// Reports a problem once, until its subject has changed. Call under the lock.
  func tell(_ notice: EditorNotice, about subject: NoticeKey.Subject = .reading) {
    let key = NoticeKey(block: notice.block, code: notice.code, subject: subject)
    if notices.insert(key).inserted { pendingEvents.append(.notice(notice)) }
  }

  /// Sends the text of a block to the readers of the active text. Call under the lock.
  func tellText(of block: BlockNode) {
    guard !textStreams.isEmpty else { return }
    tell(Self.text(of: block))
  }

  /// Call under the lock.
  func tell(_ text: ActiveText) {
    for stream in textStreams.values { stream.yield(text) }
  }

  private static func text(of block: BlockNode) -> ActiveText {
    ActiveText(block: block.id, lines: block.lines.map { $0.runs.flatMap(\.words) })
  }

  /// The text that new readers get first. Use under the lock.
  var presentText: ActiveText {
    lockedDocument?.activeBlock.map(Self.text) ?? ActiveText(block: nil, lines: [])
  }
}

/// A stream of events that someone may still read.
struct WeakEventQueue {
  weak var queue: EventQueue?
}

/// A notice that was sent.
struct NoticeKey: Hashable {
  /// The cause of a notice, which determines when it may be sent again.
  enum Subject: Hashable {
    /// A reading: until the block is read or models change.
    case reading
    /// The place of the ink: while the part is set.
    case place
    /// The value of a key of the configuration: until the value changes.
    case setting(String)
  }

  var block: String
  var code: EditorNotice.Code
  var subject: Subject
}
