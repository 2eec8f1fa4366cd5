import Files
import Foundation
import InkCore
import PenInput
import Typesetting

/// Converts pointer events to a document: ink, text with candidates, shapes.
///
/// Three things are independent: every change is reported at once; reading begins as the key
/// `recognition.trigger` says; and the editor is idle when no requested ink is left to read, so
/// that an export works. Reading runs on the engine's threads, and the delegate is called on the
/// ``callbackExecutor``. Every call except ``waitUntilIdle(timeout:)`` returns at once.
/// Thread-safe.
public final class Editor: Sendable {
  /// The engine that made the editor.
  public let engine: Engine
  /// The settings of this editor; keys that are not set here follow those of the engine.
  public let configuration: Configuration
  /// The tools of the types of pointers.
  public let tools: ToolController

  /// Everything that changes.
  private let state: Guarded<EditorState>
  /// The events that wait for the delegate.
  package let inbox = EventQueue()
  /// The reference to this editor that handles of blocks share.
  let reference = EditorReference()

  init(engine: Engine, tools: ToolController) {
    self.engine = engine
    self.tools = tools
    configuration = Configuration(parent: engine.configuration)
    state = Guarded(
      EditorState(
        engine: engine, configuration: configuration, tools: tools, reference: reference,
        inbox: inbox))
    reference.editor = self
    configuration.setObserver { [weak self] keys in self?.configurationDidChange(keys) }
  }

  deinit {
    let (texts, streams, waiters) = state.withLock { state in
      (Array(state.textStreams.values), state.eventQueues, Array(state.idleWaiters.values))
    }
    for stream in texts { stream.finish() }
    for stream in streams { stream.queue?.finish() }
    for waiter in waiters { waiter.end(false) }
  }

  // MARK: - View

  /// The sizes of the glyphs of typed text; the metrics of Liberation Sans at first.
  public var fonts: any FontProvider {
    get { read { $0.fonts } }
    set { read { $0.fonts = newValue } }
  }

  /// The transform between pixels and millimetres for the next events. Each sample of a stroke
  /// keeps the transform of its time; see also ``viewState``.
  public var viewTransform: ViewTransform {
    get { read { $0.transform } }
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
    read { $0.viewSize }
  }

  // MARK: - Part

  /// The part that is set, or nil.
  public var part: ContentPart? { read { $0.part } }

  /// Sets a part, or none. The previous part keeps its content.
  ///
  /// The keys `text.configuration.bundle` and `text.configuration.name` are read when a part is set
  /// for the first time on any editor. The part keeps their values.
  ///
  /// - Throws: ``EditorError`` if the view size is missing, the part is set on another editor or
  ///   cannot be loaded, the configuration is unknown, or a pointer is down. Nothing has changed
  ///   then.
  public func setPart(_ part: ContentPart?) throws(EditorError) {
    if let missing = read({ $0.missing(for: part) }) { throw missing }
    if let part {
      guard part.engine === engine else {
        throw .invalidArgument("part", expected: "a part of the same engine", found: "another")
      }
      try part.load()
      let text = try textConfiguration(for: part)
      try bind(part)
      try swapPart(part, text, text.map(direction) ?? .leftToRight)
    } else {
      try swapPart(nil, nil, .leftToRight)
    }
  }

  /// Claims a part that has no editor.
  private func bind(_ part: ContentPart) throws(EditorError) {
    let problem = part.ownership.withLock { ownership -> EditorError? in
      guard ownership.owner == nil else { return .partAlreadyBound }
      guard !ownership.isInvalid else { return .invalidPart }
      ownership.owner = self
      return nil
    }
    if let problem { throw problem }
  }

  private func release(_ part: ContentPart) {
    part.ownership.withLock { if $0.owner === self { $0.owner = nil } }
  }

  /// Returns the direction of the model of text. Do not call under the lock.
  func direction(of text: TextConfiguration) -> WritingDirection {
    let (models, source) = (engine.models, text.source)
    return Self.calling { models.direction(bundle: source.bundle, name: source.name) }
  }

  private func swapPart(
    _ part: ContentPart?, _ text: TextConfiguration?, _ direction: WritingDirection
  ) throws(EditorError) {
    let (result, news) = state.withLock {
      state -> (Result<ContentPart?, EditorError>, EditorNews) in
      // A pointer may have come down in the meantime.
      if let missing = state.missing(for: part) { return (.failure(missing), state.takeNews()) }
      return (.success(state.swap(part, text, direction)), state.takeNews())
    }
    switch result {
    case .success(let old):
      // Whoever is told of the change may set the old part elsewhere.
      old.map(release)
      tell(news)
      if part != nil { openGestureModel() }
    case .failure(let missing):
      part.map(release)
      tell(news)
      throw missing
    }
  }

  private func textConfiguration(
    for part: ContentPart
  ) throws(EditorError) -> TextConfiguration? {
    guard let section = part.type.section else { return nil }
    if let known = part.ownership.withLock({ $0.knownConfiguration }) { return known }
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
    try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      state.change(document) { _ in document.remove(Set(document.order)) }
      state.schedule()
    }
  }

  /// True if the part has no ink, or there is no part.
  public var isEmpty: Bool {
    read { $0.document?.isEmpty ?? true }
  }

  // MARK: - Lock

  /// Runs a body with the state, whose changes are reported later. No code of the host may run in it.
  package func read<Value: Sendable>(_ body: (inout EditorState) -> Value) -> Value {
    state.withLock { body(&$0) }
  }

  /// Runs a body with the state, and reports what it changed. No code of the host may run in it.
  func locked<Value: Sendable>(_ body: (inout EditorState) -> Value) -> Value {
    let (result, news) = state.withLock { state in
      let result = body(&state)
      return (result, state.takeNews())
    }
    tell(news)
    return result
  }

  /// Runs a body with the state and the document of the part, and reports what it changed.
  ///
  /// - Throws: ``EditorError/noPart`` and the errors of the body.
  func withDocument<Value: Sendable>(
    _ body: (inout EditorState, Document) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    let result = locked { state -> Result<Value, EditorError> in
      guard let document = state.document else { return .failure(.noPart) }
      do throws(EditorError) {
        return .success(try body(&state, document))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// A weak reference to an editor.
final class EditorReference: @unchecked Sendable {
  // Unchecked because the reference is set once, and reading a weak reference is atomic.
  weak var editor: Editor?
}
