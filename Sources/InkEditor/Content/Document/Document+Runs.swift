import InkCore
import Layout
import Typesetting

// Runs: the ink of a line that is recognised together. Strokes join, split and leave runs.
extension Document {
  // The numbers below were chosen by hand on lines of evaluate --through editor, with inserted and
  // replaced words.
  /// The share of a stroke's width that must be over a word for the stroke to belong to it.
  private static let overlap = 0.3
  /// The greatest gap between a stroke and the run that it continues, in line heights.
  private static let continuation = 1.2
  /// The least gap that separates a stroke from a chosen word, in line heights.
  private static let separation = 0.3

  /// Adds ink to a line: to the run that it continues, or as a run of its own.
  func insert(_ stroke: InkStroke, into line: TextLine) {
    if stroke.isInk, let run = run(for: stroke, in: line), !isTyped(run) {
      add(stroke, to: run, in: line)
      readAgain(run)
      line.activeRun = run
      return
    }
    let run = makeRun([stroke.id], in: line)
    let frame = frame(of: line)
    run.isInserted =
      stroke.isInk && !line.runs.isEmpty && frame.middle(stroke.box) < frame.end(line.box)
    place(run, in: line)
    line.activeRun = run
  }

  /// Adds ink that belongs to a line from the start, and is read with the ink beside it.
  func join(_ stroke: InkStroke, to line: TextLine) {
    let free = stroke.isInk ? line.runs.filter { !$0.isFixed && !isTyped($0) } : []
    let nearest = free.min { $0.box.gapX(to: stroke.box) < $1.box.gapX(to: stroke.box) }
    grouper.remember(stroke.measure, line: line.id)
    if let nearest {
      add(stroke, to: nearest, in: line)
      readAgain(nearest)
    } else {
      insert(stroke, into: line)
    }
    line.shape.add(stroke.measure)
    orderLines(of: line.block)
    grow(line.block, by: stroke.box)
    adopt(line.block)
  }

  /// Adds ink to a run.
  private func add(_ stroke: InkStroke, to run: TextRun, in line: TextLine) {
    run.items = inOrder(run.items + [stroke.id])
    run.box.formUnion(stroke.box)
    setPlace(stroke.id, line, run)
  }

  private func readAgain(_ run: TextRun) {
    run.touch()
    enqueue(run)
  }

  /// Returns the run that a stroke continues, or nil for a new run. Splits a run if the stroke was
  /// written between its words.
  private func run(for stroke: InkStroke, in line: TextLine) -> TextRun? {
    guard let last = line.runs.last else { return nil }
    let height = grouper.height ?? stroke.box.height
    let box = stroke.box
    let frame = frame(of: line)
    let middle = frame.middle(box)
    if let active = line.activeRun, active.isInserted, !active.isFixed,
      active.box.gapX(to: box) < Self.continuation * height,
      middle < frame.end(active.box) + Self.continuation * height,
      !covers(stroke, besides: active, in: line)
    {
      return active
    }
    // The stroke continues at the end of the line.
    if middle >= frame.end(line.box) - Chosen.endOfLine * height {
      let gap = frame.start(box) - frame.end(last.box)
      if last.isFixed, gap > Self.separation * height { return nil }
      return last
    }
    if let covered = covered(by: stroke, in: line) { return covered }
    guard
      let nearest = line.runs.min(by: { $0.box.gapX(to: box) < $1.box.gapX(to: box) })
    else { return nil }
    // A dot belongs to the nearest run. Unread ink is read as a whole.
    if grouper.isSmall(box) || isInUnreadInk(box, of: nearest, frame) { return nearest }
    guard !nearest.words.contains(where: { $0.box.gapX(to: box) == 0 }) else { return nearest }
    if let last = lastWord(continuedBy: stroke, in: line, frame) { return last }
    split(nearest, at: middle, in: line)
    return nil
  }

  /// Returns the word that was written last, as a run of its own, if a stroke beside its last one continues
  /// it between other words. It may also continue it against the direction of the line: the second letter of
  /// a Latin word at the end of a Hebrew line, and the second digit of a number, are before the first one.
  /// nil if the stroke is elsewhere.
  private func lastWord(
    continuedBy stroke: InkStroke, in line: TextLine, _ frame: ReadingFrame
  ) -> TextRun? {
    guard let active = line.activeRun, !active.isFixed, !isTyped(active),
      let last = active.items.last.flatMap({ strokes[$0] })
    else { return nil }
    let groups = WordGroup.groups(of: active.words)
    guard let place = groups.firstIndex(where: { $0.items.contains(last.id) }) else { return nil }
    let letters = WritingDirection(of: groups[place].words.map(\.label).joined())
    let isTurned = frame.isMirrored ? letters != .rightToLeft : letters == .rightToLeft
    let isForward = frame.middle(last.box) < frame.middle(stroke.box)
    guard isTurned || isForward else { return nil }
    // Behind a turned word its next one may follow.
    let reach = isTurned && !isForward ? Self.continuation : Self.separation
    guard last.box.gapX(to: stroke.box) < reach * (grouper.height ?? stroke.box.height)
    else { return nil }
    let run =
      groups.count == 1 ? active : isolate(place, of: groups, from: active, in: line)
    // Later strokes continue the word, too.
    run.isInserted = true
    return run
  }

