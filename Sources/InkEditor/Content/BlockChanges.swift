/// The blocks that changed since a notification.
struct BlockChanges: Sendable {
  private(set) var added: [String] = []
  private(set) var removed: [String] = []
  private(set) var updated: [String] = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && updated.isEmpty }

  mutating func add(_ block: BlockNode) {
    if let place = removed.firstIndex(of: block.id) {
      // It came back before anyone was told that it had gone.
      removed.remove(at: place)
      update(block)
    } else if !added.contains(block.id) {
      added.append(block.id)
    }
  }

  mutating func remove(_ block: BlockNode) {
    updated.removeAll { $0 == block.id }
    if added.contains(block.id) {
      added.removeAll { $0 == block.id }
    } else {
      removed.append(block.id)
    }
  }

  mutating func update(_ block: BlockNode) {
    if !added.contains(block.id), !updated.contains(block.id), !removed.contains(block.id) {
      updated.append(block.id)
    }
  }
}
