import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition

// The examples of Sources/InkEditor/InkEditor.docc, line by line, as functions that tests run.
// `DocumentationTests` checks that both are the same.

func exampleOverview(_ models: any ModelProvider) async throws {
  let engine = Engine(models: ProvidedModels(models))
  let editor = engine.makeEditor()
  editor.viewTransform = .millimetres
  try editor.setViewSize(width: 200, height: 100)
  try editor.setPart(engine.makePart(type: "Text"))

  try editor.pointerDown(x: 20, y: 30)
  try editor.pointerMove(x: 21, y: 34)
  try editor.pointerUp(x: 22, y: 38)

  try await editor.becomeIdle()
  print(try editor.export(as: .text))
}

func exampleReadLines(_ editor: Editor) async throws {
  try await editor.becomeIdle()
  for line in editor.activeBlock?.lines ?? [] {
    print(line.text)
    for word in line.words {
      print(word.label, word.box, word.candidates.map(\.text))
    }
  }
}

func exampleChoose(_ editor: Editor) throws {
  if let block = editor.activeBlock, let word = block.words.first {
    for candidate in word.candidates where candidate.text != word.label {
      try editor.choose(candidate.text, for: word, in: block)
      break
    }
  }
}

func exampleForce(_ editor: Editor) throws {
  let items = editor.rootBlock?.items ?? []
  if try editor.availableTypes().contains(.drawing) {
    try editor.set(type: .drawing, for: items, asOneBlock: true)
  }
}

func exampleListen(_ editor: Editor) async {
  for await event in editor.events {
    switch event {
    case .contentChanged(let added, let removed, let updated):
      print("added \(added), removed \(removed), updated \(updated)")
    case .notice(let notice):
      print(notice.message)
    default: break
    }
  }
}

func exampleImport(_ editor: Editor) throws -> Int {
  var document = try editor.exportDocument()
  for index in (document.words ?? []).indices {
    let candidates = document.words?[index].candidates ?? []
    if let last = candidates.last { document.words?[index].label = last }
  }
  let json = String(decoding: try document.json(), as: UTF8.self)
  let changed = try editor.importCandidates(json)
  return changed
}

func exampleImportInk(_ editor: Editor) throws -> ContentBlock {
  let stroke = Stroke(points: [StrokePoint(x: 10, y: 20), StrokePoint(x: 30, y: 20)])
  let block = try editor.addBlock(type: "Drawing", ink: Ink(strokes: [stroke]))
  return block
}

func exampleExport(_ editor: Editor) async throws -> (String, String) {
  try await editor.becomeIdle()
  let text = try editor.export(as: .text)
  let jiix = try editor.export(
    as: .jiix, overrides: #"{"export": {"jiix": {"text": {"chars": true}}}}"#)
  return (text, jiix)
}
