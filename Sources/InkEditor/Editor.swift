import Foundation
import InkCore
import PenInput

/// Converts pointer events to a document: ink, text with candidates, shapes.
///
/// Thread-safe. Recognition runs on the engine's threads; delegates are called there, one call at a
/// time. Every call returns at once but ``waitUntilIdle(timeout:)``.
///
///     try editor.pointerDown(x: 20, y: 30)
///     try editor.pointerMove(x: 21, y: 34)
///     try editor.pointerUp(x: 22, y: 38)
///     try await editor.becomeIdle()
///     print(try editor.export(as: .text))
public final class Editor: @unchecked Sendable {
  // Unchecked because the condition guards everything that changes.

  /// The engine that made the editor.
  public let engine: Engine
  /// The settings of this editor; keys that are not set here follow the engine.
  public let configuration: Configuration
  /// The tool of each type of pointer.
  public let tools: ToolController

  let condition = NSCondition()
  private var partValue: ContentPart?
  private var metrics: (any FontMetrics)?
  private weak var delegateValue: (any EditorDelegate)?
  var transform = ViewTransform.standard
  private(set) var viewSizeValue: (width: Double, height: Double)?
  var pointers: [ActivePointer] = []
  var assembler = StrokeAssembler()
  var penStrokes: [Int: PenStroke] = [:]
  /// Grows with every part that is set.
  private(set) var generation = 0
  /// The number of changes that invalidate pending recognition, whose results are then dropped.
  private(set) var readingGeneration = 0
  /// True while a step of the history is made.
  var isChanging = false
  /// A pass of recognition runs or waits for a thread.
  var passIsActive = false
  /// Recognition is due after a delay.
  var delayedPass = 0
  var delayIsPending = false
  var waitsForDemand = false
  var pendingEvents: [EditorEvent] = []
  var lastActiveBlock: String?
  var notices: Set<String> = []
  var eventStreams: [Int: AsyncStream<EditorEvent>.Continuation] = [:]
  var textStreams: [Int: AsyncStream<ActiveText>.Continuation] = [:]
  var nextStream = 0
  var idleWaiters: [CheckedContinuation<Void, Never>] = []

  init(engine: Engine, tools: ToolController) {
    self.engine = engine
    self.tools = tools
    configuration = Configuration(parent: engine.configuration)
  }

  // MARK: - View

  /// Who is told of changes; held weakly.
  public var delegate: (any EditorDelegate)? {
    get { condition.withLock { delegateValue } }
    set { condition.withLock { delegateValue = newValue } }
  }

  /// How large text would be in print; needed before a part is set.
  public var fontMetrics: (any FontMetrics)? {
    get { condition.withLock { metrics } }
    set { condition.withLock { metrics = newValue } }
  }

  /// How pixels relate to millimetres, for the events from now on.
  public var viewTransform: ViewTransform {
    get { condition.withLock { transform } }
    set { condition.withLock { transform = newValue } }
  }

  /// Sets the size of the view in pixels; needed before a part is set.
  ///
  /// - Throws: ``EditorError/invalidArgument(_:expected:found:)``.
  public func setViewSize(width: Double, height: Double) throws(EditorError) {
    guard width.isFinite, height.isFinite, width > 0, height > 0 else {
      throw .invalidArgument(
        "view size", expected: "finite numbers above 0", found: "\(width) x \(height)")
    }
    condition.withLock { viewSizeValue = (width, height) }
  }

  /// The size of the view in pixels, or nil if it is not known yet.
  public var viewSize: (width: Double, height: Double)? {
    condition.withLock { viewSizeValue }
  }

  // MARK: - Part

  /// The part that is set.
  public var part: ContentPart? { condition.withLock { partValue } }

  /// Sets a part, or none. The previous part keeps its content.
  ///
  /// The keys `text.configuration.bundle` and `name` are read when a part is set for the first time
  /// on any editor, and belong to it from then on.
  ///
  /// - Throws: ``EditorError``: the view or metrics are missing, the part is set on an editor, the
  ///   configuration is unknown, or a pointer is down.
  public func setPart(_ part: ContentPart?) throws(EditorError) {
    if let missing = condition.withLock({ missing(for: part) }) { throw missing }
    if let part {
      guard part.engine === engine else {
        throw .invalidArgument("part", expected: "one of this editor's engine", found: "another")
      }
      let text = try textConfiguration(for: part)
      try bind(part)
      engine.lock.withLock {
        if part.document.textConfiguration == nil { part.document.textConfiguration = text }
      }
    }
    try swapPart(part)
  }

