import InkCore
import Layout

/// The room of a line: where it ends, and how far the next one is.
struct LineRoom: Sendable {
  /// The left end of the page in millimetres, at which lines from right to left end.
  var left = 0.0
  /// The right end of the page in millimetres, or nil if the page has none.
  var right: Double?
  /// The distance between lines in millimetres, or nil to take that of the writing.
  var pitch: Double?

  /// The end of the lines, in their frame; nil if they have none.
  func end(_ frame: ReadingFrame) -> Double? {
    frame.isMirrored ? right.map { _ in frame.x(left) } : right
  }
}

// Inserts and takes out spaces and line breaks. Each runs inside one step of the history.
extension Document {
  /// Inserts a space, or a line break at a long gap, and makes room for it.
  ///
  /// - Returns: False if the place is no longer there.
  func insertSpace(_ place: GesturePlace, in room: LineRoom) -> Bool {
    guard let ends = cut(at: place), case .line(let line, _)? = places[ends.right],
      case .line(let other, _)? = places[ends.left], other === line
    else { return false }
    let right = itemsBehind(place, ends, in: line)
    guard !right.isEmpty, right.count < line.count else { return false }
    separate(line, at: right)
    let height = letterHeight
    let frame = frame(of: line)
    if place.kind == .space, place.gap > Chosen.longGap * height {
      breakLine(line, before: right, in: room)
      return true
    }
    spacings.set(Spacing(kind: .space, left: ends.left, right: ends.right))
    let gap = gap(before: right, of: place, in: line)
    let space = space(in: line)
    let dx = place.kind == .word ? max(space - gap, 0) : space
    let end = frame.end(line.box)
    move(right, dx: frame.x(dx), dy: 0)
    // A line that was too long before stays so.
    if let limit = room.end(frame), end <= limit, frame.end(line.box) > limit {
      wrap(line, beyond: limit, in: room)
    }
    return true
  }

  /// Takes out a space or a line break, and moves the ink together.
  ///
  /// - Returns: False if the place is no longer there.
  func joinWords(_ place: GesturePlace, in room: LineRoom) -> Bool {
    let (left, right) = (place.left.item, place.right.item)
    guard case .line(let line, _)? = places[left], case .line(let next, _)? = places[right] else {
      return false
    }
    guard line !== next else {
      let behind = itemsBehind(place, (left, right), in: line)
      guard !behind.isEmpty, behind.count < line.count else { return false }
      let gap = gap(before: behind, of: place, in: line)
      move(behind, dx: -frame(of: line).x(gap - Chosen.letterGap * letterHeight), dy: 0)
      spacings.set(Spacing(kind: .none, left: left, right: right))
      merge(line, left, right)
      return true
    }
    return joinLines(line, next, in: room)
  }

  /// Gives copies of ink the spaces that were set by hand beside the originals.
  func addSpacings(_ originals: SpacingTable, _ plan: CopyPlan) {
    for spacing in originals.copy(plan.items) { spacings.set(spacing) }
  }

  // MARK: - Places

  /// Returns the gap before the ink of a line that is behind a place.
  private func gap(before behind: Set<Int>, of place: GesturePlace, in line: TextLine) -> Double {
    let frame = frame(of: line)
    let end = box(of: line.items.filter { !behind.contains($0) }).map(frame.end)
    return (box(of: behind).map(frame.start) ?? place.rightStart) - (end ?? place.leftEnd)
  }

  /// Returns the strokes beside a place. A stroke that both characters are in is cut in two.
  private func cut(at place: GesturePlace) -> (left: Int, right: Int)? {
    guard place.left.item == place.right.item else {
      guard strokes[place.left.item] != nil, strokes[place.right.item] != nil else { return nil }
      return (place.left.item, place.right.item)
    }
    let item = place.left.item
    guard let stroke = strokes[item] else { return nil }
    guard case .line(let line, _)? = places[item] else { return nil }
    let frame = frame(of: line)
    guard let middle = Self.cut(stroke.points.map { frame.x($0.x) }, at: place.x) else {
      return nil
    }
    let pieces = [0..<middle, middle..<stroke.points.count].compactMap { range in
      stroke.piece(range, id: makeItemID())
    }
    guard pieces.count == 2 else { return nil }
    replace([item: pieces], staysText: true)
    guard places[pieces[0].id] != nil, places[pieces[1].id] != nil else { return nil }
    return (pieces[0].id, pieces[1].id)
  }

