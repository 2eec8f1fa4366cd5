import InkCore
import InkEditor

/// Decorations, compared with a model of plain sets of points.
extension OperationRunner {
  /// Throws unless the decorations of the part are these.
  func check(marks: [Decoration]) throws {
    guard editor.decorations == marks else {
      throw Violation("decorations \(editor.decorations), expected \(marks)")
    }
  }

  /// Returns the decorations after the effects of a call, which must be those of the editor.
  func marks(
    after old: [Decoration], _ items: [Int], _ present: [Int]
  ) throws -> [Decoration] {
    let now = editor.decorations
    var expected = old
    for effect in effects {
      switch effect {
      case .decorated, .replaced: return now
      case .mayBeGesture(let item, _):
        if !present.contains(item) { return now }
      case .mayHaveHighlighted:
        let (was, new) = (old.points, now.points)
        for kind in DecorationKind.allCases where kind != .highlight && was[kind] != new[kind] {
          throw Violation("the highlighter changed \(kind)")
        }
        return now
      case .pastedMarks(let marks):
        guard let marks else { return now }
        expected += marks
      case .mayHaveMoved:
        guard present != items else { continue }
        guard effects.count == 1, !movedPieces else { return now }
        let kept = Set(items).intersection(present)
        expected = expected.mapped(
          movedItems.merging(kept.map { ($0, $0) }) { moved, _ in moved })
      case .erased(_, _, let isPrecise):
        guard isPrecise, present != items else { continue }
        if effects.count == 1 { try check(old, piecesOf: items, present) }
        return now
      default: continue
      }
    }
    let left = Set(present)
    expected = expected.mapped(Dictionary(uniqueKeysWithValues: left.map { ($0, $0) }))
    guard expected.points == now.points, expected.contents == now.contents else {
      throw Violation("decorations \(now), expected \(expected)")
    }
    return now
  }

  /// Checks that the pieces of erased ink have the decorations of their points.
  private func check(_ old: [Decoration], piecesOf items: [Int], _ present: [Int]) throws {
    let (before, left) = (Set(items), Set(present))
    let now = Dictionary(uniqueKeysWithValues: editor.decorations.map { ($0.id, $0) })
    let gone = items.filter { !left.contains($0) }
    let pieces = try present.filter { !before.contains($0) }.map { ($0, try places(of: $0)) }
    for decoration in old {
      let (was, new) = ([decoration].sets, now[decoration.id].map { [$0].sets } ?? [:])
      for item in items where left.contains(item) && was[item] != new[item] {
        throw Violation("decoration \(decoration.id) lost item \(item), which was not erased")
      }
      // The marks of each place of erased ink; a place that ink passes twice may have both.
      var marks: [Place: Set<Bool>] = [:]
      for item in gone {
        for (index, place) in (model.places(of: item) ?? []).enumerated() {
          marks[place, default: []].insert(was[item]?.contains(index) ?? false)
        }
      }
      for (piece, places) in pieces {
        for (index, place) in places.enumerated() {
          guard let mark = marks[place], mark.count == 1 else { continue }
          guard mark.contains(new[piece]?.contains(index) ?? false) else {
            throw Violation("decoration \(decoration.id) at point \(index) of piece \(piece)")
          }
        }
      }
    }
  }

  // MARK: - Commands