  /// The reason why a part cannot be set. Call under the lock.
  private func missing(for part: ContentPart?) -> EditorError? {
    if !pointers.isEmpty || assembler.isDrawing { return .pointerIsDown }
    guard part != nil else { return nil }
    if viewSizeValue == nil { return .viewSizeNotSet }
    return metrics == nil ? .fontMetricsNotSet : nil
  }

  /// Claims a part without an editor.
  private func bind(_ part: ContentPart) throws(EditorError) {
    let isFree = engine.lock.withLock { () -> Bool in
      guard part.owner == nil else { return false }
      part.owner = self
      return true
    }
    guard isFree else { throw .partAlreadyBound }
  }

  private func release(_ part: ContentPart) { engine.lock.withLock { part.owner = nil } }

  private func swapPart(_ part: ContentPart?) throws(EditorError) {
    condition.lock()
    // A pointer may have come down in the meantime.
    if let missing = missing(for: part) {
      condition.unlock()
      part.map(release)
      throw missing
    }
    let old = partValue
    partValue = part
    generation += 1
    discardReadings()
    penStrokes = [:]
    assembler = StrokeAssembler()
    notices = []
    lastActiveBlock = nil
    // A read under way is of the old part: what it read is asked for again when the part returns.
    old?.document.requeueDirtyRuns()
    old?.document.changes = BlockChanges()
    pendingEvents.append(.partChanged)
    schedule(force: true)
    condition.unlock()
    old.map(release)
  }

  private func textConfiguration(
    for part: ContentPart
  ) throws(EditorError) -> TextConfiguration? {
    if let known = engine.lock.withLock({ part.document.textConfiguration }) { return known }
    guard part.type != .drawing else { return nil }
    let section = part.type == .text ? "text" : "raw-content"
    let result: TextConfiguration
    do {
      result = TextConfiguration(
        bundle: try configuration.string("\(section).configuration.bundle"),
        name: try configuration.string("\(section).configuration.name"))
    } catch {
      throw .configuration(error)
    }
    switch engine.models.configuration(bundle: result.bundle, name: result.name) {
    case .found: return result
    case .unknownBundle: throw .bundleNotFound(result.bundle)
    case .unknownName: throw .configurationNotFound(bundle: result.bundle, name: result.name)
    }
  }

  /// Pictures are not supported.
  ///
  /// - Throws: Always ``EditorError/unsupportedType(found:supported:)``.
  public func addImage(_ path: String, x: Double, y: Double) throws(EditorError) {
    throw .unsupportedType(found: "Image", supported: BlockType.allCases.map(\.rawValue))
  }

  /// Removes all ink.
  ///
  /// - Throws: ``EditorError/noPart`` or ``EditorError/pointerIsDown``.
  public func clear() throws(EditorError) {
    try withDocument { (document) throws(EditorError) in
      guard pointers.isEmpty, !assembler.isDrawing else { throw .pointerIsDown }
      change(document) { document.remove(Set(document.order)) }
      schedule(force: true)
    }
  }

  /// True if the part has no ink, or there is no part.
  public var isEmpty: Bool {
    condition.withLock { partValue?.document.isEmpty ?? true }
  }

  // MARK: - Lock

  /// Runs a body on the document of the part, under the lock.
  func withDocument<Value>(
    _ body: (Document) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    condition.lock()
    defer { condition.unlock() }
    guard let document = partValue?.document else { throw .noPart }
    return try body(document)
  }

  /// Discards pending recognition. Call under the lock.
  func discardReadings() { readingGeneration += 1 }

  /// The document. Call under the lock.
  var lockedDocument: Document? { partValue?.document }

  /// The part; only under the lock.
  var lockedPart: ContentPart? { partValue }

  /// The delegate; only under the lock.
  var lockedDelegate: (any EditorDelegate)? { delegateValue }
}
