import InkCore

// Text: strokes into lines, lines into runs that are recognised together.
extension Document {
  /// What part of a stroke's width lies over a word for the stroke to belong to it.
  private static let overlap = 0.3
  /// Line heights between a stroke and the run it goes on.
  private static let continuation = 1.2
  /// Line heights of empty space that separate a stroke from a chosen word.
  private static let separation = 0.3
  /// Line heights between lines of one block, and beside them.
  private static let blockGap = 2.5

  /// Puts a stroke into a line of text of a block, or of any block of text where nil.
  func placeText(_ item: Int, in forced: BlockNode? = nil) {
    guard let stroke = strokes[item] else { return }
    let candidates: [TextLine]
    if let forced {
      candidates = forced.lines
    } else if type == .text {
      candidates = root.lines
    } else {
      candidates = root.children.flatMap { $0.takes(stroke, as: .text) ? $0.lines : [] }
    }
    let line = grouper.line(of: stroke, among: candidates) ?? newLine(for: stroke, in: forced)
    let isNew = line.members.isEmpty
    grouper.remember(stroke, line: line.id)
    insert(stroke, into: line)
    let middle = line.box.midY
    line.add(stroke)
    if isNew || line.box.midY != middle { orderLines(of: line.block) }
    grow(line.block, by: stroke.box)
  }

  private func grow(_ block: BlockNode, by box: BoundingBox) {
    if block !== root || type == .text {
      if block.box == nil { block.box = box } else { block.box?.formUnion(box) }
    }
    activeBlock = block
    changes.update(block)
  }

  private func newLine(for stroke: InkStroke, in forced: BlockNode?) -> TextLine {
    if let forced { return addLine(to: forced, box: stroke.box) }
    if type == .text { return addLine(to: root, box: stroke.box) }
    let height = grouper.height ?? stroke.box.height
    let near = root.children.filter { block in
      guard block.takes(stroke, as: .text), let box = block.box else { return false }
      return box.gapY(to: stroke.box) < Self.blockGap * height
        && box.gapX(to: stroke.box) < 2 * Self.blockGap * height
    }
    let block = near.min { left, right in
      (left.box?.gapY(to: stroke.box) ?? 0) < (right.box?.gapY(to: stroke.box) ?? 0)
    }
    return addLine(to: block ?? addBlock(.text, session: stroke.session), box: stroke.box)
  }

  // MARK: - Runs

  private func insert(_ stroke: InkStroke, into line: TextLine) {
    if let run = run(for: stroke, in: line) {
      run.items.append(stroke.id)
      run.box.formUnion(stroke.box)
      run.touch()
      changed(run, stroke, line)
      return
    }
    let run = makeRun([stroke.id], box: stroke.box, in: line)
    run.isInserted = !line.runs.isEmpty && stroke.box.midX < line.box.maxX
    let place = line.runs.firstIndex { $0.box.midX > stroke.box.midX } ?? line.runs.count
    line.runs.insert(run, at: place)
    changed(run, stroke, line)
  }

  private func changed(_ run: TextRun, _ stroke: InkStroke, _ line: TextLine) {
    setPlace(stroke.id, line, run)
    line.activeRun = run
    enqueue(run)
  }

  /// The run that a stroke goes on, after splitting one where the stroke was written between its
  /// words; nil where it begins one.
  private func run(for stroke: InkStroke, in line: TextLine) -> TextRun? {
    guard let last = line.runs.last else { return nil }
    let height = grouper.height ?? stroke.box.height
    let box = stroke.box
    if let active = line.activeRun, active.isInserted, !active.isFixed,
      active.box.gapX(to: box) < Self.continuation * height,
      box.midX < active.box.maxX + Self.continuation * height,
      !covers(stroke, besides: active, in: line)
    {
      return active
    }
    // Writing on at the end of the line.
    if box.midX >= line.box.maxX - height / 2 {
      if last.isFixed, box.minX - last.box.maxX > Self.separation * height { return nil }
      return last
    }
    if let covered = covered(by: stroke, in: line) { return covered }
    guard
      let nearest = line.runs.min(by: { $0.box.gapX(to: box) < $1.box.gapX(to: box) })
    else { return nil }
    // A dot belongs to what stands there; ink that was not read yet is read as a whole.
    if grouper.isSmall(box) || nearest.words.isEmpty { return nearest }
    guard !nearest.words.contains(where: { $0.box.gapX(to: box) == 0 }) else { return nearest }
    split(nearest, at: box.midX, in: line)
    return nil
  }

