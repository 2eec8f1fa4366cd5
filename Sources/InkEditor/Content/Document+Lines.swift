import InkCore
import Layout

/// Lines of text, their runs, and which of them are to be read.
extension Document {
  /// Makes a line in a block.
  func addLine(to block: BlockNode, box: BoundingBox) -> TextLine {
    let line = TextLine(id: nextLine, block: block, box: box)
    nextLine += 1
    block.lines.append(line)
    return line
  }

  /// Makes a run of strokes to recognise in a line.
  func makeRun(_ items: [Int], in line: TextLine) -> TextRun {
    let run = TextRun(id: nextRun, items: items, box: box(of: items) ?? line.box)
    add(run, to: line)
    enqueue(run)
    return run
  }

  /// Makes a run of known words.
  func makeRun(words: [TextWord], in line: TextLine) -> TextRun {
    let items = inOrder(words.flatMap(\.items))
    let run = TextRun(id: nextRun, words: words, items: items, box: box(of: items) ?? line.box)
    add(run, to: line)
    return run
  }

  /// Makes a run of ink whose words its caller knows.
  func makeRun(read items: [Int], in line: TextLine) -> TextRun {
    let run = TextRun(id: nextRun, words: [], items: items, box: box(of: items) ?? line.box)
    add(run, to: line)
    return run
  }

  /// Takes the measures of the strokes of a line's runs, which are new. O(them).
  func measureAll(_ line: TextLine) {
    line.shape.members = inOrder(line.runs.flatMap(\.items)).compactMap { strokes[$0]?.measure }
    line.box = box(of: line.items) ?? line.box
    for run in line.runs { run.box = box(of: run.items) ?? run.box }
  }

  func add(_ run: TextRun, to line: TextLine) {
    nextRun += 1
    runs[run.id] = (run, line)
    for item in run.items { places[item] = .line(line, run) }
  }

  /// The box of ink; nil for none.
  func box(of items: some Sequence<Int>) -> BoundingBox? {
    BoundingBox(holding: items.compactMap { strokes[$0]?.box })
  }

  /// Updates the measures of the strokes of a line. O(strokes).
  func measure(_ line: TextLine) {
    line.shape.members = line.items.compactMap { strokes[$0]?.measure }
    line.box = box(of: line.items) ?? line.box
    for run in line.runs { run.box = box(of: run.items) ?? run.box }
  }

  /// Removes a run.
  func dropRun(_ run: TextRun) { runs[run.id] = nil }

  /// Sets the place of an item.
  func setPlace(_ item: Int, _ line: TextLine, _ run: TextRun) {
    places[item] = .line(line, run)
  }

  /// Requests recognition of a run.
  func enqueue(_ run: TextRun) {
    dirtyRuns.removeAll { $0.run == run.id }
    dirtyRuns.append(TextRunKey(run: run.id, version: run.version))
  }

  /// Requests recognition of all changed runs again. O(runs).
  func requeueDirtyRuns() {
    for (_, entry) in runs.sorted(by: { $0.key < $1.key }) where entry.run.state == .dirty {
      enqueue(entry.run)
    }
  }

  /// Asks again for all ink that waits for a model. O(runs).
  func retryWaiting() {
    for (_, entry) in runs.sorted(by: { $0.key < $1.key }) where entry.run.state == .waiting {
      entry.run.state = .dirty
      enqueue(entry.run)
    }
    for index in forcedShapes.indices { forcedShapes[index].waits = false }
  }

  /// Asks for all text to be read again but words that were chosen. O(runs).
  func readAgain() {
    for (_, entry) in runs.sorted(by: { $0.key < $1.key }) where !entry.run.isFixed {
      entry.run.touch()
      enqueue(entry.run)
    }
  }

  /// Lets all ink that is not sorted or read be sorted and read now. O(such ink).
  func askForAll() {
    asked = Set(unsorted)
    for index in forcedShapes.indices { forcedShapes[index].isAsked = true }
    askForRuns()
  }

  /// Lets all text that is to be read be read now.
  func askForRuns() {
    for key in dirtyRuns { runs[key.run]?.run.isAsked = true }
  }

  /// Whether some ink is to be sorted or read, asked for or not. O(runs that are).
  var hasUnreadInk: Bool {
    !unsorted.isEmpty || forcedShapes.contains { !$0.waits } || dirtyRuns.contains { isDirty($0) }
  }

  /// How much is to be sorted or read: items and runs; where `onlyAsked`, what was asked for.
  func pendingCount(onlyAsked: Bool) -> Int {
    (onlyAsked ? asked.count : unsorted.count)
      + forcedShapes.count { !$0.waits && ($0.isAsked || !onlyAsked) }
      + dirtyRuns.count { isDirty($0) && (!onlyAsked || runs[$0.run]?.run.isAsked == true) }
  }

  /// How much of a block is to be sorted or read. O(its runs).
  func pendingCount(of block: BlockNode) -> Int {
    if block === root { return pendingCount(onlyAsked: false) }
    let own = Set(block.allItems)
    return block.withDescendants.flatMap(\.lines).flatMap(\.runs).count { $0.state == .dirty }
      + forcedShapes.count { !$0.waits && !own.isDisjoint(with: $0.items) }
  }

  /// Whether something that was asked for is to be sorted or read. O(runs that are to be read).
  var hasAskedInk: Bool {
    !asked.isEmpty || forcedShapes.contains { $0.isAsked && !$0.waits }
      || dirtyRuns.contains { isDirty($0) && runs[$0.run]?.run.isAsked == true }
  }

  func isDirty(_ key: TextRunKey) -> Bool { runs[key.run]?.run.state == .dirty }

  /// The next run that is to be recognised; nil where there is none.
  ///
  /// - Parameters:
  ///   - onlyAsked: Whether runs count that were asked for alone.
  ///   - busy: Blocks of which another run is being read.
  func takeDirtyRun(
    onlyAsked: Bool = false, busy: Set<String> = []
  ) -> (run: TextRun, line: TextLine)? {
    dirtyRuns.removeAll { !isDirty($0) }
    let place = dirtyRuns.firstIndex { key in
      guard let entry = runs[key.run] else { return false }
      return (entry.run.isAsked || !onlyAsked) && !busy.contains(entry.line.block.id)
    }
    guard let place else { return nil }
    return runs[dirtyRuns.remove(at: place).run]
  }

  /// The run of a key, if it has not changed since.
  func unchanged(_ key: TextRunKey) -> (run: TextRun, line: TextLine)? {
    guard let entry = runs[key.run], entry.run.version == key.version else { return nil }
    return entry
  }
}
