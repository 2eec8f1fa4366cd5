import Formulas

/// Finds the best tree of relations: each symbol chooses a parent and a relation, or is the first.
///
/// The choices of the symbols are independent but for three rules: one first symbol, no cycle, and
/// one child at each place. The search starts with the best choice of each symbol and, where a rule
/// is broken, forbids one of the choices involved, best first (conflict-based search, Sharon et al.
/// 2015). It is exact within the choices kept for each symbol.
package struct StructureSearch {
  /// The most choices kept for each symbol.
  private static let mostChoices = 10
  /// The most nodes of the search; after that, the greedy tree is the result.
  private static let mostNodes = 400

  /// A parent and relation, or nil for the first symbol.
  package struct Choice {
    package var link: SymbolLayout.Link?
    package var score: Float
  }

  /// The choices of each symbol, best first.
  private let choices: [[Choice]]

  /// Makes a search from the scores of every symbol's choices.
  package init(_ choices: [[Choice]]) {
    self.choices = choices.map {
      Array($0.sorted { $0.score > $1.score }.prefix(Self.mostChoices))
    }
  }

  /// The best links with the sum of their scores. The result is a tree for any scores.
  package func best() -> (links: [SymbolLayout.Link?], score: Float) {
    guard !choices.isEmpty else { return ([], 0) }
    var open = [(picks: [Int](repeating: 0, count: choices.count), score: total(nil))]
    var seen: Set<[Int]> = []
    var count = 0
    while count < Self.mostNodes,
      let best = open.indices.max(by: { open[$0].score < open[$1].score })
    {
      count += 1
      let node = open.remove(at: best)
      guard let conflict = conflict(node.picks) else {
        return (links(node.picks), node.score)
      }
      for next in branches(node.picks, conflict) where seen.insert(next).inserted {
        open.append((next, total(next)))
      }
    }
    return greedy()
  }

  private func total(_ picks: [Int]?) -> Float {
    choices.indices.reduce(0) { $0 + choices[$1][picks?[$1] ?? 0].score }
  }

  private func links(_ picks: [Int]) -> [SymbolLayout.Link?] {
    choices.indices.map { choices[$0][picks[$0]].link }
  }

  private enum Conflict {
    /// Symbols of which not all can keep their choice.
    case exclusive([Int])
    /// No symbol is the first.
    case noRoot
  }

  private func conflict(_ picks: [Int]) -> Conflict? {
    let links = links(picks)
    var places: [SymbolLayout.Link: Int] = [:]
    var root: Int?
    for (symbol, link) in links.enumerated() {
      if let link {
        if let other = places[link] { return .exclusive([other, symbol]) }
        places[link] = symbol
      } else {
        if let root { return .exclusive([root, symbol]) }
        root = symbol
      }
    }
    guard root != nil else { return .noRoot }
    return Self.cycle(links).map { .exclusive($0) }
  }

  /// The symbols of a cycle; nil if there is none. O(symbols).
  private static func cycle(_ links: [SymbolLayout.Link?]) -> [Int]? {
    var state = [Int](repeating: 0, count: links.count)
    for start in links.indices where state[start] == 0 {
      var path: [Int] = []
      var place: Int? = start
      while let here = place, state[here] == 0 {
        state[here] = 1
        path.append(here)
        place = links[here]?.parent
      }
      if let here = place, state[here] == 1, let index = path.firstIndex(of: here) {
        return Array(path[index...])
      }
      for symbol in path { state[symbol] = 2 }
    }
    return nil
  }

  private func branches(_ picks: [Int], _ conflict: Conflict) -> [[Int]] {
    switch conflict {
    case .exclusive(let symbols):
      symbols.compactMap { symbol in
        guard picks[symbol] + 1 < choices[symbol].count else { return nil }
        var next = picks
        next[symbol] += 1
        return next
      }
    case .noRoot:
      choices.indices.compactMap { symbol in
        guard let place = choices[symbol].firstIndex(where: { $0.link == nil }),
          place > picks[symbol]
        else { return nil }
        var next = picks
        next[symbol] = place
        return next
      }
    }
  }

  /// A tree that keeps the rules at each step; its last resort is the end of the outer row.
  private func greedy() -> (links: [SymbolLayout.Link?], score: Float) {
    let count = choices.count
    func rootScore(_ symbol: Int) -> Float {
      choices[symbol].first { $0.link == nil }?.score ?? -.infinity
    }
    let root = choices.indices.max { rootScore($0) < rootScore($1) } ?? 0
    var links = [SymbolLayout.Link?](repeating: nil, count: count)
    var isPlaced = [Bool](repeating: false, count: count)
    isPlaced[root] = true
    var used: Set<SymbolLayout.Link> = []
    var score = max(rootScore(root), -20)
    var last = root
    for _ in 1..<max(count, 1) {
      var best: (symbol: Int, choice: Choice)?
      for symbol in choices.indices where !isPlaced[symbol] {
        for choice in choices[symbol] {
          guard let link = choice.link, isPlaced[link.parent], !used.contains(link) else {
            continue
          }
          if best.map({ $0.choice.score < choice.score }) ?? true { best = (symbol, choice) }
        }
      }
      let symbol = best?.symbol ?? choices.indices.first { !isPlaced[$0] } ?? root
      while used.contains(SymbolLayout.Link(last, .right)),
        let next = links.firstIndex(of: SymbolLayout.Link(last, .right))
      {
        last = next
      }
      let link = best?.choice.link ?? SymbolLayout.Link(last, .right)
      links[symbol] = link
      used.insert(link)
      isPlaced[symbol] = true
      score += best?.choice.score ?? -20
    }
    return (links, score)
  }
}
