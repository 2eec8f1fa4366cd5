import Foundation
import InkCore
import Recognition

/// A caller that waits until an editor is idle.
enum IdleWaiter {
  /// A thread, which looks again.
  case thread(DispatchSemaphore)
  case task(CheckedContinuation<Bool, any Error>)

  /// Ends the wait.
  ///
  /// - Parameter isIdle: True if the editor is idle; false after the timeout, or if it is gone.
  func end(_ isIdle: Bool) {
    switch self {
    case .thread(let semaphore): semaphore.signal()
    case .task(let continuation): continuation.resume(returning: isIdle)
    }
  }

  /// Ends the wait of a task that was cancelled.
  func cancel() {
    switch self {
    case .thread(let semaphore): semaphore.signal()
    case .task(let continuation): continuation.resume(throwing: CancellationError())
    }
  }
}

extension Editor {
  // MARK: - Idle

  /// True if nothing that was requested is left to sort or read, so that an export works.
  ///
  /// Ink that waits for a model does not count, nor does ink that waits for ``recognize(again:)``
  /// under the trigger "demand"; see ``unreadCount``. False inside a callback.
  public var isIdle: Bool { !Self.isInsideCallback && read { state in state.isIdle } }

  /// The number of requested strokes and runs of text that are still to be sorted or read; 0 when
  /// idle.
  public var pendingCount: Int {
    read { state in (state.document?.askedCount ?? 0) + state.busyBlocks.count }
  }

  /// The number of strokes and runs of text that are not sorted or read, requested or not: also ink
  /// that waits for a model, or that the model refused. Text that the settings exclude does not
  /// count. An app that exports text asks here whether the text is whole. O(runs).
  public var unreadCount: Int {
    read { state in (state.document?.unreadCount ?? 0) + state.busyBlocks.count }
  }

  /// Waits until the editor is idle. If callbacks run on the engine's threads, also waits until all
  /// events were delivered.
  ///
  /// - Parameter timeout: Seconds, at least 0; nil or infinity to wait without a limit.
  /// - Returns: true if the editor is idle; false after the timeout.
  /// - Throws: ``EditorError/insideCallback`` in code that the editor itself calls, where the wait
  ///   would never end; an invalid argument if the timeout is NaN or below 0.
  @discardableResult
  public func waitUntilIdle(timeout: Double? = nil) throws(EditorError) -> Bool {
    guard !Self.isInsideCallback else { throw .insideCallback }
    let timeout = timeout ?? .infinity
    guard timeout >= 0 else {
      throw .invalidArgument("timeout", expected: "seconds, at least 0", found: "\(timeout)")
    }
    let start = ContinuousClock.now
    let semaphore = DispatchSemaphore(value: 0)
    while true {
      let number = read { state -> Int? in
        if state.isIdle, !(state.executor.isEngines && inbox.isBusy) { return nil }
        return state.wait(.thread(semaphore))
      }
      guard let number else { return true }
      let left = timeout - (ContinuousClock.now - start) / .seconds(1)
      // Waits in slices, because the system's clock may not represent a date far away.
      if left > 0 { _ = semaphore.wait(timeout: .now() + min(left, Self.longestSlice)) }
      read { $0.idleWaiters[number] = nil }
      guard left > 0 else { return false }
    }
  }

  /// The longest slice of a wait, in seconds.
  private static let longestSlice = 3600.0

