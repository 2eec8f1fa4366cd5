import Foundation
import InkCore
import InkEditor
import InkFormats
import TestSamples
import Testing

/// Random calls from several threads at once.
@Suite("Concurrent callers")
struct ConcurrencyTests {
  /// Writes with its own pointers, and counts the ink that must exist.
  private struct Writer {
    let desk: Desk
    let id: Int
    var generator: SeededGenerator
    var expected: Set<Int> = []
    private var down: Int?

    init(desk: Desk, seed: UInt64, id: Int) {
      self.desk = desk
      self.id = id
      generator = SeededGenerator(seed: seed, UInt64(id), 0xED17)
    }

    private mutating func place() -> (x: Double, y: Double) {
      (Double(generator.uniform(0...180)), Double(generator.uniform(0...180)))
    }

    mutating func step() throws {
      let editor = desk.editor
      let (x, y) = place()
      switch generator.index(below: 100) {
      case 0..<20: down = (try? editor.pointerDown(x: x, y: y, id: id)) ?? down
      case 20..<60: try? editor.pointerMove(x: x, y: y, id: id)
      case 60..<76: lift(x, y)
      case 76: if (try? editor.pointerCancel(id: id)) != nil { down = nil }
      case 77..<81:
        let events = Pen.strokes("ab c", x: x, y: y).flatMap { points in
          points.enumerated().map { index, point in
            PointerEvent(
              index == 0 ? .down : index == points.count - 1 ? .up : .move, x: point.x, y: point.y,
              id: id)
          }
        }
        if let items = try? editor.pointerEvents(events, processGestures: true) {
          expected.formUnion(items)
        }
      case 81..<85: choose()
      case 85..<87: _ = try? editor.hitBlock(x: x, y: y)
      case 87: _ = try? editor.export(as: .jiix)
      case 88..<90: try? editor.recognize()
      case 90..<93: _ = editor.rootBlock?.children.map(\.lines)
      case 93..<95:
        let triggers = ["stroke", "idle", "demand"]
        try editor.configuration.set(
          "recognition.trigger", to: triggers[generator.index(below: triggers.count)])
        try editor.configuration.set("recognition.idle-delay", to: 1)
      case 95: desk.engine.modelsDidChange()
      case 96: _ = editor.events
      case 97: if generator.index(below: 5) == 0 { try editor.waitUntilIdle() }
      default: _ = (editor.activeBlock?.words, editor.pendingCount, editor.undoStackIndex)
      }
    }

    private mutating func lift(_ x: Double, _ y: Double) {
      guard (try? desk.editor.pointerUp(x: x, y: y, id: id)) != nil, let item = down else { return }
      expected.insert(item)
      down = nil
    }

    private func choose() {
      guard
        let block =
          ([desk.editor.rootBlock].compactMap(\.self)
          + (desk.editor.rootBlock?.children ?? [])).first(where: { !$0.words.isEmpty }),
        let word = block.words.last, let text = word.candidates.last?.text
      else { return }
      try? desk.editor.choose(text, for: word, in: block)
    }

    mutating func finish() { lift(5, 5) }
  }

