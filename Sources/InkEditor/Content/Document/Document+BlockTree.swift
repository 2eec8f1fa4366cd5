import InkCore
import Layout

/// The tree of blocks, and which ink is in which of them.
extension Document {
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
    // A block that takes the place of another is the same block to the host.
    if blocks.updateValue(block, forKey: block.id) == nil {
      changes.add(block)
    } else {
      changes.update(block)
    }
    parent.children.append(block)
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
}
