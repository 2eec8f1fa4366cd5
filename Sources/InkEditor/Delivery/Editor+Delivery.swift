import Foundation

extension Editor {
  /// The present state, and then the changes. Each call gives a stream of its own, which ends with
  /// the editor.
  ///
  /// It begins with the part, the block written in and all blocks, where there are any. Changes of
  /// content that are not read yet are merged into one; no other event is lost.
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

  /// The text of the block written in, now and whenever it is read anew or another block or part is
  /// written in; the newest only. Ends with the editor.
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

  /// Who is told of changes; held weakly.
  public var delegate: (any EditorDelegate)? {
    get { condition.withLock { delegateValue } }
    set {
      condition.withLock {
        delegateValue = newValue
        // What was to be told to the one before is not told to another.
        inbox.removeAll()
      }
    }
  }

  /// Where the delegate is called, from the next event on: on the main actor unless set.
  public var callbackExecutor: CallbackExecutor {
    get { condition.withLock { executor } }
    set { condition.withLock { executor = newValue } }
  }

  // MARK: - Callbacks

  private static let callbackKey = "ductus.editor.callback"

  /// Whether the calling thread is inside code of the host that the editor waits for: a callback, a
  /// recogniser, a look-up of a model.
  static var isInsideCallback: Bool {
    Thread.current.threadDictionary[callbackKey] != nil
  }

  /// Runs code of the host; not under the lock.
  static func calling<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let dictionary = Thread.current.threadDictionary
    let isOuter = dictionary[callbackKey] == nil
    dictionary[callbackKey] = true
    defer { if isOuter { dictionary.removeObject(forKey: callbackKey) } }
    return try body()
  }

  // MARK: - Telling

  /// Adds what is to be told since the last time to the queues; under the lock.
  ///
  /// What is under way, such as a step of the history, is told at its end.
  func collectEvents() {
    guard !isChanging else { return }
    var events = pendingEvents
    pendingEvents = []
    if let document = lockedDocument {
      let changes = document.changes
      let hasOtherActive = document.activeBlock?.id != lastActiveBlock
      if changes.isEmpty, !hasOtherActive, events.isEmpty { return }
      if hasOtherActive {
        lastActiveBlock = document.activeBlock?.id
        events.append(.activeBlockChanged(lastActiveBlock))
      }
      if !changes.isEmpty {
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

  /// Wakes those who are told; not under the lock.
  func tellNews() {
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
    case .selectedBlockChanged, .configurationChanged, .scrolled, .hovered, .penAction:
      break
    }
  }

  /// Tells of trouble with a block once, until the block is recognised; under the lock.
  func tell(_ notice: EditorNotice, key: String = "") {
    if notices.insert("\(notice.block) \(notice.code.rawValue) \(key)").inserted {
      pendingEvents.append(.notice(notice))
    }
  }

  /// Feeds those who follow the block written in; under the lock.
  func tellText(of block: BlockNode) {
    guard !textStreams.isEmpty else { return }
    tell(Self.text(of: block))
  }

  /// Under the lock.
  func tell(_ text: ActiveText) {
    for stream in textStreams.values { stream.yield(text) }
  }

  private static func text(of block: BlockNode) -> ActiveText {
    ActiveText(block: block.id, lines: block.lines.map { $0.runs.flatMap(\.words) })
  }

  /// What those see who begin to follow now; under the lock.
  var presentText: ActiveText {
    lockedDocument?.activeBlock.map(Self.text) ?? ActiveText(block: nil, lines: [])
  }
}

/// A stream of events that someone may still read.
struct WeakEventQueue {
  weak var queue: EventQueue?
}
