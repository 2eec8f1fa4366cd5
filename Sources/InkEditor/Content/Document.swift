import InkCore
import Layout

/// The content of a part: ink and its recognition. Guarded by the editor's lock.
final class Document {
  let type: PartType
  private(set) var root: BlockNode
  private(set) var blocks: [String: BlockNode] = [:]
  private(set) var strokes: [Int: InkStroke] = [:]
  /// Removed strokes that can still be restored.
  private(set) var removed: [Int: InkStroke] = [:]
  private var removedLimit = Document.leastRemoved
  private static let leastRemoved = 1000
  /// The items in the order they were written.
  private(set) var order: [Int] = []
  /// Items that belong to no block yet, in the order they were written.
  var unsorted: [Int] = []
  /// The unsorted items that are to be sorted now.
  private(set) var asked: Set<Int> = []
  /// Items that were sorted without a shape model, or while shapes were disabled.
  var provisional: Set<Int> = []
  /// The place of each sorted item.
  var places: [Int: Place] = [:]
  /// The changes since the last notification.
  var changes = BlockChanges()
  /// The configuration of text when the part was first set.
  var textConfiguration: TextConfiguration?
  /// The content before each change.
  var history = History()
  /// The number of changes to the content, not counting recognition.
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
  /// Runs to recognise, in the order they changed.
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

  /// Items to turn into one shape.
  struct ForcedShape {
    var items: [Int]
    /// True if the shape is to be found now.
    var isAsked = false
    /// True if the model is missing or failed: the request waits until models change.
    var waits = false
  }

  /// The ids of all blocks, sorted.
  var blockIDs: [String] { blocks.keys.sorted() }

  // MARK: - Ink

  /// True if there is no ink. O(1).
  var isEmpty: Bool { strokes.isEmpty }

  /// Returns the id of a new word or character.
  func makeWordID() -> Int {
    defer { nextWord += 1 }
    return nextWord
  }

  /// Returns the id of a new item.
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

  /// Returns the number of the next stroke in the order of writing.
  func makeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Adds a stroke that the caller puts into a block.
  func take(_ stroke: InkStroke) {
    edits += 1
    strokes[stroke.id] = stroke
    strokes[stroke.id]?.session = session
    order.append(stroke.id)
    if root.box == nil { root.box = stroke.box } else { root.box?.formUnion(stroke.box) }
    changes.update(root)
  }

  /// Adds a stroke at the place of another in the order of writing.
  func insert(_ stroke: InkStroke, after item: Int) {
    edits += 1
    strokes[stroke.id] = stroke
    order.insert(stroke.id, at: (order.firstIndex(of: item) ?? order.count - 1) + 1)
    changes.update(root)
  }

  /// Puts an item into its block if that needs no model; otherwise it is sorted later.
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

  /// Returns the next item to sort now, without removing it.
  func peekUnsorted() -> Int? {
    asked.isEmpty ? nil : unsorted.first { asked.contains($0) }
  }

  /// Replaces strokes by the parts that remain after erasing. In a block that the user set, the
  /// parts stay there. O(items of the document).
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

  /// Returns items in the order they were written.
  func inOrder(_ items: some Sequence<Int>) -> [Int] {
    items.compactMap { strokes[$0] }
      .sorted { ($0.number, $0.id) < ($1.number, $1.id) }.map(\.id)
  }

  /// Returns the block of an item, or nil before it is sorted.
  func block(of item: Int) -> BlockNode? {
    switch places[item] {
    case .line(let line, _)?: line.block
    case .block(let block)?: block
    case nil: nil
    }
  }

  /// Removes items from the list of unsorted ones.
  func removeUnsorted(_ items: Set<Int>) {
    guard !unsorted.isEmpty else { return }
    unsorted.removeAll { items.contains($0) }
    asked.subtract(items)
  }

  /// Sets the rotation of the pen for a stroke, including a removed one.
  func setRolls(_ rolls: [Double?], of item: Int) {
    strokes[item]?.rolls = rolls
    removed[item]?.rolls = rolls
  }

  /// Replaces the points of a stroke, including a removed one. O(points). If positions change, also
  /// O(its block, and items of the history), and O(items) if the stroke was at the edge of all ink.
  ///
  /// - Parameter movesInk: true if a position changed, so that the text must be read again.
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

  /// Puts items into blocks again, in the order they were written, as if they were new.
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

  /// Sorts ink again that was sorted without a shape model or while other types were enabled. Ink
  /// in blocks that the user set stays.
  ///
  /// - Parameter all: true to sort all other ink again as well.
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
  ///   - session: The session of its strokes.
  ///   - id: The id of a block that it replaces, or nil for a new id.
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

  /// Updates the box of a block. Removes an empty block, unless it is the root or has a frame.
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