  /// Returns whether a position is among ink of a run that was added after its words were read.
  private func isInUnreadInk(
    _ box: BoundingBox, of run: TextRun, _ frame: ReadingFrame
  ) -> Bool {
    guard let last = run.words.map({ frame.middle($0.box) }).max() else { return true }
    guard run.state != .current else { return false }
    if (last..<max(last, frame.end(run.box))).contains(frame.middle(box)) { return true }
    let read = Set(run.words.flatMap(\.items))
    return run.items.contains { item in
      !read.contains(item) && strokes[item]?.box.gapX(to: box) == 0
    }
  }

  /// Returns true if a stroke is over words of other runs.
  private func covers(_ stroke: InkStroke, besides run: TextRun, in line: TextLine) -> Bool {
    line.runs.contains { other in
      other !== run
        && other.words.contains {
          $0.box.sharedWidth(with: stroke.box)
            > Chosen.coverage * max(stroke.box.width, Chosen.leastWidth)
        }
    }
  }

  /// Returns the run that has the word under a stroke.
  private func covered(by stroke: InkStroke, in line: TextLine) -> TextRun? {
    let width = max(stroke.box.width, Chosen.leastWidth)
    var best: (share: Double, run: TextRun)?
    for run in line.runs {
      for word in run.words {
        var share = word.box.sharedWidth(with: stroke.box) / width
        if word.box.contains(x: stroke.box.midX, y: word.box.midY, within: 0) {
          share = max(share, Chosen.coverage)
        }
        if share > (best?.share ?? Self.overlap) { best = (share, run) }
      }
    }
    return best?.run
  }

  /// Splits a run between its words at a position in the frame of its line.
  private func split(_ run: TextRun, at x: Double, in line: TextLine) {
    let groups = WordGroup.groups(of: run.words)
    let count = Self.place(of: x, between: groups, frame(of: line))
    guard count > 0, count < groups.count else { return }
    let parts = [groups[..<count], groups[count...]].compactMap { part(of: run, $0, in: line) }
    replace(run, by: parts, in: line)
  }

  /// Returns the number of groups that are before a position, in logical order.
  private static func place(
    of x: Double, between groups: [WordGroup], _ frame: ReadingFrame
  ) -> Int {
    let middles = groups.map { frame.x($0.midX) }
    let before = groups.indices.filter { middles[$0] < x }.max { middles[$0] < middles[$1] }
    let behind = groups.indices.filter { middles[$0] >= x }.min { middles[$0] < middles[$1] }
    guard let before, let behind else { return before == nil ? 0 : groups.count }
    // Words of the other direction follow each other the other way round, and stay together.
    if behind == before - 1 { return before }
    let isTurned = before + 1 < groups.count && middles[before + 1] < middles[before]
    return isTurned ? behind : before + 1
  }

  /// Returns a run of some words of another run, or nil for no words. It is read again if its ink
  /// has moved.
  private func part(
    of run: TextRun, _ groups: ArraySlice<WordGroup>, in line: TextLine
  ) -> TextRun? {
    guard !groups.isEmpty else { return nil }
    let part = makeRun(words: groups.flatMap(\.words), in: line)
    part.isFixed = run.isFixed
    part.moved = run.moved.intersection(part.items)
    if !part.moved.isEmpty { readAgain(part) }
    return part
  }

  /// Makes a group of the words of a run a run of its own, between parts of those before and behind it.
  private func isolate(
    _ place: Int, of groups: [WordGroup], from run: TextRun, isFixed: Bool = false,
    in line: TextLine
  ) -> TextRun {
    let alone = makeRun(words: groups[place].words, in: line)
    alone.isFixed = isFixed
    let before = part(of: run, groups[..<place], in: line)
    let behind = part(of: run, groups[(place + 1)...], in: line)
    replace(run, by: [before, alone, behind].compactMap { $0 }, in: line)
    return alone
  }

  /// Replaces a run by parts of it. Ink that was added after the words were read is in no part: it
  /// goes to the nearest part and is read with it.
  private func replace(
    _ run: TextRun, by parts: [TextRun], without gone: Set<Int> = [], in line: TextLine
  ) {
    guard let place = line.runs.firstIndex(where: { $0 === run }) else { return }
    dropRun(run)
    line.runs.replaceSubrange(place...place, with: parts)
    let known = gone.union(parts.flatMap(\.items))
    // Ink that no part accepts, by the number of parts before it.
    let frame = frame(of: line)
    var far: [Int: [Int]] = [:]
    for item in run.items where !known.contains(item) {
      guard let stroke = strokes[item] else { continue }
      guard let part = part(for: stroke, among: parts) else {
        let middle = frame.middle(stroke.box)
        far[parts.count { frame.middle($0.box) < middle }, default: []].append(item)
        continue
      }
      add(stroke, to: part, in: line)
      // A mark at a chosen word existed when the word was chosen.
      if !part.isFixed { readAgain(part) }
    }
    for (_, items) in far.sorted(by: { $0.key < $1.key }) {
      self.place(makeRun(items, in: line), in: line)
    }
  }

