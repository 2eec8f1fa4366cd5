import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput
import Recognition
import TestSamples
import Testing

@Suite("No ink is missing from an export")
struct ExportedInkTests {
  private func check(_ desk: Desk, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws
  {
    try desk.editor.waitUntilIdle()
    let document = try desk.editor.exportDocument()
    let expected = Set(try desk.root.items.map(String.init))
    #expect(items(inJIIX: document) == expected, sourceLocation: sourceLocation)
    let json = try desk.editor.export(as: .jiix)
    #expect(try JSONSchema.jiix().faults(json).isEmpty, sourceLocation: sourceLocation)
  }

  @Test(
    "JIIX has all ink without a model, on demand, and for an empty or refused reading",
    arguments: ["Text", "Raw Content", "Drawing", "Diagram", "Math", "Text Document"])
  func all(_ type: String) throws {
    let without = try Desk(type: type, hasTextModel: false)
    try without.write("abc def")
    try check(without)
    let demand = try Desk(type: type) {
      try $0.configuration.set("recognition.trigger", to: "demand")
    }
    try demand.write("abc def")
    try check(demand)
    for reader in [
      ScriptedReader { _ in RecognitionResult(candidates: []) },
      ScriptedReader { _ in throw MissingModel(name: "x") },
    ] {
      let models = LoadedModels()
      models.setText(reader, bundle: "en_US")
      models.setShapes(FakeShapes())
      let desk = try Desk(type: type, models: models)
      try desk.write("abc def")
      try check(desk)
    }
  }

  @Test("A drawing can be exported right after the pen has left, under every trigger")
  func drawing() throws {
    for trigger in ["stroke", "idle", "demand"] {
      let desk = try Desk(type: "Drawing") {
        try $0.configuration.set("recognition.trigger", to: trigger)
      }
      try desk.write("a")
      #expect(items(inJIIX: try desk.editor.exportDocument()).count == 1)
    }
  }

  @Test("An idle editor can be exported, under every trigger and whatever was changed")
  func idleExports() throws {
    for trigger in ["stroke", "idle", "demand"] {
      let desk = try Desk {
        try $0.configuration.set("recognition.trigger", to: trigger)
        try $0.configuration.set("recognition.idle-delay", to: 1)
      }
      for step in 0..<6 {
        try desk.write("ab", x: 20 + Double(step) * 12)
        if step == 3 { try desk.editor.removeItems([try #require(desk.root.items.first)]) }
        if step == 4 { try desk.editor.undo() }
        try desk.editor.waitUntilIdle()
        #expect(throws: Never.self) { try desk.editor.export(as: .text) }
        #expect(throws: Never.self) { try desk.editor.export(as: .jiix) }
      }
    }
  }

  @Test("A force that is not known costs the others nothing")
  func force() throws {
    let desk = try Desk(type: "Drawing")
    try desk.editor.pointerDown(x: 1, y: 1, force: 0.7)
    try desk.editor.pointerMove(x: 2, y: 1, force: 0.6)
    try desk.editor.pointerUp(x: 3, y: 1)
    #expect(try desk.editor.exportDocument().items?.first?.F == [0.7, 0.6, 0.6])
    try desk.editor.pointerDown(x: 1, y: 9)
    try desk.editor.pointerUp(x: 3, y: 9, force: 0.4)
    #expect(try desk.editor.exportDocument().items?.last?.F == [0.4, 0.4])
    try desk.editor.pointerDown(x: 1, y: 9)
    try desk.editor.pointerUp(x: 3, y: 9)
    #expect(try desk.editor.exportDocument().items?.last?.F == nil)
  }

  @Test("Late forces are told and exported, and nothing is read for them")
  func lateForce() throws {
    let desk = try Desk()
    try desk.editor.configuration.set("pen.update-deadline", to: 3_600_000)
    let sample = PenSample(
      point: StrokePoint(x: 20, y: 15, t: 5, force: 0.33), estimated: .force,
      expectingUpdates: .force, updateIndex: 1)
    try desk.editor.handle(.began(sample))
    try desk.editor.handle(.ended(PenSample(point: StrokePoint(x: 22, y: 17, t: 9, force: 0))))
    try desk.editor.waitUntilIdle()
    let calls = desk.reader.calls.count
    let listener = Listener()
    desk.editor.delegate = listener
    try desk.editor.handle(.updated(PenUpdate(index: 1, force: 0.8)))
    try desk.editor.waitUntilIdle()
    #expect(listener.events == [.contentChanged(added: [], removed: [], updated: ["0"])])
    #expect(desk.reader.calls.count == calls)
    #expect(try desk.editor.exportDocument().words?.first?.items?.first?.F == [0.8, 0.8])
  }

  @Test("Numbers of pens and of added ink that are no measurement cannot spoil an export")
  func badNumbers() throws {
    let desk = try Desk(type: "Raw Content")
    let bad: [Double] = [.infinity, -.infinity, -1, .nan, 1e308]
    for value in bad {
      try desk.editor.handle(
        .began(PenSample(point: StrokePoint(x: 20, y: 15, t: value, force: value, azimuth: value))))
      try desk.editor.handle(
        .moved(coalesced: [PenSample(point: StrokePoint(x: value, y: 15))], predicted: []))
      try desk.editor.handle(
        .updated(PenUpdate(index: 1, location: .init(x: value, y: value), force: value)))
      try desk.editor.handle(.ended(PenSample(point: StrokePoint(x: 22, y: 17, force: value))))
      let stroke = Stroke(points: [StrokePoint(x: 90, y: 50, t: value, force: value)])
      try desk.editor.addBlock(type: "Drawing", ink: Ink(strokes: [stroke]))
      guard value != -1 else { continue }
      let far = Stroke(points: [StrokePoint(x: value, y: 1)])
      #expect(throws: EditorError.self) {
        try desk.editor.addBlock(type: "Drawing", ink: Ink(strokes: [far]))
      }
    }
    try desk.editor.waitUntilIdle()
    #expect(items(inJIIX: try desk.editor.exportDocument()).count == 10)
    let json = try desk.editor.export(as: .jiix)
    #expect(try JSONSchema.jiix().faults(json).isEmpty)
  }

  @Test("Lines of JIIX name characters of their own, and an empty line none")
  func unreadLines() throws {
    let reader = ScriptedReader { ink in
      guard (ink.boundingBox?.minY ?? 0) < 20 else { return RecognitionResult(candidates: []) }
      return RecognitionResult(candidates: [RecognitionCandidate(text: "top", score: -0.1)])
    }
    let models = LoadedModels()
    models.setText(reader, bundle: "en_US")
    for rows in [[15.0, 30], [30, 15], [30], [15, 30, 45]] {
      let desk = try Desk(models: models)
      for row in rows { try desk.write("abc", y: row) }
      try desk.editor.waitUntilIdle()
      let all = #"{"export":{"jiix":{"text":{"chars":true,"lines":true}}}}"#
      let text = try desk.editor.exportDocument(overrides: all)
      let count = text.chars?.count ?? 0
      for (line, row) in zip(text.lines ?? [], rows.sorted()) {
        if row == 15 {
          #expect(line.firstChar == 0 && line.lastChar == 2 && count == 3)
        } else {
          #expect(line.firstChar == nil && line.lastChar == nil)
        }
      }
      let json = try desk.editor.export(as: .jiix, overrides: all)
      #expect(try JSONSchema.jiix().faults(json).isEmpty)
    }
  }
}
