import InkCore
import Layout

/// The content of a part: ink and its recognition. Guarded by the editor's lock.
final class Document {
  let type: PartType
  private(set) var root: BlockNode
  private(set) var blocks: [String: BlockNode] = [:]
  private(set) var strokes: [Int: InkStroke] = [:]
  /// Removed strokes that may be restored.
  private(set) var removed: [Int: InkStroke] = [:]
  private var removedLimit = Document.leastRemoved
  private static let leastRemoved = 1000
  /// The items in the order written.
  private(set) var order: [Int] = []
  /// Items that belong to no block yet, in the order written.
  private(set) var unsorted: [Int] = []
  /// Where each sorted item is.
  private(set) var places: [Int: Place] = [:]
  /// What changed since the last notification.
  var changes = BlockChanges()
  /// The configuration of text when the part was first set.
  var textConfiguration: TextConfiguration?
  /// The content before each change.
  var history = History()
  /// The number of changes to the content, except those by recognition.
  private(set) var edits = 0
  /// The number of times that text lost ink.
  var textLosses = 0
  var grouper = LineGrouper()
  /// Groups of items that are to become one shape each.
  var forcedShapes: [[Int]] = []
  /// The block that changed last.
  weak var activeBlock: BlockNode?
  /// The session of new ink.
  private var session = 0
  private var nextNumber = 0
  private var nextItem = 1
  private var nextBlock = 1
  private var nextLine = 0
  private var nextRun = 0
  /// Runs that are to be recognised, in the order they became so.
  private(set) var dirtyRuns: [TextRunKey] = []
  private var runs: [Int: (run: TextRun, line: TextLine)] = [:]

  /// The place of an item.
  enum Place {
    case line(TextLine, TextRun)
    case block(BlockNode)
  }

  /// A run to recognise.
  struct TextRunKey: Hashable {
    var run: Int
    var version: Int
  }

  init(type: PartType) {
    self.type = type
    root = BlockNode(id: "0", type: type.rootType, parent: nil)
    blocks[root.id] = root
  }

  // MARK: - Ink

  /// True if there is no ink. O(1).
  var isEmpty: Bool { strokes.isEmpty }

  /// A number for a new item.
  func makeItemID() -> Int {
    defer { nextItem += 1 }
    return nextItem
  }

  /// Adds a new stroke. O(1), and O(items) if the history has just saved the previous state.
  ///
  /// - Parameter pause: The milliseconds without a pen after which a new session begins; 0 for
  ///   never.
  func append(_ stroke: InkStroke, pause: Double = 0) {
    if pause > 0, let before = order.last.flatMap({ strokes[$0]?.points.last?.t }),
      let now = stroke.points.first?.t, now - before > pause
    {
      session += 1
    }
    edits += 1
    strokes[stroke.id] = stroke
    strokes[stroke.id]?.session = session
    strokes[stroke.id]?.number = nextNumber
    nextNumber += 1
    order.append(stroke.id)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    guard type != .drawing else {
      root.items.append(stroke.id)
      places[stroke.id] = .block(root)
      activeBlock = root
      changes.update(root)
      return
    }
    unsorted.append(stroke.id)
  }

  /// Takes the next items to sort, at most `count`.
  func takeUnsorted(_ count: Int) -> [Int] {
    let taken = Array(unsorted.prefix(count))
    unsorted.removeFirst(taken.count)
    return taken
  }

  /// The next items to sort, which stay.
  func peekUnsorted() -> Int? { unsorted.first }

  /// Puts what is left of strokes in their places; in a block that was made by hand it stays there.
  /// O(items of the document).
  func replace(_ remainders: [Int: [InkStroke]]) {
    guard !remainders.isEmpty else { return }
    var loose: Set<Int> = []
    for (item, parts) in remainders.sorted(by: { $0.key < $1.key }) {
      guard let old = strokes[item] else { continue }
      for part in parts {
        strokes[part.id] = part
        strokes[part.id]?.session = old.session
        strokes[part.id]?.number = old.number
      }
    }
    order = order.flatMap { [$0] + (remainders[$0] ?? []).map(\.id) }
    for (item, parts) in remainders.sorted(by: { $0.key < $1.key }) {
      let ids = parts.map(\.id)
      guard type != .drawing, let home = block(of: item), home.isForced else {
        loose.formUnion(ids)
        continue
      }
      for id in ids {
        if home.type == .text { placeText(id, in: home) } else { put([id], into: home) }
      }
    }
    if type == .drawing {
      root.items = order
      for id in loose { places[id] = .block(root) }
    } else {
      resort(loose)
    }
    remove(Set(remainders.keys))
  }

