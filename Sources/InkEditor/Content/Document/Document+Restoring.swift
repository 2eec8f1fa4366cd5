import InkCore
import Layout

/// Makes a document from stored content, without reading any ink.
extension Document {
  /// Fills an empty document.
  ///
  /// Text that could not be read, because a model was missing, is read as soon as the part is on an
  /// editor.
  ///
  /// - Throws: ``ContentFault`` if the content contradicts itself. The document is then not usable.
  func restore(_ content: PartContent) throws(ContentFault) {
    try restoreStrokes(content)
    let state = content.state
    let blocks = try Self.unique(content.blocks, "block") { $0.id }
    let lines = try Self.unique(content.lines, "line") { $0.id }
    guard let first = blocks["0"], first.type == type.rootType else {
      throw ContentFault("there is no root block of the part's type")
    }
    var restorer = Restorer(blocks: blocks, lines: lines)
    root = try restorer.block(first, parent: nil, in: self)
    guard restorer.blocks.isEmpty else { throw ContentFault("a block is below no other") }
    guard restorer.lines.isEmpty else { throw ContentFault("a line is in no block") }
    (unsorted, forcedShapes) = (state.unsorted, state.forcedShapes.map { ForcedShape(items: $0) })
    provisional = Set(state.provisional).filter { strokes[$0] != nil }
    guard state.heights.allSatisfy({ $0.isFinite && $0 >= 0 }), state.lastX.isFinite else {
      throw ContentFault("a height of the writing is no number")
    }
    for spacing in state.spacings {
      guard strokes[spacing.left] != nil, strokes[spacing.right] != nil else {
        throw ContentFault("the ink beside a space is missing")
      }
      spacings.set(
        Spacing(
          kind: spacing.isSpace ? .space : .none, left: spacing.left, right: spacing.right))
    }
    grouper = LineGrouper(heights: state.heights, lastLine: state.lastLine, lastX: state.lastX)
    (session, nextNumber) = (state.session, state.nextNumber)
    (nextItem, nextBlock, nextLine) = (state.nextItem, state.nextBlock, state.nextLine)
    (nextWord, textConfiguration) = (state.nextWord, state.configuration)
    try checkCounters()
    self.blocks = [:]
    register(root)
    try checkPlaces()
    try restoreDecorations(content.decorations)
    root.box = box(of: order)
    activeBlock = state.activeBlock.flatMap { self.blocks[$0] }
    retryWaiting()
    requeueDirtyRuns()
    changes = BlockChanges()
  }

  private func restoreStrokes(_ content: PartContent) throws(ContentFault) {
    strokes.reserveCapacity(content.strokes.count)
    for stroke in content.strokes {
      guard !stroke.points.isEmpty, stroke.id > 0 else { throw ContentFault("a stroke is empty") }
      guard strokes[stroke.id] == nil else { throw ContentFault("two strokes have one id") }
      strokes[stroke.id] = stroke
    }
    let isKnown = content.order.map { Set($0) }
    let rest = content.strokes.filter { isKnown?.contains($0.id) != true }
      .sorted { ($0.number, $0.id) < ($1.number, $1.id) }.map(\.id)
    order = (content.order ?? []).filter { strokes[$0] != nil } + rest
    guard order.count == strokes.count else {
      throw ContentFault("a stroke is twice in the order of writing")
    }
  }

  private func restoreDecorations(_ stored: [Decoration]) throws(ContentFault) {
    for decoration in stored {
      guard decoration.id > 0, decorations[decoration.id] == nil else {
        throw ContentFault("two decorations have one id")
      }
      // A late correction of the pen may have shortened the stroke.
      guard !decoration.parts.isEmpty,
        decoration.parts.allSatisfy({ strokes[$0.item] != nil && $0.points.lowerBound >= 0 }),
        InkAnchor(decoration.parts).parts == decoration.parts
      else { throw ContentFault("the ink of a decoration is missing, or named twice") }
      decorations.set(decoration)
      nextDecoration = max(nextDecoration, decoration.id + 1)
    }
  }

  /// Checks that new ids differ from those in use.
  private func checkCounters() throws(ContentFault) {
    let counters = [session, nextNumber, nextItem, nextBlock, nextLine, nextRun, nextWord]
    guard counters.allSatisfy({ (0..<1 << 31).contains($0) }) else {
      throw ContentFault("a counter is out of range")
    }
    nextItem = max(nextItem, (strokes.keys.max() ?? 0) + 1)
    nextNumber = max(nextNumber, (strokes.values.lazy.map(\.number).max() ?? -1) + 1)
    let own = root.withDescendants
    nextBlock = max(nextBlock, (own.compactMap { Int($0.id) }.max() ?? 0) + 1)
    nextLine = max(nextLine, (own.lazy.flatMap(\.lines).map(\.id).max() ?? -1) + 1)
    let words = own.lazy.flatMap(\.lines).flatMap(\.runs).flatMap(\.words)
    let last = words.map { word in max(word.id, word.characters.lazy.map(\.id).max() ?? 0) }.max()
    nextWord = max(nextWord, (last ?? 0) + 1)
  }

