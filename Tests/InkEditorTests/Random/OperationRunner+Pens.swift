import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput

/// Pens with coalesced and predicted samples and late corrections.
extension OperationRunner {
  mutating func pen(_ operation: EditorOperation) throws {
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
  func penSample(_ sample: EditorOperation.Sample, _ offset: Int = 0) -> PenSample {
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
  mutating func extend(_ pen: Int, _ samples: [EditorOperation.Sample]) -> Int {
    guard var contact = model.pens[pen] else { return 0 }
    var count = 0
    for sample in samples where abs(sample.place.x) < 1e9 && abs(sample.place.y) < 1e9 {
      if sample.isEstimate {
        model.estimates[sample.hashValue] = InkModel.Estimate(
          stroke: contact.stroke, index: contact.path.count, transform: transform(of: contact))
        model.keys.append(sample.hashValue)
      }
      contact.path.append(millimetres(sample.place, transform(of: contact)))
      count += 1
    }
    model.pens[pen] = contact
    return count
  }

  mutating func penBegan(
    _ pen: Int, _ type: PointerType, _ sample: EditorOperation.Sample
  ) throws {
    let item = (try? editor.handle(.began(penSample(sample)), pointer: pen, type: type)) ?? nil
    guard model.current != nil, abs(sample.place.x) < 1e9, abs(sample.place.y) < 1e9 else {
      guard item == nil else { throw Violation("a pen without a position began item \(item ?? 0)") }
      return
    }
    penUp(pen)
    if type == .pen || type == .eraser { penCameDown() }
    model.strokes += 1
    let tool = editor.tools.tool(for: type)
    // A touch may be a palm.
    guard type == .touch || (tool == .pen) == (item != nil) else {
      throw Violation("the tool \(tool) of a pen began \(item.map { "item \($0)" } ?? "nothing")")
    }
    model.pens[pen] = InkModel.Contact(
      type: type, tool: tool, transform: editor.viewTransform, item: item,
      generation: model.generation, path: [], stroke: model.strokes)
    _ = extend(pen, [sample])
    if let contact = model.pens[pen] { erase(contact, newest: 1) }
  }

  /// The effect of a pen that leaves the surface.
  mutating func penUp(_ pen: Int) {
    guard var contact = model.pens.removeValue(forKey: pen) else { return }
    let whole = contact.path
    if contact.path.count == 2 { contact.path = contact.path.dotted }
    if contact.tool != .eraser { finish(contact) }
    if contact.tool == .pen, contact.generation == model.generation, let item = contact.item,
      let part = model.current
    {
      model.penStrokes[contact.stroke] = InkModel.PenStroke(
        part: part, item: item, path: whole)
    }
    if !model.estimates.values.contains(where: { $0.stroke == contact.stroke }) {
      model.penStrokes[contact.stroke] = nil
    }
  }

  mutating func penUpdated(age: Int, _ place: Place) {
    guard age < model.keys.count else { return }
    let key = model.keys[model.keys.count - 1 - age]
    _ = try? editor.handle(
      .updated(PenUpdate(index: key, location: .init(x: place.x, y: place.y))))
    guard model.current != nil, let estimate = model.estimates.removeValue(forKey: key) else {
      return
    }
    if abs(place.x) < 1e9, abs(place.y) < 1e9 {
      for (pen, contact) in model.pens where contact.stroke == estimate.stroke {
        let corrected = millimetres(place, estimate.transform)
        model.pens[pen]?.path[estimate.index] = corrected
      }
      if var stroke = model.penStrokes[estimate.stroke] {
        stroke.path[estimate.index] = millimetres(place, estimate.transform)
        model.penStrokes[estimate.stroke] = stroke
        let path = stroke.path.count == 2 ? stroke.path.dotted : stroke.path
        // The stroke of a palm is no item.
        if model.ink[stroke.part]?[stroke.item] != nil {
          let shift = model.parts[stroke.part].shifts[stroke.item] ?? Place(x: 0, y: 0)
          model.ink[stroke.part]?[stroke.item] = path.moved(dx: shift.x, dy: shift.y)
        }
      }
    }
    if !model.estimates.values.contains(where: { $0.stroke == estimate.stroke }) {
      model.penStrokes[estimate.stroke] = nil
    }
  }
}
