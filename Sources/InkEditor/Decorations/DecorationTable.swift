/// The decorations of a document, found by id and by item of ink. A value that copies share.
package struct DecorationTable: Hashable, Sendable {
  private var byID: [Int: Decoration] = [:]
  /// The ids of the decorations of each item.
  private var byItem: [Int: Set<Int>] = [:]

  package init() {}

  package var isEmpty: Bool { byID.isEmpty }

  /// All decorations in the order they were made. O(n log n).
  package var all: [Decoration] { byID.values.sorted { $0.id < $1.id } }

  /// The items that have decorations, in no order.
  package var items: Dictionary<Int, Set<Int>>.Keys { byItem.keys }

  package subscript(id: Int) -> Decoration? { byID[id] }

  /// Returns the decorations of some items in the order they were made. O(items), and O(n log n) of
  /// those found.
  package func touching(_ items: some Sequence<Int>) -> [Decoration] {
    guard !byID.isEmpty else { return [] }
    var ids: Set<Int> = []
    for item in items { if let found = byItem[item] { ids.formUnion(found) } }
    return ids.sorted().compactMap { byID[$0] }
  }

  /// Returns the ids of the decorations that differ between two tables. O(1) if none ever changed.
  func differences(from other: DecorationTable) -> Set<Int> {
    if byID == other.byID { return [] }
    let ids = Set(byID.keys).union(other.byID.keys)
    return ids.filter { byID[$0] != other.byID[$0] }
  }

  /// Adds a decoration, or replaces the one of its id. One without ink is removed.
  mutating func set(_ decoration: Decoration) {
    remove(decoration.id)
    guard !decoration.parts.isEmpty else { return }
    byID[decoration.id] = decoration
    for part in decoration.parts { byItem[part.item, default: []].insert(decoration.id) }
  }

  /// Removes a decoration.
  mutating func remove(_ id: Int) {
    guard let old = byID.removeValue(forKey: id) else { return }
    for item in Set(old.parts.map(\.item)) {
      byItem[item]?.remove(id)
      if byItem[item]?.isEmpty ?? false { byItem[item] = nil }
    }
  }
}