  /// Whether a stroke lies over words of other runs.
  private func covers(_ stroke: InkStroke, besides run: TextRun, in line: TextLine) -> Bool {
    line.runs.contains { other in
      other !== run
        && other.words.contains {
          $0.box.sharedWidth(with: stroke.box) > 0.5 * max(stroke.box.width, 0.01)
        }
    }
  }

  /// The run with the word that a stroke lies over.
  private func covered(by stroke: InkStroke, in line: TextLine) -> TextRun? {
    let width = max(stroke.box.width, 0.01)
    var best: (share: Double, run: TextRun)?
    for run in line.runs {
      for word in run.words {
        var share = word.box.sharedWidth(with: stroke.box) / width
        if word.box.contains(x: stroke.box.midX, y: word.box.midY, within: 0) {
          share = max(share, 0.5)
        }
        if share > (best?.share ?? Self.overlap) { best = (share, run) }
      }
    }
    return best?.run
  }

  /// Parts a run before and behind a place between its words.
  private func split(_ run: TextRun, at x: Double, in line: TextLine) {
    let words = run.words.byInk
    let count = words.prefix { $0[0].box.midX < x }.count
    guard count > 0, count < words.count else { return }
    replace(run, by: runs(of: [words[..<count], words[count...]], in: line), in: line)
  }

  /// A run for each row of words that is not empty.
  private func runs(of rows: [ArraySlice<[TextWord]>], in line: TextLine) -> [TextRun] {
    rows.filter { !$0.isEmpty }.map { row in
      let words = row.flatMap { $0 }
      return makeRun(words: words, items: inOrder(words.flatMap(\.items)), in: line)
    }
  }

  /// Puts parts of a run in its place.
  ///
  /// Ink that is in none of them, because it came after the words were read, becomes a run to be read by
  /// itself.
  private func replace(
    _ run: TextRun, by parts: [TextRun], without gone: Set<Int> = [], in line: TextLine
  ) {
    guard let place = line.runs.firstIndex(where: { $0 === run }) else { return }
    dropRun(run)
    line.runs.replaceSubrange(place...place, with: parts)
    let known = gone.union(parts.flatMap(\.items))
    guard let rest = unreadRun(run.items.filter { !known.contains($0) }, in: line) else { return }
    let position = line.runs.firstIndex { $0.box.midX > rest.box.midX } ?? line.runs.count
    line.runs.insert(rest, at: position)
  }

  /// A run of ink to be read; nil where there is none.
  private func unreadRun(_ items: [Int], in line: TextLine) -> TextRun? {
    guard let box = BoundingBox(holding: items.compactMap({ strokes[$0]?.box })) else { return nil }
    let run = makeRun(items, box: box, in: line)
    for item in items { setPlace(item, line, run) }
    enqueue(run)
    return run
  }

  // MARK: - Context of text

  /// The characters that are told of what stands before ink.
  private static let contextLength = 20

  /// The text before a run: the line's before it, and as much of the lines above as counts. Ends in
  /// a space, where there is any.
  func text(before run: TextRun, in line: TextLine) -> String {
    var parts: [String] = []
    var length = 0
    func add(_ words: [TextWord]) {
      for word in words.reversed() where length < Self.contextLength {
        parts.append(word.label)
        length += word.label.count + 1
      }
    }
    let place = line.runs.firstIndex { $0 === run } ?? 0
    for earlier in line.runs[..<place].reversed() { add(earlier.words) }
    var above = line.block.lines.firstIndex { $0 === line } ?? 0
    while length < Self.contextLength, above > 0 {
      above -= 1
      for earlier in line.block.lines[above].runs.reversed() { add(earlier.words) }
    }
    return parts.isEmpty ? "" : parts.reversed().joined(separator: " ") + " "
  }

