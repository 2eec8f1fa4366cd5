import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput

/// Applies operations to an editor and compares it with a model after each.
struct OperationRunner {
  typealias Place = EditorOperation.Place

  /// The most items of a part that are made by pasting.
  static let mostItems = 300

  let desk: Desk
  let models: UnsteadyModels
  let mirror = BlockMirror()
  /// True to wait for recognition after each operation, so that a run is the same each time.
  let settles: Bool
  var model = InkModel()
  var parts: [ContentPart] = []
  /// True if settings or models changed after some ink was read: reading again gives other words.
  var environmentChanged = false
  var effects: [InkEffect] = []
  /// How far the present operation moved items that keep their ids.
  var moves: [Int: Place] = [:]
  /// The new item of each item that the hand has moved, and whether it has cut one.
  var (movedItems, movedPieces): ([Int: Int], Bool) = ([:], false)
  var count = 0

  init(type: PartType, settles: Bool) throws {
    self.settles = settles
    models = UnsteadyModels()
    desk = try Desk(type: nil, models: models)
    desk.editor.delegate = mirror
    try Self.configure(desk.editor)
    try run(.newPart(type))
  }

  var editor: Editor { desk.editor }

  /// The settings that the model relies on.
  static func configure(_ editor: Editor) throws {
    let settings = editor.configuration
    try settings.set("pen.update-deadline", to: 3_600_000)
    // Only the operation that draws gestures allows them.
    try settings.set("gesture.enable", to: false)
    try settings.set("raw-content.pen.gestures", to: GestureKind.names)
    try settings.set("recognition.idle-delay", to: 1)
    try settings.set("raw-content.classification.types", to: ["text", "shape", "drawing"])
    try settings.set("raw-content.recognition.types", to: ["text"])
  }

  // MARK: - One operation

  /// Runs an operation and compares the results.
  ///
  /// - Throws: ``Violation`` if editor and model differ.
  mutating func run(_ operation: EditorOperation) throws {
    count += 1
    let steps = try expand(operation)
    for step in steps {
      let before = (part: model.current, index: editor.undoStackIndex)
      (effects, moves) = ([], [:])
      (movedItems, movedPieces) = ([:], false)
      try perform(step)
      try settle()
      // A part that was switched was compared by then.
      if before.part == model.current { try compare(since: before.index) }
    }
    if count % 200 == 0 { try checkAll() }
  }

  func settle() throws {
    guard settles else { return }
    try waitUntilIdle()
  }

  func waitUntilIdle() throws {
    guard try editor.waitUntilIdle(timeout: 20) else {
      throw Violation("not idle after 20 s: \(editor.pendingWork)")
    }
  }

  /// Returns the calls that an operation consists of.
  func expand(_ operation: EditorOperation) throws -> [EditorOperation] {
    switch operation {
    case .stroke(let places, let type):
      guard let first = places.first, let last = places.last else { return [] }
      return [.down(7, type, first)]
        + places.dropFirst().dropLast().map { .move(7, type, $0) } + [.up(7, type, last)]
    case .moveBlock(let number, let dx, let dy):
      guard let box = block(number)?.box else { return [] }
      let transform = editor.viewTransform
      func place(_ dx: Double, _ dy: Double) -> Place {
        let place = transform.view(x: box.midX + dx, y: box.midY + dy)
        return Place(x: place.x, y: place.y)
      }
      return [
        .down(5, .touch, place(0, 0)), .up(5, .touch, place(0, 0)),
        .down(5, .touch, place(0, 0)), .move(5, .touch, place(dx / 2, dy / 2)),
        .up(5, .touch, place(dx, dy)),
      ]
    case .draw(_, let number, _, _):
      // Nothing else is down, and half of the gestures have new words to themselves.
      let lifted =
        model.pointers.keys.sorted().map { EditorOperation.cancel($0) }
        + model.pens.keys.sorted().map { .penEnded($0, nil) }
      let bottom = editor.rootBlock?.box?.maxY ?? 0
      guard number.isMultiple(of: 2), abs(bottom) < 2000 else { return lifted + [operation] }
      let place = editor.viewTransform.view(x: 20, y: bottom + 12)
      return lifted + [
        .write("hello abc", Place(x: place.x, y: place.y), gestures: false), .settle, operation,
      ]
    default: return [operation]
    }
  }

