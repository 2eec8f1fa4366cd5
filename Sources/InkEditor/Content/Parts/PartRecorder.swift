import InkCore
import Layout

/// Finds what has changed in a document since it was last asked. Guarded by the editor's lock.
///
/// Blocks and lines count their own changes, so that only changed ones are converted. Each call
/// takes O(blocks + runs), O(changed blocks and lines), and a comparison of the items.
final class PartRecorder {
  private var isFirst = true
  private var order: [Int] = []
  private var isExplicit = false
  private var blocks: [String: (node: BlockNode, changes: Int, value: StoredBlock)] = [:]
  /// The copy for the history of each line, which is another one after each change.
  private var lines: [Int: TextLine] = [:]
  private var decorations = DecorationTable()
  private var state: StoredState?

  /// Forgets what was taken: the next changes are the whole content.
  func reset() {
    isFirst = true
    order = []
    (blocks, lines, state) = ([:], [:], nil)
    decorations = DecorationTable()
  }

  /// Takes a document that was just loaded as stored.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - isExplicit: True if its order of writing is stored as a list.
  func adopt(_ document: Document, isExplicit: Bool) {
    isFirst = false
    order = document.order
    self.isExplicit = isExplicit
    for (id, node) in document.blocks {
      blocks[id] = (node, node.changes, node.stored(isPlainInk: document.type.isPlainInk))
      for line in node.lines { lines[line.id] = line.snapshot() }
    }
    decorations = document.decorations
    var now = document.storedState
    now.provisional = document.provisional.sorted()
    state = now
    document.strokes.touched = []
  }

  /// Takes the changes since the last call.
  ///
  /// - Parameter isComplete: True to also take marks that a crash may lose, which are large: the
  ///   items that were sorted without a shape model.
  func take(from document: Document, isComplete: Bool) -> PartChanges {
    var changes = PartChanges()
    changes.isWhole = isFirst
    takeStrokes(document, &changes)
    takeBlocks(document, &changes)
    takeLines(document, &changes)
    takeDecorations(document, &changes)
    var now = document.storedState
    now.provisional = isComplete ? document.provisional.sorted() : state?.provisional ?? []
    if isFirst || now != state {
      changes.state = now
      state = now
    }
    isFirst = false
    return changes
  }

  // MARK: - Strokes

  private func takeStrokes(_ document: Document, _ changes: inout PartChanges) {
    let now = document.order
    let (start, end) = Self.differences(order, now)
    let old = order[start..<(order.count - end)]
    let new = now[start..<(now.count - end)]
    var added = Set(new)
    if !old.isEmpty {
      let gone = Set(old).subtracting(added)
      changes.removedStrokes = gone.sorted()
      added.subtract(old)
    }
    added.formUnion(document.strokes.touched.filter { document.strokes[$0] != nil })
    document.strokes.touched = []
    changes.strokes = added.sorted().compactMap { document.strokes[$0] }
    // New strokes at the end and removed ones keep an order that was known before.
    let isAppended = end == 0 && old.isEmpty && isAscending(document, from: max(0, start - 1))
    let isShortened = new.isEmpty
    if isFirst || !(isAppended || isShortened) {
      let isExplicit = !isAscending(document, from: 0)
      if isExplicit {
        changes.order = .explicit(now)
      } else if self.isExplicit || isFirst {
        changes.order = .byNumber
      }
      self.isExplicit = isExplicit
    }
    order = now
  }

