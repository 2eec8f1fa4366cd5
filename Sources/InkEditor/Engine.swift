import Files
import Foundation
import InkCore
import Recognition

/// The models, upper configuration, threads and clipboard that editors share. Thread-safe.
///
///     let engine = Engine(models: models)
///     let editor = engine.makeEditor()
///     try editor.setViewSize(width: 1000, height: 800)
///     try editor.setPart(engine.makePart(type: "Text"))
public final class Engine: Sendable {
  /// The configuration for keys that editors do not set themselves.
  public let configuration = Configuration()
  /// The source of recognisers.
  public let models: any EditorModels
  let readers = ReaderCache<TextReaderKey, any Recognizer>(capacity: 64)
  let shapes = ReaderCache<String, any Recognizer>(capacity: 16)
  let gestures = ReaderCache<String, any Recognizer>(capacity: 4)
  let formulas = ReaderCache<String, any Recognizer>(capacity: 4)
  /// The names of models of gestures that are not there.
  let missingGestures = Guarded<Set<String>>([])
  let work = WorkQueue(label: "ductus.editor")
  let now: @Sendable () -> Int64
  /// One thread at a time changes the words of the user.
  let userWordChange = Guarded(())
  private let state = Guarded(State())

  private struct State {
    var editors: [WeakEditor] = []
    var clipboard: Clip?
  }

  private struct WeakEditor {
    weak var editor: Editor?
  }

  /// Makes an engine.
  ///
  /// - Parameters:
  ///   - models: The source of recognisers.
  ///   - now: Returns the milliseconds since 1970, for events without a time.
  public init(
    models: any EditorModels,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
  ) {
    self.models = models
    self.now = now
    configuration.setObserver { [weak self] keys in
      self?.allEditors.forEach { $0.configurationDidChange(keys) }
    }
  }

  private var allEditors: [Editor] { state.withLock { $0.editors.compactMap(\.editor) } }

  /// Makes an editor without a part.
  public func makeEditor(tools: ToolController = ToolController()) -> Editor {
    let editor = Editor(engine: self, tools: tools)
    state.withLock { state in
      state.editors.removeAll { $0.editor == nil }
      state.editors.append(WeakEditor(editor: editor))
    }
    return editor
  }

  /// Makes an empty document.
  ///
  /// - Parameter type: "Text", "Text Document", "Raw Content", "Diagram", "Drawing" or "Math".
  /// - Throws: ``EditorError/unsupportedType(found:supported:)``.
  public func makePart(type: String) throws(EditorError) -> ContentPart {
    guard let type = PartType(rawValue: type) else {
      throw .unsupportedType(found: type, supported: PartType.names)
    }
    return ContentPart(type: type, engine: self)
  }

  /// Notifies editors that models appeared or changed. Ink that waits for a model is recognised as
  /// the trigger says, and ink that was sorted without a shape model is sorted again.
  public func modelsDidChange() {
    readers.removeAll()
    shapes.removeAll()
    gestures.removeAll()
    formulas.removeAll()
    missingGestures.withLock { $0 = [] }
    for editor in allEditors { editor.modelsDidChange() }
  }

  package var clipboard: Clip? {
    get { state.withLock { $0.clipboard } }
    set { state.withLock { $0.clipboard = newValue } }
  }

  /// The number of strokes that a paste would add.
  package var clipboardStrokeCount: Int { clipboard?.strokes.count ?? 0 }
}
