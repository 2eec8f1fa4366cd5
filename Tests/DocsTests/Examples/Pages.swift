// swift-format-ignore-file
// The examples of docs/Pages.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation
import PretrainedModels

func examplePages1(_ ink: Ink, _ recognizer: LineRecognizer) async throws {
  let result = try recognizer.recognize(ink)
  for edge in result.edges {
    print(edge.from.map { result.blocks[$0].lines.map { result.lines[$0].text } } ?? [], edge.arrow)
  }
  _ = result
}

func examplePages2(_ block: ContentBlock) async throws {
  for passage in block.passages {
    if case .table(let table) = passage { print(table.texts) }
  }
}
