import Foundation
import InkCore
import Recognition

extension Editor {
  // MARK: - Idle

  /// Whether all ink is recognised that can be and is asked for, and everything was told.
  ///
  /// Ink that waits for a model, or for ``recognize()`` where the trigger is "demand", does not
  /// count.
  public var isIdle: Bool { condition.withLock { lockedIsIdle } }

  private var lockedIsIdle: Bool { !passIsActive && !delayIsPending }

  /// Waits until the editor is idle.
  ///
  /// - Parameter timeout: Seconds, or nil for as long as it takes.
  /// - Returns: Whether it is idle, and not the time over.
  /// - Throws: ``EditorError/insideCallback`` in a callback of an editor, where waiting would never
  ///   end.
  @discardableResult
  public func waitUntilIdle(timeout: Double? = nil) throws(EditorError) -> Bool {
    guard !Self.isInsideCallback else { throw .insideCallback }
    condition.lock()
    defer { condition.unlock() }
    let end = timeout.map { Date(timeIntervalSinceNow: $0) }
    while !lockedIsIdle {
      if let end {
        guard condition.wait(until: end) else { return lockedIsIdle }
      } else {
        condition.wait()
      }
    }
    return true
  }

  /// Suspends until the editor is idle.
  public func becomeIdle() async {
    await withCheckedContinuation { continuation in
      let isIdle = condition.withLock {
        if !lockedIsIdle { idleWaiters.append(continuation) }
        return lockedIsIdle
      }
      if isIdle { continuation.resume() }
    }
  }

