// swift-format-ignore-file
// The examples of Sources/InkFormats/InkFormats.docc/InkFormats.md, written by scripts/doc-examples: change the page.

import Foundation
import InkCore
import InkFormats

func exampleReferenceInkFormats1() async throws {
  for record in try InkJSONLinesReader(path: "mine.jsonl") {
    switch record {
    case .success(let record): print(record.labeled.label, record.labeled.ink.pointCount)
    case .failure(let error): print(error)
    }
  }
}

func exampleReferenceInkFormats2() async throws {
  for record in try InkFile(path: "page.xopp", unit: .page) {
    print(try record.get().labeled.ink.pointCount)
  }
}
