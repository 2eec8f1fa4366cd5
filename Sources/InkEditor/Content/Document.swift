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
  var unsorted: [Int] = []
  /// Those of them that are to be sorted now.
  private(set) var asked: Set<Int> = []
  /// Items that were sorted without a model of shapes, or while shapes were not asked for.
  var provisional: Set<Int> = []
  /// Where each sorted item is.
  var places: [Int: Place] = [:]
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
  var forcedShapes: [ForcedShape] = []
  /// The block written in last.
  weak var activeBlock: BlockNode?
  /// The session of new ink.
  private var session = 0
  private var nextNumber = 0
  private var nextItem = 1
  private var nextBlock = 1
  private var nextLine = 0
  private var nextRun = 0
  private var nextWord = 1
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

  /// Items that are to become one shape.
  struct ForcedShape {
    var items: [Int]
    /// Whether it is to be found now.
    var isAsked = false
    /// There was no model, or it failed: the wish waits for another.
    var waits = false
  }

  /// The ids of all blocks, sorted.
  var blockIDs: [String] { blocks.keys.sorted() }

  // MARK: - Ink

  /// True if there is no ink. O(1).
  var isEmpty: Bool { strokes.isEmpty }

  /// A number for a new word or character.
  func makeWordID() -> Int {
    defer { nextWord += 1 }
    return nextWord
  }

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
    changes.update(root)
    place(stroke.id)
  }

  /// A number for the next stroke in the order written.
  func makeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Takes a stroke that its caller puts into a block.
  func take(_ stroke: InkStroke) {
    edits += 1
    strokes[stroke.id] = stroke
    strokes[stroke.id]?.session = session
    order.append(stroke.id)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    changes.update(root)
  }

  /// Takes a stroke that takes the place of another in the order written.
  func insert(_ stroke: InkStroke, after item: Int) {
    edits += 1
    strokes[stroke.id] = stroke
    order.insert(stroke.id, at: (order.firstIndex(of: item) ?? order.count - 1) + 1)
    changes.update(root)
  }

  /// Puts an item where it belongs as far as that needs no model; else it is sorted later.
  func place(_ item: Int) {
    guard let stroke = strokes[item] else { return }
    switch type {
    case .drawing, .math:
      root.items.append(item)
      places[item] = .block(root)
      activeBlock = root
    case .text: placeText(item)
    case .textDocument:
      let home = home(of: stroke)
      switch home.type {
      case .drawing, .math: put([item], into: home)
      case .diagram: unsorted.append(item)
      default: placeText(item)
      }
    case .rawContent, .diagram: unsorted.append(item)
    }
  }

  /// The next item to sort that was asked for, which stays.
  func peekUnsorted() -> Int? {
    asked.isEmpty ? nil : unsorted.first { asked.contains($0) }
  }

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
        strokes[part.id]?.style = old.style
      }
    }
    order = order.flatMap { [$0] + (remainders[$0] ?? []).map(\.id) }
    for (item, parts) in remainders.sorted(by: { $0.key < $1.key }) {
      let ids = parts.map(\.id)
      guard !type.isPlainInk, let home = block(of: item), home.isForced else {
        loose.formUnion(ids)
        continue
      }
      for id in ids {
        if home.type == .text { placeText(id, in: home) } else { put([id], into: home) }
      }
    }
    if type.isPlainInk {
      root.items = order
      for id in loose { places[id] = .block(root) }
    } else {
      resort(loose)
    }
    changes.update(root)
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
    guard !unsorted.isEmpty else { return }
    unsorted.removeAll { items.contains($0) }
    asked.subtract(items)
  }

  /// Notes how a pen was rotated, of a removed stroke too.
  func setRolls(_ rolls: [Double?], of item: Int) {
    strokes[item]?.rolls = rolls
    removed[item]?.rolls = rolls
  }

  /// Replaces the points of a stroke, including a removed one. O(points). If positions change, also
  /// O(its block, and items of the history), and O(items) if the stroke was at the edge of all ink.
  ///
  /// - Parameter movesInk: True if a position changed, so that the text must be read again.
  func replace(points: [StrokePoint], of item: Int, movesInk: Bool) {
    let before = strokes[item]?.box
    removed[item]?.replace(points: points)
    strokes[item]?.replace(points: points)
    if strokes[item] != nil { changes.update(block(of: item) ?? root) }
    guard movesInk else { return }
    history.move(item)
    guard let before, let stroke = strokes[item] else { return }
    if root.box?.isTouched(by: before) ?? true {
      root.box = box(of: order)
    } else {
      root.box?.formUnion(stroke.box)
    }
    changes.update(root)
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
    removeUnsorted(items)
    provisional.subtract(items)
    forgetForcedShapes(of: items)
    if type.isPlainInk { root.items.removeAll { items.contains($0) } }
    root.box = box(of: order)
    changes.update(root)
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

  /// Puts items into blocks again, in the order written, as if they had just come.
  func resort(_ items: Set<Int>) {
    for item in items {
      if case .line? = places[item], let stroke = strokes[item] { grouper.forget(stroke.measure) }
    }
    detach(items)
    provisional.subtract(items)
    let waiting = Set(unsorted)
    for item in inOrder(items) where !waiting.contains(item) { place(item) }
    unsorted = inOrder(unsorted)
    changes.update(root)
  }

  /// Puts ink into blocks again that was sorted without a model of shapes, or while other types were
  /// asked for. Ink in blocks that were made by hand stays.
  ///
  /// - Parameter all: Whether also ink that was sorted with everything there.
  func sortAgain(all: Bool = false) {
    guard type.rootType.holdsShapes || type == .textDocument else { return }
    resort(
      Set(order).filter { item in
        guard all || provisional.contains(item), let block = block(of: item), !block.isForced,
          block.frame == nil
        else { return false }
        guard case .line(_, let run)? = places[item] else { return true }
        return !run.isFixed
      })
  }

  // MARK: - Blocks

  /// Makes a block.
  ///
  /// - Parameters:
  ///   - parent: The block above, or nil for the root.
  ///   - session: Of the strokes that it is for.
  ///   - id: That of a block that it takes the place of, or nil for a new one.
  func addBlock(
    _ type: BlockType, in parent: BlockNode? = nil, session: Int = 0, id: String? = nil
  ) -> BlockNode {
    let parent = parent ?? root
    let block = BlockNode(id: id ?? "\(nextBlock)", type: type, parent: parent)
    block.session = session
    if id == nil { nextBlock += 1 }
    blocks[block.id] = block
    parent.children.append(block)
    changes.add(block)
    changes.update(parent)
    return block
  }

  /// Adds items to a block without lines.
  func put(_ items: [Int], into block: BlockNode) {
    for item in items {
      block.items.append(item)
      places[item] = .block(block)
    }
    refresh(block)
    activeBlock = block
  }

  /// Moves a block below another parent.
  func move(_ block: BlockNode, below parent: BlockNode) {
    guard block.parent !== parent else { return }
    if let old = block.parent {
      old.children.removeAll { $0 === block }
      changes.update(old)
    }
    block.parent = parent
    parent.children.append(block)
    changes.update(parent)
    changes.update(block)
  }

  /// Brings the box of a block up to date; an empty block that is neither the root nor has a frame
  /// goes.
  func refresh(_ block: BlockNode) {
    let boxes = block.lines.map(\.box) + block.items.compactMap { strokes[$0]?.box }
    if boxes.isEmpty, block !== root, block.frame == nil,
      block.children.isEmpty || !block.type.holdsShapes && block.type != .container
    {
      drop(block)
      return
    }
    if block !== root || type == .text {
      let inner = block.type.holdsShapes ? block.children.compactMap(\.box) : []
      block.box = BoundingBox(holding: boxes + inner + [block.frame].compactMap { $0 })
    }
    changes.update(block)
    if let parent = block.parent, parent !== root, parent.type.holdsShapes { refresh(parent) }
  }

  /// Takes a block out of the document; what is below it goes one up.
  func drop(_ block: BlockNode) {
    let parent = block.parent
    for child in block.children { move(child, below: parent ?? root) }
    parent?.children.removeAll { $0 === block }
    block.parent = nil
    if activeBlock === block { activeBlock = nil }
    if let parent { changes.update(parent) }
    // Else another block has taken its place.
    if blocks[block.id] === block {
      blocks[block.id] = nil
      changes.remove(block)
      if block.type == .node { disconnect(block.id) }
    }
    if let parent, parent !== root, parent.type.holdsShapes { refresh(parent) }
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
      root: root.copy(), order: order, unsorted: unsorted, asked: asked, provisional: provisional,
      grouper: grouper, forcedShapes: forcedShapes, activeBlock: activeBlock?.id, session: session,
      nextNumber: nextNumber)
  }

  /// Restores a state. New ids are not reused. O(items).
  func install(_ state: DocumentState) {
    let old = blocks
    root = state.root
    bringBack(state.order)
    (order, unsorted) = (state.order, state.unsorted)
    (asked, provisional) = (state.asked, state.provisional)
    (grouper, forcedShapes) = (state.grouper, state.forcedShapes)
    (session, nextNumber) = (state.session, state.nextNumber)
    (blocks, places, runs, dirtyRuns) = ([:], [:], [:], [])
    register(root)
    root.box = box(of: order)
    activeBlock = state.activeBlock.flatMap { blocks[$0] }
    // A model may have been added in the meantime.
    retryWaiting()
    requeueDirtyRuns()
    changes.update(root)
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
      holding: block.lines.map(\.box) + [box(of: block.items), block.frame].compactMap { $0 })
    for line in block.lines {
      for run in line.runs {
        runs[run.id] = (run, line)
        for item in run.items { places[item] = .line(line, run) }
      }
    }
    for child in block.children { register(child) }
    if block.type.holdsShapes || block.type == .container, block !== root {
      block.box = BoundingBox(
        holding: block.children.compactMap(\.box) + [block.box].compactMap { $0 })
    }
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

  private func isDirty(_ key: TextRunKey) -> Bool { runs[key.run]?.run.state == .dirty }

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

/// The models that read a part's text.
struct TextConfiguration: Hashable, Sendable {
  var bundle: String
  var name: String
  /// The model that a description of the bundle names; nil where the bundle itself is one.
  var model: String?
  /// The only characters, where the setting has none; empty for all.
  var alphabet = ""
  /// The only words, where the setting has none; empty for all.
  var lexicon: [String] = []

  /// The bundle and the name that models are asked for.
  var source: (bundle: String, name: String) {
    model.map { ($0, ProvidedModels.configurationName) } ?? (bundle, name)
  }
}