  mutating func decorate(_ operation: EditorOperation) throws {
    let texts = texts
    guard !texts.isEmpty else { return }
    func range(_ block: ContentBlock, _ first: Int, _ count: Int) -> Range<Int> {
      let words = block.words
      let total = words.reduce(max(0, words.count - 1)) { $0 + $1.characters.count }
      let start = total > 0 ? first % (total + 1) : 0
      // Some ranges are empty or too long.
      return start..<start + count
    }
    let before = editor.decorations
    let index = editor.undoStackIndex
    let isChanged: Bool
    switch operation {
    case .decorate(let block, let first, let count, let kind, let styled):
      let block = texts[block % texts.count]
      let style = styled ? try DecorationStyle(width: 2) : nil
      guard
        let made = try? editor.decorate(
          characters: range(block, first, count), of: block, with: kind, style: style)
      else { return try check(marks: before) }
      isChanged = !made.isEmpty
      if isChanged { try checkAdded(made, kind, before) }
    case .undecorate(let block, let first, let count, let kind):
      let block = texts[block % texts.count]
      guard
        let isRemoved = try? editor.removeDecorations(
          fromCharacters: range(block, first, count), of: block, kinds: [kind])
      else { return try check(marks: before) }
      isChanged = isRemoved
      let (was, now) = (before.points, editor.decorations.points)
      for other in DecorationKind.allCases where other != kind && was[other] != now[other] {
        throw Violation("removing \(kind) changed \(other)")
      }
      guard (now[kind] ?? [:]).isPart(of: was[kind] ?? [:]) else {
        throw Violation("removing \(kind) added ink to it")
      }
    default: return
    }
    if !isChanged { try check(marks: before) }
    guard editor.undoStackIndex - index == (isChanged ? 1 : 0) else {
      throw Violation("decorating made \(editor.undoStackIndex - index) steps")
    }
    effects.append(.decorated)
  }

  /// Checks new decorations against the rules, point by point.
  private func checkAdded(
    _ made: [Decoration], _ kind: DecorationKind, _ before: [Decoration]
  ) throws {
    let after = editor.decorations
    let (was, now) = (before.points, after.points)
    let isUnder = kind == .underline || kind == .doubleUnderline
    let rivals: [DecorationKind] = isUnder ? [.underline, .doubleUnderline] : [kind]
    for other in DecorationKind.allCases where !rivals.contains(other) && was[other] != now[other] {
      throw Violation("adding \(kind) changed \(other)")
    }
    for decoration in made where !after.contains(decoration) {
      throw Violation("the new decoration \(decoration.id) is not there")
    }
    let new = made.sets
    for (item, points) in new {
      for point in points {
        func had(_ kind: DecorationKind) -> Bool { was[kind]?[item]?.contains(point) ?? false }
        let has = rivals.filter { now[$0]?[item]?.contains(point) ?? false }
        let expected: DecorationKind =
          kind == .underline && (had(.underline) || had(.doubleUnderline)) ? .doubleUnderline : kind
        guard has == [expected] else {
          throw Violation("point \(point) of item \(item) has \(has), expected \(expected)")
        }
      }
    }
    // What is left of an earlier one is what the new ones do not cover, or nothing.
    for old in before where rivals.contains(old.kind) {
      guard let left = after.first(where: { $0.id == old.id }) else { continue }
      var rest = [old].sets
      for (item, points) in new {
        rest[item]?.subtract(points)
        if rest[item]?.isEmpty ?? false { rest[item] = nil }
      }
      guard [left].sets == rest else { throw Violation("decoration \(old.id) is now \(left)") }
    }
  }
}

extension [Decoration] {
  /// The points of each item.
  var sets: [Int: Set<Int>] {
    var result: [Int: Set<Int>] = [:]
    for part in flatMap(\.parts) { result[part.item, default: []].formUnion(part.points) }
    return result
  }

  /// The points of each item by kind.
  var points: [DecorationKind: [Int: Set<Int>]] {
    Dictionary(grouping: self, by: \.kind).mapValues(\.sets)
  }

  /// The points of each item by kind and style: a decoration of two blocks becomes two when one of
  /// the blocks moves.
  var contents: [String: [Int: Set<Int>]] {
    Dictionary(grouping: self) { "\($0.kind) \($0.style.map { "\($0)" } ?? "")" }
      .mapValues(\.sets)
  }

  /// Returns the decorations of items with other numbers; ink without a number is left out.
  func mapped(_ items: [Int: Int]) -> [Decoration] {
    compactMap { decoration in
      let parts = decoration.parts.compactMap { part in
        items[part.item].map { ItemPart(item: $0, points: part.points) }
      }
      guard !parts.isEmpty else { return nil }
      return Decoration(
        id: decoration.id, kind: decoration.kind, style: decoration.style,
        parts: InkAnchor(parts).parts)
    }
  }
}

extension [Int: Set<Int>] {
  /// Returns whether another value has all of these points.
  func isPart(of other: [Int: Set<Int>]) -> Bool {
    allSatisfy { item, points in points.isSubset(of: other[item] ?? []) }
  }
}