  /// Sorts items in the order written.
  func inOrder(_ items: some Sequence<Int>) -> [Int] {
    items.compactMap { strokes[$0] }
      .sorted { ($0.number, $0.id) < ($1.number, $1.id) }.map(\.id)
  }

  /// The block of an item; nil before it is sorted.
  func block(of item: Int) -> BlockNode? {
    switch places[item] {
    case .line(let line, _)?: line.block
    case .block(let block)?: block
    case nil: nil
    }
  }

  /// Takes items out of those to sort.
  func removeUnsorted(_ items: Set<Int>) {
    unsorted.removeAll { items.contains($0) }
  }

  /// Replaces the points of a stroke, including a removed one. O(points). If positions change, also
  /// O(its block, and items of the history), and O(items) if the stroke was at the edge of all ink.
  ///
  /// - Parameter movesInk: True if a position changed, so that the text must be read again.
  func replace(points: [StrokePoint], of item: Int, movesInk: Bool) {
    let before = strokes[item]?.box
    removed[item]?.replace(points: points)
    strokes[item]?.replace(points: points)
    guard movesInk else { return }
    history.move(item)
    guard let before, let stroke = strokes[item] else { return }
    if root.box?.isTouched(by: before) ?? true {
      root.box = box(of: order)
    } else {
      root.box?.formUnion(stroke.box)
    }
    switch places[item] {
    case .line(let line, let run)?:
      measure(line)
      orderLines(of: line.block)
      run.move(item)
      enqueue(run)
      refresh(line.block)
    case .block(let block)?: refresh(block)
    case nil: break
    }
  }

  /// Removes items. O(their lines, and items of the document).
  func remove(_ items: Set<Int>) {
    let items = items.filter { strokes[$0] != nil }
    guard !items.isEmpty else { return }
    edits += 1
    detach(items)
    for item in items { removed[item] = strokes.removeValue(forKey: item) }
    order.removeAll { items.contains($0) }
    unsorted.removeAll { items.contains($0) }
    forgetForcedShapes(of: items)
    if type == .drawing {
      root.items.removeAll { items.contains($0) }
      changes.update(root)
    }
    root.box = box(of: order)
  }

  /// Removes items from their blocks; their ink remains.
  func detach(_ items: Set<Int>) {
    var lines: [ObjectIdentifier: (TextLine, Set<Int>)] = [:]
    var nodes: [ObjectIdentifier: (BlockNode, Set<Int>)] = [:]
    for item in items {
      switch places.removeValue(forKey: item) {
      case .line(let line, _)?:
        lines[ObjectIdentifier(line), default: (line, [])].1.insert(item)
      case .block(let node)?:
        nodes[ObjectIdentifier(node), default: (node, [])].1.insert(item)
      case nil: break
      }
    }
    for (line, gone) in lines.values.sorted(by: { $0.0.id < $1.0.id }) { take(gone, from: line) }
    for (node, gone) in nodes.values.sorted(by: { $0.0.id < $1.0.id }) {
      node.items.removeAll { gone.contains($0) }
      refresh(node)
    }
  }

  /// Makes items unsorted again, in the order written.
  func resort(_ items: Set<Int>) {
    detach(items)
    let all = items.union(unsorted)
    unsorted = order.filter { all.contains($0) }
  }

  // MARK: - Blocks

  /// Makes a block below the root.
  ///
  /// - Parameter session: Of the strokes that it is for.
  func addBlock(_ type: BlockType, session: Int = 0) -> BlockNode {
    let block = BlockNode(id: "\(nextBlock)", type: type, parent: root)
    block.session = session
    nextBlock += 1
    blocks[block.id] = block
    root.children.append(block)
    changes.add(block)
    return block
  }

  /// Adds items to a block without lines.
  func put(_ items: [Int], into block: BlockNode) {
    for item in items {
      block.items.append(item)
      places[item] = .block(block)
    }
    refresh(block)
  }

  /// Brings the box of a block up to date; an empty block that is not the root goes.
  func refresh(_ block: BlockNode) {
    let boxes = block.lines.map(\.box) + block.items.compactMap { strokes[$0]?.box }
    if boxes.isEmpty, block !== root {
      block.parent?.children.removeAll { $0 === block }
      block.parent = nil
      blocks[block.id] = nil
      changes.remove(block)
      return
    }
    if block !== root || type == .text { block.box = BoundingBox(holding: boxes) }
    activeBlock = block
    changes.update(block)
  }

