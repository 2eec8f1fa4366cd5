import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Hosts that misbehave")
struct HostTests {
  @Test("Models that call back in while shapes are opened block nothing")
  func reentrantModels() throws {
    let models = CountedModels()
    let desk = try Desk(type: "Raw Content", models: models)
    let engine = desk.engine
    let editor = desk.editor
    models.whenShapesAreOpened {
      models.whenShapesAreOpened {}
      engine.modelsDidChange()
      let done = DispatchSemaphore(value: 0)
      Thread {
        _ = editor.isEmpty; done.signal()
      }.start()
      done.wait()
    }
    try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    #expect(try desk.editor.waitUntilIdle(timeout: 60))
    #expect(try desk.root.children.map(\.type) == [.node])
  }

  @Test("The model of shapes is opened once for many strokes")
  func openedOnce() throws {
    let models = CountedModels()
    let desk = try Desk(type: "Raw Content", models: models)
    for row in 0..<5 {
      try desk.draw([Pen.rectangle(x: 20, y: 40 + 60 * Double(row), width: 40, height: 25)])
      try desk.editor.waitUntilIdle()
    }
    #expect(models.shapeOpenings == 1)
    desk.engine.modelsDidChange()
    try desk.draw([Pen.rectangle(x: 90, y: 40, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    #expect(models.shapeOpenings == 2)
  }

  @Test("Waiting inside a recogniser is refused, and does not hang")
  func waitingInside() throws {
    let found = Found()
    let box = EditorBox()
    let models = LoadedModels()
    models.setText(
      ScriptedReader { _ in
        do throws(EditorError) { try box.editor?.waitUntilIdle() } catch { found.add(error: error) }
        return RecognitionResult(candidates: [RecognitionCandidate(text: "x", score: -0.1)])
      }, bundle: "en_US")
    let desk = try Desk(models: models)
    box.editor = desk.editor
    try desk.write("a")
    #expect(try desk.editor.waitUntilIdle(timeout: 60))
    #expect(found.errors == [.insideCallback])
  }

  @Test("A recogniser that names ink that is not there loses no ink and ends nothing")
  func wrongParts() throws {
    for parts: [CharacterInk.Part] in [
      [.init(stroke: 5, points: 0..<1)], [.init(stroke: 0, points: 0..<99)],
      [.init(stroke: -1, points: 0..<1)], [.init(stroke: 0, points: 50..<60)],
      [.init(stroke: 0, points: -3..<2)],
    ] {
      let models = LoadedModels()
      models.setText(
        ScriptedReader { _ in
          RecognitionResult(candidates: [
            RecognitionCandidate(text: "x", score: -0.1, characters: [CharacterInk(parts: parts)])
          ])
        }, bundle: "en_US")
      let desk = try Desk(models: models)
      try desk.write("a")
      #expect(try desk.text() == "x")
      let json = try desk.editor.export(
        as: .jiix, overrides: #"{"export":{"jiix":{"text":{"chars":true}}}}"#)
      #expect(try JSONSchema.jiix().faults(json).isEmpty)
      #expect(try desk.root.words.flatMap(\.items) == desk.root.items)
    }
  }

  @Test("A failing recogniser of shapes is told once, and its ink is sorted again later")
  func failingShapes() throws {
    let desk = try Desk(type: "Raw Content")
    desk.models.setShapes(ScriptedReader { _ in throw MissingModel(name: "x") })
    let listener = Listener()
    desk.editor.delegate = listener
    let items = try desk.draw([
      Pen.rectangle(x: 20, y: 40, width: 40, height: 25),
      Pen.rectangle(x: 20, y: 140, width: 40, height: 25),
    ])
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children.allSatisfy { $0.type != .node } && desk.root.items == items)
    let notices = listener.events.compactMap {
      if case .notice(let notice) = $0 { notice.code } else { nil }
    }
    #expect(notices == [.shapesFailed])
    desk.models.setShapes(FakeShapes())
    desk.engine.modelsDidChange()
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children.map(\.type) == [.node, .node])
  }

  @Test("Ink that came before the model of shapes, or before the setting, becomes a shape later")
  func shapesComeLater() throws {
    let models = LoadedModels()
    models.setText(FakeReader(), bundle: "en_US")
    let desk = try Desk(type: "Raw Content", models: models)
    let box = try desk.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    try desk.editor.set(type: .shape, for: box, asOneBlock: true)
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children.map(\.type) == [.drawing])
    try desk.draw([Pen.rectangle(x: 20, y: 140, width: 40, height: 25)])
    try desk.editor.waitUntilIdle()
    models.setShapes(FakeShapes())
    desk.engine.modelsDidChange()
    try desk.editor.waitUntilIdle()
    #expect(try desk.root.children.map(\.type) == [.node, .node])
    let later = try Desk(type: "Raw Content") {
      try $0.configuration.set("raw-content.classification.types", to: ["text", "drawing"])
    }
    try later.draw([Pen.rectangle(x: 20, y: 40, width: 40, height: 25)])
    try later.editor.waitUntilIdle()
    #expect(try later.root.children.map(\.type) != [.node])
    try later.engine.configuration.set("raw-content.classification.types", to: ["shape"])
    later.editor.configuration.remove("raw-content.classification.types")
    try later.editor.waitUntilIdle()
    #expect(try later.root.children.map(\.type) == [.node])
  }

  @Test("A resting palm blocks neither undo nor clear nor a part nor a batch; a pen does")
  func palm() throws {
    let desk = try Desk()
    let part = try #require(desk.editor.part)
    try desk.write("a")
    try desk.editor.pointerDown(x: 90, y: 90, t: 1_700_000_900_000, type: .touch, id: 7)
    #expect(try desk.editor.undo())
    #expect(try desk.editor.redo())
    try desk.editor.pointerEvents(
      [PointerEvent(.down, x: 30, y: 15, id: 1), PointerEvent(.up, x: 32, y: 17, id: 1)],
      processGestures: false)
    try desk.editor.clear()
    try desk.editor.setPart(nil)
    try desk.editor.setPart(part)
    try desk.editor.pointerUp(x: 90, y: 90, type: .touch, id: 7)
    try desk.editor.pointerDown(x: 5, y: 5)
    #expect(throws: EditorError.pointerIsDown) { try desk.editor.undo() }
  }
}

/// An editor for code that is made before it.
final class EditorBox: @unchecked Sendable {
  // Unchecked because it is set before it is read.
  weak var editor: Editor?
}