  /// Suspends until the editor is idle.
  ///
  /// - Parameter timeout: Seconds, at least 0; nil or infinity to wait without a limit.
  /// - Returns: true if the editor is idle; false after the timeout, or if the editor is gone.
  /// - Throws: `CancellationError` if the task is cancelled; ``EditorError`` as in
  ///   ``waitUntilIdle(timeout:)``.
  @discardableResult
  public func becomeIdle(timeout: Double? = nil) async throws -> Bool {
    let timeout = timeout ?? .infinity
    guard timeout >= 0 else {
      throw EditorError.invalidArgument(
        "timeout", expected: "seconds, at least 0", found: "\(timeout)")
    }
    let number = read { $0.makeNumber() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = read { state -> Result<Bool, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isIdle { return .success(true) }
          if timeout == 0 { return .success(false) }
          state.idleWaiters[number] = .task(continuation)
          return nil
        }
        if let outcome { return continuation.resume(with: outcome) }
        guard timeout < Self.longestDelay else { return }
        engine.work.after(milliseconds: timeout * 1000) { [weak self] in
          self?.takeWaiter(number)?.end(false)
        }
      }
    } onCancel: {
      takeWaiter(number)?.cancel()
    }
  }

  /// Seconds above which a timeout is ignored, because the system's timers cannot represent it.
  private static let longestDelay = 1e8

  private func takeWaiter(_ number: Int) -> IdleWaiter? {
    read { $0.idleWaiters.removeValue(forKey: number) }
  }

  /// Sorts and reads all ink now, whatever the trigger.
  ///
  /// - Parameter again: true to also sort and read ink again that was processed before, so that
  ///   changed models or settings apply to it. Types that were set by hand and chosen words stay.
  /// - Throws: ``EditorError/noPart``.
  public func recognize(again: Bool = false) throws(EditorError) {
    try withDocument { (state, document) throws(EditorError) in
      if again {
        state.discardReadings()
        document.requeueDirtyRuns()
        document.sortAgain(all: true)
        document.readAgain()
        document.formulas.forget()
      }
      state.decideOnFormulas(document)
      document.retryWaiting()
      state.cancelDelay()
      document.askForAll()
      state.startReading()
    }
  }

  /// Handles models that appeared or changed.
  func modelsDidChange() {
    locked { state in
      state.notices = state.notices.filter { $0.subject != .reading }
      guard let document = state.document else { return }
      // Pending readings may use the old models.
      state.discardReadings()
      document.requeueDirtyRuns()
      document.sortAgain()
      document.retryWaiting()
      document.formulas.forget()
      state.schedule()
    }
  }

  /// Keys that affect how ink is sorted.
  private static let sortingKeys: Set<String> = [
    "raw-content.classification.types", "raw-content.configuration.shapes",
  ]
  private static let readingKeys: Set<String> = ["raw-content.recognition.types"]

  /// Handles settings that changed here or on the engine.
  func configurationDidChange(_ keys: [String]) {
    locked { state in
      state.notices = state.notices.filter { notice in
        guard case .setting(let key) = notice.subject else { return true }
        return !keys.contains(key)
      }
      state.pendingEvents.append(.configurationChanged(keys: keys))
      if keys.contains(where: { $0.hasPrefix("text.guides.") || $0.hasPrefix("text.margin.") }) {
        state.refreshGuides(evenIfSame: false)
      }
      if keys.contains("text.block-gap") {
        state.document?.blockGap = state.number("text.block-gap")
      }
      if keys.contains(where: { $0.hasPrefix("math.") }) {
        state.document?.formulas.forget()
        state.schedule()
      }
      guard let document = state.document, document.type.rootType.holdsShapes else { return }
      if !Self.sortingKeys.isDisjoint(with: keys) {
        document.sortAgain(all: true)
        document.retryWaiting()
        state.schedule()
      } else if !Self.readingKeys.isDisjoint(with: keys) {
        document.retryWaiting()
        state.schedule()
      }
    }
  }

  // MARK: - Work

  private enum Job {
    case classify(RawContentJob)
    case findKinds(PageKindsJob)
    case findStructure(TextStructureJob)
    case read(ReadJob)
    case readFormula(FormulaJob)
  }

  /// Sorts and reads the requested ink until nothing is left.
  private func work() {
    while let job = nextJob() {
      switch job {
      case .classify(let job): classify(job)
      case .findKinds(let job): findKinds(job)
      case .findStructure(let job): findStructure(job)
      case .read(let job): read(job)
      case .readFormula(let job): read(job)
      }
    }
  }

  /// Returns the next job; nil ends the thread.
  private func nextJob() -> Job? {
    locked { state -> Job? in
      if let document = state.document {
        if !state.isClassifying, let job = state.rawContentJob(document) {
          state.isClassifying = true
          return .classify(job)
        }
        if let job = state.readJob(document) {
          state.busyBlocks.insert(job.block)
          // Another thread may read another block.
          state.startReading()
          return .read(job)
        }
        if let job = state.formulaJob(document) { return .readFormula(job) }
        // The readings come first: most of them stay.
        if !state.isClassifying, let job = state.kindsJob(document) {
          state.isClassifying = true
          return .findKinds(job)
        }
        if !state.isClassifying, let job = state.structureJob(document) {
          state.isClassifying = true
          return .findStructure(job)
        }
      }
      state.workers -= 1
      return nil
    }
  }

  /// Starts work that a change of the state requested.
  func start(_ request: WorkRequest) {
    switch request {
    case .read: engine.work.run { self.work() }
    case .readLater(let milliseconds, let pass):
      engine.work.after(milliseconds: milliseconds) { [weak self] in
        self?.locked { $0.beginPass(pass) }
      }
    case .finalize(let stroke, let milliseconds):
      engine.work.after(milliseconds: milliseconds) { [weak self] in
        self?.locked { $0.endUpdates(of: stroke) }
      }
    case .ask(let executor):
      executor.run { [weak self] in self?.askAboutGestures() }
    case .endQuestion(let stroke, let milliseconds):
      engine.work.after(milliseconds: milliseconds) { [weak self] in
        self?.endQuestion(about: stroke)
      }
    case .longPress(let number, let milliseconds):
      engine.work.after(milliseconds: milliseconds) { [weak self] in
        self?.locked { $0.endHold(number) }
      }
    }
  }
}