  /// Removes a block from the document; its children move one level up.
  func drop(_ block: BlockNode) {
    let parent = block.parent
    for child in block.children { move(child, below: parent ?? root) }
    parent?.children.removeAll { $0 === block }
    block.parent = nil
    if activeBlock === block { activeBlock = nil }
    if let parent { changes.update(parent) }
    // Otherwise another block has taken its place.
    if blocks[block.id] === block {
      blocks[block.id] = nil
      changes.remove(block)
      if block.type == .node { disconnect(block.id) }
    }
    if let parent, parent !== root, parent.type.holdsShapes { refresh(parent) }
  }

  /// Returns all items of a block, in the order they were written. O(items of the document).
  func items(of block: BlockNode) -> [Int] {
    if block === root { return order }
    let own = Set(block.allItems)
    return order.filter { own.contains($0) }
  }

  /// Records a change that neither adds nor removes ink.
  func markEdited() { edits += 1 }

  // MARK: - History

  /// Returns the current content. O(blocks, lines and runs).
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

  /// Makes these items the ink of the document.
  private func bringBack(_ items: [Int]) {
    var present: [Int: InkStroke] = [:]
    present.reserveCapacity(items.count)
    for item in items {
      present[item] = strokes.removeValue(forKey: item) ?? removed.removeValue(forKey: item)
    }
    removed.merge(strokes) { stroke, _ in stroke }
    strokes = present
  }

  /// Saves the state before a change in the history. O(1) in most cases; when there are many
  /// strokes that no state refers to, they are removed.
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

  /// Measures the strokes of a line's runs, which are new. O(strokes).
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

  /// Returns the box of ink, or nil if there is none.
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

  /// Requests recognition of all ink that waits for a model. O(runs).
  func retryWaiting() {
    for (_, entry) in runs.sorted(by: { $0.key < $1.key }) where entry.run.state == .waiting {
      entry.run.state = .dirty
      enqueue(entry.run)
    }
    for index in forcedShapes.indices { forcedShapes[index].waits = false }
  }

  /// Requests that all text is read again, except chosen words. O(runs).
  func readAgain() {
    for (_, entry) in runs.sorted(by: { $0.key < $1.key }) where !entry.run.isFixed {
      entry.run.touch()
      enqueue(entry.run)
    }
  }

  /// Lets all unsorted and unread ink be processed now. O(such ink).
  func askForAll() {
    asked = Set(unsorted)
    for index in forcedShapes.indices { forcedShapes[index].isAsked = true }
    askForRuns()
  }

  /// Lets all unread text be read now.
  func askForRuns() {
    for key in dirtyRuns { runs[key.run]?.run.isAsked = true }
  }

  /// True if some ink is unsorted or unread, whether or not it was requested. O(unread runs).
  var hasUnreadInk: Bool {
    !unsorted.isEmpty || forcedShapes.contains { !$0.waits } || dirtyRuns.contains { isDirty($0) }
  }

  /// Returns the number of unsorted items and unread runs; with `onlyAsked`, only those that were
  /// requested.
  func pendingCount(onlyAsked: Bool) -> Int {
    (onlyAsked ? asked.count : unsorted.count)
      + forcedShapes.count { !$0.waits && ($0.isAsked || !onlyAsked) }
      + dirtyRuns.count { isDirty($0) && (!onlyAsked || runs[$0.run]?.run.isAsked == true) }
  }

  /// Returns the number of unsorted items and unread runs of a block. O(its runs).
  func pendingCount(of block: BlockNode) -> Int {
    if block === root { return pendingCount(onlyAsked: false) }
    let own = Set(block.allItems)
    return block.withDescendants.flatMap(\.lines).flatMap(\.runs).count { $0.state == .dirty }
      + forcedShapes.count { !$0.waits && !own.isDisjoint(with: $0.items) }
  }

  /// True if requested ink is unsorted or unread. O(unread runs).
  var hasAskedInk: Bool {
    !asked.isEmpty || forcedShapes.contains { $0.isAsked && !$0.waits }
      || dirtyRuns.contains { isDirty($0) && runs[$0.run]?.run.isAsked == true }
  }

  private func isDirty(_ key: TextRunKey) -> Bool { runs[key.run]?.run.state == .dirty }

  /// Returns the next run to recognise, or nil if there is none.
  ///
  /// - Parameters:
  ///   - onlyAsked: true to return only runs that were requested.
  ///   - busy: Blocks that already have a run being read.
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

  /// Returns the run of a key if it has not changed since.
  func unchanged(_ key: TextRunKey) -> (run: TextRun, line: TextLine)? {
    guard let entry = runs[key.run], entry.run.version == key.version else { return nil }
    return entry
  }
}

/// The models that read a part's text.
struct TextConfiguration: Hashable, Sendable {
  var bundle: String
  var name: String
  /// The model that the description of a bundle names; nil if the bundle itself is a model.
  var model: String?
  /// The allowed characters if the settings restrict none; empty for all.
  var alphabet = ""
  /// The allowed words if the settings restrict none; empty for all.
  var lexicon: [String] = []

  /// The bundle and name to ask the models for.
  var source: (bundle: String, name: String) {
    model.map { ($0, ProvidedModels.configurationName) } ?? (bundle, name)
  }
}
