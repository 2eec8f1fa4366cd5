import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput

/// Comparing the editor with the model of plain arrays.
extension OperationRunner {
  var presentItems: [Int] { editor.rootBlock?.items ?? [] }

  func places(of item: Int) throws -> [Place] {
    guard let stroke = try editor.stroke(of: item) else { throw Violation("item \(item) is gone") }
    return stroke.points.map { Place(x: $0.x, y: $0.y) }
  }

  /// Compares the ink with the effects of the last call.
  mutating func compare(since index: Int) throws {
    guard let current = model.current else { return }
    var part = model.parts[current]
    let steps = editor.undoStackIndex - index
    let present = presentItems
    var (before, changed): ([[Int]], [Bool]) = ([], [])
    var hasTravelled = false
    let oldMarks = part.marks
    var known: [Decoration]?
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
        known = (isUndo ? part.pastMarks.popLast() : part.futureMarks.popLast()) ?? nil
        if isUndo { part.futureMarks.append(oldMarks) } else { part.pastMarks.append(oldMarks) }
        let step = (isUndo ? part.pastMoves.popLast() : part.futureMoves.popLast()) ?? [:]
        if isUndo { part.futureMoves.append(step) } else { part.pastMoves.append(step) }
        move(step, by: isUndo ? -1 : 1, &part)
      default: part.items = try result(of: effect, on: old, present)
      }
      changed.append(part.items != old)
    }
    if !hasTravelled {
      if steps < 0 {
        // A cancelled eraser gives back what it erased.
        for _ in 0..<(-steps) {
          part.items = part.past.popLast() ?? []
          known = part.pastMarks.popLast() ?? nil
          move(part.pastMoves.popLast() ?? [:], by: -1, &part)
        }
      } else if steps > 0 {
        let all = before.isEmpty ? [part.items] : before
        let real = zip(all, changed).filter(\.1).map(\.0)
        let states = real.count >= steps ? Array(real.suffix(steps)) : Array(all.prefix(steps))
        guard states.count == steps else { throw Violation("\(steps) steps for one call") }
        part.past += states
        part.future = []
        part.pastMarks += [oldMarks] + (1..<steps).map { _ in nil }
        part.futureMarks = []
        part.pastMoves += (1..<steps).map { _ in [:] } + [moves]
        part.futureMoves = []
        move(moves, by: 1, &part)
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
    if hasTravelled || steps < 0 {
      if let known { try check(marks: known) }
      part.marks = editor.decorations
    } else {
      part.marks = try marks(after: oldMarks, before.first ?? part.items, present)
    }
    part.past = part.past.suffix(editor.possibleUndoCount)
    part.pastMarks = part.pastMarks.suffix(editor.possibleUndoCount)
    part.pastMoves = part.pastMoves.suffix(editor.possibleUndoCount)
    model.parts[current] = part
  }

  /// True if the last effect is that of an eraser, whose path is one step.
  var continuesErasing: Bool {
    if case .erased? = effects.last { true } else { false }
  }

  mutating func result(
    of effect: InkEffect, on old: [Int], _ present: [Int]
  ) throws -> [Int] {
    switch effect {
    case .none, .undone, .redone, .decorated, .mayHaveHighlighted, .pastedMarks: return old
    case .appended(let strokes):
      for (item, places) in strokes { try add(item, places) }
      return old + strokes.map(\.item)
    case .mayHaveAppended(let item, let places):
      guard present.contains(item) else { return old }
      try add(item, places)
      return old + [item]
    case .replaced(_, let strokes):
      for (item, places) in strokes { try add(item, places) }
      return present
    case .mayBeGesture(let item, let places):
      guard present.contains(item) else { return try afterGesture(old, present) }
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
      try afterMove(old, present, dx, dy)
      return present
    }
  }

  /// Checks that new items are those that are gone, or their pieces, at another place.
  mutating func afterMove(_ old: [Int], _ present: [Int], _ dx: Double, _ dy: Double) throws {
    guard let current = model.current else { return }
    let (before, left) = (Set(old), Set(present))
    guard present.filter(before.contains) == old.filter(left.contains) else {
      throw Violation("a move changed the order of \(old) to \(present)")
    }
    var gone = old.filter { !left.contains($0) }
    for item in present where !before.contains(item) {
      let places = try places(of: item)
      if let match = gone.firstIndex(where: {
        places.isAlmost((model.places(of: $0) ?? []).moved(dx: dx, dy: dy))
      }) {
        movedItems[gone.remove(at: match)] = item
      } else {
        // A stroke that two words share was cut.
        guard
          old.contains(where: { !left.contains($0) && (model.places(of: $0) ?? []).has(places) })
        else { throw Violation("a move made item \(item) at \(places)") }
        movedPieces = true
      }
      model.ink[current]?[item] = places
    }
    guard gone.isEmpty || movedPieces else { throw Violation("a move lost items \(gone)") }
  }

  /// Adds an item to the model if the editor has the same ink.
  mutating func add(_ item: Int, _ expected: [Place]) throws {
    guard let current = model.current else { return }
    // The editor's own numbers count: sums differ by rounding. Ink may be erased by a later effect.
    let found = try editor.stroke(of: item)?.points.map { Place(x: $0.x, y: $0.y) } ?? expected
    guard found.isAlmost(expected) else {
      throw Violation("item \(item) has \(found), expected \(expected)")
    }
    model.ink[current]?[item] = found
  }

  mutating func checkErased(
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
        // The points of a piece differ by rounding.
        for place in places
        where distance(place) > possibly && !pieces.contains(where: { [$0].isAlmost([place]) }) {
          throw Violation("a point of item \(item) was lost, \(distance(place)) mm away")
        }
      }
    }
  }

  /// Points along a path, at most a millimetre apart unless it is very long.
  static func densified(_ path: [Place]) -> [Place] {
    zip(path, path.dropFirst()).flatMap { from, to in
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let count = Int(min(max(abs(dx), abs(dy)).rounded(.up), 500))
      return (0...max(count, 1)).map { step in
        let part = Double(step) / Double(max(count, 1))
        return Place(x: from.x + part * dx, y: from.y + part * dy)
      }
    }
  }
}
