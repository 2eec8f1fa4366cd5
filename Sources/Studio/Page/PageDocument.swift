import Foundation
import InkEditor

/// A page in an editor: applies commands, also those of a journal.
///
/// It is used by one thread at a time.
final class PageDocument {
  /// The editor, in millimetres.
  let editor: Editor
  /// The choices of the journal that could not be made again, because the ink is read otherwise.
  private(set) var lostChoices = 0
  private var ids: Set<String> = []
  /// For each change that can be undone, whether the editor has a step for it. A choice that was
  /// lost has none.
  private var past: [Bool] = []
  private var future: [Bool] = []

  /// The radius of the eraser in millimetres.
  static let eraserRadius = 1.5
  /// Seconds to wait for the reading of ink that a command of the journal depends on.
  private static let readingTimeout = 120.0

  /// The type of the part of a page.
  static let partType = "Raw Content"

  /// Makes a page and applies the commands of its journal.
  ///
  /// The ink of the journal is read afterwards, on the threads of the engine. Only where a command
  /// depends on what was read before it, the ink before it is read first.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - commands: The commands that the part does not contain.
  ///   - part: The part with the content; nil for a new one.
  ///   - ids: The ids of commands that the part contains.
  /// - Throws: ``StudioError`` if the editor cannot be made or the part cannot be loaded.
  init(
    engine: Engine, commands: [PageCommand] = [], part: ContentPart? = nil, ids: [String] = []
  ) throws(StudioError) {
    editor = engine.makeEditor()
    self.ids = Set(ids)
    do throws(EditorError) {
      editor.viewTransform = .millimetres
      editor.fontMetrics = DefaultFontMetrics()
      try editor.setViewSize(width: 210, height: 297)
    } catch {
      throw Self.error(error)
    }
    try configure { configuration throws(ConfigurationError) in
      try configuration.set(
        "raw-content.classification.types", to: ["text", "shape", "drawing"])
      try configuration.set("raw-content.recognition.types", to: ["text"])
      try configuration.set("text.eraser.radius", to: Self.eraserRadius)
      try configuration.set("recognition.trigger", to: "demand")
    }
    do throws(EditorError) {
      if let part {
        try editor.setPart(part)
      } else {
        try editor.setPart(engine.makePart(type: Self.partType))
      }
    } catch {
      throw Self.error(error)
    }
    var order = WritingOrder()
    for command in commands { replay(command, &order) }
    try configure { configuration throws(ConfigurationError) in
      try configuration.set("recognition.trigger", to: "stroke")
    }
    // The error would be a missing part.
    try? editor.recognize()
  }

  private func configure(
    _ body: (Configuration) throws(ConfigurationError) -> Void
  ) throws(StudioError) {
    do throws(ConfigurationError) {
      try body(editor.configuration)
    } catch {
      throw StudioError(.failed, "\(error)")
    }
  }

  /// Returns true if a command with this id has been applied.
  func has(_ id: String) -> Bool { ids.contains(id) }

  /// The number of strokes.
  var strokeCount: Int { editor.rootBlock?.items.count ?? 0 }

  /// Applies a command.
  ///
  /// - Returns: false if it changes nothing, so that it need not be kept.
  /// - Throws: ``StudioError``; then nothing has changed.
  func apply(_ command: PageCommand) throws(StudioError) -> Bool {
    let command = try command.checked()
    guard !has(command.id) else { return false }
    if case .strokes(let strokes) = command.action,
      strokeCount + strokes.count > PageLimits.strokes
    {
      throw StudioError(
        .tooLarge,
        "expected at most \(PageLimits.strokes) strokes on a page; begin a new page")
    }
    let isChange = try perform(command.action)
    ids.insert(command.id)
    return isChange
  }

  private func perform(_ action: PageCommand.Action) throws(StudioError) -> Bool {
    do throws(EditorError) {
      switch action {
      case .undo: return try travel(&past, &future, { () throws(EditorError) in try editor.undo() })
      case .redo: return try travel(&future, &past, { () throws(EditorError) in try editor.redo() })
      case .strokes, .erase, .choose, .type, .clear: break
      }
      let step = editor.undoStackIndex
      try change(action)
      guard editor.undoStackIndex != step else { return false }
      past.append(true)
      future = []
      return true
    } catch {
      throw Self.error(error)
    }
  }

  private func change(_ action: PageCommand.Action) throws(EditorError) {
    switch action {
    case .strokes(let strokes):
      try editor.pointerEvents(strokes.flatMap { $0.events(.pen) }, processGestures: false)
    case .erase(let path):
      try editor.pointerEvents(path.events(.eraser), processGestures: false)
    case .choose(let text, let items):
      guard let first = items.first, let word = editor.word(ofItem: first),
        Set(word.items) == Set(items), let block = editor.block(ofItem: first)
      else { throw .staleWord(0) }
      try editor.choose(text, for: word, in: block)
    case .type(let type, let items):
      try editor.set(type: type, for: items, asOneBlock: true)
    case .clear: try editor.clear()
    case .undo, .redo: break
    }
  }

  /// Goes one step through the history of the editor, unless the step was lost.
  private func travel(
    _ from: inout [Bool], _ to: inout [Bool], _ step: () throws(EditorError) -> Bool
  ) throws(EditorError) -> Bool {
    guard let isStep = from.last else { return false }
    if isStep, try !step() { return false }
    from.removeLast()
    to.append(isStep)
    return true
  }

  /// The numbers of changes that can be undone and redone.
  var steps: (undo: Int, redo: Int) {
    (min(past.count, editor.possibleUndoCount), min(future.count, editor.possibleRedoCount))
  }

  // MARK: - Journal

  private func replay(_ command: PageCommand, _ order: inout WritingOrder) {
    ids.insert(command.id)
    if order.needsReading(before: command.action) {
      // The error would be a missing part.
      try? editor.recognize()
      _ = try? editor.waitUntilIdle(timeout: Self.readingTimeout)
    }
    do throws(StudioError) {
      _ = try perform(command.action)
    } catch {
      // It was accepted once: what follows in the journal counts on its place in the history.
      if case .choose = command.action { lostChoices += 1 }
      past.append(false)
      future = []
    }
  }

  // MARK: - Errors

  /// Returns an error of the editor as one of the studio.
  static func error(_ error: EditorError) -> StudioError {
    switch error {
    case .staleWord:
      StudioError(.conflict, "the word has been read again since; choose from its new candidates")
    case .noSuchCandidate:
      StudioError(.conflict, "expected a candidate of the word, found another text", field: "text")
    case .notIdle, .pointerIsDown: StudioError(.busy, "\(error)")
    case .invalidArgument, .pointerSequence: StudioError(.invalidValue, "\(error)")
    default: StudioError(.failed, "\(error)")
    }
  }
}