  /// Checks that each item is in exactly one place.
  private func checkPlaces() throws(ContentFault) {
    let waiting = Set(unsorted)
    guard waiting.count == unsorted.count, waiting.allSatisfy({ strokes[$0] != nil }),
      waiting.allSatisfy({ places[$0] == nil })
    else { throw ContentFault("an unsorted item is missing, or in a block") }
    guard places.count + waiting.count == strokes.count else {
      throw ContentFault("an item is in no block")
    }
    guard
      forcedShapes.allSatisfy({ !$0.items.isEmpty && $0.items.allSatisfy(strokes.keys.contains) })
    else { throw ContentFault("an item of a shape is missing") }
  }

  private static func unique<Key: Hashable, Value>(
    _ values: [Value], _ kind: String, _ key: (Value) -> Key
  ) throws(ContentFault) -> [Key: Value] {
    var result: [Key: Value] = [:]
    for value in values {
      guard result.updateValue(value, forKey: key(value)) == nil else {
        throw ContentFault("two of one id: \(kind)")
      }
    }
    return result
  }
}

/// Builds the tree of blocks; what is left at the end belongs to no tree.
private struct Restorer {
  var blocks: [String: StoredBlock]
  var lines: [Int: StoredLine]
  private var seen: Set<Int> = []
  private var depth = 0

  /// The deepest tree of blocks.
  private static let deepest = 32

  init(blocks: [String: StoredBlock], lines: [Int: StoredLine]) {
    self.blocks = blocks
    self.lines = lines
  }

  mutating func block(
    _ stored: StoredBlock, parent: BlockNode?, in document: Document
  ) throws(ContentFault) -> BlockNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw ContentFault("blocks are nested too deeply") }
    blocks[stored.id] = nil
    let node = BlockNode(id: stored.id, type: stored.type, parent: parent)
    node.items = stored.items ?? document.order
    for item in node.items {
      guard document.strokes[item] != nil, seen.insert(item).inserted else {
        throw ContentFault("an item of a block is missing, or in two places")
      }
    }
    guard stored.ends.count == 2 else { throw ContentFault("an edge has other than two ends") }
    (node.shape, node.isForced, node.session) = (stored.shape, stored.isForced, stored.session)
    (node.frame, node.ends, node.mark) = (stored.frame, stored.ends, stored.mark)
    node.chosenFormula = stored.chosenFormula
    guard stored.mark == nil || stored.type == .drawing else {
      throw ContentFault("a block that is no drawing is a mark")
    }
    guard stored.chosenFormula == nil || stored.type == .math else {
      throw ContentFault("a block that is no formula has one")
    }
    guard stored.lines.isEmpty || stored.type == .text else {
      throw ContentFault("a block that is no text has lines")
    }
    for id in stored.lines {
      guard let line = lines.removeValue(forKey: id) else {
        throw ContentFault("a line of a block is missing, or in two blocks")
      }
      node.lines.append(try self.line(line, of: node, in: document))
    }
    for id in stored.children {
      guard let child = blocks[id] else {
        throw ContentFault("a block in another is missing, or in two")
      }
      node.children.append(try block(child, parent: node, in: document))
    }
    return node
  }

  private mutating func line(
    _ stored: StoredLine, of block: BlockNode, in document: Document
  ) throws(ContentFault) -> TextLine {
    guard let box = document.box(of: stored.runs.lazy.flatMap(\.items)) else {
      throw ContentFault("a line has no ink")
    }
    let line = TextLine(id: stored.id, block: block, box: box)
    line.role = stored.role
    for stored in stored.runs {
      for item in stored.items {
        guard document.strokes[item] != nil, seen.insert(item).inserted else {
          throw ContentFault("an item of a line is missing, or in two places")
        }
      }
      guard let box = document.box(of: stored.items) else {
        throw ContentFault("a part of a line has no ink")
      }
      try check(stored, in: document)
      let run = TextRun(id: document.nextRun, items: stored.items, box: box)
      document.nextRun += 1
      (run.words, run.isFixed, run.isInserted) = (stored.words, stored.isFixed, stored.isInserted)
      run.moved = Set(stored.moved)
      run.state = stored.isRead ? .current : .dirty
      line.runs.append(run)
    }
    if let active = stored.activeRun {
      guard line.runs.indices.contains(active) else {
        throw ContentFault("a line names a part that it has not")
      }
      line.activeRun = line.runs[active]
    }
    line.shape.members = document.inOrder(line.runs.lazy.flatMap(\.items))
      .compactMap { document.strokes[$0]?.measure }
    return line
  }

  /// Checks that the words of a run have ink of the document.
  private func check(_ run: StoredRun, in document: Document) throws(ContentFault) {
    for word in run.words {
      guard word.items.allSatisfy({ document.strokes[$0] != nil }) else {
        throw ContentFault("an item of a word is missing")
      }
      for part in word.characters.lazy.flatMap(\.parts) {
        // A late correction of the pen may have shortened the stroke.
        guard document.strokes[part.item] != nil else {
          throw ContentFault("an item of a character is missing")
        }
      }
    }
  }
}