  /// Returns the point from which on most of a path is behind a place, and before which most is
  /// before it: a loop may cross the place several times. Nil if all is on one side.
  ///
  /// - Parameters:
  ///   - path: The points in the frame of the line.
  ///   - x: The place in the frame.
  private static func cut(_ path: [Double], at x: Double) -> Int? {
    var wrong = path.count { $0 < x }
    var best: (index: Int, wrong: Int)?
    for (index, point) in path.enumerated() {
      if index > 0, wrong < (best?.wrong ?? .max) { best = (index, wrong) }
      wrong += point < x ? -1 : 1
    }
    guard let best, path[..<best.index].contains(where: { $0 < x }),
      path[best.index...].contains(where: { $0 > x })
    else { return nil }
    return best.index
  }

  /// Returns the ink of a line that is behind a place. Marks go with the word that they are above.
  private func itemsBehind(
    _ place: GesturePlace, _ ends: (left: Int, right: Int), in line: TextLine
  ) -> Set<Int> {
    let frame = frame(of: line)
    var result: Set<Int> = [ends.right]
    for item in line.items where item != ends.left && item != ends.right {
      if let box = strokes[item]?.box, frame.middle(box) > place.x { result.insert(item) }
    }
    return result
  }

  /// Returns the width of a space in a line: the usual gap between its words.
  private func space(in line: TextLine) -> Double {
    let frame = frame(of: line)
    let boxes = line.runs.flatMap(\.words).map { frame.box($0.box) }.sorted { $0.minX < $1.minX }
    let gaps = zip(boxes, boxes.dropFirst()).map { $1.minX - $0.maxX }.filter { $0 > 0 }.sorted()
    let least = Chosen.space * letterHeight
    guard !gaps.isEmpty else { return least }
    return min(max(gaps[gaps.count / 2], least), Chosen.widestSpace * letterHeight)
  }

  // MARK: - Runs

  /// Splits the runs of a line, so that none has ink of both sides. Words on one side keep their
  /// readings.
  private func separate(_ line: TextLine, at right: Set<Int>) {
    for run in line.runs {
      guard !right.isDisjoint(with: run.items), !right.isSuperset(of: run.items) else { continue }
      let known = Set(run.words.flatMap(\.items))
      let groups = WordGroup.groups(of: run.words)
      var parts: [TextRun] = []
      var loose = run.items.filter { !known.contains($0) }
      let isRead = run.state == .current && run.moved.isEmpty && loose.isEmpty
      if isRead {
        let left = groups.prefix { right.isDisjoint(with: $0.ink) }
        let behind = groups.dropFirst(left.count).drop { !right.isSuperset(of: $0.ink) }
        let torn = groups[left.count..<behind.startIndex]
        loose = torn.flatMap(\.items)
        if !left.isEmpty { parts.append(makeRun(words: left.flatMap(\.words), in: line)) }
        addLoose(loose, right, to: &parts, in: line)
        if !behind.isEmpty { parts.append(makeRun(words: behind.flatMap(\.words), in: line)) }
        for part in parts where part.state == .current { part.isFixed = run.isFixed }
      } else {
        addLoose(run.items, right, to: &parts, in: line)
      }
      guard let place = line.runs.firstIndex(where: { $0 === run }) else { continue }
      dropRun(run)
      line.runs.replaceSubrange(place...place, with: parts)
      if line.activeRun === run { line.activeRun = parts.last }
    }
  }

  private func addLoose(
    _ items: [Int], _ right: Set<Int>, to parts: inout [TextRun], in line: TextLine
  ) {
    for side in [items.filter { !right.contains($0) }, items.filter(right.contains)]
    where !side.isEmpty {
      parts.append(makeRun(inOrder(side), in: line))
    }
  }

