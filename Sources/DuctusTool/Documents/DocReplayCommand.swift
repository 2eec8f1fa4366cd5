import ArgumentParser
import EditorStorage
import Foundation
import InkCore
import InkEditor

/// `ductus doc replay`.
package struct DocReplayCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Write the strokes of an ink into a new part, one after the other.",
    discussion: """
      Plays the ink as a pen writes it, in tenths of a millimetre unless --scale is given, and \
      prints the text, and the strokes and blocks that there are then. Nothing is stored. All \
      gestures are switched on; --explain prints why each stroke is one or none.

      Example:
        ductus doc replay ink.jsonl --part 'Raw Content' --json -
      """)

  @Argument(help: ArgumentHelp("A file of ink.", valueName: "ink"))
  var ink: String

  @Option(
    help: ArgumentHelp(
      "The type of the part: \(PartType.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "type"))
  var part = "Text"

  @Option(help: ArgumentHelp("Millimetres of a unit of the ink.", valueName: "number"))
  var scale: Double?

  @Flag(help: "Print why each stroke is a gesture or ink, to standard error.")
  var explain = false

  @OptionGroup var output: JSONOutput

  private struct Gesture: Encodable {
    var kind: String
    /// The number of the stroke in the ink, from 0.
    var stroke: Int
  }

  private struct Block: Encodable {
    var type: String
  }

  private struct Result: Encodable {
    var text: String
    var gestures: [Gesture]
    var strokes: Int
    var blocks: [Block]
  }

  package func validate() throws {
    if let scale, !(scale > 0 && scale.isFinite) {
      throw ValidationError("--scale: expected a number above 0")
    }
  }

  package func run() throws {
    let strokes = try DocumentInk.strokes(ink, scale: scale)
    let desk = try DocumentDesk(readsInk: true)
    let editor = try desk.editor(on: try desk.engine.makePart(type: part))
    for name in ["raw-content", "text", "diagram"] {
      try editor.configuration.set("\(name).pen.gestures", to: GestureKind.names)
    }
    let listener = GestureListener()
    editor.delegate = listener
    if explain { editor.explainGestures() }
    for (number, stroke) in strokes.enumerated() {
      listener.begin(number)
      try editor.write(stroke)
      try editor.waitUntilIdle()
      for reason in editor.takeGestureReasons() {
        DocumentDesk.note("stroke \(number): \(reason)")
      }
    }
    let types = try editor.supportedExportTypes()
    let root = editor.rootBlock
    let blocks = (root?.children ?? []).sorted {
      ($0.box?.minY ?? 0, $0.box?.minX ?? 0) < ($1.box?.minY ?? 0, $1.box?.minX ?? 0)
    }
    let result = Result(
      text: types.contains(.text) ? try editor.export(as: .text) : "",
      gestures: listener.gestures.map { Gesture(kind: $0.kind, stroke: $0.stroke) },
      strokes: root?.items.count ?? 0,
      blocks: (blocks.isEmpty ? [root].compactMap { $0 } : blocks).map {
        Block(type: $0.type.rawValue)
      })
    try output.write(result, text: text(result))
  }

  private func text(_ result: Result) -> String {
    """
    \(result.text)
    \(TerminalText.count(result.strokes, "stroke")), blocks: \
    \(result.blocks.map(\.type).joined(separator: ", "))
    """
  }
}

/// Collects the gestures that an editor reports.
private final class GestureListener: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the members.
  private let lock = NSLock()
  private var log: [(kind: String, stroke: Int)] = []
  private var number = 0

  var gestures: [(kind: String, stroke: Int)] { lock.withLock { log } }

  /// Begins a stroke.
  func begin(_ number: Int) { lock.withLock { self.number = number } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    guard case .gesture(let gesture) = event else { return }
    switch gesture.kind {
    case .tap, .doubleTap, .longPress: return
    default: lock.withLock { log.append((gesture.kind.rawValue, number)) }
    }
  }
}