  /// Returns the number of equal items at the beginning and at the end of two lists.
  private static func differences(_ old: [Int], _ new: [Int]) -> (start: Int, end: Int) {
    let most = min(old.count, new.count)
    var start = 0
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        while start < most, old[start] == new[start] { start += 1 }
      }
    }
    var end = 0
    while end < most - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    return (start, end)
  }

  /// Returns true if the items are sorted by the numbers and ids of their strokes.
  private func isAscending(_ document: Document, from index: Int) -> Bool {
    var last = (Int.min, Int.min)
    for item in document.order[index...] {
      let next = (document.strokes[item]?.number ?? 0, item)
      guard last < next else { return false }
      last = next
    }
    return true
  }

  // MARK: - Blocks

  private func takeBlocks(_ document: Document, _ changes: inout PartChanges) {
    for (id, node) in document.blocks {
      let known = blocks[id]
      if let known, known.node === node, known.changes == node.changes { continue }
      let value = node.stored(isPlainInk: document.type.isPlainInk)
      if known?.value != value { changes.blocks.append(value) }
      blocks[id] = (node, node.changes, value)
    }
    if blocks.count > document.blocks.count {
      for id in blocks.keys where document.blocks[id] == nil { changes.removedBlocks.append(id) }
      for id in changes.removedBlocks { blocks[id] = nil }
    }
  }

  // MARK: - Decorations

  private func takeDecorations(_ document: Document, _ changes: inout PartChanges) {
    for id in document.decorations.differences(from: decorations).sorted() {
      if let decoration = document.decorations[id] {
        changes.decorations.append(decoration)
      } else {
        changes.removedDecorations.append(id)
      }
    }
    decorations = document.decorations
  }

  // MARK: - Lines

  private func takeLines(_ document: Document, _ changes: inout PartChanges) {
    var count = 0
    for node in document.blocks.values {
      for line in node.lines {
        count += 1
        let copy = line.snapshot()
        if let known = lines[line.id], known === copy { continue }
        lines[line.id] = copy
        changes.lines.append(copy.stored)
      }
    }
    guard lines.count > count else { return }
    let present = Set(document.blocks.values.flatMap { $0.lines.map(\.id) })
    changes.removedLines = lines.keys.filter { !present.contains($0) }.sorted()
    for id in changes.removedLines { lines[id] = nil }
  }
}

extension BlockNode {
  /// The block as a value.
  ///
  /// - Parameter isPlainInk: True if all ink of the part belongs to its root.
  func stored(isPlainInk: Bool) -> StoredBlock {
    var result = StoredBlock(id: id, type: type)
    result.children = children.map(\.id)
    result.lines = lines.map(\.id)
    result.items = isPlainInk && parent == nil ? nil : items
    (result.shape, result.isForced, result.session) = (shape, isForced, session)
    (result.box, result.frame, result.ends, result.mark) = (box, frame, ends, mark)
    result.chosenFormula = chosenFormula
    return result
  }
}

extension TextLine {
  /// The line as a value.
  var stored: StoredLine {
    var result = StoredLine(id: id)
    result.runs = runs.map(\.stored)
    result.activeRun = activeRun.flatMap { active in runs.firstIndex { $0 === active } }
    result.role = role
    return result
  }
}

extension TextRun {
  fileprivate var stored: StoredRun {
    var result = StoredRun(items: items)
    (result.words, result.isRead) = (words, state == .current)
    (result.isFixed, result.isInserted, result.moved) = (isFixed, isInserted, moved.sorted())
    return result
  }
}

extension Document {
  /// The state beside strokes, blocks and lines, without the items that were sorted provisionally.
  var storedState: StoredState {
    var result = StoredState()
    // A stroke that waits for a decision is ink for those who read the package later.
    result.unsorted = type.isPlainInk ? unsorted : unsorted + pending
    result.forcedShapes = forcedShapes.map(\.items)
    (result.heights, result.lastLine, result.lastX) = grouper.memory
    result.activeBlock = activeBlock?.id
    result.spacings = spacings.all.map {
      StoredSpacing(isSpace: $0.kind == .space, left: $0.left, right: $0.right)
    }
    (result.session, result.nextNumber) = (session, nextNumber)
    (result.nextItem, result.nextBlock, result.nextLine) = (nextItem, nextBlock, nextLine)
    (result.nextWord, result.configuration) = (nextWord, textConfiguration)
    return result
  }
}
