// swift-format-ignore-file
// The examples of docs/Editor.md, written by scripts/doc-examples: change the page.

import DuctusKit
import EditorStorage
import Foundation
import PretrainedModels

func exampleEditor1() async throws {
  let engine = Engine(models: ProvidedModels(try PretrainedModels()))
  let editor = engine.makeEditor()
  editor.viewTransform = .millimetres
  try editor.setViewSize(width: 200, height: 100)
  try editor.setPart(engine.makePart(type: "Text"))

  try editor.pointerDown(x: 20, y: 30)
  try editor.pointerMove(x: 21, y: 34)
  try editor.pointerUp(x: 22, y: 38)

  try await editor.becomeIdle()
  print(try editor.export(as: .text))
  _ = engine
  _ = editor
}

func exampleEditor2(_ packageURL: URL, _ editor: Editor, _ engine: Engine) async throws {
  let package = try engine.openPackage(at: packageURL, mode: .create)
  let part = try package.makePart(type: "Text")
  try editor.setPart(part)
  // Every change is in a working copy on the disk within 200 ms.
  try package.save()
  _ = package
  _ = part
}
