import InkCore
import Layout

/// The differences between a copy of blocks and the original: new ids of items and another place.
struct CopyPlan {
  /// The new id of each item.
  var items: [Int: Int]
  /// Millimetres to the right.
  var dx: Double
  /// Millimetres down.
  var dy: Double
}

extension TextWord {
  /// Returns the word with the ink of the copy.
  func copy(_ plan: CopyPlan) -> TextWord {
    var copy = self
    copy.items = items.compactMap { plan.items[$0] }
    copy.box = box.moved(dx: plan.dx, dy: plan.dy)
    func copied(_ strokes: [Int]) -> [Int] { strokes.compactMap { plan.items[$0] } }
    copy.formula = formula?.mappingStrokes(copied)
    copy.formulas = formulas.map { $0.mappingStrokes(copied) }
    for index in copy.characters.indices {
      copy.characters[index].box = characters[index].box?.moved(dx: plan.dx, dy: plan.dy)
      copy.characters[index].parts = characters[index].parts.compactMap { part in
        plan.items[part.item].map { ItemPart(item: $0, points: part.points) }
      }
    }
    return copy
  }
}

extension RecognizedShape {
  /// Returns the shape at another place.
  func moved(dx: Double, dy: Double) -> RecognizedShape {
    var copy = self
    func moved(_ point: Point) -> Point { Point(x: point.x + dx, y: point.y + dy) }
    switch form {
    case .rectangle(let box): copy.form = .rectangle(box.moved(dx: dx, dy: dy))
    case .circle(let center, let radius):
      copy.form = .circle(center: moved(center), radius: radius)
    case .ellipse(let center, let radiusX, let radiusY):
      copy.form = .ellipse(center: moved(center), radiusX: radiusX, radiusY: radiusY)
    case .polygon(let kind, let corners):
      copy.form = .polygon(kind: kind, corners.map(moved))
    case .line(let from, let to, let start, let end):
      copy.form = .line(from: moved(from), to: moved(to), startArrow: start, endArrow: end)
    case .polyline(let corners): copy.form = .polyline(corners.map(moved))
    }
    return copy
  }
}

// Copies, pastes and moves blocks with all their readings.
extension Document {
  /// Returns the block, its descendants and their ink, for pasting elsewhere.
  func clip(_ block: BlockNode) -> Clip {
    let items = items(of: block)
    return Clip(
      block: block.copy(), strokes: items.compactMap { strokes[$0] },
      decorations: decorations.touching(items), spacings: spacings)
  }

  /// Adds copied ink with its readings.
  ///
  /// - Returns: The new items and their blocks; both are empty if the part does not accept such a
  ///   block.
  func paste(_ clip: Clip, dx: Double, dy: Double) -> (items: [Int], blocks: [BlockNode]) {
    guard takes(clip.block) else { return ([], []) }
    let items = Dictionary(uniqueKeysWithValues: clip.strokes.map { ($0.id, makeItemID()) })
    return paste(clip, CopyPlan(items: items, dx: dx, dy: dy))
  }

