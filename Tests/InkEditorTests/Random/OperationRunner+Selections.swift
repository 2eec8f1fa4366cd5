import InkCore
import InkEditor

/// Selections, and changes of their ink.
extension OperationRunner {
  mutating func select(_ operation: EditorOperation) throws {
    switch operation {
    case .lasso(let path): try lasso(path)
    case .moveSelection(let numbers, let dx, let dy):
      let transform = editor.viewTransform
      let (from, to) = (
        millimetres(Place(x: 0, y: 0), transform), millimetres(Place(x: dx, y: dy), transform)
      )
      try replace(numbers) { [editor] selection in
        try editor.move(selection, dx: dx, dy: dy)
      } place: { place, _ in
        Place(x: place.x + to.x - from.x, y: place.y + to.y - from.y)
      }
    case .scaleSelection(let numbers, let factor, let handle):
      try replace(numbers) { [editor] selection in
        try editor.scale(selection, x: factor, y: factor, about: handle)
      } place: { place, box in
        let x = Self.fixed(handle.rawValue, "eft", "ight", box.minX, box.maxX)
        let y = Self.fixed(handle.rawValue, "op", "ottom", box.minY, box.maxY)
        return Place(x: x + factor * (place.x - x), y: y + factor * (place.y - y))
      }
    case .eraseSelection(let numbers, let half):
      guard let selection = try part(of: numbers, half: half) else { return }
      let index = editor.undoStackIndex
      guard (try? editor.erase(selection)) != nil else { return }
      try checkErased(selection, since: index)
    case .cutSelection(let numbers, let half):
      guard let selection = try part(of: numbers, half: half) else { return }
      let index = editor.undoStackIndex
      guard (try? editor.cut(selection)) != nil else { return }
      (model.clipboard, model.copiedMarks) = (nil, nil)
      model.copiedCount = selection.parts.count
      try checkErased(selection, since: index)
    default: break
    }
  }

  /// The coordinate that scaling keeps.
  private static func fixed(
    _ handle: String, _ low: String, _ high: String, _ least: Double, _ greatest: Double
  ) -> Double {
    if handle.contains(low) { return least }
    return handle.contains(high) ? greatest : (least + greatest) / 2
  }

  /// A lasso changes nothing but the selection, and its ink is there.
  private mutating func lasso(_ path: [Place]) throws {
    let (index, marks) = (editor.undoStackIndex, editor.decorations)
    guard
      let selection = try? editor.selection(
        inLasso: path.map { PlanePoint(x: $0.x, y: $0.y) })
    else { return }
    guard selection.isValid, Set(selection.items).isSubset(of: presentItems) else {
      throw Violation("a lasso selected \(selection.parts), of \(presentItems)")
    }
    try editor.setSelection(selection)
    guard editor.selection == (selection.isEmpty ? nil : selection) else {
      throw Violation("the selection is another")
    }
    guard editor.undoStackIndex == index, editor.decorations == marks else {
      throw Violation("a lasso changed the document")
    }
    if !selection.isEmpty {
      _ = try? editor.export(selection, as: .jiix)
      _ = try editor.export(selection, as: .svg)
      try editor.copy(selection)
      (model.clipboard, model.copiedMarks) = (nil, nil)
      model.copiedCount = selection.parts.count
    }
  }

  /// Returns a selection of items, or of the first half of the points of each.
  private func part(of numbers: [Int], half: Bool) throws -> Selection? {
    guard model.current != nil else { return nil }
    let items = Set(chosen(numbers))
    guard !items.isEmpty else { return nil }
    let whole = try editor.selection(ofItems: items)
    guard half else { return whole }
    let parts = whole.parts.map { part in
      ItemPart(item: part.item, points: 0..<(part.points.count + 1) / 2)
    }
    return editor.read { Selection(InkAnchor(parts), $0) }
  }

  private mutating func checkErased(_ selection: Selection, since index: Int) throws {
    guard editor.undoStackIndex == index + 1 else {
      throw Violation("erasing a selection made \(editor.undoStackIndex - index) steps")
    }
    let (before, present) = (Set(model.items), presentItems)
    let news = present.filter { !before.contains($0) }
    var left: [[Place]] = []
    for part in selection.parts {
      let places = model.places(of: part.item) ?? []
      if part.points.count < places.count { left.append(Array(places[part.points.upperBound...])) }
    }
    guard news.count == left.count else {
      throw Violation("\(news.count) pieces are left, expected \(left.count)")
    }
    let gone = Set(selection.items)
    guard present.filter(before.contains) == model.items.filter({ !gone.contains($0) }) else {
      throw Violation("other items were erased with a selection")
    }
    // Pieces are in the order of their strokes.
    let order = model.items.filter(gone.contains)
    let expected = order.compactMap { item -> [Place]? in
      guard let part = selection.parts.first(where: { $0.item == item }),
        let places = model.places(of: item), part.points.count < places.count
      else { return nil }
      return Array(places[part.points.upperBound...])
    }
    effects.append(.replaced(gone, by: zip(news, expected).map { ($0, $1) }))
  }

  /// Moves or scales whole items, and checks where they are.
  private mutating func replace(
    _ numbers: [Int], _ change: (Selection) throws -> Selection,
    place: (Place, BoundingBox) -> Place
  ) throws {
    guard let selection = try part(of: numbers, half: false), let box = selection.box else {
      return
    }
    let (index, marks) = (editor.undoStackIndex, editor.decorations)
    guard let new = try? change(selection) else { return }
    guard editor.undoStackIndex == index + 1 else {
      if new == selection { return }
      throw Violation("a change of a selection made \(editor.undoStackIndex - index) steps")
    }
    guard new.isValid else { throw Violation("changed ink is gone") }
    // A node takes the ink in it along.
    let (before, present) = (Set(model.items), presentItems)
    let gone = model.items.filter { !Set(present).contains($0) }
    let news = present.filter { !before.contains($0) }
    guard Set(gone).isSuperset(of: selection.items), gone.count == news.count else {
      throw Violation("items \(gone) became \(news), expected \(selection.items)")
    }
    let expected = gone.compactMap { model.places(of: $0) }
      .map { $0.map { place($0, box) } }
    var rest = expected
    for item in news {
      let places = try places(of: item)
      guard let found = rest.firstIndex(where: { $0.isAlmost(places) }) else {
        throw Violation("item \(item) is at \(places), expected one of \(rest)")
      }
      rest.remove(at: found)
    }
    let count = { (marks: [Decoration]) in
      marks.points.mapValues { $0.values.reduce(0) { $0 + $1.count } }
    }
    guard count(marks) == count(editor.decorations) else {
      throw Violation("decorations \(editor.decorations), expected as many as \(marks)")
    }
    effects.append(
      .replaced(Set(gone), by: try news.map { ($0, try places(of: $0)) }))
  }
}
