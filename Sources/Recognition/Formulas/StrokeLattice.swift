import Formulas
import Foundation

/// The segmentations of strokes into groups, as paths of an acyclic graph.
///
/// A node is a set of covered strokes: all before a position, and some late ones. An edge adds a
/// group that contains the first stroke that is not covered.
package struct StrokeLattice {
  /// The most nodes with the same position, so that late strokes in many places do not multiply.
  private static let mostNodes = 48

  /// An edge: a group between two nodes.
  package struct Edge {
    package var from: Int
    package var to: Int
    package var group: Int
  }

  /// A node: all strokes before `position` and those of `late` are covered.
  private struct Node: Hashable {
    var position: Int
    var late: [Int]
  }

  /// The edges, sorted by the position of `from`.
  package private(set) var edges: [Edge] = []
  /// The number of nodes; node 0 is the start.
  package private(set) var nodeCount = 0
  /// The node where all strokes are covered.
  package private(set) var end: Int?

  /// Builds the graph.
  ///
  /// - Parameters:
  ///   - groups: The groups, each ascending.
  ///   - isAllowed: The groups to use.
  ///   - strokes: The number of strokes.
  package init(_ groups: [[Int]], isAllowed: [Bool], strokes: Int) {
    var starting = [[Int]](repeating: [], count: strokes)
    for (index, group) in groups.enumerated() where isAllowed[index] {
      starting[group[0]].append(index)
    }
    var indices: [Node: Int] = [Node(position: 0, late: []): 0]
    var layers = [[Node]](repeating: [], count: strokes + 1)
    layers[0] = [Node(position: 0, late: [])]
    nodeCount = 1
    for position in 0..<strokes {
      // Nodes with the fewest late strokes first: they are the most likely.
      let nodes = layers[position].sorted { $0.late.count < $1.late.count }
      for node in nodes.prefix(Self.mostNodes) {
        guard let from = indices[node] else { continue }
        for group in starting[position] where !groups[group].contains(where: node.late.contains) {
          let next = Self.node(after: node, groups[group])
          let to = indices[next] ?? nodeCount
          if indices[next] == nil {
            indices[next] = to
            nodeCount += 1
            layers[next.position].append(next)
          }
          edges.append(Edge(from: from, to: to, group: group))
        }
      }
    }
    end = indices[Node(position: strokes, late: [])]
  }

  private static func node(after node: Node, _ group: [Int]) -> Node {
    var late = node.late + group.dropFirst()
    var position = node.position + 1
    while let index = late.firstIndex(of: position) {
      late.remove(at: index)
      position += 1
    }
    return Node(position: position, late: late.sorted())
  }

  /// A segmentation with its score.
  package struct Path {
    package var score: Float
    package var groups: [Int]
  }

  /// The best paths by the sum of their groups' scores, best first. O(edges · count).
  package func best(_ count: Int, scores: [Float]) -> [Path] {
    struct Step {
      package var score: Float
      package var edge: Int
      package var rank: Int
    }
    guard let end else { return [] }
    var steps = [[Step]](repeating: [], count: nodeCount)
    steps[0] = [Step(score: 0, edge: -1, rank: 0)]
    for (index, edge) in edges.enumerated() {
      for (rank, step) in steps[edge.from].enumerated() {
        let score = step.score + scores[edge.group]
        let list = steps[edge.to]
        if list.count == count, let last = list.last, last.score >= score { break }
        let place = list.firstIndex { $0.score < score } ?? list.count
        steps[edge.to].insert(Step(score: score, edge: index, rank: rank), at: place)
        if steps[edge.to].count > count { steps[edge.to].removeLast() }
      }
    }
    return steps[end].map { last in
      var groups: [Int] = []
      var step = last
      while step.edge >= 0 {
        groups.append(edges[step.edge].group)
        step = steps[edges[step.edge].from][step.rank]
      }
      return Path(score: last.score, groups: groups.reversed())
    }
  }

  /// The logarithm of the sum over all paths of the exponent of their scores, and the probability
  /// of each group (Lafferty et al. 2001). O(edges).
  package func marginals(scores: [Float], groups: Int) -> (logSum: Float, probabilities: [Float]) {
    guard let end else { return (0, [Float](repeating: 0, count: groups)) }
    var forward = [Float](repeating: -.infinity, count: nodeCount)
    var backward = forward
    forward[0] = 0
    backward[end] = 0
    for edge in edges where forward[edge.from] > -.infinity {
      forward[edge.to] = logAdd(forward[edge.to], forward[edge.from] + scores[edge.group])
    }
    for edge in edges.reversed() where backward[edge.to] > -.infinity {
      backward[edge.from] = logAdd(backward[edge.from], backward[edge.to] + scores[edge.group])
    }
    var result = [Float](repeating: 0, count: groups)
    for edge in edges {
      let score = forward[edge.from] + scores[edge.group] + backward[edge.to] - forward[end]
      if score > -30 { result[edge.group] += exp(score) }
    }
    return (forward[end], result)
  }

  private func logAdd(_ first: Float, _ second: Float) -> Float {
    let (low, high) = (min(first, second), max(first, second))
    return low == -.infinity ? high : high + log1p(exp(low - high))
  }
}
