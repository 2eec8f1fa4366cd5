// swift-format-ignore-file
// The examples of docs/Notes.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation
import InkSearch

func exampleNotes1() async throws {
  let index = try InkIndex(at: InkIndex.defaultFile)
  for hit in try index.search(SearchQuery("meeting")) { print(hit.path, hit.page, hit.line) }
  _ = index
}
