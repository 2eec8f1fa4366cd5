import Foundation
import InkCore
import Recognition

/// A caller that waits until an editor is idle.
struct IdleWaiter {
  let continuation: CheckedContinuation<Bool, any Error>
}

extension Editor {
  // MARK: - Idle

  /// True if nothing that was requested is left to sort or read, so that an export works.
  ///
  /// Ink that waits for a model does not count, nor does ink that waits for ``recognize(again:)``
  /// under the trigger "demand"; see ``unreadCount``. False inside a callback.
  public var isIdle: Bool { !Self.isInsideCallback && condition.withLock { lockedIsIdle } }

  /// The number of requested strokes and runs of text that are still to be sorted or read; 0 when
  /// idle.
  public var pendingCount: Int {
    condition.withLock { (lockedDocument?.askedCount ?? 0) + busyBlocks.count }
  }

  /// The number of strokes and runs of text that are not sorted or read, requested or not: also ink
  /// that waits for a model, or that the model refused. Text that the settings exclude does not
  /// count. An app that exports text asks here whether the text is whole. O(runs).
  public var unreadCount: Int {
    condition.withLock { (lockedDocument?.unreadCount ?? 0) + busyBlocks.count }
  }

  /// Under the lock.
  var lockedIsIdle: Bool {
    workers == 0 && !delayIsPending && !(lockedDocument?.hasAskedInk ?? false)
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
    condition.lock()
    defer { condition.unlock() }
    while !lockedIsIdle || (executor.isEngines && inbox.isBusy) {
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      guard elapsed < timeout else { return false }
      // Waits in slices, because the system's clock may not represent a date far away.
      let slice = min(timeout - elapsed, Self.longestSlice)
      _ = condition.wait(until: Date(timeIntervalSinceNow: slice))
    }
    return true
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
    let number = condition.withLock {
      nextStream += 1
      return nextStream
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = condition.withLock { () -> Result<Bool, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if lockedIsIdle { return .success(true) }
          if timeout == 0 { return .success(false) }
          idleWaiters[number] = IdleWaiter(continuation: continuation)
          return nil
        }
        if let outcome { return continuation.resume(with: outcome) }
        guard timeout < Self.longestDelay else { return }
        engine.work.after(milliseconds: timeout * 1000) { [weak self] in
          self?.endWait(number, .success(false))
        }
      }
    } onCancel: {
      endWait(number, .failure(CancellationError()))
    }
  }

  /// Seconds above which a timeout is ignored, because the system's timers cannot represent it.
  private static let longestDelay = 1e8

  private func endWait(_ number: Int, _ result: Result<Bool, any Error>) {
    let waiter = condition.withLock { idleWaiters.removeValue(forKey: number) }
    waiter?.continuation.resume(with: result)
  }

  /// Removes and returns the waiters whose wait is over. Call under the lock.
  func takeIdleWaiters() -> [IdleWaiter] {
    guard lockedIsIdle, !idleWaiters.isEmpty else { return [] }
    defer { idleWaiters = [:] }
    return Array(idleWaiters.values)
  }

  /// Sorts and reads all ink now, whatever the trigger.
  ///
  /// - Parameter again: true to also sort and read ink again that was processed before, so that
  ///   changed models or settings apply to it. Types that were set by hand and chosen words stay.
  /// - Throws: ``EditorError/noPart``.
  public func recognize(again: Bool = false) throws(EditorError) {
    try withDocument { (document) throws(EditorError) in
      if document.type == .math { tell(Self.mathIsNotRead) }
      if again {
        discardReadings()
        document.requeueDirtyRuns()
        document.sortAgain(all: true)
        document.readAgain()
      }
      document.retryWaiting()
      cancelDelay()
      document.askForAll()
      startReading()
    }
  }

  private static let mathIsNotRead = EditorNotice(
    block: "0", code: .notReadable,
    message: "math is kept as ink and cannot be read yet; export it as JIIX")

  /// Handles models that appeared or changed.
  func modelsDidChange() {
    locked {
      notices = notices.filter { $0.subject != .reading }
      guard let document = lockedDocument else { return }
      // Pending readings may use the old models.
      discardReadings()
      document.requeueDirtyRuns()
      document.sortAgain()
      document.retryWaiting()
      schedule()
    }
  }

  /// Keys that affect how ink is sorted.
  private static let sortingKeys: Set<String> = [
    "raw-content.classification.types", "raw-content.configuration.shapes",
  ]
  private static let readingKeys: Set<String> = ["raw-content.recognition.types"]

  /// Handles settings that changed here or on the engine.
  func configurationDidChange(_ keys: [String]) {
    locked {
      notices = notices.filter { notice in
        guard case .setting(let key) = notice.subject else { return true }
        return !keys.contains(key)
      }
      pendingEvents.append(.configurationChanged(keys: keys))
      if keys.contains(where: { $0.hasPrefix("text.guides.") || $0.hasPrefix("text.margin.") }) {
        refreshGuides(evenIfSame: false)
      }
      guard let document = lockedDocument, document.type.rootType.holdsShapes else { return }
      if !Self.sortingKeys.isDisjoint(with: keys) {
        document.sortAgain(all: true)
        document.retryWaiting()
        schedule()
      } else if !Self.readingKeys.isDisjoint(with: keys) {
        document.retryWaiting()
        schedule()
      }
    }
  }

  // MARK: - Triggers; under the lock

  /// Starts recognition as the trigger demands after a change of ink.
  func schedule() {
    needsSchedule = isChanging
    guard !isChanging, let document = lockedDocument else { return }
    switch string("recognition.trigger") {
    case "demand": cancelDelay()
    case "idle":
      if document.hasUnreadInk { startDelay(number("recognition.idle-delay")) }
    default:
      cancelDelay()
      document.askForAll()
    }
    startReading()
  }

  /// Starts threads for the requested ink.
  private func startReading() {
    guard let document = lockedDocument, document.hasAskedInk else { return }
    let limit = Int(number("max-recognition-thread-count"))
    guard workers < limit else { return }
    workers += 1
    engine.work.run { self.work() }
  }

  func cancelDelay() {
    delayedPass += 1
    delayIsPending = false
  }

  private func startDelay(_ milliseconds: Double) {
    delayedPass += 1
    delayIsPending = true
    let number = delayedPass
    engine.work.after(milliseconds: milliseconds) { [weak self] in
      guard let self else { return }
      self.locked {
        guard number == self.delayedPass else { return }
        self.delayIsPending = false
        self.lockedDocument?.askForAll()
        self.startReading()
        self.condition.broadcast()
      }
    }
  }

  // MARK: - Work

  private enum Job {
    case classify(RawContentJob)
    case read(ReadJob)
  }

  /// Sorts and reads the requested ink until nothing is left.
  private func work() {
    while let job = nextJob() {
      switch job {
      case .classify(let job): classify(job)
      case .read(let job): read(job)
      }
    }
  }

  /// Returns the next job; nil ends the thread.
  private func nextJob() -> Job? {
    let job = locked { () -> Job? in
      if let document = lockedDocument {
        if !isClassifying, let job = rawContentJob(document) {
          isClassifying = true
          return .classify(job)
        }
        if let job = readJob(document) {
          busyBlocks.insert(job.block)
          // Another thread may read another block.
          startReading()
          return .read(job)
        }
      }
      workers -= 1
      if lockedIsIdle { condition.broadcast() }
      return nil
    }
    return job
  }
}
