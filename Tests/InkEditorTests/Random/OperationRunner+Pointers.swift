import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput
import TestSamples

/// Pointers of pens, fingers and mice, and batches of whole strokes.
extension OperationRunner {
  mutating func pointer(_ operation: EditorOperation) throws {
    switch operation {
    case .down(let id, let type, let place): try down(id, type, place)
    case .move(let id, let type, let place):
      guard send(.move, id, type, place) != nil, var contact = model.pointers[id] else { return }
      contact.path.append(millimetres(place, transform(of: contact)))
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

  /// The transform of the next sample of a contact: the present one, unless it is the hand's.
  func transform(of contact: InkModel.Contact) -> ViewTransform {
    contact.tool == .hand ? contact.transform : editor.viewTransform
  }

  func millimetres(_ place: Place, _ transform: ViewTransform) -> Place {
    let place = transform.document(x: place.x, y: place.y)
    return Place(x: place.x, y: place.y)
  }

  /// Sends an event; nil if it was refused.
  func send(
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

  mutating func down(_ id: Int, _ type: PointerType, _ place: Place) throws {
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

  mutating func penCameDown() {
    for id in model.pointers.keys where model.pointers[id]?.type == .touch {
      model.pointers[id]?.mayBePalm = true
    }
    for pen in model.pens.keys where model.pens[pen]?.type == .touch {
      model.pens[pen]?.mayBePalm = true
    }
  }

  mutating func up(_ id: Int, _ type: PointerType, _ place: Place) {
    let isDone = send(.up, id, type, place) != nil
    guard isDone || model.current == nil, var contact = model.pointers[id] else { return }
    if !isDone {
      // Without a part the pointer leaves the view, unless the event is malformed.
      if abs(place.x) < 1e9, abs(place.y) < 1e9 { model.pointers[id] = nil }
      return
    }
    model.pointers[id] = nil
    contact.path.append(millimetres(place, transform(of: contact)))
    contact.path = contact.path.dotted
    finish(contact)
  }

  /// The effect of a pointer or pen that leaves the view.
  mutating func finish(_ contact: InkModel.Contact) {
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
    case .highlighter: effects.append(.mayHaveHighlighted)
    case .selector: break
    }
  }

  /// The effect of an eraser's newest places.
  mutating func erase(_ contact: InkModel.Contact, newest: Int) {
    guard contact.tool == .eraser, contact.generation == model.generation else { return }
    erase([Array(contact.path.suffix(newest + 1))])
  }

  mutating func erase(_ paths: [[Place]]) {
    let settings = editor.configuration
    effects.append(
      .erased(
        paths: paths, radius: (try? settings.number("text.eraser.radius")) ?? 3,
        isPrecise: (try? settings.boolean("text.eraser.erase-precisely")) ?? false))
  }

  mutating func batch(
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
}
