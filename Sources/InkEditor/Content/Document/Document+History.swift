import InkCore
import Layout

/// States of the document for undo and redo.
extension Document {
  /// Returns the current content. O(blocks, lines and runs), and O(line) for changed lines.
  package func makeState() -> DocumentState {
    DocumentState(
      root: root.snapshot(), order: decidedOrder, unsorted: unsorted, asked: asked,
      provisional: provisional, grouper: grouper, forcedShapes: forcedShapes,
      activeBlock: activeBlock?.id, session: session,
      nextNumber: nextNumber, restyled: restyled, decorations: decorations,
      shifts: shifts, spacings: spacings, page: page,
      structureIsCurrent: structureEdits == edits)
  }

  /// Restores a state. New ids are not reused. O(items).
  package func install(_ state: DocumentState) {
    let old = blocks
    root = state.root
    root.restore()
    bringBack(state.order + pending)
    moveBack(state.shifts)
    spacings = state.spacings
    page = state.page
    structureEdits = state.structureIsCurrent ? edits : -1
    (order, unsorted) = (state.order + pending, state.unsorted)
    (asked, provisional) = (state.asked, state.provisional)
    (grouper, forcedShapes) = (state.grouper, state.forcedShapes)
    (session, nextNumber) = (state.session, state.nextNumber)
    (blocks, places, runs, dirtyRuns) = ([:], [:], [:], [])
    register(root)
    root.box = box(of: order)
    // Ink of the state may have been corrected later. The changes are found below.
    let told = changes
    arrange()
    changes = told
    activeBlock = state.activeBlock.flatMap { blocks[$0] }
    // A model may have been added in the meantime.
    retryWaiting()
    requeueDirtyRuns()
    changes.update(root)
    for (id, block) in old.sorted(by: { $0.key < $1.key }) where blocks[id] == nil {
      changes.remove(block)
    }
    restoreStyles(state.restyled)
    let decorated = decorations.differences(from: state.decorations)
    for table in [decorations, state.decorations] {
      let items = decorated.compactMap { table[$0] }.lazy.flatMap(\.parts).map(\.item)
      markDecorated(items.filter { self.strokes[$0] != nil })
    }
    decorations = state.decorations
    for (id, block) in blocks.sorted(by: { $0.key < $1.key }) {
      guard let before = old[id] else {
        changes.add(block)
        continue
      }
      if !block.hasContent(of: before) { changes.update(block) }
    }
  }

  /// The items in the order they were written, without those that wait for a decision.
  private var decidedOrder: [Int] {
    pending.isEmpty ? order : order.filter { !pending.contains($0) }
  }

  /// Makes these items the ink of the document.
  func bringBack(_ items: [Int]) {
    let present = Set(items)
    for item in strokes.keys.filter({ !present.contains($0) }) {
      removed[item] = strokes.removeValue(forKey: item)
    }
    for item in items where strokes[item] == nil {
      strokes[item] = removed.removeValue(forKey: item)
    }
  }

  /// Saves the state before a change in the history. O(1) in most cases; when there are many
  /// strokes that no state refers to, they are removed.
  package func remember(_ before: DocumentState) {
    history.push(before)
    guard removed.count > removedLimit else { return }
    let known = history.items
    removed = removed.filter { known.contains($0.key) }
    removedLimit = max(Self.leastRemoved, 2 * removed.count)
  }

  /// Registers the items and runs of a block and its descendants, whose ink may have moved.
  func register(_ block: BlockNode) {
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
}
