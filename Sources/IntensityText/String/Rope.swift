/// A piece of a sequence in a ``Rope``.
package protocol RopeChunk: Hashable, Sendable {
  /// The number of units; above 0.
  var count: Int { get }
  /// The sum of the numbers of all units, for averages.
  var sum: Int { get }
  /// Splits the chunk; 0 < index < count.
  func split(at index: Int) -> (Self, Self)
  /// Returns one chunk for this and the next, or nil if they stay two.
  func merged(with next: Self) -> Self?
}

/// A sequence of units in a balanced tree of chunks: an immutable AVL tree whose leaves are chunks.
///
/// Every operation copies only the path to its place, so that a copy costs nothing and an edit costs
/// O(log chunks) and the chunks that it touches. Neighbours that can be merged never stay apart at
/// the seams of an edit.
package struct Rope<Chunk: RopeChunk>: Sendable {
  private(set) var root: RopeNode<Chunk>?

  /// Makes an empty sequence.
  package init() {}

  /// Makes a sequence of chunks. Neighbours are merged where they can be. O(chunks).
  package init(_ chunks: some Sequence<Chunk>) {
    var merged: [Chunk] = []
    for chunk in chunks where chunk.count > 0 {
      if let last = merged.last, let joined = last.merged(with: chunk) {
        merged[merged.count - 1] = joined
      } else {
        merged.append(chunk)
      }
    }
    root = RopeNode.tree(merged[...])
  }

  private init(root: RopeNode<Chunk>?) { self.root = root }

  /// The number of units. O(1).
  package var count: Int { root?.count ?? 0 }

  /// The sum over all units. O(1).
  package var sum: Int { root?.sum ?? 0 }

  /// Replaces a range, which must lie in the sequence. O(log chunks).
  package mutating func replace(_ range: Range<Int>, with new: Rope) {
    let (head, rest) = RopeNode.split(root, at: range.lowerBound)
    let (_, tail) = RopeNode.split(rest, at: range.count)
    root = RopeNode.concatenate(RopeNode.concatenate(head, new.root), tail)
  }

  /// Returns a range, which must lie in the sequence. O(log chunks).
  package func part(_ range: Range<Int>) -> Rope {
    let (_, rest) = RopeNode.split(root, at: range.lowerBound)
    return Rope(root: RopeNode.split(rest, at: range.count).0)
  }

  /// Returns the chunk that holds a unit, and the index of its first unit. O(log chunks).
  package func chunk(at index: Int) -> (chunk: Chunk, start: Int)? {
    guard index >= 0, index < count, var node = root else { return nil }
    var start = 0
    while true {
      switch node.content {
      case .leaf(let chunk): return (chunk, start)
      case .branch(let left, let right):
        if index - start < left.count {
          node = left
        } else {
          start += left.count
          node = right
        }
      }
    }
  }

  /// Calls a closure with each chunk that overlaps a range, and the index of its first unit.
  package func forEach(in range: Range<Int>? = nil, _ body: (Chunk, Int) -> Void) {
    guard let root else { return }
    root.forEach(from: 0, in: range ?? 0..<count, body)
  }

  /// All chunks. O(chunks).
  package var chunks: [Chunk] {
    var result: [Chunk] = []
    forEach { chunk, _ in result.append(chunk) }
    return result
  }

  /// The nodes on the longest path: the steps of one access.
  package var height: Int { root?.height ?? 0 }

  /// True if the tree is balanced and its counts and sums are right. For tests. O(chunks).
  package var isConsistent: Bool { root?.isConsistent ?? true }
}

/// A node of a ``Rope``.
final class RopeNode<Chunk: RopeChunk>: Sendable {
  enum Content: Sendable {
    case leaf(Chunk)
    case branch(RopeNode, RopeNode)
  }

  let content: Content
  let count: Int
  let sum: Int
  let height: Int

  init(_ chunk: Chunk) {
    content = .leaf(chunk)
    count = chunk.count
    sum = chunk.sum
    height = 1
  }

  init(_ left: RopeNode, _ right: RopeNode) {
    content = .branch(left, right)
    count = left.count + right.count
    sum = left.sum + right.sum
    height = 1 + max(left.height, right.height)
  }

