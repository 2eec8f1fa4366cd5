import Foundation
import InkCore

/// Everything that editors share: models, the upper configuration, threads, the clipboard.
/// Thread-safe.
///
///     let engine = Engine(models: models)
///     let editor = engine.makeEditor()
///     try editor.setViewSize(width: 1000, height: 800)
///     editor.fontMetrics = DefaultFontMetrics()
///     try editor.setPart(engine.makePart(type: "Text"))
public final class Engine: @unchecked Sendable {
  // Unchecked because the lock guards editors, clipboard and owners of parts.

  /// The configuration for keys that editors do not set.
  public let configuration = Configuration()
  /// The source of recognisers.
  public let models: any EditorModels
  let readers = TextReaders()
  let work = WorkQueue()
  let now: @Sendable () -> Int64
  let lock = NSLock()
  private var editors: [WeakEditor] = []
  private var clipboardValue: Clipboard?

  private struct WeakEditor {
    weak var editor: Editor?
  }

  /// Ink that was copied, and as what.
  struct Clipboard {
    var type: BlockType
    var strokes: [[StrokePoint]]
  }

  /// Makes an engine.
  ///
  /// - Parameters:
  ///   - models: The source of recognisers.
  ///   - now: Returns the milliseconds since 1970 for events without a time.
  public init(
    models: any EditorModels,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
  ) {
    self.models = models
    self.now = now
  }

  /// Makes an editor without a part.
  public func makeEditor(tools: ToolController = ToolController()) -> Editor {
    let editor = Editor(engine: self, tools: tools)
    lock.withLock {
      editors.removeAll { $0.editor == nil }
      editors.append(WeakEditor(editor: editor))
    }
    return editor
  }

  /// Makes an empty document.
  ///
  /// - Parameter type: "Text", "Raw Content" or "Drawing".
  /// - Throws: ``EditorError/unsupportedType(found:supported:)``.
  public func makePart(type: String) throws(EditorError) -> ContentPart {
    guard let type = PartType(rawValue: type) else {
      throw .unsupportedType(found: type, supported: PartType.names)
    }
    return ContentPart(type: type, engine: self)
  }

  /// Says that models appeared or changed: ink that waits for one is recognised.
  public func modelsDidChange() {
    readers.removeAll()
    for editor in lock.withLock({ editors.compactMap(\.editor) }) { editor.retryWaitingInk() }
  }

  var clipboard: Clipboard? {
    get { lock.withLock { clipboardValue } }
    set { lock.withLock { clipboardValue = newValue } }
  }
}
