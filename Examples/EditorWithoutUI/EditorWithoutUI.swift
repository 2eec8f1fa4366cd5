import DuctusKit
import Foundation
import InkFormats
import PretrainedModels

/// Writes ink into a document as pointer events, without a user interface, and exports the text.
///
///     swift run EditorWithoutUI [INK.jsonl]
@main
struct EditorWithoutUI {
  static func main() async throws {
    // One engine per app: it holds the models and the settings that all editors share.
    let engine = Engine(models: ProvidedModels(try PretrainedModels()))
    let editor = engine.makeEditor()
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 200, height: 100)
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.setPart(engine.makePart(type: "Text"))

    // An app forwards the events of its pen: down, moves and up for each stroke.
    let path = CommandLine.arguments.dropFirst().first ?? "Examples/hello.jsonl"
    guard let record = try Array(InkReader(.jsonLines, path: path)).first?.get() else {
      print("\(path) holds no ink")
      return
    }
    for stroke in record.labeled.ink.strokes { try write(stroke, in: editor) }

    // Recognition runs beside the pen; an app listens to `editor.events` instead of waiting.
    try await editor.becomeIdle()
    print("text:", try editor.export(as: .text))
    print("undo steps:", editor.possibleUndoCount)

    // The last stroke is taken back, and read without it.
    try editor.undo()
    try await editor.becomeIdle()
    print("after one undo:", try editor.export(as: .text))
    let jiix = try editor.export(as: .jiix, overrides: #"{"export": {"jiix": {"strokes": false}}}"#)
    print("JIIX: \(jiix.utf8.count) bytes")
  }

  /// Writes one stroke. The example file counts in fifths of a millimetre.
  static func write(_ stroke: Stroke, in editor: Editor) throws {
    for (index, point) in stroke.points.enumerated() {
      let (x, y) = (20 + point.x / 5, 50 + point.y / 5)
      if index == 0 {
        try editor.pointerDown(x: x, y: y)
      } else {
        try editor.pointerMove(x: x, y: y)
      }
    }
    if let last = stroke.points.last {
      try editor.pointerUp(x: 20 + last.x / 5, y: 50 + last.y / 5)
    }
  }
}
