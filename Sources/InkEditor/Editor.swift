import Foundation
import InkCore
import PenInput

/// Converts pointer events to a document: ink, text with candidates, shapes.
///
/// Three things are independent: every change is reported at once; reading begins as the key
/// `recognition.trigger` says; and the editor is idle when no requested ink is left to read, so
/// that an export works. Reading runs on the engine's threads, and the delegate is called on the
/// ``callbackExecutor``. Every call except ``waitUntilIdle(timeout:)`` returns at once.
/// Thread-safe.
public final class Editor: @unchecked Sendable {
  // Unchecked because the condition guards all mutable members. Under it, no code of the host runs
  // and no file is accessed.

  /// The engine that made the editor.
  public let engine: Engine
  /// The settings of this editor; keys that are not set here follow those of the engine.
  public let configuration: Configuration
  /// The tools of the types of pointers.
  public let tools: ToolController

  let condition = NSCondition()
  private var partValue: ContentPart?
  private var metrics: (any FontMetrics)?
  weak var delegateValue: (any EditorDelegate)?
  var executor = CallbackExecutor.main
  var transform = ViewTransform.standard
  var viewSizeValue: (width: Double, height: Double)?
  var pointers: [ActivePointer] = []
  var assembler = StrokeAssembler()
  var penStrokes: [Int: PenStroke] = [:]
  var clock = InputClock()
  var palms = PalmRejection()
  var penActions = PenActionState()
  var hover: HoverEvent?
  var maximumForce: Double?
  /// The block that the hand tool moves.
  var selectedBlock: String?
  /// The style sheet, the limits of the view, and what is to be drawn again.
  var rendering = RenderState()
  /// The number of parts that have been set.
  private(set) var generation = 0
  /// The number of changes that made pending recognition invalid; its results are dropped.
  private(set) var readingGeneration = 0
  /// True while a step of the history is being made.
  var isChanging = false
  /// The number of threads that read for this editor, or are about to.
  var workers = 0
  /// True while a thread finds shapes.
  var isClassifying = false
  /// Blocks that have a run being read.
  var busyBlocks: Set<String> = []
  /// The number of the delayed pass of recognition that is due.
  var delayedPass = 0
  var delayIsPending = false
  /// True if the trigger must be checked at the end of the current change.
  var needsSchedule = false
  var pendingEvents: [EditorEvent] = []
  /// The parts whose packages are to be told of a change.
  var changedParts: Set<ContentPart> = []
  /// True if there are new events whose readers were not woken yet.
  var hasNews = false
  var lastActiveBlock: String?
  /// The numbers of changes that were reported last.
  var lastHistory = HistoryCounts()
  /// The notices that were sent, so that none is sent twice.
  var notices: Set<NoticeKey> = []
  /// The events that wait for the delegate.
  let inbox = EventQueue()
  var eventQueues: [WeakEventQueue] = []
  var textStreams: [Int: AsyncStream<ActiveText>.Continuation] = [:]
  var nextStream = 0
  var idleWaiters: [Int: IdleWaiter] = [:]
  /// The reference to this editor that handles of blocks share.
  private(set) lazy var reference = EditorReference(self)

  init(engine: Engine, tools: ToolController) {
    self.engine = engine
    self.tools = tools
    configuration = Configuration(parent: engine.configuration)
    _ = reference
    configuration.setObserver { [weak self] keys in self?.configurationDidChange(keys) }
  }

  deinit {
    for stream in textStreams.values { stream.finish() }
    for stream in eventQueues { stream.queue?.finish() }
    for waiter in idleWaiters.values { waiter.continuation.resume(returning: false) }
  }

  // MARK: - View

  /// The sizes of printed text in the host's fonts; nil for ``DefaultFontMetrics``.
  public var fontMetrics: (any FontMetrics)? {
    get { condition.withLock { metrics } }
    set { condition.withLock { metrics = newValue } }
  }

  /// The transform between pixels and millimetres for the next events. Each sample of a stroke
  /// keeps the transform of its time; see also ``viewState``.
  public var viewTransform: ViewTransform {
    get { condition.withLock { transform } }
    set { changeView { $0.transform = newValue } }
  }