  /// Adds copied ink with its readings, by a plan.
  ///
  /// - Parameter keepsBlockIDs: True to take over the ids of the blocks, which must be free.
  func paste(
    _ clip: Clip, _ plan: CopyPlan, keepsBlockIDs: Bool = false
  ) -> (items: [Int], blocks: [BlockNode]) {
    guard let place = pastePlace(of: clip.block) else { return ([], []) }
    defer {
      addDecorations(clip.decorations, plan)
      addSpacings(clip.spacings, plan)
    }
    let items = clip.strokes.compactMap { stroke in
      plan.items[stroke.id].map { add(stroke.copy(id: $0, dx: plan.dx, dy: plan.dy)) }
    }
    switch place {
    case .inkOfRoot:
      let isWhole = root.items.isEmpty && clip.block.items.count == items.count
      root.items += items
      if isWhole, root.type == .math { root.chosenFormula = clip.block.chosenFormula }
      for item in items { places[item] = .block(root) }
      activeBlock = root
      return (items, [root])
    case .linesOfRoot:
      for text in clip.block.texts { pasteLines(of: text, into: root, plan) }
      for item in items where places[item] == nil { self.place(item) }
      refresh(root)
      activeBlock = root
      return (items, [root])
    case .blocks(let below):
      let isRoot = clip.block.type == root.type
      let originals = Self.unwrapped(isRoot ? clip.block.children : [clip.block])
      let blocks = originals.map { original in
        let ids = keepsBlockIDs ? original.withDescendants.map(\.id) : []
        return pasteBlock(original, below: below, plan, ids: ids)
      }
      let pairs = zip(originals.flatMap(\.withDescendants), blocks.flatMap(\.withDescendants))
      let ids = Dictionary(pairs.map { ($0.id, $1.id) }) { first, _ in first }
      for edge in blocks.flatMap(\.withDescendants) where edge.type == .edge {
        edge.ends = edge.ends.map { $0.flatMap { ids[$0] } }
      }
      for item in items where places[item] == nil { self.place(item) }
      return (items, blocks)
    }
  }

  /// Returns blocks with each container replaced by the blocks in it.
  private static func unwrapped(_ blocks: [BlockNode]) -> [BlockNode] {
    blocks.flatMap { block in
      [.rawContent, .textDocument, .container].contains(block.type)
        ? unwrapped(block.children) : [block]
    }
  }

  /// Moves a block with all its readings; its items get new ids. O(items of the document).
  func move(_ block: BlockNode, dx: Double, dy: Double) -> Bool {
    guard block !== root else { return false }
    let clip = clip(block)
    let ends = ends(at: block)
    let blocks = block.withDescendants.map(\.id)
    let parent = block.parent ?? root
    guard let place = parent.children.firstIndex(where: { $0 === block }) else { return false }
    let plan = CopyPlan(
      items: Dictionary(uniqueKeysWithValues: clip.strokes.map { ($0.id, makeItemID()) }), dx: dx,
      dy: dy)
    for stroke in clip.strokes {
      if let id = plan.items[stroke.id] {
        insert(stroke.copy(id: id, dx: dx, dy: dy), after: stroke.id)
      }
    }
    let copy = pasteBlock(clip.block, below: parent, plan, ids: blocks)
    parent.children.removeLast()
    parent.children.insert(copy, at: min(place, parent.children.count))
    addDecorations(clip.decorations, plan)
    addSpacings(clip.spacings, plan)
    let originals = block.withDescendants
    for original in originals { original.frame = nil }
    remove(Set(clip.strokes.map(\.id)))
    // Blocks without ink are still there.
    for original in originals.reversed() where original.parent != nil { drop(original) }
    for (edge, end) in ends { edge.ends[end] = copy.id }
    changes.update(copy)
    activeBlock = copy
    return true
  }

  private func ends(at node: BlockNode) -> [(BlockNode, Int)] {
    blocks.values.flatMap { edge in
      edge.ends.indices.filter { edge.ends[$0] == node.id }.map { (edge, $0) }
    }
  }

  /// Returns true if a block can be pasted here.
  func takes(_ block: BlockNode) -> Bool { pastePlace(of: block) != nil }

  /// Returns true if a block of a type can be pasted here.
  func takes(_ type: BlockType) -> Bool { takes(BlockNode(id: "", type: type, parent: nil)) }

  private enum PastePlace {
    case inkOfRoot
    case linesOfRoot
    case blocks(BlockNode)
  }

