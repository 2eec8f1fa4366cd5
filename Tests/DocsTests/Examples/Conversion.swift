// swift-format-ignore-file
// The examples of docs/Conversion.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleConversion1() async throws {
  func tidy(_ editor: Editor) async throws {
    try await editor.convertWhenIdle(to: .publish)
    try editor.undo()  // The ink is back, with its ids and candidates.
  }
}
