/// A set of points of items of ink.
package struct InkAnchor: Hashable, Sendable {
  /// For each item, its ranges: sorted, not empty, and with points between them.
  private(set) var ranges: [Int: [Range<Int>]] = [:]

  /// Makes a set of parts, which may overlap. O(parts × log(parts)).
  package init(_ parts: some Sequence<ItemPart> = []) {
    for part in parts where !part.points.isEmpty {
      ranges[part.item, default: []].append(part.points)
    }
    for (item, found) in ranges { ranges[item] = Self.joined(found) }
  }

  /// Makes a set of all points of items, with their number of points. O(items).
  init(counts: some Sequence<(Int, Int)>) {
    ranges.reserveCapacity(counts.underestimatedCount)
    for (item, count) in counts where count > 0 { ranges[item] = [0..<count] }
  }

  private init(ranges: [Int: [Range<Int>]]) { self.ranges = ranges }

  /// True if there are no points.
  package var isEmpty: Bool { ranges.isEmpty }

  /// The items, in no order.
  package var items: Dictionary<Int, [Range<Int>]>.Keys { ranges.keys }

  /// The parts, sorted by item and point. O(parts × log(parts)).
  package var parts: [ItemPart] {
    var result: [ItemPart] = []
    result.reserveCapacity(ranges.count)
    for item in ranges.keys.sorted() {
      for points in ranges[item] ?? [] { result.append(ItemPart(item: item, points: points)) }
    }
    return result
  }

  /// Returns ranges sorted, with those that overlap or touch as one.
  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Returns the points of either set.
  func union(_ other: InkAnchor) -> InkAnchor {
    InkAnchor(ranges: ranges.merging(other.ranges) { Self.joined($0 + $1) })
  }

  /// Returns the points of both sets.
  func intersection(_ other: InkAnchor) -> InkAnchor {
    var result: [Int: [Range<Int>]] = [:]
    for (item, own) in ranges {
      let shared = own.flatMap { range in
        (other.ranges[item] ?? []).map { $0.clamped(to: range) }.filter { !$0.isEmpty }
      }
      if !shared.isEmpty { result[item] = shared }
    }
    return InkAnchor(ranges: result)
  }

  /// Returns the points that are not in another set.
  func subtracting(_ other: InkAnchor) -> InkAnchor {
    var result: [Int: [Range<Int>]] = [:]
    for (item, own) in ranges {
      var rest = own
      for gone in other.ranges[item] ?? [] {
        rest = rest.flatMap { range -> [Range<Int>] in
          guard range.overlaps(gone) else { return [range] }
          return [
            range.lowerBound..<max(range.lowerBound, gone.lowerBound),
            min(range.upperBound, gone.upperBound)..<range.upperBound,
          ].filter { !$0.isEmpty }
        }
      }
      if !rest.isEmpty { result[item] = rest }
    }
    return InkAnchor(ranges: result)
  }

  /// Returns the set without some items.
  func without(_ items: Set<Int>) -> InkAnchor {
    InkAnchor(ranges: ranges.filter { !items.contains($0.key) })
  }

  /// Returns the number of points of a part that are in the set.
  func count(in part: ItemPart) -> Int {
    (ranges[part.item] ?? []).reduce(0) { $0 + $1.clamped(to: part.points).count }
  }

  /// Returns whether more than half of the points of some parts are in the set.
  func holdsMost(of parts: some Collection<ItemPart>) -> Bool {
    let total = parts.reduce(0) { $0 + $1.points.count }
    return total > 0 && 2 * parts.reduce(0) { $0 + count(in: $1) } > total
  }
}