  mutating func perform(_ operation: EditorOperation) throws {
    switch operation {
    case .down, .move, .up, .cancel, .write, .batch, .stroke, .moveBlock:
      try pointer(operation)
    case .draw(let form, let block, let word, let part): try draw(form, block, word, part)
    case .penBegan, .penMoved, .penEnded, .penCancelled, .penUpdated, .penClock, .hover, .gesture,
      .tool, .view:
      try pen(operation)
    case .undo, .redo, .back, .unwind: try travel(operation)
    case .removeItems, .removeBlock, .copy, .paste, .force, .choose, .importChoice, .importText,
      .addInk, .addFrame, .clear, .decorate, .undecorate:
      try edit(operation)
    case .lasso, .moveSelection, .scaleSelection, .eraseSelection, .cutSelection:
      try select(operation)
    case .newPart, .setPart, .configure, .resetConfiguration, .models: try set(operation)
    case .recognize, .export, .look, .settle: try read(operation)
    }
  }

  // MARK: - History

  mutating func travel(_ operation: EditorOperation) throws {
    switch operation {
    case .undo: try undo()
    case .redo: try redo()
    case .back(let steps): try there(steps)
    case .unwind: try there(.max)
    default: break
    }
  }

  mutating func undo() throws {
    let isDone = try? editor.undo()
    if !model.isDown, let current = model.current {
      let isExpected = !model.parts[current].past.isEmpty
      guard isDone == isExpected else { throw Violation("undo returned \(isDone as Any)") }
    }
    if isDone == true { effects.append(.undone) }
  }

  mutating func redo() throws {
    let isDone = try? editor.redo()
    if !model.isDown, let current = model.current {
      let isExpected = !model.parts[current].future.isEmpty
      guard isDone == isExpected else { throw Violation("redo returned \(isDone as Any)") }
    }
    if isDone == true { effects.append(.redone) }
  }

  /// Undoes and redoes steps: the document is the same.
  mutating func there(_ steps: Int) throws {
    guard !model.isDown, let part = model.current else { return }
    try waitUntilIdle()
    var previous = environmentChanged ? nil : try editor.export(as: .jiix)
    for _ in 0..<2 {
      let items = model.items
      var count = 0
      while count < steps, try editor.undo() { count += 1 }
      guard count <= model.parts[part].past.count else {
        throw Violation("\(count) steps back, the model has \(model.parts[part].past.count)")
      }
      if count > 0 {
        let expected = model.parts[part].past[model.parts[part].past.count - count]
        guard presentItems == expected else {
          throw Violation("\(count) steps back: \(presentItems), expected \(expected)")
        }
      }
      if editor.undoStackIndex == 0 {
        guard editor.isEmpty, editor.rootBlock?.children.isEmpty ?? false else {
          throw Violation("the beginning is not empty")
        }
      }
      for step in 0..<count where try !editor.redo() {
        throw Violation("redo \(step) of \(count) is missing")
      }
      guard presentItems == items else {
        throw Violation("forth again: \(presentItems), expected \(items)")
      }
      try waitUntilIdle()
      let now = try editor.export(as: .jiix)
      guard previous == nil || previous == now else {
        throw Violation(
          "\(count) steps back and forth: the document differs\n\(previous ?? "")\n\(now)")
      }
      previous = now
      try check(marks: model.parts[part].marks)
    }
  }

  // MARK: - Parts, settings, models, reading

