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

  /// Measures the strokes of a line's runs, which are new. O(strokes).
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

  /// Returns the box of ink, or nil if there is none.
  package func box(of items: some Sequence<Int>) -> BoundingBox? {
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
  func enqueue(_ run: TextRun) { enqueue([run]) }

  /// Requests recognition of runs, in this order. O(runs to recognise).
  private func enqueue(_ runs: [TextRun]) {
    // Typed text is known.
    let typed = runs.filter(isTyped)
    for run in typed { settle(run) }
    let runs = typed.isEmpty ? runs : runs.filter { !isTyped($0) }
    let again = Set(runs.map(\.id))
    dirtyRuns.removeAll { again.contains($0.run) }
    dirtyRuns += runs.map { TextRunKey(run: $0.id, version: $0.version) }
  }

  /// Returns the runs for which a condition holds, in the order they were made. O(runs).
  private func runs(where condition: (TextRun) -> Bool) -> [TextRun] {
    runs.values.map(\.run).filter(condition).sorted { $0.id < $1.id }
  }

  /// Requests recognition of all changed runs again. O(runs).
  func requeueDirtyRuns() {
    enqueue(runs(where: { $0.state == .dirty }))
  }

  /// Requests recognition of all ink that waits for a model or other settings. O(runs).
  package func retryWaiting() {
    let waiting = runs(where: { $0.state == .waiting || $0.state == .unwanted })
    for run in waiting { run.state = .dirty }
    enqueue(waiting)
    for index in forcedShapes.indices { forcedShapes[index].waits = false }
  }

  /// Requests that all text is read again, except chosen words. O(runs).
  func readAgain() {
    let free = runs(where: { !$0.isFixed })
    for run in free { run.touch() }
    enqueue(free)
  }

  /// Lets all unsorted and unread ink be processed now. O(such ink).
  package func askForAll() {
    asked = Set(unsorted)
    for index in forcedShapes.indices { forcedShapes[index].isAsked = true }
    formulas.ask(for: unreadFormulas.map(\.ink))
    askForRuns()
  }

  /// Lets all unread text be read now.
  func askForRuns() {
    for key in dirtyRuns { runs[key.run]?.run.isAsked = true }
  }

  /// True if some ink is unsorted or unread, whether or not it was requested. O(unread runs).
  var hasUnreadInk: Bool {
    !unsorted.isEmpty || forcedShapes.contains { !$0.waits } || dirtyRuns.contains { isDirty($0) }
      || !unreadFormulas.isEmpty
  }

  /// The number of unsorted items and unread runs that were requested. O(unread runs).
  var askedCount: Int {
    asked.count + forcedShapes.count { !$0.waits && $0.isAsked }
      + dirtyRuns.count { isDirty($0) && runs[$0.run]?.run.isAsked == true }
      + unreadFormulas.count { formulas.asked.contains($0.ink) }
  }

  /// The number of unsorted items and unread runs, with those that wait for a model. O(runs).
  package var unreadCount: Int {
    unsorted.count + forcedShapes.count + dirtyRuns.count { isDirty($0) }
      + runs.values.count { $0.run.state == .waiting } + unreadFormulas.count
  }

  /// Returns the number of unsorted items and unread runs of a block. O(its runs).
  func pendingCount(of block: BlockNode) -> Int {
    if block === root { return unreadCount }
    let own = Set(block.allItems)
    return block.withDescendants.flatMap(\.lines).flatMap(\.runs)
      .count { $0.state == .dirty || $0.state == .waiting }
      + forcedShapes.count { !own.isDisjoint(with: $0.items) }
      + unreadFormulas.count { !own.isDisjoint(with: $0.block.items) }
  }

  /// True if requested ink is unsorted or unread. O(unread runs).
  var hasAskedInk: Bool {
    !asked.isEmpty || forcedShapes.contains { $0.isAsked && !$0.waits }
      || dirtyRuns.contains { isDirty($0) && runs[$0.run]?.run.isAsked == true }
      || hasAskedFormulas
  }

  package func isDirty(_ key: TextRunKey) -> Bool { runs[key.run]?.run.state == .dirty }

  /// Returns the next run to recognise, or nil if there is none. O(1) unless the first runs are busy
  /// or not requested.
  ///
  /// - Parameters:
  ///   - onlyAsked: true to return only runs that were requested.
  ///   - busy: Blocks that already have a run being read.
  package func takeDirtyRun(
    onlyAsked: Bool = false, busy: Set<String> = []
  ) -> (run: TextRun, line: TextLine)? {
    dirtyRuns.removeFirst(dirtyRuns.firstIndex(where: isDirty) ?? dirtyRuns.count)
    let place = dirtyRuns.firstIndex { key in
      guard isDirty(key), let entry = runs[key.run] else { return false }
      return (entry.run.isAsked || !onlyAsked) && !busy.contains(entry.line.block.id)
    }
    guard let place else { return nil }
    return runs[dirtyRuns.remove(at: place).run]
  }

  /// Returns the run of a key if it has not changed since.
  func unchanged(_ key: TextRunKey) -> (run: TextRun, line: TextLine)? {
    guard let entry = runs[key.run], entry.run.version == key.version else { return nil }
    return entry
  }

  /// Looks again at the lines of a block that were written last, when a new line has begun: strokes
  /// that are nearer to another of these lines are moved there, and pieces of one line are joined.
  /// Words that the user chose stay. O(strokes of these lines).
  func reviseLines(before new: TextLine) {
    // Lines that end at a column are the whole page's to find.
    let recent = new.block.lines.filter {
      $0 !== new && !$0.shape.members.isEmpty && !$0.role.isBounded
    }
    .sorted { $0.id > $1.id }.prefix(Chosen.revisedLines)
    guard recent.count > 1 else { return }
    let direction = frame(of: new.block).direction
    let moves = LineFinder.moves(in: recent.map { $0.shape.turned(direction) }).filter { item, _ in
      guard case .line(_, let run)? = places[item] else { return false }
      return !run.isFixed
    }
    guard !moves.isEmpty else { return }
    var lines = Dictionary(uniqueKeysWithValues: recent.map { ($0.id, $0) })
    detach(Set(moves.keys))
    for item in inOrder(moves.keys) {
      guard let stroke = strokes[item], let target = moves[item] else { continue }
      // A line whose strokes have all gone was removed.
      let known = lines[target].flatMap { line in
        line.block.lines.contains { $0 === line } ? line : nil
      }
      let line = known ?? addLine(to: new.block, box: stroke.box)
      lines[target] = line
      insert(stroke, into: line)
      line.shape.add(stroke.measure)
    }
    orderLines(of: new.block)
    refresh(new.block)
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The lines written last that are looked at again when a new one begins. Chosen by hand on
  /// lines of evaluate --through editor, with inserted and replaced words.
  static let revisedLines = 4
}
