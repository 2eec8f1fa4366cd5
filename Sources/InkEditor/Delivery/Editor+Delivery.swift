import Foundation

extension Editor {
  /// A stream of the present state, followed by the changes. Each call returns a new stream, which
  /// ends with the editor.
  ///
  /// It begins with the part, the block written in last and all blocks, as far as there are any.
  /// Unread changes of content are merged into one; no other event is lost.
  public var events: AsyncStream<EditorEvent> {
    let queue = EventQueue()
    read { state in
      state.eventQueues.removeAll { $0.queue == nil }
      state.eventQueues.append(WeakEventQueue(queue: queue))
      guard let part = state.part else { return }
      queue.append(.partChanged(old: nil, new: part))
      if let lastActiveBlock = state.lastActiveBlock {
        queue.append(.activeBlockChanged(lastActiveBlock))
      }
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
    let number = read { state in
      state.nextStream += 1
      state.textStreams[state.nextStream] = continuation
      if state.part != nil { continuation.yield(state.presentText) }
      return state.nextStream
    }
    // On another thread: who cancels a task holds a lock of that task, for which a text waits that
    // is told under the lock of the editor.
    continuation.onTermination = { [weak self, work = engine.work] _ in
      work.run { [weak self] in self?.read { state in state.textStreams[number] = nil } }
    }
    return stream
  }

  /// The delegate that is told of changes; held weakly.
  public var delegate: (any EditorDelegate)? {
    get { read { state in state.delegate } }
    set {
      read { state in
        state.delegate = newValue
        // Events that wait for the previous delegate are dropped.
        inbox.removeAll()
      }
    }
  }

  /// The executor on which the delegate is called, from the next event on. The default is the main
  /// actor.
  public var callbackExecutor: CallbackExecutor {
    get { read { state in state.executor } }
    set { read { state in state.executor = newValue } }
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

  /// Makes the calls that a change of the state causes. Do not call under the lock.
  func tell(_ news: EditorNews) {
    for request in news.requests { start(request) }
    for part in news.parts { part.store?.partDidChange(part) }
    for stream in news.streams { stream.wake() }
    for waiter in news.waiters { waiter.end(true) }
    guard inbox.beginDraining() else { return }
    news.executor.run { [weak self, inbox] in
      guard let self else { return inbox.stopDraining() }
      self.drain()
    }
  }

  private func drain() {
    while let event = inbox.take() {
      guard let delegate else { continue }
      Self.calling { tell(event, to: delegate) }
    }
    // Those who wait until all events are delivered look again.
    locked { _ in }
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
    case .historyChanged, .selectedBlockChanged, .selectionChanged, .configurationChanged,
      .scrolled, .hovered, .penAction, .gesture, .viewChanged, .guidesChanged, .redrawNeeded:
      break
    }
  }
}

extension EditorState {
  /// Returns the calls that the changes since the last call cause, and forgets them.
  mutating func takeNews() -> EditorNews {
    collectEvents()
    var news = EditorNews(executor: executor)
    if !changedParts.isEmpty {
      news.parts = changedParts
      changedParts = []
    }
    if !requests.isEmpty {
      news.requests = requests
      requests = []
    }
    if hasNews {
      hasNews = false
      news.streams = eventQueues.compactMap(\.queue)
    }
    if !idleWaiters.isEmpty { news.waiters = takeIdleWaiters() }
    return news
  }

  /// Adds the changes since the last call to the queues.
  ///
  /// Changes of a step that is not finished, such as one of the history, are reported at its end.
  mutating func collectEvents() {
    guard !isChanging else { return }
    if rendering.isWatched { collectInvalidations() }
    var events = pendingEvents
    pendingEvents = []
    if let document = document {
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
        if let part = part, part.store != nil { changedParts.insert(part) }
        document.changes = BlockChanges()
        events.append(changes.event)
      }
    }
    guard !events.isEmpty else { return }
    let hasDelegate = delegate != nil
    for event in events {
      if hasDelegate { inbox.append(event) }
      for stream in eventQueues { stream.queue?.append(event) }
    }
    hasNews = true
  }

  /// Reports a problem once, until its subject has changed.
  mutating func tell(_ notice: EditorNotice, about subject: NoticeKey.Subject = .reading) {
    let key = NoticeKey(block: notice.block, code: notice.code, subject: subject)
    if notices.insert(key).inserted { pendingEvents.append(.notice(notice)) }
  }

  /// Sends the text of a block to the readers of the active text.
  mutating func tellText(of block: BlockNode) {
    guard !textStreams.isEmpty else { return }
    tell(Self.text(of: block))
  }

  mutating func tell(_ text: ActiveText) {
    for stream in textStreams.values { stream.yield(text) }
  }

  static func text(of block: BlockNode) -> ActiveText {
    ActiveText(block: block.id, lines: block.lines.map { $0.runs.flatMap(\.words) })
  }

  /// The text that new readers get first.
  var presentText: ActiveText {
    document?.activeBlock.map(Self.text) ?? ActiveText(block: nil, lines: [])
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