  mutating func set(_ operation: EditorOperation) throws {
    switch operation {
    case .newPart(let type):
      let part = try desk.engine.makePart(type: type.rawValue)
      parts.append(part)
      model.parts.append(InkModel.Part())
      model.ink[parts.count - 1] = [:]
      try set(part: parts.count - 1)
    case .setPart(let number): try set(part: number.map { parts.count - 1 - $0 % parts.count })
    case .configure(let key, let value):
      environmentChanged = true
      switch value {
      case .string(let text): try editor.configuration.set(key, to: text)
      case .boolean(let flag): try editor.configuration.set(key, to: flag)
      case .number(let number): try editor.configuration.set(key, to: number)
      case .strings(let texts): try editor.configuration.set(key, to: texts)
      case .numbers(let numbers): try editor.configuration.set(key, to: numbers)
      }
    case .resetConfiguration:
      environmentChanged = true
      editor.configuration.reset()
      try Self.configure(editor)
    case .models(let text, let shapes, let told):
      environmentChanged = true
      models.set(text: text, shapes: shapes)
      if told { desk.engine.modelsDidChange() }
    default: break
    }
  }

  mutating func set(part: Int?) throws {
    if model.current != nil { try checkAll() }
    guard (try? editor.setPart(part.map { parts[$0] })) != nil else {
      guard model.isDown || part == model.current else { throw Violation("setPart was refused") }
      return
    }
    environmentChanged = true
    model.generation += 1
    model.current = part
    try settle()
    if part != nil { try checkAll() }
  }

  mutating func read(_ operation: EditorOperation) throws {
    switch operation {
    case .recognize(let again):
      guard (try? editor.recognize(again: again)) != nil, again, settles else { return }
      environmentChanged = false
    case .export(let overrides): _ = try? editor.export(as: .jiix, overrides: overrides)
    case .look(let place):
      _ = try? editor.hitBlock(x: place.x, y: place.y)
      _ = editor.activeBlock?.words
      _ = (editor.pendingCount, editor.unreadCount, editor.isIdle, editor.hoveringPen)
      for item in model.items.suffix(3) {
        _ = (editor.block(ofItem: item)?.box, editor.word(ofItem: item), editor.rolls(of: item))
      }
    case .settle: try waitUntilIdle()
    default: break
    }
  }

  // MARK: - All ink

  /// Compares all ink of the part, and checks the document.
  func checkAll() throws {
    guard let current = model.current else { return }
    for item in model.items {
      guard let expected = model.places(of: item) else {
        throw Violation("item \(item) is unknown")
      }
      let found = try places(of: item)
      guard found.isAlmost(expected) else {
        throw Violation("item \(item) has \(found), expected \(expected), part \(current)")
      }
    }
    try check(marks: model.parts[current].marks)
    let faults = editor.read { $0.document?.faults ?? [] }
    guard faults.isEmpty else { throw Violation(faults.joined(separator: "; ")) }
    guard settles else { return }
    try waitUntilIdle()
    let blocks = Set(editor.read { $0.document?.blockIDs ?? [] })
    guard mirror.blocks == blocks else {
      throw Violation("told of blocks \(mirror.blocks.sorted()), expected \(blocks.sorted())")
    }
    if let fault = mirror.fault { throw Violation(fault) }
    let exported = items(inJIIX: try editor.exportDocument())
    guard exported.count == model.items.count else {
      let missing = model.items.filter { !exported.contains("\($0)") }
      let places = missing.map { item in
        sequence(first: editor.block(ofItem: item)) { $0?.parent }.prefix { $0 != nil }
          .map { "\($0?.type.rawValue ?? "") \($0?.id ?? "")" }.joined(separator: " in ")
      }
      throw Violation("items \(missing) of \(places) are not exported")
    }
  }

  /// Lifts all pens and pointers, repairs models and settings, and checks everything.
  mutating func finish() throws {
    for id in model.pointers.keys.sorted() { try run(.cancel(id)) }
    for pen in model.pens.keys.sorted() { try run(.penEnded(pen, nil)) }
    try run(.resetConfiguration)
    try run(.models(text: .works, shapes: .works, told: true))
    for number in parts.indices {
      try run(.setPart(parts.count - 1 - number))
      try run(.recognize(again: true))
      try waitUntilIdle()
      try run(.unwind)
      try checkAll()
      let json = try editor.export(as: .jiix)
      let faults = try JSONSchema.jiix().faults(json)
      guard faults.isEmpty else { throw Violation("\(faults)") }
      _ = try JIIXBlock(parsing: Data(json.utf8))
    }
  }
}