  /// Recognises all ink now, whatever the trigger.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func recognize() throws(EditorError) {
    try withDocument { (document) throws(EditorError) in
      document.retryWaiting()
      schedule(force: true)
    }
  }

  /// Models appeared or changed.
  func retryWaitingInk() {
    condition.withLock {
      notices = []
      guard let document = lockedDocument else { return }
      // Pending readings may use the old models.
      discardReadings()
      document.requeueDirtyRuns()
      document.retryWaiting()
      schedule(force: true)
    }
  }

  // MARK: - Triggers; under the lock

  /// Starts what the trigger says after a change of ink.
  func schedule(force: Bool = false) {
    let trigger = (try? configuration.string("recognition.trigger")) ?? "stroke"
    waitsForDemand = !force && trigger == "demand"
    if waitsForDemand {
      guard delayIsPending else { return }
      cancelDelay()
      startPass()
    } else if !force, trigger == "idle" {
      startDelay((try? configuration.number("recognition.idle-delay")) ?? 500)
    } else {
      cancelDelay()
      startPass()
    }
  }

  /// After a change of ink that may be under recognition: what was asked for goes on.
  func scheduleAgain() {
    schedule(force: passIsActive && !waitsForDemand && !delayIsPending)
  }

  private func startPass() {
    guard !passIsActive else { return }
    passIsActive = true
    let limit = (try? configuration.number("max-recognition-thread-count")) ?? 1
    engine.work.setLimit(Int(limit))
    engine.work.run { self.runPass() }
  }

  /// Tells what undoing changed; ink that is not recognised yet waits for what the trigger waits for.
  func tellOfTravel(_ document: Document) {
    let trigger = (try? configuration.string("recognition.trigger")) ?? "stroke"
    waitsForDemand = trigger == "demand" && document.hasUnreadInk
    if trigger != "idle" { cancelDelay() }
    document.activeBlock.map(tellText)
    startPass()
  }

  private func cancelDelay() {
    delayedPass += 1
    delayIsPending = false
  }

  private func startDelay(_ milliseconds: Double) {
    delayedPass += 1
    delayIsPending = true
    let number = delayedPass
    engine.work.after(milliseconds: milliseconds) { [weak self] in
      guard let self else { return }
      self.condition.withLock {
        guard number == self.delayedPass else { return }
        self.delayIsPending = false
        self.startPass()
      }
    }
  }

  // MARK: - The pass

  private enum Job {
    case deliver([EditorEvent])
    case classify(RawContentJob)
    case read(ReadJob)
  }

  private func runPass() {
    while let job = nextJob() {
      switch job {
      case .deliver(let events): deliver(events)
      case .classify(let job): classify(job)
      case .read(let job): read(job)
      }
    }
  }

  /// What is to be done next; nil at the end of the pass.
  private func nextJob() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    // Ink that came while a pass was under way waits where the trigger says so.
    let waits = waitsForDemand || delayIsPending
    if let document = lockedDocument {
      if document.type == .text {
        for item in document.takeUnsorted(.max) { document.placeText(item) }
      } else if !waits, let job = rawContentJob(document) {
        return .classify(job)
      }
    }
    let events = takeEvents()
    if !events.isEmpty { return .deliver(events) }
    if !waits, let document = lockedDocument, let job = readJob(document) { return .read(job) }
    passIsActive = false
    guard lockedIsIdle else { return nil }
    condition.broadcast()
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
    return nil
  }

  private func takeEvents() -> [EditorEvent] {
    var events = pendingEvents
    pendingEvents = []
    guard let document = lockedDocument else { return events }
    let changes = document.changes
    if !changes.isEmpty {
      document.changes = BlockChanges()
      events.append(
        .contentChanged(
          added: changes.added, removed: changes.removed, updated: changes.updated))
    }
    if document.activeBlock?.id != lastActiveBlock {
      lastActiveBlock = document.activeBlock?.id
      events.append(.activeBlockChanged(lastActiveBlock))
    }
    return events
  }

  // MARK: - Reading text

  /// A run to read, as it is now.
  private struct ReadJob {
    var generation: Int
    var key: Document.TextRunKey
    var block: String
    var items: [Int]
    var ink: Ink
    var context: RecognitionContext
    var reader: Result<TextReaderKey, EditorNotice>
    var candidates: Int
  }

  private func readJob(_ document: Document) -> ReadJob? {
    while let (run, line) = document.takeDirtyRun() {
      guard document.type == .text || recognizesText else {
        run.state = .waiting
        continue
      }
      return ReadJob(
        generation: readingGeneration, key: .init(run: run.id, version: run.version),
        block: line.block.id, items: run.items,
        ink: Ink(
          strokes: run.items.compactMap { document.strokes[$0] }.map { Stroke(points: $0.points) }),
        context: context(of: run, in: line, document),
        reader: readerKey(document, block: line.block.id),
        candidates: Int((try? configuration.number("recognition.candidates")) ?? 10))
    }
    return nil
  }

  private func readerKey(
    _ document: Document, block: String
  ) -> Result<TextReaderKey, EditorNotice> {
    do throws(ConfigurationError) {
      let text = document.textConfiguration ?? TextConfiguration(bundle: "", name: "")
      return .success(
        TextReaderKey(
          bundle: text.bundle, name: text.name,
          alphabet: try configuration.string("recognition.alphabet"),
          lexicon: try configuration.strings("recognition.lexicon")))
    } catch {
      return .failure(
        EditorNotice(block: block, code: .invalidConfiguration, message: error.description))
    }
  }

  private func context(
    of run: TextRun, in line: TextLine, _ document: Document
  ) -> RecognitionContext {
    let usesText = (try? configuration.boolean("recognition.pre-context")) ?? true
    return RecognitionContext(
      preContext: usesText ? document.text(before: run, in: line) : "",
      writingArea: writingArea(of: line, document), layout: .line)
  }

  /// The guide that a line stands on, or else an estimate from its ink.
  private func writingArea(of line: TextLine, _ document: Document) -> WritingArea? {
    let source = (try? configuration.string("recognition.writing-area")) ?? "auto"
    guard source != "none" else { return nil }
    if document.type == .text, source != "estimate",
      (try? configuration.boolean("text.guides.enable")) ?? false
    {
      return guide(of: line)
    }
    return WritingArea.estimate(
      of: Ink(
        strokes: line.items.compactMap { document.strokes[$0] }.map { Stroke(points: $0.points) }))
  }

  private func guide(of line: TextLine) -> WritingArea? {
    guard let size = viewSizeValue,
      let spacing = try? configuration.number("text.guides.spacing"),
      let left = try? configuration.number("text.margin.left"),
      let right = try? configuration.number("text.margin.right"),
      let top = try? configuration.number("text.margin.top")
    else { return nil }
    let width = max(transform.document(x: size.width, y: 0).x - left - right, spacing)
    let middle = line.shape.centre(at: line.box.midX, height: line.box.height)
    let row = ((middle - top) / spacing).rounded(.down)
    return try? WritingArea(x: left, y: top + row * spacing, width: width, height: spacing)
  }

  private func read(_ job: ReadJob) {
    let outcome: Result<[TextWord], EditorNotice>
    switch job.reader {
    case .failure(let notice): outcome = .failure(notice)
    case .success(let key): outcome = words(job, key)
    }
    condition.lock()
    defer { condition.unlock() }
    guard readingGeneration == job.generation, let document = lockedDocument,
      let (run, line) = document.unchanged(job.key)
    else { return }
    switch outcome {
    case .success(let words):
      run.take(words)
      notices = notices.filter { !$0.hasPrefix(job.block + " ") }
      document.changes.update(line.block)
      if line.block === document.activeBlock { tellText(of: line.block) }
    case .failure(let notice):
      run.state = .waiting
      tell(notice)
    }
  }

  private func words(
    _ job: ReadJob, _ key: TextReaderKey
  ) -> Result<[TextWord], EditorNotice> {
    let recognizer: any Recognizer
    do {
      recognizer = try engine.readers.recognizer(key, models: engine.models)
    } catch {
      return .failure(
        EditorNotice(
          block: job.block,
          code: Self.isConfiguration(error) ? .invalidConfiguration : .modelNotFound,
          message: "\(error)"))
    }
    do {
      let result = try recognizer.recognize(
        job.ink, context: job.context, maximumCandidates: job.candidates)
      return .success(WordBuilder(items: job.items, ink: job.ink).words(of: result.candidates))
    } catch {
      return .failure(
        EditorNotice(block: job.block, code: .inkRejected, message: "\(error)"))
    }
  }

  /// Tells of trouble with a block once, until the block is recognised.
  func tell(_ notice: EditorNotice) {
    if notices.insert("\(notice.block) \(notice.code.rawValue)").inserted {
      pendingEvents.append(.notice(notice))
    }
  }

  /// Feeds those who follow the block written in.
  func tellText(of block: BlockNode) {
    guard !textStreams.isEmpty else { return }
    tell(ActiveText(block: block.id, lines: block.lines.map { $0.runs.flatMap(\.words) }))
  }

  func tell(_ text: ActiveText) {
    for stream in textStreams.values { stream.yield(text) }
  }
}