  /// Returns the part nearest to a stroke; a chosen part accepts only marks.
  private func part(for stroke: InkStroke, among parts: [TextRun]) -> TextRun? {
    parts.filter { run in
      !isTyped(run) && (!run.isFixed || isMark(stroke, of: run))
    }.min { one, other in
      let gaps = (one.box.gapX(to: stroke.box), other.box.gapX(to: stroke.box))
      guard gaps.0 == gaps.1 else { return gaps.0 < gaps.1 }
      return one.box.sharedWidth(with: stroke.box) > other.box.sharedWidth(with: stroke.box)
    }
  }

  /// Returns whether a stroke is a mark at the words of a run, and not a letter next to them.
  private func isMark(_ stroke: InkStroke, of run: TextRun) -> Bool {
    guard let box = BoundingBox(holding: run.words.map(\.box)) else { return false }
    if (box.minX...box.maxX).contains(stroke.box.midX) { return true }
    let reach = Self.separation * (grouper.height ?? stroke.box.height)
    return grouper.isSmall(stroke.box) && box.gapX(to: stroke.box) < reach
  }

  // MARK: - Removing

  /// Removes items from a line. Unchanged words keep their readings; words that lost ink are read
  /// again separately.
  func take(_ gone: Set<Int>, from line: TextLine) {
    textLosses += 1
    for run in line.runs where !gone.isDisjoint(with: run.items) {
      if run.words.isEmpty || run.state == .dirty {
        shrink(run, by: gone, in: line)
      } else {
        replace(run, by: remainder(of: run, without: gone, in: line), without: gone, in: line)
      }
    }
    line.shape.members.removeAll { gone.contains($0.item) }
    let block = line.block
    if line.count == 0 {
      block.lines.removeAll { $0 === line }
    } else {
      line.box = box(of: line.items) ?? line.box
      orderLines(of: block)
    }
    refresh(block)
  }

  /// Removes items from a run that is read as a whole.
  private func shrink(_ run: TextRun, by gone: Set<Int>, in line: TextLine) {
    run.items.removeAll { gone.contains($0) }
    guard let box = box(of: run.items) else {
      dropRun(run)
      line.runs.removeAll { $0 === run }
      return
    }
    run.words = []
    run.box = box
    readAgain(run)
  }

  /// Returns the remaining ink and words of a run.
  private func remainder(
    of run: TextRun, without gone: Set<Int>, in line: TextLine
  ) -> [TextRun] {
    let groups = WordGroup.groups(of: run.words)
    var result: [TextRun] = []
    var begin = 0
    func keep(before end: Int) {
      if let kept = part(of: run, groups[begin..<end], in: line) { result.append(kept) }
    }
    for (index, group) in groups.enumerated() where !gone.isDisjoint(with: group.ink) {
      keep(before: index)
      begin = index + 1
      let left = group.items.filter { !gone.contains($0) }
      guard !left.isEmpty else { continue }
      let part = makeRun(inOrder(left), in: line)
      part.isInserted = true
      line.activeRun = part
      result.append(part)
    }
    keep(before: groups.count)
    return result
  }

  // MARK: - Choosing

  /// Makes a candidate of a word its label. The word becomes a separate run, with the words that
  /// share its ink, until that ink changes. A typed word is set again.
  func choose(
    _ text: String, word: Int, of line: TextLine, fonts: any FontProvider
  ) -> Bool {
    var index = word
    for run in line.runs {
      if index >= run.words.count {
        index -= run.words.count
        continue
      }
      guard run.words[index].candidates.contains(where: { $0.text == text }) else { return false }
      if isTyped(run) {
        let formula = run.words[index].formulas.first { $0.text == text }
        retype(run, in: line, as: text, formula: formula, fonts: fonts)
        activeBlock = line.block
        markEdited()
        return true
      }
      run.words[index].choose(text, makeID: makeWordID)
      fix(run, word: index, in: line)
      return true
    }
    return false
  }

  /// Makes a word a separate run, with those that share its ink.
  func fix(_ run: TextRun, word: Int, in line: TextLine) {
    let groups = WordGroup.groups(of: run.words)
    var (place, end) = (0, groups[0].words.count)
    while end <= word {
      place += 1
      end += groups[place].words.count
    }
    _ = isolate(place, of: groups, from: run, isFixed: true, in: line)
    activeBlock = line.block
    changes.update(line.block)
    markEdited()
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Line heights.
  static let endOfLine = 0.5
  /// Share of the stroke's width.
  static let coverage = 0.5
  /// Millimetres, chosen by hand.
  static let leastWidth = 0.01
}
