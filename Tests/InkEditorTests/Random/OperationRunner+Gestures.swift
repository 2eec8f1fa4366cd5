import InkCore
import InkEditor
import PenInput

/// Gestures drawn over words, and what they may do.
extension OperationRunner {
  /// Draws a gesture over a word, or over a block without words.
  mutating func draw(
    _ form: EditorOperation.GestureForm, _ number: Int, _ word: Int, _ part: Double
  ) throws {
    guard model.current != nil, editor.tools.tool(for: .pen) == .pen, !model.isDown,
      let box = box(number, word)
    else { return }
    let transform = editor.viewTransform
    let places = Self.points(form, box, part).map { point in
      let place = transform.view(x: point.x, y: point.y)
      return Place(x: place.x, y: place.y)
    }
    guard places.allSatisfy({ abs($0.x) < 1e9 && abs($0.y) < 1e9 }) else { return }
    // What waits to be read ends first, so that the effects of the gesture are its own.
    try waitUntilIdle()
    try editor.configuration.set("gesture.enable", to: true)
    var item: Int?
    for (index, place) in places.enumerated() {
      let kind: PointerEvent.Kind =
        index == 0 ? .down : index == places.count - 1 ? .up : .move
      guard let outcome = send(kind, 11, .pen, place) else {
        throw Violation("a sample of a gesture was refused")
      }
      if index == 0 { item = outcome }
    }
    try waitUntilIdle()
    try editor.configuration.set("gesture.enable", to: false)
    guard let item else { throw Violation("a pen began no item") }
    penCameDown()
    effects.append(
      .mayBeGesture(item: item, places: places.map { millimetres($0, transform) }.dotted))
  }

  /// The box of the newest word, of another one, or of a block without words.
  private func box(_ number: Int, _ word: Int) -> BoundingBox? {
    if number.isMultiple(of: 2), let item = model.items.last, let newest = editor.word(ofItem: item)
    {
      return newest.box
    }
    guard let block = texts.isEmpty ? block(number) : texts[number % texts.count] else {
      return nil
    }
    return block.words.isEmpty ? block.box : block.words[word % block.words.count].box
  }

  private static func points(
    _ form: EditorOperation.GestureForm, _ box: BoundingBox, _ part: Double
  ) -> [StrokePoint] {
    let x = box.minX + part * box.width
    let end = box.minX + max(2, (0.5 + part / 2) * box.width)
    let reach = max(box.height, 3)
    return switch form {
    case .zigzag: GestureInk.zigzag(box)
    case .loop: GestureInk.loop(box)
    case .lineThrough:
      GestureInk.line(from: (box.minX, box.midY), to: (end, box.midY + 0.2))
    case .lineBelow:
      GestureInk.line(from: (box.minX, box.maxY + 1), to: (end, box.maxY + 1.2))
    case .downward:
      GestureInk.line(from: (x, box.minY - reach), to: (x + 0.2, box.maxY + reach))
    case .upward:
      GestureInk.line(from: (x, box.maxY + reach), to: (x + 0.2, box.minY - reach))
    }
  }

  /// Returns the items after a gesture: those that are left are where they were or were moved as a
  /// whole, and new ones are pieces of those that are gone.
  mutating func afterGesture(_ old: [Int], _ present: [Int]) throws -> [Int] {
    guard let current = model.current else { return present }
    let (before, left) = (Set(old), Set(present))
    for item in present where before.contains(item) {
      let (was, now) = (model.places(of: item) ?? [], try places(of: item))
      guard let first = was.first, let place = now.first else { continue }
      let step = Place(x: place.x - first.x, y: place.y - first.y)
      guard now.isAlmost(was.moved(dx: step.x, dy: step.y)) else {
        throw Violation("a gesture changed item \(item) from \(was) to \(now)")
      }
      if step != Place(x: 0, y: 0) { moves[item] = step }
    }
    let gone = old.filter { !left.contains($0) }.compactMap { model.places(of: $0) }
    for item in present where !before.contains(item) {
      let piece = try places(of: item)
      guard gone.contains(where: { $0.has(piece) }) else {
        throw Violation("a gesture made item \(item) at \(piece)")
      }
      model.ink[current]?[item] = piece
    }
    return present
  }

  /// Moves items of the model that keep their ids.
  mutating func move(_ steps: [Int: Place], by factor: Double, _ part: inout InkModel.Part) {
    guard let current = model.current else { return }
    for (item, step) in steps {
      let (dx, dy) = (factor * step.x, factor * step.y)
      if let path = model.ink[current]?[item] {
        model.ink[current]?[item] = path.moved(dx: dx, dy: dy)
      }
      let shift = part.shifts[item] ?? Place(x: 0, y: 0)
      part.shifts[item] = Place(x: shift.x + dx, y: shift.y + dy)
    }
  }
}

extension [InkModel.Place] {
  /// Returns whether a path is part of this one, perhaps moved.
  func has(_ piece: [Element]) -> Bool {
    guard let first = piece.first, piece.count <= count else { return false }
    return (0...(count - piece.count)).contains { start in
      let part = Array(self[start..<start + piece.count])
      return piece.isAlmost(part.moved(dx: first.x - part[0].x, dy: first.y - part[0].y))
    }
  }
}