  /// Makes one run of the words at two items and the words between them.
  private func merge(_ line: TextLine, _ left: Int, _ right: Int) {
    guard case .line(_, let first)? = places[left], case .line(_, let last)? = places[right],
      let begin = line.runs.firstIndex(where: { $0 === first }),
      let end = line.runs.firstIndex(where: { $0 === last })
    else { return }
    // Typed characters and ink are separate words.
    guard isTyped(first) == isTyped(last) else { return }
    let (low, high) = (min(begin, end), max(begin, end))
    let runs = Array(line.runs[low...high])
    // The words beside the place are read as one; the others keep their readings.
    let words = runs.flatMap(\.words)
    let isRead = runs.allSatisfy { run in
      run.state == .current && Set(run.words.flatMap(\.items)).isSuperset(of: run.items)
    }
    var parts: [TextRun] = []
    let groups = WordGroup.groups(of: words)
    let touched = groups.indices.filter { index in
      groups[index].ink.contains(left) || groups[index].ink.contains(right)
    }
    if isRead, let from = touched.first, let to = touched.last {
      if from > 0 { parts.append(makeRun(words: groups[..<from].flatMap(\.words), in: line)) }
      parts.append(makeRun(inOrder(groups[from...to].flatMap(\.items)), in: line))
      if to + 1 < groups.count {
        parts.append(makeRun(words: groups[(to + 1)...].flatMap(\.words), in: line))
      }
    } else {
      parts.append(makeRun(inOrder(runs.flatMap(\.items)), in: line))
    }
    for run in runs { dropRun(run) }
    line.runs.replaceSubrange(low...high, with: parts)
    line.activeRun = parts.first { $0.items.contains(right) }
  }

  // MARK: - Lines

  /// Returns the distance between the lines of a block.
  private func pitch(of block: BlockNode, _ room: LineRoom) -> Double {
    if let pitch = room.pitch { return pitch }
    let middles = block.lines.map(\.box.midY).sorted()
    let steps = zip(middles, middles.dropFirst()).map { $1 - $0 }
      .filter { $0 > Chosen.leastPitch * letterHeight }.sorted()
    return steps.isEmpty ? Chosen.pitch * letterHeight : steps[steps.count / 2]
  }

  /// Moves ink to a line of its own below, and all that is below by one line.
  private func breakLine(_ line: TextLine, before right: Set<Int>, in room: LineRoom) {
    let pitch = pitch(of: line.block, room)
    moveBelow(line, dy: pitch)
    let frame = frame(of: line)
    guard let start = box(of: right).map(frame.start) else { return }
    move(right, dx: frame.x(frame.start(line.box) - start), dy: pitch)
    let new = addLine(to: line.block, box: box(of: right) ?? line.box)
    transfer(right, from: line, to: new)
    orderLines(of: line.block)
    refresh(line.block)
  }

  /// Moves the words that are beyond the end of the page to a line of their own.
  ///
  /// - Parameter limit: The end of the page in the frame of the line.
  func wrap(_ line: TextLine, beyond limit: Double, in room: LineRoom) {
    let frame = frame(of: line)
    let groups = line.runs.flatMap { run -> [(items: [Int], box: BoundingBox)] in
      let known = Set(run.words.flatMap(\.items))
      guard run.state == .current, known.isSuperset(of: run.items) else {
        return [(run.items, run.box)]
      }
      return WordGroup.groups(of: run.words).compactMap { group in
        box(of: group.items).map { (group.items, $0) }
      }
    }.sorted { frame.start($0.box) < frame.start($1.box) }
    guard let first = groups.firstIndex(where: { frame.end($0.box) > limit }), first > 0 else {
      return
    }
    let gone = Set(groups[first...].flatMap(\.items))
    guard gone.count < line.count else { return }
    separate(line, at: gone)
    breakLine(line, before: gone, in: room)
  }

