import Foundation

/// The tree of the prefixes that a beam search has tried.
///
/// Grows without moving while there is room, which ``reserve(_:)`` makes. Not thread-safe.
struct PrefixTree: ~Copyable {
  /// One prefix. Its masses are zero while it is not in the beam.
  struct Node: BitwiseCopyable {
    var parent: Int32
    var label: Int32
    var firstChild: Int32 = -1
    var sibling: Int32
    /// True while the prefix is in the beam, once the `next...` members are those of the next time
    /// step.
    var isNext = false
    /// The factor of language model and bonuses for the label after its prefix.
    var factor: Double
    /// The mass of the alignments so far that end in a blank.
    var blank = 0.0
    /// The mass of the alignments so far that end in the label.
    var symbol = 0.0
    var nextBlank = 0.0
    var nextSymbol = 0.0
  }

  /// The number of prefixes.
  private(set) var count = 0
  private var capacity = 1024
  private var memo = LanguageMemo()
  private var nodes = UnsafeMutablePointer<Node>.allocate(capacity: 1024)
  private var states = UnsafeMutablePointer<TextState>.allocate(capacity: 1024)

  deinit {
    nodes.deallocate()
    states.deallocate()
  }

  /// The factor of a gain, which is a logarithm; finite and above zero for any gain.
  static func factor(_ gain: Float) -> Double { exp(Double(min(max(gain, -300), 300))) }

  /// Forgets all prefixes but the empty one, and returns that.
  mutating func begin(_ state: TextState) -> Int32 {
    memo.removeAll()
    nodes[0] = Node(parent: -1, label: 0, sibling: -1, factor: 1, blank: 1)
    states[0] = state
    count = 1
    return 0
  }

  @inline(__always)
  subscript(_ index: Int32) -> Node {
    get { nodes[Int(index)] }
    nonmutating _modify { yield &nodes[Int(index)] }
  }

  /// A prefix in place; valid until prefixes are appended beyond the reserved room.
  @inline(__always)
  func pointer(_ index: Int32) -> UnsafeMutablePointer<Node> { nodes + Int(index) }

  /// The state of the text of a prefix.
  func state(of index: Int32) -> TextState { states[Int(index)] }

  /// Makes room for more prefixes.
  mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(count + more, 2 * capacity)
    nodes = Self.moved(nodes, count, to: capacity)
    states = Self.moved(states, count, to: capacity)
  }

  private static func moved<Element>(
    _ old: UnsafeMutablePointer<Element>, _ count: Int, to capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    new.moveInitialize(from: old, count: count)
    old.deallocate()
    return new
  }

  /// The prefix with one more label, if it is in the tree.
  @inline(__always)
  func child(of index: Int32, _ label: Int32) -> Int32? {
    var child = nodes[Int(index)].firstChild
    while child >= 0, nodes[Int(child)].label != label { child = nodes[Int(child)].sibling }
    return child >= 0 ? child : nil
  }

  /// Appends a symbol to the prefix; nil if the vocabulary forbids it.
  mutating func append(_ label: Int32, to index: Int32, _ scorer: TextScorer) -> Int32? {
    var state = states[Int(index)]
    guard let gain = scorer.advance(&state, label: Int(label), memo) else { return nil }
    reserve(1)
    let new = Int32(count)
    (nodes + count).initialize(
      to: Node(
        parent: index, label: label, sibling: nodes[Int(index)].firstChild,
        factor: Self.factor(gain)))
    (states + count).initialize(to: state)
    count += 1
    nodes[Int(index)].firstChild = new
    return new
  }

  /// The labels of a prefix.
  func labels(to index: Int32) -> [Int32] {
    var labels: [Int32] = []
    var current = index
    while current > 0 {
      labels.append(nodes[Int(current)].label)
      current = nodes[Int(current)].parent
    }
    return labels.reversed()
  }

  /// Removes the prefixes that none of a beam continues, and renumbers the beam.
  mutating func sweep(keeping beam: inout [Int32]) {
    var places = [Int32](repeating: -1, count: count)
    for index in beam {
      var current = index
      while current >= 0, places[Int(current)] < 0 {
        places[Int(current)] = 0
        current = nodes[Int(current)].parent
      }
    }
    var kept = 0
    // Parents precede their children, and no prefix moves up.
    for index in 0..<count where places[index] >= 0 {
      places[index] = Int32(kept)
      var node = nodes[index]
      node.firstChild = -1
      node.parent = node.parent < 0 ? -1 : places[Int(node.parent)]
      if node.parent >= 0 {
        node.sibling = nodes[Int(node.parent)].firstChild
        nodes[Int(node.parent)].firstChild = Int32(kept)
      }
      nodes[kept] = node
      states[kept] = states[index]
      kept += 1
    }
    count = kept
    beam = beam.map { places[Int($0)] }
  }
}