  /// Returns the place for a pasted block, or nil if the part does not accept its type.
  private func pastePlace(of block: BlockNode) -> PastePlace? {
    switch type {
    case .drawing: return .inkOfRoot
    case .math: return block.type == .math || block.type == .drawing ? .inkOfRoot : nil
    case .text:
      let fits: Set<BlockType> = [.text, .rawContent, .textDocument, .container]
      return block.withDescendants.allSatisfy { fits.contains($0.type) } ? .linesOfRoot : nil
    case .rawContent:
      let fits: Set<BlockType> = [.text, .drawing, .node, .edge, .math, .rawContent]
      return fits.contains(block.type) ? .blocks(root) : nil
    case .diagram:
      let fits: Set<BlockType> = [.text, .drawing, .node, .edge, .rawContent, .diagram]
      return fits.contains(block.type) ? .blocks(root) : nil
    case .textDocument:
      let fits: Set<BlockType> = [.text, .drawing, .math, .diagram, .container, .textDocument]
      return fits.contains(block.type) ? .blocks(root) : nil
    }
  }

  /// Adds a stroke that is in no block yet.
  private func add(_ stroke: InkStroke) -> Int {
    var stroke = stroke
    stroke.number = makeNumber()
    take(stroke)
    return stroke.id
  }

  private func pasteBlock(
    _ original: BlockNode, below parent: BlockNode, _ plan: CopyPlan, ids: [String] = []
  ) -> BlockNode {
    let block = addBlock(original.type, in: parent, session: original.session, id: ids.first)
    var ids = ids.dropFirst()
    (block.isForced, block.mark) = (original.isForced, original.mark)
    block.frame = original.frame?.moved(dx: plan.dx, dy: plan.dy)
    block.shape = original.shape?.moved(dx: plan.dx, dy: plan.dy)
    block.ends = original.ends
    pasteLines(of: original, into: block, plan)
    let items = original.items.compactMap { plan.items[$0] }
    block.items = items
    if items.count == original.items.count { block.chosenFormula = original.chosenFormula }
    for item in items { places[item] = .block(block) }
    for child in original.children {
      _ = pasteBlock(child, below: block, plan, ids: Array(ids))
      ids = ids.dropFirst(child.withDescendants.count)
    }
    refresh(block)
    activeBlock = block
    return block
  }

  /// Copies lines with their words; ink that was not read will be read.
  private func pasteLines(of original: BlockNode, into block: BlockNode, _ plan: CopyPlan) {
    // Tables of a block differ by the id of their first line.
    var tables: [Int: Int] = [:]
    for source in original.lines {
      let line = addLine(to: block, box: source.box.moved(dx: plan.dx, dy: plan.dy))
      line.role = source.role
      if let table = source.role.cell?.table {
        tables[table] = tables[table] ?? line.id
        line.role.cell?.table = tables[table] ?? line.id
      }
      for run in source.runs {
        let items = inOrder(run.items.compactMap { plan.items[$0] })
        let copy = run.state == .current ? makeRun(read: items, in: line) : makeRun(items, in: line)
        copy.words = run.words.map { $0.copy(plan) }
        for index in copy.words.indices {
          copy.words[index].takeNewIDs(makeID: makeWordID)
        }
        (copy.isFixed, copy.isInserted) = (run.isFixed, run.isInserted)
        line.runs.append(copy)
      }
      measureAll(line)
    }
    orderLines(of: block)
  }
}

extension TextWord {
  fileprivate mutating func takeNewIDs(makeID: () -> Int) {
    id = makeID()
    for index in characters.indices { characters[index].id = makeID() }
  }
}

/// Blocks and ink that were copied.
package struct Clip: @unchecked Sendable {
  // Unchecked because the blocks are copies that nothing changes.

  /// The block and its descendants. They belong to no document.
  let block: BlockNode
  /// The ink of these blocks, in the order it was written.
  let strokes: [InkStroke]
  /// The decorations of the ink, with its ids.
  var decorations: [Decoration] = []
  /// The spaces that were set by hand.
  var spacings = SpacingTable()
  /// The box of the ink.
  var box: BoundingBox? { BoundingBox(holding: strokes.map(\.box)) }
}