  static func tree(_ chunks: ArraySlice<Chunk>) -> RopeNode? {
    guard let first = chunks.first else { return nil }
    guard chunks.count > 1 else { return RopeNode(first) }
    let middle = chunks.startIndex + chunks.count / 2
    guard let left = tree(chunks[..<middle]), let right = tree(chunks[middle...]) else {
      return nil
    }
    return RopeNode(left, right)
  }

  // MARK: - Balance

  /// Joins two trees of any heights, without merging chunks. O(difference of the heights).
  private static func join(_ left: RopeNode?, _ right: RopeNode?) -> RopeNode? {
    guard let left, let right else { return left ?? right }
    return join(left, right)
  }

  private static func join(_ left: RopeNode, _ right: RopeNode) -> RopeNode {
    if left.height > right.height + 1, case .branch(let outer, let inner) = left.content {
      return balanced(outer, join(inner, right))
    }
    if right.height > left.height + 1, case .branch(let inner, let outer) = right.content {
      return balanced(join(left, inner), outer)
    }
    return RopeNode(left, right)
  }

  /// Joins trees whose heights differ by at most 2.
  private static func balanced(_ left: RopeNode, _ right: RopeNode) -> RopeNode {
    if left.height > right.height + 1, case .branch(let a, let b) = left.content {
      if b.height > a.height, case .branch(let c, let d) = b.content {
        return RopeNode(RopeNode(a, c), RopeNode(d, right))
      }
      return RopeNode(a, RopeNode(b, right))
    }
    if right.height > left.height + 1, case .branch(let a, let b) = right.content {
      if a.height > b.height, case .branch(let c, let d) = a.content {
        return RopeNode(RopeNode(left, c), RopeNode(d, b))
      }
      return RopeNode(RopeNode(left, a), b)
    }
    return RopeNode(left, right)
  }

  // MARK: - Splitting and joining

  static func split(_ node: RopeNode?, at index: Int) -> (RopeNode?, RopeNode?) {
    guard let node else { return (nil, nil) }
    if index <= 0 { return (nil, node) }
    if index >= node.count { return (node, nil) }
    switch node.content {
    case .leaf(let chunk):
      let (head, tail) = chunk.split(at: index)
      return (RopeNode(head), RopeNode(tail))
    case .branch(let left, let right):
      if index < left.count {
        let (head, tail) = split(left, at: index)
        return (head, join(tail, right))
      }
      let (head, tail) = split(right, at: index - left.count)
      return (join(left, head), tail)
    }
  }

  /// Joins two trees and merges the chunks at the seam.
  static func concatenate(_ left: RopeNode?, _ right: RopeNode?) -> RopeNode? {
    guard let left, let right else { return left ?? right }
    let (last, first) = (left.last, right.first)
    guard let merged = last.merged(with: first) else { return join(left, right) }
    let head = split(left, at: left.count - last.count).0
    let tail = split(right, at: first.count).1
    return join(join(head, RopeNode(merged)), tail)
  }

  private var first: Chunk {
    switch content {
    case .leaf(let chunk): chunk
    case .branch(let left, _): left.first
    }
  }

  private var last: Chunk {
    switch content {
    case .leaf(let chunk): chunk
    case .branch(_, let right): right.last
    }
  }

  // MARK: - Reading

  func forEach(from start: Int, in range: Range<Int>, _ body: (Chunk, Int) -> Void) {
    guard start < range.upperBound, start + count > range.lowerBound else { return }
    switch content {
    case .leaf(let chunk): body(chunk, start)
    case .branch(let left, let right):
      left.forEach(from: start, in: range, body)
      right.forEach(from: start + left.count, in: range, body)
    }
  }

  var isConsistent: Bool {
    switch content {
    case .leaf(let chunk):
      return chunk.count > 0 && count == chunk.count && sum == chunk.sum && height == 1
    case .branch(let left, let right):
      return abs(left.height - right.height) <= 1 && count == left.count + right.count
        && sum == left.sum + right.sum && height == 1 + max(left.height, right.height)
        && left.isConsistent && right.isConsistent
    }
  }
}