  // MARK: - Removing

  /// Takes items out of a line: whole words that remain keep what was read, words that lost ink are
  /// read again by themselves.
  func take(_ gone: Set<Int>, from line: TextLine) {
    for run in line.runs where !gone.isDisjoint(with: run.items) {
      if run.words.isEmpty || run.state == .dirty {
        shrink(run, by: gone, in: line)
      } else {
        replace(run, by: remainder(of: run, without: gone, in: line), without: gone, in: line)
      }
    }
    line.members.removeAll { gone.contains($0.item) }
    let block = line.block
    if line.members.isEmpty {
      block.lines.removeAll { $0 === line }
    } else {
      line.box =
        BoundingBox(holding: line.members.compactMap { strokes[$0.item]?.box }) ?? line.box
      orderLines(of: block)
    }
    refresh(block)
  }

  /// Takes items out of a run that is to be read anyway.
  private func shrink(_ run: TextRun, by gone: Set<Int>, in line: TextLine) {
    run.items.removeAll { gone.contains($0) }
    guard let box = BoundingBox(holding: run.items.compactMap({ strokes[$0]?.box })) else {
      dropRun(run)
      line.runs.removeAll { $0 === run }
      return
    }
    run.words = []
    run.box = box
    run.touch()
    enqueue(run)
  }

  /// What is left of the words of a run.
  private func remainder(
    of run: TextRun, without gone: Set<Int>, in line: TextLine
  ) -> [TextRun] {
    let words = run.words.byInk
    var result: [TextRun] = []
    var begin = 0
    func keep(before end: Int) {
      let kept = runs(of: [words[begin..<end]], in: line)
      kept.forEach { $0.isFixed = run.isFixed }
      result += kept
    }
    for (index, group) in words.enumerated() {
      let items = group.flatMap(\.items)
      let left = items.filter { !gone.contains($0) }
      guard left.count < items.count else { continue }
      keep(before: index)
      begin = index + 1
      guard let part = unreadRun(left, in: line) else { continue }
      part.isInserted = true
      result.append(part)
    }
    keep(before: words.count)
    return result
  }

  // MARK: - Choosing

  /// Makes a candidate of a word its label: the word becomes a run of its own, which lasts until
  /// its ink changes.
  func choose(_ text: String, word: Int, of line: TextLine) -> Bool {
    var index = word
    for run in line.runs {
      guard index >= run.words.count else {
        guard run.words[index].candidates.contains(where: { $0.text == text }) else { return false }
        run.words[index].choose(text)
        fix(run, word: index, in: line)
        return true
      }
      index -= run.words.count
    }
    return false
  }

  /// Keeps a word of a run as it is, with those that share its ink.
  private func fix(_ run: TextRun, word: Int, in line: TextLine) {
    let words = run.words.byInk
    var (place, count) = (0, words[0].count)
    while count <= word {
      place += 1
      count += words[place].count
    }
    let parts = runs(
      of: [words[..<place], words[place...place], words[(place + 1)...]], in: line)
    parts[place == 0 ? 0 : 1].isFixed = true
    replace(run, by: parts, in: line)
    activeBlock = line.block
    changes.update(line.block)
    markEdited()
  }
}

extension [TextWord] {
  /// The words in groups that share no ink: a word without an item of its own lies on one of the word
  /// beside it.
  fileprivate var byInk: [[TextWord]] {
    var result: [[TextWord]] = []
    for word in self {
      if let last = result.last, word.items.isEmpty || last.allSatisfy(\.items.isEmpty) {
        result[result.count - 1].append(word)
      } else {
        result.append([word])
      }
    }
    return result
  }
}