  /// All items of a block, in the order written. O(items of the document).
  func items(of block: BlockNode) -> [Int] {
    if block === root { return order }
    let own = Set(block.allItems)
    return order.filter { own.contains($0) }
  }

  /// Records a change that neither adds nor removes ink.
  func markEdited() { edits += 1 }

  // MARK: - History

  /// The current content. O(blocks, lines and runs).
  func makeState() -> DocumentState {
    DocumentState(
      root: root.copy(), order: order, unsorted: unsorted, grouper: grouper,
      forcedShapes: forcedShapes, activeBlock: activeBlock?.id, session: session,
      nextNumber: nextNumber)
  }

  /// Restores a state. New ids are not reused. O(items).
  func install(_ state: DocumentState) {
    let old = blocks
    root = state.root
    bringBack(state.order)
    (order, unsorted) = (state.order, state.unsorted)
    (grouper, forcedShapes) = (state.grouper, state.forcedShapes)
    (session, nextNumber) = (state.session, state.nextNumber)
    (blocks, places, runs, dirtyRuns) = ([:], [:], [:], [])
    register(root)
    root.box = box(of: order)
    activeBlock = state.activeBlock.flatMap { blocks[$0] }
    // A model may have been added in the meantime.
    retryWaiting()
    requeueDirtyRuns()
    for (id, block) in old.sorted(by: { $0.key < $1.key }) where blocks[id] == nil {
      changes.remove(block)
    }
    for (id, block) in blocks.sorted(by: { $0.key < $1.key }) {
      guard let before = old[id] else {
        changes.add(block)
        continue
      }
      if !block.hasContent(of: before) { changes.update(block) }
    }
  }

  /// Makes these the strokes of the document.
  private func bringBack(_ items: [Int]) {
    var present: [Int: InkStroke] = [:]
    present.reserveCapacity(items.count)
    for item in items {
      present[item] = strokes.removeValue(forKey: item) ?? removed.removeValue(forKey: item)
    }
    removed.merge(strokes) { stroke, _ in stroke }
    strokes = present
  }

  /// Saves the state before a change in the history. O(1) in most cases; strokes that are in no
  /// state are removed when there are many.
  func remember(_ before: DocumentState) {
    history.push(before)
    guard removed.count > removedLimit else { return }
    let known = history.items
    removed = removed.filter { known.contains($0.key) }
    removedLimit = max(Self.leastRemoved, 2 * removed.count)
  }

  /// Registers the items and runs of a block and its descendants, whose ink may have moved.
  private func register(_ block: BlockNode) {
    blocks[block.id] = block
    for item in block.items { places[item] = .block(block) }
    block.lines.forEach(measure)
    block.box = BoundingBox(
      holding: block.lines.map(\.box) + [box(of: block.items)].compactMap { $0 })
    for line in block.lines {
      for run in line.runs {
        runs[run.id] = (run, line)
        for item in run.items { places[item] = .line(line, run) }
      }
    }
    for child in block.children { register(child) }
  }

  // MARK: - Lines

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

  private func add(_ run: TextRun, to line: TextLine) {
    nextRun += 1
    runs[run.id] = (run, line)
    for item in run.items { places[item] = .line(line, run) }
  }

  /// The box of ink; nil for none.
  func box(of items: some Sequence<Int>) -> BoundingBox? {
    BoundingBox(holding: items.compactMap { strokes[$0]?.box })
  }

  /// Updates the measures of the strokes of a line. O(strokes).
  private func measure(_ line: TextLine) {
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

  /// Asks again for all runs that wait for a model. O(runs).
  func retryWaiting() {
    for (_, entry) in runs.sorted(by: { $0.key < $1.key }) where entry.run.state == .waiting {
      entry.run.state = .dirty
      enqueue(entry.run)
    }
  }

  /// Whether some ink is to be sorted or read. O(1).
  var hasUnreadInk: Bool { !unsorted.isEmpty || !forcedShapes.isEmpty || !dirtyRuns.isEmpty }

  /// The next run that is to be recognised; nil where there is none.
  func takeDirtyRun() -> (run: TextRun, line: TextLine)? {
    while !dirtyRuns.isEmpty {
      let key = dirtyRuns.removeFirst()
      if let entry = runs[key.run], entry.run.state == .dirty { return entry }
    }
    return nil
  }

  /// The run of a key, if it has not changed since.
  func unchanged(_ key: TextRunKey) -> (run: TextRun, line: TextLine)? {
    guard let entry = runs[key.run], entry.run.version == key.version else { return nil }
    return entry
  }
}

/// The models that read a part's text.
struct TextConfiguration: Hashable, Sendable {
  var bundle: String
  var name: String
}
