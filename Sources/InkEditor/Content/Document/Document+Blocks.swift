import InkCore

// Finds the block that ink belongs to if a part has several, and keeps the tree of blocks.
extension Document {
  /// Returns the block within which a stroke is sorted: the block of a text document at the place
  /// where it was written, or else the root.
  func home(of stroke: InkStroke) -> BlockNode {
    guard type == .textDocument else { return root }
    let (x, y) = (stroke.box.midX, stroke.box.midY)
    let typed = topLevelBlocks.reversed().first { block in
      guard block.frame != nil || block.type != .text, let box = block.box else { return false }
      return box.contains(x: x, y: y, within: Chosen.blockMargin)
    }
    return typed ?? root
  }

  /// Returns whether an item is at a place where shapes are found. A block of a text document may
  /// have come or gone there since the item was written.
  func isAmongShapes(_ item: Int) -> Bool {
    strokes[item].map { home(of: $0).type.holdsShapes } ?? false
  }

  /// Returns the texts that ink within a home may continue.
  func texts(for home: BlockNode) -> [BlockNode] {
    switch home.type {
    case .text: [home]
    case .textDocument: topLevelBlocks.filter { $0.type == .text && $0.frame == nil }
    default:
      home.children.flatMap { block in
        block.type == .node ? block.children.filter { $0.type == .text } : [block]
      }.filter { $0.type == .text }
    }
  }

  /// The blocks below the root. A container is replaced by the blocks in it.
  var topLevelBlocks: [BlockNode] {
    root.children.flatMap { $0.type == .container ? $0.children : [$0] }
  }

  /// In a diagram, moves a text below the node that contains it, or back out if none does.
  func adopt(_ text: BlockNode) {
    guard text.type == .text, let box = text.box, let parent = text.parent else { return }
    let home = parent.type == .node ? parent.parent : parent
    guard let home, home.type == .diagram else { return }
    let node = home.children.last { block in
      block.type == .node
        && block.box?.contains(x: box.midX, y: box.midY, within: 0) ?? false
        && (block.box?.width ?? 0) > box.width * Chosen.shareOfTextInNode
    }
    move(text, below: node ?? home)
  }

  // MARK: - Ends of edges

  /// Finds the nodes at the ends of an edge, or the edges that end at a node.
  func connect(_ block: BlockNode, in home: BlockNode) {
    if block.type == .edge { return findEnds(of: block) }
    for edge in home.children where edge.type == .edge && edge.ends.contains(nil) {
      findEnds(of: edge)
    }
  }

  /// Ends that are already known are kept.
  private func findEnds(of edge: BlockNode) {
    let strokes = edge.items.compactMap { self.strokes[$0] }
    guard let longest = strokes.max(by: { $0.length < $1.length }),
      let first = longest.points.first, let last = longest.points.last
    else { return }
    for (index, point) in [first, last].enumerated() where edge.ends[index] == nil {
      guard let node = node(at: point, of: longest) else { continue }
      edge.ends[index] = node.id
      changes.update(edge)
    }
  }

  /// Clears the ends of edges at a node that was removed.
  func disconnect(_ node: String) {
    for edge in blocks.values where edge.type == .edge && edge.ends.contains(node) {
      edge.ends = edge.ends.map { $0 == node ? nil : $0 }
      changes.update(edge)
    }
  }

  // MARK: - Containers

  /// Puts blocks of a text document that are side by side into one container, and takes them out
  /// when they no longer are. O(blocks²).
  func arrange() {
    guard type == .textDocument else { return }
    let blocks = topLevelBlocks.filter { $0.box != nil }
    guard blocks.count > 1 || root.children.contains(where: { $0.type == .container }) else {
      return
    }
    var groups: [[BlockNode]] = []
    for block in blocks {
      var group = [block]
      groups.removeAll { other in
        guard other.contains(where: { Self.areBeside($0, block) }) else { return false }
        group = other + group
        return true
      }
      groups.append(group)
    }
    var kept: Set<String> = []
    for group in groups {
      let containers = group.compactMap(\.parent).filter { $0.type == .container }
      let own = containers.first { !kept.contains($0.id) }
      guard group.count > 1 else {
        if let block = group.first { move(block, below: root) }
        continue
      }
      let container = own ?? addBlock(.container)
      kept.insert(container.id)
      for block in group { move(block, below: container) }
      let box = BoundingBox(holding: group.compactMap(\.box))
      if container.box != box {
        container.box = box
        changes.update(container)
      }
    }
    let containers = root.children.filter { $0.type == .container && !kept.contains($0.id) }
    for container in containers { drop(container) }
  }

  /// Returns true if one block is to the right or left of another.
  private static func areBeside(_ one: BlockNode, _ other: BlockNode) -> Bool {
    guard let a = one.box, let b = other.box else { return false }
    let shared = min(a.maxY, b.maxY) - max(a.minY, b.minY)
    return a.gapX(to: b) > 0 && shared > Chosen.besideShare * min(a.height, b.height)
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The margin around a block of a text document that still belongs to it, in millimetres. Chosen
  /// by hand.
  static let blockMargin = 2.0
  /// The least width of a node that holds a text, in widths of the text. Chosen by hand.
  static let shareOfTextInNode = 0.9
  /// The least overlap of blocks that are side by side, as a share of the smaller height. Chosen
  /// by hand.
  static let besideShare = 0.5
}
