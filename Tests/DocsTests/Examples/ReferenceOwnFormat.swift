// swift-format-ignore-file
// The examples of Sources/InkFormats/InkFormats.docc/OwnFormat.md, written by scripts/doc-examples: change the page.

import Foundation
import InkCore
import InkFormats

func exampleReferenceOwnFormat1(_ path: String, _ ink: Ink) async throws {
  let record = InkRecord(
    labeled: LabeledInk(ink: ink, label: "7"), location: SourceLocation(path: path, line: 1),
    source: path, indexInSource: 0)
  _ = record
}

func exampleReferenceOwnFormat2(_ path: String) async throws {
  throw InkFormatError(
    .malformed, at: SourceLocation(path: path, line: 7), expected: "X Y, two finite numbers",
    found: "1 number", advice: "write one point per line")
}

func exampleReferenceOwnFormat3(_ record: InkRecord) async throws {
  let writer = try InkJSONLinesWriter(path: "mine.jsonl")
  try writer.write(record.labeled)
  try writer.finish()
  _ = writer
}
