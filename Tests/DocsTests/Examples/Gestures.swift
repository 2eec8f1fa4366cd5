// swift-format-ignore-file
// The examples of docs/Gestures.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleGestures1(_ ink: Ink, _ stroke: Stroke) async throws {
  let finder = GestureFinder(lines: [[ink]])
  if let kind = finder.gesture(in: stroke) { print(kind.rawValue) }
  _ = finder
}

func exampleGestures2() async throws {
  final class Judge: EditorDelegate {
    func editor(_ editor: Editor, decide gesture: EditorGesture) -> GestureAnswer? {
      gesture.kind == .scratchOut ? nil : .apply
    }
  }
}
