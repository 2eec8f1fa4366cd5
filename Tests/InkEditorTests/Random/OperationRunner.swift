import Foundation
import InkCore
import InkFormats
import PenInput

@testable import InkEditor

/// Applies operations to an editor and compares it with a model after each.
struct OperationRunner {
  typealias Place = EditorOperation.Place

  /// The most items of a part that are made by pasting.
  private static let mostItems = 300

  let desk: Desk
  let models: UnsteadyModels
  let mirror = BlockMirror()
  /// True to wait for recognition after each operation, so that a run is the same each time.
  let settles: Bool
  var model = InkModel()
  var parts: [ContentPart] = []
  /// True if settings or models changed after some ink was read: reading again gives other words.
  var environmentChanged = false
  private var effects: [InkEffect] = []
  private var count = 0

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
      effects = []
      try perform(step)
      try settle()
      // A part that was switched was compared by then.
      if before.part == model.current { try compare(since: before.index) }
    }
    if count % 200 == 0 { try checkAll() }
  }

  private func settle() throws {
    guard settles else { return }
    try waitUntilIdle()
  }

  func waitUntilIdle() throws {
    guard try editor.waitUntilIdle(timeout: 20) else {
      throw Violation("not idle after 20 s: \(editor.pendingWork)")
    }
  }

  /// Returns the calls that an operation consists of.
  private func expand(_ operation: EditorOperation) throws -> [EditorOperation] {
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
    default: return [operation]
    }
  }

  private mutating func perform(_ operation: EditorOperation) throws {
    switch operation {
    case .down, .move, .up, .cancel, .write, .batch, .stroke, .moveBlock:
      try pointer(operation)
    case .penBegan, .penMoved, .penEnded, .penCancelled, .penUpdated, .penClock, .hover, .gesture,
      .tool, .view:
      try pen(operation)
    case .undo, .redo, .back, .unwind: try travel(operation)
    case .removeItems, .removeBlock, .copy, .paste, .force, .choose, .importChoice, .importText,
      .addInk, .addFrame, .clear:
      try edit(operation)
    case .newPart, .setPart, .configure, .resetConfiguration, .models: try set(operation)
    case .recognize, .export, .look, .settle: try read(operation)
    }
  }

  // MARK: - Pointers

  private mutating func pointer(_ operation: EditorOperation) throws {
    switch operation {
    case .down(let id, let type, let place): try down(id, type, place)
    case .move(let id, let type, let place):
      guard send(.move, id, type, place) != nil, var contact = model.pointers[id] else { return }
      contact.path.append(millimetres(place, contact.transform))
      model.pointers[id] = contact
      erase(contact, newest: 1)
    case .up(let id, let type, let place): up(id, type, place)
    case .cancel(let id):
      let isDone = (try? editor.pointerCancel(id: id)) != nil
      // Without a part, nothing can be reverted, but the pointer is up.
      if isDone || model.current == nil { model.pointers[id] = nil }
    case .write(let text, let place, let gestures):
      let strokes = Pen.strokes(text, x: place.x, y: place.y)
        .map { $0.map { Place(x: $0.x, y: $0.y) } }
      batch(strokes, .pen, interleaved: false, gestures: gestures)
    case .batch(let strokes, let type, let interleaved):
      batch(strokes, type, interleaved: interleaved, gestures: false)
    default: break
    }
  }

  private func millimetres(_ place: Place, _ transform: ViewTransform) -> Place {
    let place = transform.document(x: place.x, y: place.y)
    return Place(x: place.x, y: place.y)
  }

  /// Sends an event; nil if it was refused.
  private func send(
    _ kind: PointerEvent.Kind, _ id: Int, _ type: PointerType, _ place: Place
  ) -> Int?? {
    do {
      return .some(
        try editor.send(
          PointerEvent(kind, x: place.x, y: place.y, force: 0.5, type: type, id: id)))
    } catch {
      return nil
    }
  }

  private mutating func down(_ id: Int, _ type: PointerType, _ place: Place) throws {
    let isSound = abs(place.x) < 1e9 && abs(place.y) < 1e9
    let isFree =
      model.pointers[id] == nil
      && (model.pointers.isEmpty || id != -1 && model.pointers[-1] == nil)
    let outcome = send(.down, id, type, place)
    guard (outcome != nil) == (isSound && isFree && model.current != nil) else {
      throw Violation("a down event was \(outcome == nil ? "refused" : "accepted")")
    }
    guard let item = outcome else { return }
    let contact = InkModel.Contact(
      type: type, tool: editor.tools.tool(for: type), transform: editor.viewTransform, item: item,
      generation: model.generation, path: [millimetres(place, editor.viewTransform)])
    if type == .pen || type == .eraser { penCameDown() }
    if type != .touch, (contact.tool == .pen) != (item != nil) {
      throw Violation("the tool \(contact.tool) began \(item.map { "item \($0)" } ?? "nothing")")
    }
    model.pointers[id] = contact
    erase(contact, newest: 1)
  }

  private mutating func penCameDown() {
    for id in model.pointers.keys where model.pointers[id]?.type == .touch {
      model.pointers[id]?.mayBePalm = true
    }
  }

  private mutating func up(_ id: Int, _ type: PointerType, _ place: Place) {
    let isDone = send(.up, id, type, place) != nil
    guard isDone || model.current == nil, var contact = model.pointers[id] else { return }
    if !isDone {
      // Without a part the pointer leaves the view, unless the event is malformed.
      if abs(place.x) < 1e9, abs(place.y) < 1e9 { model.pointers[id] = nil }
      return
    }
    model.pointers[id] = nil
    contact.path.append(millimetres(place, contact.transform))
    contact.path = contact.path.dotted
    finish(contact)
  }

  /// The effect of a pointer or pen that leaves the view.
  private mutating func finish(_ contact: InkModel.Contact) {
    guard contact.generation == model.generation else { return }
    switch contact.tool {
    case .pen:
      guard let item = contact.item, !contact.path.isEmpty else { return }
      effects.append(
        contact.mayBePalm
          ? .mayHaveAppended(item: item, places: contact.path)
          : .appended([(item, contact.path)]))
    case .hand:
      guard let first = contact.path.first, let last = contact.path.last else { return }
      effects.append(.mayHaveMoved(dx: last.x - first.x, dy: last.y - first.y))
    case .eraser: erase(contact, newest: 1)
    case .selector, .highlighter: break
    }
  }

  /// The effect of an eraser's newest places.
  private mutating func erase(_ contact: InkModel.Contact, newest: Int) {
    guard contact.tool == .eraser, contact.generation == model.generation else { return }
    erase([Array(contact.path.suffix(newest + 1))])
  }

  private mutating func erase(_ paths: [[Place]]) {
    let settings = editor.configuration
    effects.append(
      .erased(
        paths: paths, radius: (try? settings.number("text.eraser.radius")) ?? 3,
        isPrecise: (try? settings.boolean("text.eraser.erase-precisely")) ?? false))
  }

  private mutating func batch(
    _ strokes: [[Place]], _ type: PointerType, interleaved: Bool, gestures: Bool
  ) {
    func event(_ stroke: Int, _ index: Int) -> PointerEvent {
      let place = strokes[stroke][index]
      let kind: PointerEvent.Kind =
        index == 0 ? .down : index == strokes[stroke].count - 1 ? .up : .move
      return PointerEvent(kind, x: place.x, y: place.y, type: type, id: interleaved ? stroke : 3)
    }
    var events: [PointerEvent] = []
    var order: [Int] = []
    if interleaved {
      for index in 0..<(strokes.map(\.count).max() ?? 0) {
        for stroke in strokes.indices where index < strokes[stroke].count {
          events.append(event(stroke, index))
          if index == strokes[stroke].count - 1 { order.append(stroke) }
        }
      }
    } else {
      order = Array(strokes.indices)
      events = strokes.indices.flatMap { stroke in
        strokes[stroke].indices.map { event(stroke, $0) }
      }
    }
    guard let items = try? editor.pointerEvents(events, processGestures: gestures) else { return }
    if type == .pen { penCameDown() }
    let paths = strokes.map { $0.map { millimetres($0, editor.viewTransform) }.dotted }
    switch editor.tools.tool(for: type) {
    case .pen:
      effects.append(
        .appended(order.map { ($0 < items.count ? items[$0] : -1, paths[$0]) }))
    case .eraser: erase(paths)
    default: break
    }
  }

  // MARK: - Pens

  private mutating func pen(_ operation: EditorOperation) throws {
    switch operation {
    case .penBegan(let pen, let type, let sample): try penBegan(pen, type, sample)
    case .penMoved(let pen, let samples, let predicted):
      let event = PenEvent.moved(
        coalesced: samples.map { penSample($0) },
        predicted: predicted.map { PenSample(point: StrokePoint(x: $0.place.x, y: $0.place.y)) })
      guard (try? editor.handle(event, pointer: pen)) != nil || model.current != nil else { return }
      let count = extend(pen, samples)
      if count > 0, let contact = model.pens[pen] { erase(contact, newest: count) }
    case .penEnded(let pen, let sample):
      let event = PenEvent.ended(sample.map { penSample($0) })
      _ = try? editor.handle(event, pointer: pen)
      guard model.current != nil else { return }
      let count = extend(pen, sample.map { [$0] } ?? [])
      if count > 0, let contact = model.pens[pen] { erase(contact, newest: count) }
      penUp(pen)
    case .penCancelled(let pen):
      _ = try? editor.handle(.cancelled, pointer: pen)
      guard model.current != nil, let contact = model.pens.removeValue(forKey: pen) else { return }
      model.estimates = model.estimates.filter { $0.value.stroke != contact.stroke }
    case .penUpdated(let age, let place): penUpdated(age: age, place)
    case .penClock:
      guard model.current != nil else { return }
      model.penTime += 4_000_000
      _ = try? editor.advancePenClock(to: model.penTime)
      // Strokes that have ended are final.
      let down = Set(model.pens.values.map(\.stroke))
      model.estimates = model.estimates.filter { down.contains($0.value.stroke) }
      model.penStrokes = [:]
    case .hover(let place, let phase):
      editor.hover(HoverEvent(phase, x: place.x, y: place.y))
    case .gesture(let gesture): editor.handle(gesture)
    case .tool(let tool, let type): editor.tools.setTool(tool, for: type)
    case .view(let scale):
      editor.viewTransform = try ViewTransform(dpiX: 25.4, dpiY: 25.4, scale: scale)
    default: break
    }
  }

  /// Returns the sample that a pen reports; the model's counters advance with the model itself.
  private func penSample(_ sample: EditorOperation.Sample, _ offset: Int = 0) -> PenSample {
    PenSample(
      point: StrokePoint(
        x: sample.place.x, y: sample.place.y, t: model.penTime, force: sample.force),
      estimated: sample.isEstimate ? .location : [],
      expectingUpdates: sample.isEstimate ? .location : [],
      updateIndex: sample.isEstimate ? sample.hashValue : nil)
  }

  /// Adds the usable samples to a pen that is down.
  ///
  /// - Returns: Their number.
  private mutating func extend(_ pen: Int, _ samples: [EditorOperation.Sample]) -> Int {
    guard var contact = model.pens[pen] else { return 0 }
    var count = 0
    for sample in samples where abs(sample.place.x) < 1e9 && abs(sample.place.y) < 1e9 {
      if sample.isEstimate {
        model.estimates[sample.hashValue] = InkModel.Estimate(
          stroke: contact.stroke, index: contact.path.count)
        model.keys.append(sample.hashValue)
      }
      contact.path.append(millimetres(sample.place, contact.transform))
      count += 1
    }
    model.pens[pen] = contact
    return count
  }

  private mutating func penBegan(
    _ pen: Int, _ type: PointerType, _ sample: EditorOperation.Sample
  ) throws {
    let item = (try? editor.handle(.began(penSample(sample)), pointer: pen, type: type)) ?? nil
    guard model.current != nil, abs(sample.place.x) < 1e9, abs(sample.place.y) < 1e9 else {
      guard item == nil else { throw Violation("a pen without a position began item \(item ?? 0)") }
      return
    }
    penUp(pen)
    penCameDown()
    model.strokes += 1
    let tool = editor.tools.tool(for: type)
    guard (tool == .pen) == (item != nil) else {
      throw Violation("the tool \(tool) of a pen began \(item.map { "item \($0)" } ?? "nothing")")
    }
    model.pens[pen] = InkModel.Contact(
      type: type, tool: tool, transform: editor.viewTransform, item: item,
      generation: model.generation, path: [], stroke: model.strokes)
    _ = extend(pen, [sample])
    if let contact = model.pens[pen] { erase(contact, newest: 1) }
  }

  /// The effect of a pen that leaves the surface.
  private mutating func penUp(_ pen: Int) {
    guard var contact = model.pens.removeValue(forKey: pen) else { return }
    let whole = contact.path
    if contact.path.count == 2 { contact.path = contact.path.dotted }
    if contact.tool != .eraser { finish(contact) }
    if contact.tool == .pen, contact.generation == model.generation, let item = contact.item,
      let part = model.current
    {
      model.penStrokes[contact.stroke] = InkModel.PenStroke(
        part: part, item: item, transform: contact.transform, path: whole)
    }
    if !model.estimates.values.contains(where: { $0.stroke == contact.stroke }) {
      model.penStrokes[contact.stroke] = nil
    }
  }

  private mutating func penUpdated(age: Int, _ place: Place) {
    guard age < model.keys.count else { return }
    let key = model.keys[model.keys.count - 1 - age]
    _ = try? editor.handle(
      .updated(PenUpdate(index: key, location: .init(x: place.x, y: place.y))))
    guard model.current != nil, let estimate = model.estimates.removeValue(forKey: key) else {
      return
    }
    if abs(place.x) < 1e9, abs(place.y) < 1e9 {
      for (pen, contact) in model.pens where contact.stroke == estimate.stroke {
        let corrected = millimetres(place, contact.transform)
        model.pens[pen]?.path[estimate.index] = corrected
      }
      if var stroke = model.penStrokes[estimate.stroke] {
        stroke.path[estimate.index] = millimetres(place, stroke.transform)
        model.penStrokes[estimate.stroke] = stroke
        let path = stroke.path.count == 2 ? stroke.path.dotted : stroke.path
        model.ink[stroke.part]?[stroke.item] = path
      }
    }
    if !model.estimates.values.contains(where: { $0.stroke == estimate.stroke }) {
      model.penStrokes[estimate.stroke] = nil
    }
  }

  // MARK: - History

  private mutating func travel(_ operation: EditorOperation) throws {
    switch operation {
    case .undo: try undo()
    case .redo: try redo()
    case .back(let steps): try there(steps)
    case .unwind: try there(.max)
    default: break
    }
  }

  private mutating func undo() throws {
    let isDone = try? editor.undo()
    if !model.isDown, let current = model.current {
      let isExpected = !model.parts[current].past.isEmpty
      guard isDone == isExpected else { throw Violation("undo returned \(isDone as Any)") }
    }
    if isDone == true { effects.append(.undone) }
  }

  private mutating func redo() throws {
    let isDone = try? editor.redo()
    if !model.isDown, let current = model.current {
      let isExpected = !model.parts[current].future.isEmpty
      guard isDone == isExpected else { throw Violation("redo returned \(isDone as Any)") }
    }
    if isDone == true { effects.append(.redone) }
  }

  /// Undoes and redoes steps: the document is the same.
  private mutating func there(_ steps: Int) throws {
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
    }
  }

  // MARK: - Edits

  /// A block by number; 0 is often the root.
  private func block(_ number: Int) -> ContentBlock? {
    guard let root = editor.rootBlock else { return nil }
    func all(_ block: ContentBlock) -> [ContentBlock] { [block] + block.children.flatMap(all) }
    let blocks = all(root)
    return blocks[number % blocks.count]
  }

  private func chosen(_ numbers: [Int]) -> [Int] {
    let items = model.items
    return items.isEmpty ? [] : numbers.map { items[$0 % items.count] }
  }

  private mutating func edit(_ operation: EditorOperation) throws {
    switch operation {
    case .removeItems(let numbers):
      let gone = Set(chosen(numbers))
      if (try? editor.removeItems(gone)) != nil { effects.append(.removed(gone)) }
    case .removeBlock(let number):
      guard let block = block(number) else { return }
      let before = block.items
      guard (try? editor.removeBlock(block)) != nil else { return }
      effects.append(settles ? .removed(Set(before)) : .mayHaveRemoved)
    case .copy(let number):
      guard let block = block(number) else { return }
      let before = block.items
      guard (try? editor.copy(block)) != nil else { return }
      model.copiedCount = before.count
      model.clipboard =
        before == block.items && settles ? before.compactMap { model.places(of: $0) } : nil
    case .paste(let place): try paste(place)
    case .force(let type, let numbers, let asOneBlock):
      try? editor.set(type: type, for: chosen(numbers), asOneBlock: asOneBlock)
    case .choose(let word, let candidate): choose(word, candidate)
    case .importChoice(let word, let candidate): importChoice(word, candidate)
    case .importText(let text): _ = try? editor.importCandidates(text)
    case .addInk(let type, let text, let place):
      let strokes = Pen.strokes(text, x: place.x, y: place.y)
      guard
        let block = try? editor.addBlock(
          type: type, ink: Ink(strokes: strokes.map { Stroke(points: $0) }))
      else { return }
      let added = presentItems.suffix(strokes.count)
      _ = block
      effects.append(
        .appended(zip(added, strokes).map { ($0, $1.map { Place(x: $0.x, y: $0.y) }) }))
    case .addFrame(let type, let place, let width, let height):
      _ = try? editor.addBlock(type: type, x: place.x, y: place.y, width: width, height: height)
    case .clear:
      let before = Set(model.items)
      if (try? editor.clear()) != nil {
        effects.append(.removed(before))
      } else if !model.isDown, model.current != nil {
        throw Violation("clear was refused")
      }
    default: break
    }
  }

  private mutating func paste(_ place: Place) throws {
    // Otherwise a part that is pasted into itself again and again doubles each time.
    guard model.items.count + model.copiedCount < Self.mostItems else { return }
    guard let pasted = try? editor.paste(x: place.x, y: place.y) else { return }
    guard let clipboard = model.clipboard else {
      effects.append(
        .appended(try pasted.items.map { ($0, try places(of: $0)) }))
      return
    }
    guard clipboard.count == pasted.items.count else {
      throw Violation("\(pasted.items.count) items pasted, \(clipboard.count) copied")
    }
    let corner = millimetres(place, editor.viewTransform)
    let (x, y) = (
      clipboard.joined().map(\.x).min() ?? 0, clipboard.joined().map(\.y).min() ?? 0
    )
    effects.append(
      .appended(
        zip(pasted.items, clipboard).map { ($0, $1.moved(dx: corner.x - x, dy: corner.y - y)) }))
  }

  private var texts: [ContentBlock] {
    func all(_ block: ContentBlock) -> [ContentBlock] { [block] + block.children.flatMap(all) }
    return (editor.rootBlock.map(all) ?? []).filter { $0.type == .text && !$0.words.isEmpty }
  }

  private func choose(_ number: Int, _ candidate: Int) {
    let texts = texts
    guard !texts.isEmpty else { return }
    let block = texts[number % texts.count]
    let words = block.words
    guard !words.isEmpty else { return }
    let word = words[number % words.count]
    guard !word.candidates.isEmpty else { return }
    let text = word.candidates[candidate % word.candidates.count].text
    try? editor.choose(text, for: word, in: block)
  }

  private func importChoice(_ number: Int, _ candidate: Int) {
    guard let json = try? editor.export(as: .jiix),
      var document = try? JIIXBlock(parsing: Data(json.utf8))
    else { return }
    func change(_ block: inout JIIXBlock) -> Bool {
      if let words = block.words, !words.isEmpty {
        let place = number % words.count
        if let candidates = words[place].candidates, !candidates.isEmpty {
          block.words?[place].label = candidates[candidate % candidates.count]
        }
        return true
      }
      var elements = block.elements ?? []
      for index in elements.indices where change(&elements[index]) {
        block.elements = elements
        return true
      }
      return false
    }
    guard change(&document), let changed = try? document.json() else { return }
    _ = try? editor.importCandidates(String(decoding: changed, as: UTF8.self))
  }

  // MARK: - Parts, settings, models, reading

  private mutating func set(_ operation: EditorOperation) throws {
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

  private mutating func set(part: Int?) throws {
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

  private mutating func read(_ operation: EditorOperation) throws {
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

  // MARK: - Comparing

  var presentItems: [Int] { editor.rootBlock?.items ?? [] }

  func places(of item: Int) throws -> [Place] {
    guard let stroke = try editor.stroke(of: item) else { throw Violation("item \(item) is gone") }
    return stroke.points.map { Place(x: $0.x, y: $0.y) }
  }

  /// Compares the ink with the effects of the last call.
  private mutating func compare(since index: Int) throws {
    guard let current = model.current else { return }
    var part = model.parts[current]
    let steps = editor.undoStackIndex - index
    let present = presentItems
    var (before, changed): ([[Int]], [Bool]) = ([], [])
    var hasTravelled = false
    for effect in effects {
      let old = part.items
      before.append(old)
      switch effect {
      case .undone, .redone:
        hasTravelled = true
        let isUndo = if case .undone = effect { true } else { false }
        guard let state = isUndo ? part.past.popLast() : part.future.popLast() else {
          throw Violation("the model has no step left")
        }
        if isUndo { part.future.append(old) } else { part.past.append(old) }
        part.items = state
      default: part.items = try result(of: effect, on: old, present)
      }
      changed.append(part.items != old)
    }
    if !hasTravelled {
      if steps < 0 {
        // A cancelled eraser gives back what it erased.
        for _ in 0..<(-steps) { part.items = part.past.popLast() ?? [] }
      } else if steps > 0 {
        let all = before.isEmpty ? [part.items] : before
        let real = zip(all, changed).filter(\.1).map(\.0)
        let states = real.count >= steps ? Array(real.suffix(steps)) : Array(all.prefix(steps))
        guard states.count == steps else { throw Violation("\(steps) steps for one call") }
        part.past += states
        part.future = []
      } else if changed.contains(true), !continuesErasing {
        throw Violation("ink changed without a step of the history")
      }
    }
    guard present == part.items else {
      throw Violation("items \(present), expected \(part.items)")
    }
    guard editor.possibleUndoCount <= part.past.count,
      editor.possibleRedoCount == part.future.count
    else {
      throw Violation(
        "\(editor.possibleUndoCount) undos and \(editor.possibleRedoCount) redos, expected "
          + "\(part.past.count) and \(part.future.count)")
    }
    part.past = part.past.suffix(editor.possibleUndoCount)
    model.parts[current] = part
  }

  /// True if the last effect is that of an eraser, whose path is one step.
  private var continuesErasing: Bool {
    if case .erased? = effects.last { true } else { false }
  }

  private mutating func result(
    of effect: InkEffect, on old: [Int], _ present: [Int]
  ) throws -> [Int] {
    switch effect {
    case .none, .undone, .redone: return old
    case .appended(let strokes):
      for (item, places) in strokes { try add(item, places) }
      return old + strokes.map(\.item)
    case .mayHaveAppended(let item, let places):
      guard present.contains(item) else { return old }
      try add(item, places)
      return old + [item]
    case .removed(let items): return old.filter { !items.contains($0) }
    case .mayHaveRemoved:
      let left = Set(present)
      return old.filter { left.contains($0) }
    case .erased(let paths, let radius, let isPrecise):
      try checkErased(paths, radius, isPrecise, old, present)
      return present
    case .mayHaveMoved(let dx, let dy):
      guard present != old else { return old }
      guard effects.count == 1 else {
        // A pen that began in the same call may have erased ink: what is there counts.
        for item in present where !old.contains(item) {
          let places = try places(of: item)
          if let current = model.current { model.ink[current]?[item] = places }
        }
        return present
      }
      guard present.count == old.count else { throw Violation("a move changed the count of items") }
      for (was, item) in zip(old, present) where was != item {
        try add(item, (model.places(of: was) ?? []).moved(dx: dx, dy: dy))
      }
      return present
    }
  }

  /// Adds an item to the model if the editor has the same ink.
  private mutating func add(_ item: Int, _ expected: [Place]) throws {
    guard let current = model.current else { return }
    // The editor's own numbers count: sums differ by rounding. Ink may be erased by a later effect.
    let found = try editor.stroke(of: item)?.points.map { Place(x: $0.x, y: $0.y) } ?? expected
    guard found.isAlmost(expected) else {
      throw Violation("item \(item) has \(found), expected \(expected)")
    }
    model.ink[current]?[item] = found
  }

  private mutating func checkErased(
    _ paths: [[Place]], _ radius: Double, _ isPrecise: Bool, _ old: [Int], _ present: [Int]
  ) throws {
    guard let current = model.current else { return }
    func distance(_ place: Place) -> Double {
      paths.map { $0.distance(to: place) }.min() ?? .infinity
    }
    let (left, before) = (Set(present), Set(old))
    let news = present.filter { !before.contains($0) }
    guard isPrecise || news.isEmpty else { throw Violation("the eraser made \(news)") }
    for item in news {
      let places = try places(of: item)
      model.ink[current]?[item] = places
    }
    let pieces = Set(news.flatMap { model.places(of: $0) ?? [] })
    // The path has steps of half a radius, so that between them the reach is a little less.
    let (surely, possibly) = (0.9 * radius, radius * (1 + 1e-9))
    for piece in pieces where distance(piece) < surely {
      throw Violation("ink \(distance(piece)) mm from the eraser is left, radius \(radius)")
    }
    for item in old {
      guard let places = model.places(of: item) else { continue }
      // The check takes points of a path, which are too far apart on a very long one.
      let isShort = zip(places, places.dropFirst()).allSatisfy {
        abs($0.x - $1.x) + abs($0.y - $1.y) < 400
      }
      let near = Self.densified(places).map(distance)
      let nearest = min(near.min() ?? .infinity, places.map(distance).min() ?? .infinity)
      // Long steps have gaps that the eraser may miss.
      let isDense = paths.allSatisfy { path in
        zip(path, path.dropFirst()).allSatisfy {
          abs($0.x - $1.x) + abs($0.y - $1.y) < 1000 * radius
        }
      }
      if left.contains(item) {
        if nearest < surely, isDense {
          throw Violation("item \(item) is \(nearest) mm from the eraser, radius \(radius)")
        }
      } else if nearest > possibly + 1, isShort {
        throw Violation("item \(item) was erased at \(nearest) mm, radius \(radius)")
      } else if isPrecise {
        for place in places where distance(place) > possibly && !pieces.contains(place) {
          throw Violation("a point of item \(item) was lost, \(distance(place)) mm away")
        }
      }
    }
  }

  /// Points along a path, at most a millimetre apart unless it is very long.
  private static func densified(_ path: [Place]) -> [Place] {
    zip(path, path.dropFirst()).flatMap { from, to in
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let count = Int(min(max(abs(dx), abs(dy)).rounded(.up), 500))
      return (0...max(count, 1)).map { step in
        let part = Double(step) / Double(max(count, 1))
        return Place(x: from.x + part * dx, y: from.y + part * dy)
      }
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
    let faults = editor.condition.withLock { editor.lockedDocument?.faults ?? [] }
    guard faults.isEmpty else { throw Violation(faults.joined(separator: "; ")) }
    guard settles else { return }
    try waitUntilIdle()
    let blocks = Set(editor.condition.withLock { editor.lockedDocument?.blockIDs ?? [] })
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
