// swift-format-ignore-file
// The examples of docs/Exports.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Exports
import Foundation

func exampleExports1(_ editor: Editor, _ folder: URL, _ block: ContentBlock) async throws {
  let pdf = try await editor.exportFile(as: .pdf)
  try await editor.exportFile(to: folder.appendingPathComponent("notes.docx"))
  let drawing = try await editor.exportFile(block, as: .svg)
  _ = pdf
  _ = drawing
}

func exampleExports2(_ engine: Engine, _ parts: [ContentPart], _ url: URL) async throws {
  let options = ExportOptions(title: "Notes", withoutStruckWords: true)
  let files = try await engine.exportFiles(of: parts[2..<5], to: url, options: options) { progress in
    print(progress.fraction)
  }
  _ = options
  _ = files
}