extension EditorState {
  var isIdle: Bool {
    workers == 0 && !delayIsPending && pending.isEmpty && !(document?.hasAskedInk ?? false)
  }

  /// Removes and returns the waiters whose wait is over.
  mutating func takeIdleWaiters() -> [IdleWaiter] {
    guard isIdle, !idleWaiters.isEmpty else { return [] }
    defer { idleWaiters = [:] }
    return Array(idleWaiters.values)
  }

  /// Starts recognition as the trigger demands after a change of ink.
  mutating func schedule() {
    needsSchedule = isChanging
    guard !isChanging, let document = document else { return }
    decideOnFormulas(document)
    switch string("recognition.trigger") {
    case "demand": cancelDelay()
    case "idle":
      if document.hasUnreadInk || document.pageMayHaveChanged {
        startDelay(number("recognition.idle-delay"))
      }
    default:
      cancelDelay()
      document.askForAll()
      // Ink that has moved or was pasted is not read again, but may be in other lines.
      startReading(looksAtPage: true)
    }
    startReading()
  }

  /// Starts threads for the requested ink.
  ///
  /// - Parameter looksAtPage: True to start one if only the page as a whole may have changed.
  mutating func startReading(looksAtPage: Bool = false) {
    guard let document,
      document.hasAskedInk || looksAtPage && workers == 0 && document.pageMayHaveChanged
    else { return }
    let limit = Int(number("max-recognition-thread-count"))
    guard workers < limit else { return }
    workers += 1
    requests.append(.read)
  }

  mutating func cancelDelay() {
    delayedPass += 1
    delayIsPending = false
  }

  mutating func startDelay(_ milliseconds: Double) {
    delayedPass += 1
    delayIsPending = true
    requests.append(.readLater(milliseconds: milliseconds, pass: delayedPass))
  }

  /// Begins a delayed pass, unless another one is due by now.
  mutating func beginPass(_ number: Int) {
    guard number == delayedPass else { return }
    delayIsPending = false
    document?.askForAll()
    startReading(looksAtPage: true)
  }

  /// Ends the wait for updates of a pen's stroke.
  mutating func endUpdates(of stroke: Int) {
    input.assembler.finalize(stroke: stroke)
    _ = input.assembler.takeFinished()
    input.forget(.pen(stroke))
  }

  /// Returns a number that no other waiter or stream has.
  mutating func makeNumber() -> Int {
    nextStream += 1
    return nextStream
  }

  /// Adds a waiter, and returns its number.
  mutating func wait(_ waiter: IdleWaiter) -> Int {
    let number = makeNumber()
    idleWaiters[number] = waiter
    return number
  }
}