  /// Moves the next line to the end of a line, as far as there is room, and all that is below up.
  private func joinLines(_ line: TextLine, _ next: TextLine, in room: LineRoom) -> Bool {
    guard line.block === next.block, let middle = Optional(next.box.midY) else { return false }
    let pitch = middle - line.box.midY
    let space = space(in: line)
    let items = Set(next.items)
    let frame = frame(of: line)
    let dx = frame.end(line.box) + space - frame.start(next.box)
    var taken = items
    if let limit = room.end(frame), frame.end(line.box) <= limit {
      let words = next.runs.flatMap(\.words)
      let fits = words.filter { frame.end($0.box) + dx <= limit }
      guard !fits.isEmpty || words.isEmpty else { return false }
      if fits.count < words.count {
        let kept = Set(words.dropFirst(fits.count).flatMap(\.items))
        taken.subtract(kept)
        guard !taken.isEmpty else { return false }
        separate(next, at: kept)
      }
    }
    let start = frame.start(next.box)
    move(taken, dx: frame.x(dx), dy: -pitch)
    transfer(taken, from: next, to: line)
    if taken.count == items.count {
      moveBelow(line, dy: -pitch)
    } else if let rest = box(of: next.items) {
      move(Set(next.items), dx: frame.x(start - frame.start(rest)), dy: 0)
    }
    orderLines(of: line.block)
    refresh(line.block)
    return true
  }

  /// Moves the lines below a line, and the blocks below its block.
  private func moveBelow(_ line: TextLine, dy: Double) {
    let block = line.block
    let items = Set(
      block.lines.filter { $0 !== line && $0.box.midY > line.box.midY }.flatMap(\.items))
    let below = blocks(beside: block) { box in
      box.midY > line.box.maxY && box.minY > line.box.midY
    }
    move(items, with: below, dy: dy)
  }

  /// Returns the blocks that share columns with a block, and whose boxes meet a condition.
  func blocks(beside block: BlockNode, where isMeant: (BoundingBox) -> Bool) -> [BlockNode] {
    guard block !== root, let own = block.box else { return [] }
    return topLevelBlocks.filter { other in
      guard other !== block, other !== block.parent, other.parent !== block, let box = other.box
      else { return false }
      return isMeant(box) && box.sharedWidth(with: own) > 0
    }
  }

  /// Moves ink and whole blocks, with their frames, down.
  func move(_ items: Set<Int> = [], with blocks: [BlockNode], dy: Double) {
    for block in blocks { block.frame = block.frame?.moved(dx: 0, dy: dy) }
    move(items.union(blocks.flatMap(\.allItems)), dx: 0, dy: dy)
    // A frame without ink has a box, too.
    for block in blocks where block.frame != nil { refresh(block) }
  }

  /// Puts the runs of some ink into another line. The runs have no ink of both sides.
  private func transfer(_ items: Set<Int>, from line: TextLine, to other: TextLine) {
    let moved = line.runs.filter { items.isSuperset(of: $0.items) }
    line.runs.removeAll { run in moved.contains { $0 === run } }
    other.runs += moved
    orderRuns(of: other)
    for run in moved {
      runs[run.id] = (run, other)
      for item in run.items { setPlace(item, other, run) }
      if line.activeRun === run { line.activeRun = line.runs.last }
    }
    other.shape.members = inOrder(other.runs.flatMap(\.items)).compactMap { strokes[$0]?.measure }
    line.shape.members.removeAll { items.contains($0.item) }
    measure(other)
    if line.count == 0 {
      line.block.lines.removeAll { $0 === line }
    } else {
      measure(line)
    }
  }
}

/// Numbers that were chosen and not derived, in heights of letters.
private enum Chosen {
  /// A gap between words at which a line is broken. Chosen by hand: three spaces.
  static let longGap = 3.0
  /// The least width of a space that is inserted.
  static let space = 1.0
  /// The greatest width of a space that is inserted.
  static let widestSpace = 2.0
  /// The gap between two letters.
  static let letterGap = 0.2
  /// The distance of lines in a block of one line.
  static let pitch = 2.5
  /// The least distance of two lines.
  static let leastPitch = 0.8
}
