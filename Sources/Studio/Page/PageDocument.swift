import Foundation
import InkEditor

/// A page in an editor: applies commands, and follows the pens that are down.
///
/// It is used by one thread at a time.
package final class PageDocument {
  /// The editor, in millimetres.
  package let editor: Editor
  /// The pens that are down, by the names that clients give them.
  package var pens: [String: LivePen] = [:]
  private var ids: Set<String>
  /// The strokes that were given a colour while the page was open.
  var styled: Set<Int> = []
  /// The language that text is read in; nil for the best of those that can be read here.
  package private(set) var language: String?
  /// True if the history has readings in another language than the present one.
  private var hasOtherReadings = false

  /// The radius of the eraser in millimetres. Clients get it with each change.
  static let eraserRadius = 1.5

  /// The gestures of a page. A pen that rests writes.
  private static let gestures: [GestureKind] = [
    .scratchOut, .strikeThrough, .underline, .surround, .insert, .join,
  ]

  /// The type of the part of a page.
  static let partType = "Raw Content"

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - part: The part with the content; nil for a new one.
  ///   - ids: The ids of commands that the part contains.
  ///   - language: The language to read in; nil for the best one.
  /// - Throws: ``StudioError`` if the editor cannot be made or the part cannot be loaded.
  package init(
    engine: Engine, part: ContentPart? = nil, ids: [String] = [], language: String? = nil
  ) throws(StudioError) {
    editor = engine.makeEditor()
    self.ids = Set(ids)
    self.language = language
    do throws(EditorError) {
      editor.viewTransform = .millimetres
      try editor.setViewSize(width: 210, height: 297)
    } catch {
      throw Self.error(error)
    }
    try configure { configuration throws(ConfigurationError) in
      try configuration.set(
        "raw-content.classification.types", to: ["text", "shape", "drawing"])
      try configuration.set("raw-content.recognition.types", to: ["text", "math"])
      try configuration.set("text.eraser.radius", to: Self.eraserRadius)
      try configuration.set("recognition.trigger", to: "stroke")
      try configuration.set("raw-content.pen.gestures", to: Self.gestures.map(\.rawValue))
    }
    editor.tools.setTool(.highlighter, for: .custom1)
    do throws(EditorError) {
      if let part {
        try editor.setPart(part)
      } else {
        try editor.setPart(engine.makePart(type: Self.partType))
      }
    } catch {
      throw Self.error(error)
    }
    // The error would be a language that cannot be read here: the page opens, and says so.
    try? editor.read(with: language ?? automaticBundle)
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
  package func has(_ id: String) -> Bool { ids.contains(id) }

  /// The number of strokes.
  package var strokeCount: Int { editor.rootBlock?.items.count ?? 0 }

  /// Applies a command.
  ///
  /// - Returns: false if it changes nothing, so that it need not be kept.
  /// - Throws: ``StudioError``; then nothing has changed.
  package func apply(_ command: PageCommand) throws(StudioError) -> Bool {
    let command = try command.checked()
    guard !has(command.id) else { return false }
    let added =
      switch command.action {
      case .strokes(let strokes): strokes.count
      case .paste: editor.engine.clipboardStrokeCount
      default: 0
      }
    if added > 0, strokeCount + added > PageLimits.strokes {
      throw StudioError(
        .tooLarge,
        "expected at most \(PageLimits.strokes) strokes on a page; begin a new page")
    }
    let isChange = try perform(command)
    ids.insert(command.id)
    return isChange
  }

  private func perform(_ command: PageCommand) throws(StudioError) -> Bool {
    if case .language(let tag) = command.action { return try setLanguage(tag) }
    let endsPen = endsPen(command)
    // The editor refuses other changes while a pen is down. The strokes of the pens come whole later.
    if !endsPen, !command.onlySelects { liftPens() }
    do throws(EditorError) {
      switch command.action {
      case .undo: return try travel { () throws(EditorError) in try editor.undo() }
      case .redo: return try travel { () throws(EditorError) in try editor.redo() }
      default: break
      }
      let step = editor.undoStackIndex
      try change(command, endsPen: endsPen)
      return editor.undoStackIndex != step
    } catch {
      throw Self.error(error)
    }
  }

  private func change(_ command: PageCommand, endsPen: Bool) throws(EditorError) {
    switch command.action {
    case .strokes(let strokes):
      try set("gesture.enable", to: command.withGestures)
      if endsPen, let pen = command.pen { return try end(pen: pen, strokes[0]) }
      try editor.pointerEvents(
        strokes.flatMap { $0.events(.pen) },
        processGestures: command.withGestures && strokes.count <= PageLimits.strokesWithGestures)
    case .erase(let path, let isPrecise):
      try set("text.eraser.erase-precisely", to: isPrecise)
      try editor.pointerEvents(path.events(.eraser), processGestures: false)
    case .highlight(let path):
      try editor.pointerEvents(path.events(.custom1), processGestures: false)
    case .choose(let text, let items):
      if try choose(text, forFormulaOf: items) { return }
      guard let first = items.first, let word = editor.word(ofItem: first),
        let block = editor.block(ofItem: first)
      else { throw .staleWord(0) }
      try choose(text, for: word, in: block, items: Set(items))
    case .type(let type, let items):
      if type == .text, let first = items.first, let word = editor.word(ofItem: first),
        word.formula != nil, Set(word.items) == Set(items), let block = editor.block(ofItem: first)
      {
        return try editor.chooseText(forFormula: word, in: block)
      }
      try editor.set(type: type, for: items, asOneBlock: true)
    case .select(let selector): try select(selector)
    case .edit(let edit, let items): try self.edit(edit, items: items)
    case .paste(let x, let y): try paste(x: x, y: y)
    case .convert(let state): try editor.convert(to: state)
    case .text(let text, let x, let y): try type(text, x: x, y: y)
    case .clear: try editor.clear()
    case .language, .undo, .redo: break
    }
  }

  /// Chooses a reading of a formula with this ink, or another symbol for this ink of one.
  ///
  /// - Returns: false for ink of anything else.
  private func choose(
    _ latex: String, forFormulaOf items: [Int]
  ) throws(EditorError) -> Bool {
    guard let first = items.first, let block = editor.block(ofItem: first), block.type == .math
    else { return false }
    let formulas = block.formulas
    if Set(block.items) == Set(items), formulas.contains(where: { $0.latex == latex }) {
      try editor.choose(latex, forFormula: block)
    } else {
      guard let index = formulas.first?.symbols.firstIndex(where: { Set($0.strokes) == Set(items) })
      else { throw .noSuchCandidate }
      try editor.choose(latex, forSymbol: index, ofFormula: block)
    }
    return true
  }

  /// Chooses a reading of a word: the LaTeX of one as a formula, another symbol for the ink of one, or a
  /// text.
  private func choose(
    _ text: String, for word: TextWord, in block: ContentBlock, items: Set<Int>
  ) throws(EditorError) {
    guard Set(word.items) == items else {
      guard let index = word.formula?.symbols.firstIndex(where: { Set($0.strokes) == items })
      else { throw .staleWord(word.id) }
      return try editor.choose(text, forSymbol: index, ofFormula: word, in: block)
    }
    if word.formulas.contains(where: { $0.latex == text }) {
      try editor.choose(text, forFormula: word, in: block)
    } else {
      try editor.choose(text, for: word, in: block)
    }
  }

  private func set(_ key: String, to value: Bool) throws(EditorError) {
    do throws(ConfigurationError) {
      guard try editor.configuration.boolean(key) != value else { return }
      try editor.configuration.set(key, to: value)
    } catch {
      throw .configuration(error)
    }
  }

  /// Goes one step through the history. A step may bring back readings in another language.
  private func travel(_ step: () throws(EditorError) -> Bool) throws(EditorError) -> Bool {
    guard try step() else { return false }
    if hasOtherReadings { try editor.recognize(again: true) }
    return true
  }

  /// The numbers of changes that can be undone and redone.
  package var steps: (undo: Int, redo: Int) { (editor.possibleUndoCount, editor.possibleRedoCount) }

  // MARK: - Language

  /// Reads the page in another language. Words that were chosen stay.
  private func setLanguage(_ tag: String?) throws(StudioError) -> Bool {
    guard tag != language else { return false }
    if let tag, !isReadable(tag) {
      throw StudioError(
        .invalidValue, "expected the tag of a language that can be read here, found another",
        field: "language")
    }
    do throws(EditorError) {
      try editor.read(with: tag ?? automaticBundle)
      try editor.recognize(again: true)
    } catch {
      throw Self.error(error)
    }
    language = tag
    hasOtherReadings = true
    return true
  }

  private func isReadable(_ tag: String) -> Bool {
    (editor.engine.models as? PageModels)?.reads(tag) ?? false
  }

  /// The bundle that reads the best language: the one that parts get by default.
  private var automaticBundle: String {
    // The key is built in.
    (try? editor.configuration.string("raw-content.configuration.bundle")) ?? ""
  }

  // MARK: - Errors

  /// Returns an error of the editor as one of the studio.
  static func error(_ error: EditorError) -> StudioError {
    switch error {
    case .staleWord:
      StudioError(.conflict, "the word has been read again since; choose from its new candidates")
    case .invalidArgument("selection", _, _), .invalidArgument("clipboard", _, _):
      StudioError(.conflict, "\(error)")
    case .noSuchCandidate:
      StudioError(.conflict, "expected a candidate of the word, found another text", field: "text")
    case .notIdle, .pointerIsDown: StudioError(.busy, "\(error)")
    case .invalidArgument, .pointerSequence: StudioError(.invalidValue, "\(error)")
    default: StudioError(.failed, "\(error)")
    }
  }
}