  /// Sets the size of the view in pixels; needed before a part is set.
  ///
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)``.
  public func setViewSize(width: Double, height: Double) throws(EditorError) {
    guard width.isFinite, height.isFinite, width > 0, height > 0 else {
      throw .invalidArgument(
        "view size", expected: "finite numbers above 0", found: "\(width) x \(height)")
    }
    changeView { ($0.width, $0.height) = (width, height) }
  }

  /// The size of the view in pixels, or nil if it is not known yet.
  public var viewSize: (width: Double, height: Double)? {
    condition.withLock { viewSizeValue }
  }

  // MARK: - Part

  /// The part that is set, or nil.
  public var part: ContentPart? { condition.withLock { partValue } }

  /// Sets a part, or none. The previous part keeps its content.
  ///
  /// The keys `text.configuration.bundle` and `text.configuration.name` are read when a part is set
  /// for the first time on any editor. The part keeps their values.
  ///
  /// - Throws: ``EditorError`` if the view size is missing, the part is set on another editor or
  ///   cannot be loaded, the configuration is unknown, or a pointer is down. Nothing has changed
  ///   then.
  public func setPart(_ part: ContentPart?) throws(EditorError) {
    if let missing = condition.withLock({ missing(for: part) }) { throw missing }
    if let part {
      guard part.engine === engine else {
        throw .invalidArgument("part", expected: "a part of the same engine", found: "another")
      }
      try part.load()
      let text = try textConfiguration(for: part)
      try bind(part)
      try swapPart(part, text)
    } else {
      try swapPart(nil, nil)
    }
  }

  /// Returns the reason why a part cannot be set, or nil. Call under the lock.
  private func missing(for part: ContentPart?) -> EditorError? {
    if isWriting { return .pointerIsDown }
    guard part != nil else { return nil }
    if viewSizeValue == nil { return .viewSizeNotSet }
    return nil
  }

  /// Claims a part that has no editor.
  private func bind(_ part: ContentPart) throws(EditorError) {
    let problem = engine.lock.withLock { () -> EditorError? in
      guard part.owner == nil else { return .partAlreadyBound }
      guard !part.isInvalid else { return .invalidPart }
      part.owner = self
      return nil
    }
    if let problem { throw problem }
  }

  private func release(_ part: ContentPart) {
    engine.lock.withLock { if part.owner === self { part.owner = nil } }
  }

  private func swapPart(
    _ part: ContentPart?, _ text: TextConfiguration?
  ) throws(EditorError) {
    condition.lock()
    // A pointer may have come down in the meantime.
    if let missing = missing(for: part) {
      condition.unlock()
      part.map(release)
      throw missing
    }
    if let part, part.document.textConfiguration == nil {
      part.document.textConfiguration = text
      engine.lock.withLock { part.knownConfiguration = text }
    }
    let old = partValue
    partValue = part
    generation += 1
    discardReadings()
    notices = []
    selectedBlock = nil
    lastActiveBlock = part?.document.activeBlock?.id
    partWillBeDrawn(part?.document, instead: old?.document)
    // A pending reading belongs to the old part: it is requested again when the part returns.
    old?.document.requeueDirtyRuns()
    old?.document.changes = BlockChanges()
    pendingEvents.append(.partChanged(old: old, new: part))
    if let part {
      part.document.changes = BlockChanges()
      pendingEvents.append(.activeBlockChanged(lastActiveBlock))
      pendingEvents.append(
        .contentChanged(added: part.document.blockIDs, removed: [], updated: []))
    }
    tell(presentText)
    schedule()
    collectEvents()
    condition.unlock()
    old.map(release)
    tellNews()
  }

  private func textConfiguration(
    for part: ContentPart
  ) throws(EditorError) -> TextConfiguration? {
    guard let section = part.type.section else { return nil }
    if let known = part.engine.lock.withLock({ part.knownConfiguration }) { return known }
    var result: TextConfiguration
    let folders: [String]
    do {
      result = TextConfiguration(
        bundle: try configuration.string("\(section).configuration.bundle"),
        name: try configuration.string("\(section).configuration.name"))
      folders = try configuration.strings("configuration-manager.search-path")
    } catch {
      throw .configuration(error)
    }
    if let description = try BundleDescription.find(result.bundle, in: folders) {
      guard let found = try description.configuration(result.name, bundle: result.bundle) else {
        throw .configurationNotFound(bundle: result.bundle, name: result.name)
      }
      result = found
    }
    let (bundle, name) = result.source
    let models = engine.models
    let found = Self.calling { models.configuration(bundle: bundle, name: name) }
    switch found {
    case .found: return result
    case .unknownBundle: throw .bundleNotFound(bundle)
    case .unknownName: throw .configurationNotFound(bundle: bundle, name: name)
    }
  }

  /// Removes all ink.
  ///
  /// - Throws: ``EditorError/noPart`` or ``EditorError/pointerIsDown``.
  public func clear() throws(EditorError) {
    try withDocument { (document) throws(EditorError) in
      guard !isWriting else { throw .pointerIsDown }
      change(document) { document.remove(Set(document.order)) }
      schedule()
    }
  }

  /// True if the part has no ink, or there is no part.
  public var isEmpty: Bool {
    condition.withLock { partValue?.document.isEmpty ?? true }
  }

  // MARK: - Lock

  /// Runs a body on the document of the part, under the lock, and reports what it changed.
  func withDocument<Value>(
    _ body: (Document) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    let result: Result<Value, EditorError>
    condition.lock()
    do throws(EditorError) {
      guard let document = partValue?.document else { throw .noPart }
      result = .success(try body(document))
    } catch {
      result = .failure(error)
    }
    collectEvents()
    condition.unlock()
    tellNews()
    return try result.get()
  }

  /// Runs a body under the lock, and reports what it changed.
  func locked<Value>(_ body: () -> Value) -> Value {
    condition.lock()
    let result = body()
    collectEvents()
    condition.unlock()
    tellNews()
    return result
  }

  /// Discards pending recognition. Call under the lock.
  func discardReadings() { readingGeneration += 1 }

  /// The document. Call under the lock.
  var lockedDocument: Document? { partValue?.document }

  /// The part. Use under the lock.
  var lockedPart: ContentPart? { partValue }
}

/// A weak reference to an editor.
final class EditorReference: @unchecked Sendable {
  // Unchecked because the reference is set once, and reading a weak reference is atomic.
  weak var editor: Editor?

  init(_ editor: Editor) { self.editor = editor }
}