  @Test("Four writers at once: no crash, no deadlock, no ink lost", arguments: UInt64(1)...4)
  func writers(_ seed: UInt64) async throws {
    let desk = try Desk(type: ["Text", "Raw Content"][Int(seed % 2)]) { editor in
      // Each stroke is ink, so that the items are known.
      try editor.configuration.set("gesture.enable", to: false)
    }
    let expected = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      for id in 0..<4 {
        group.addTask {
          var writer = Writer(desk: desk, seed: seed, id: id)
          for _ in 0..<600 { try writer.step() }
          writer.finish()
          return writer.expected
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
    }
    try desk.editor.recognize()
    try await desk.editor.becomeIdle()
    #expect(Set(try desk.root.items) == expected, "seed \(seed)")
    let faults = desk.editor.read { $0.document?.faults }
    #expect(faults == [], "seed \(seed)")
    let json = try desk.editor.export(as: .jiix)
    #expect(try JSONSchema.jiix().faults(json).isEmpty, "seed \(seed)")
  }

  @Test("Every kind of call at once: the document stays sound", arguments: PartType.allCases)
  func everything(_ type: PartType) async throws {
    let models = UnsteadyModels()
    let desk = try Desk(type: type.rawValue, models: models)
    let mirror = BlockMirror()
    desk.editor.delegate = mirror
    let second = desk.engine.makeEditor()
    try second.setViewSize(width: 200, height: 1000)
    second.callbackExecutor = .engine
    let parts = try PartType.allCases.map { try desk.engine.makePart(type: $0.rawValue) }
    await withTaskGroup(of: Void.self) { group in
      for stream in UInt64(0)..<3 {
        group.addTask {
          let editor = stream == 2 ? second : desk.editor
          let operations = EditorOperation.sequence(seed: 7 + stream, count: 400)
          for operation in operations { Caller(editor, models, parts).call(operation) }
        }
      }
      // Readers of streams, which end when they are cancelled.
      group.addTask { for await _ in desk.editor.events {} }
      group.addTask { for await _ in desk.editor.activeText {} }
      for _ in 0..<3 { await group.next() }
      group.cancelAll()
    }
    for editor in [desk.editor, second] {
      #expect(try editor.waitUntilIdle(timeout: 60))
      let faults = editor.read { $0.document?.faults ?? [] }
      #expect(faults == [])
    }
  }

  /// Makes the call of an operation, whatever comes of it.
  private struct Caller {
    let editor: Editor
    let models: UnsteadyModels
    let parts: [ContentPart]

    init(_ editor: Editor, _ models: UnsteadyModels, _ parts: [ContentPart]) {
      (self.editor, self.models, self.parts) = (editor, models, parts)
    }

    func call(_ operation: EditorOperation) {
      let items = editor.rootBlock?.items ?? []
      let blocks = [editor.rootBlock].compactMap(\.self) + (editor.rootBlock?.children ?? [])
      func block(_ number: Int) -> ContentBlock? {
        blocks.isEmpty ? nil : blocks[number % blocks.count]
      }
      func chosen(_ numbers: [Int]) -> [Int] {
        items.isEmpty ? [] : numbers.map { items[$0 % items.count] }
      }
      switch operation {
      case .down(let id, let type, let place):
        _ = try? editor.pointerDown(x: place.x, y: place.y, type: type, id: id)
      case .move(let id, let type, let place):
        try? editor.pointerMove(x: place.x, y: place.y, type: type, id: id)
      case .up(let id, let type, let place):
        try? editor.pointerUp(x: place.x, y: place.y, type: type, id: id)
      case .cancel(let id): try? editor.pointerCancel(id: id)
      case .undo, .back: _ = try? editor.undo()
      case .redo, .unwind: _ = try? editor.redo()
      case .removeItems(let numbers): try? editor.removeItems(chosen(numbers))
      case .removeBlock(let number):
        if number != 0, let block = block(number) { try? editor.removeBlock(block) }
      case .copy(let number): if let block = block(number) { try? editor.copy(block) }
      case .paste(let place): _ = try? editor.paste(x: place.x, y: place.y)
      case .force(let type, let numbers, let asOneBlock):
        try? editor.set(type: type, for: chosen(numbers), asOneBlock: asOneBlock)
      case .addFrame(let type, let place, let width, let height):
        _ = try? editor.addBlock(type: type, x: place.x, y: place.y, width: width, height: height)
      case .penBegan(let pen, let type, let sample):
        _ = try? editor.handle(
          .began(.init(point: StrokePoint(x: sample.place.x, y: sample.place.y))), pointer: pen,
          type: type)
      case .penEnded(let pen, _): _ = try? editor.handle(.ended(nil), pointer: pen)
      case .hover(let place, let phase):
        editor.hover(.init(phase, x: place.x, y: place.y))
      case .tool(let tool, let type): editor.tools.setTool(tool, for: type)
      case .setPart(let number): try? editor.setPart(number.map { parts[$0 % parts.count] })
      case .models(let text, let shapes, let told):
        models.set(text: text, shapes: shapes)
        if told { editor.engine.modelsDidChange() }
      case .configure(let key, .string(let text)): try? editor.configuration.set(key, to: text)
      case .configure(let key, .strings(let texts)): try? editor.configuration.set(key, to: texts)
      case .write(let text, let place, let gestures):
        let events = Pen.strokes(text, x: place.x, y: place.y).flatMap { points in
          points.enumerated().map { index, point in
            PointerEvent(
              index == 0 ? .down : index == points.count - 1 ? .up : .move, x: point.x, y: point.y,
              id: 3)
          }
        }
        _ = try? editor.pointerEvents(events, processGestures: gestures)
      case .recognize(let again): try? editor.recognize(again: again)
      case .clear: try? editor.clear()
      default: _ = try? editor.export(as: .jiix)
      }
    }
  }
}
