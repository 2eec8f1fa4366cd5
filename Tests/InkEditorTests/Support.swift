import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

/// An editor with a fake model, one pixel a millimetre.
struct Desk {
  let engine: Engine
  let editor: Editor
  let models = LoadedModels()
  let reader: FakeReader

  init(
    type: String? = "Text", delay: Double = 0, hasTextModel: Bool = true,
    models other: (any EditorModels)? = nil, configure: (Editor) throws -> Void = { _ in }
  ) throws {
    reader = FakeReader(delay: delay)
    if hasTextModel {
      models.setText(reader, bundle: "en_US")
    } else {
      models.declare(bundle: "en_US")
    }
    models.setShapes(FakeShapes())
    engine = Engine(models: other ?? models, now: { 1_700_000_000_000 })
    editor = engine.makeEditor()
    try editor.setViewSize(width: 200, height: 1000)
    editor.viewTransform = .millimetres
    // Waiting for an idle editor then waits for its callbacks too.
    editor.callbackExecutor = .engine
    try editor.configuration.set(
      "raw-content.classification.types", to: ["text", "shape", "drawing"])
    try editor.configuration.set("raw-content.recognition.types", to: ["text"])
    try configure(editor)
    if let type { try editor.setPart(engine.makePart(type: type)) }
  }

  /// Draws strokes with single calls; their items.
  @discardableResult
  func draw(_ strokes: [[StrokePoint]]) throws -> [Int] {
    try strokes.map { points in
      let item = try editor.pointerDown(x: points[0].x, y: points[0].y)
      for point in points.dropFirst().dropLast() { try editor.pointerMove(x: point.x, y: point.y) }
      let last = points[points.count - 1]
      try editor.pointerUp(x: last.x, y: last.y)
      return try #require(item)
    }
  }

  @discardableResult
  func write(_ text: String, x: Double = 20, y: Double = 15) throws -> [Int] {
    try draw(Pen.strokes(text, x: x, y: y))
  }

  func text() throws -> String {
    try editor.waitUntilIdle()
    return try editor.export(as: .text)
  }

  var root: ContentBlock {
    get throws { try #require(editor.rootBlock) }
  }
}

/// Collects what an editor tells.
final class Listener: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the log.
  private let lock = NSLock()
  private var log: [EditorEvent] = []
  private let action: @Sendable (Editor, EditorEvent) -> Void

  init(_ action: @escaping @Sendable (Editor, EditorEvent) -> Void = { _, _ in }) {
    self.action = action
  }

  var events: [EditorEvent] { lock.withLock { log } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    lock.withLock { log.append(event) }
    action(editor, event)
  }
}
