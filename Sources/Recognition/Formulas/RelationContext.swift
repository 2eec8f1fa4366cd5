import Formulas
import Foundation
import InkCore

/// The numbers about a pair of symbols that a first structure adds: how the child fits into the row of
/// the parent, and into the row that it hangs on.
///
/// Two boxes do not tell whether a symbol goes on with an exponent or with the row below it; the other
/// symbols of both rows do. A second network reads these numbers beside those of the pair (stacked
/// learning, Wolpert 1992).
package struct RelationContext {
  /// A, the numbers that are added to those of a pair.
  package static let added = 40
  /// D, the numbers of a pair with these.
  package static let count = RelationFeatures.count + added

  private let symbols: PlacedSymbols
  private let links: [SymbolLayout.Link?]
  private var children: [[FormulaRelation: Int]]
  /// The row of each symbol, and its members from left to right.
  private var rowOf: [Int]
  private var rows: [[Int]] = []
  /// The number of rows above each symbol's own.
  private var depths: [Int]
  /// True for the tall symbols, which tell the height of a row.
  private let isTall: [Bool]

  /// - Parameters:
  ///   - symbols: The symbols with their classes.
  ///   - links: The first structure, a tree.
  init(_ symbols: PlacedSymbols, _ links: [SymbolLayout.Link?]) {
    (self.symbols, self.links) = (symbols, links)
    children = [[FormulaRelation: Int]](repeating: [:], count: links.count)
    rowOf = [Int](repeating: 0, count: links.count)
    depths = rowOf
    isTall = symbols.boxes.map { $0.height > 0.3 * symbols.unit }
    for (index, link) in links.enumerated() {
      if let link { children[link.parent][link.relation] = index }
    }
    for start in links.indices where links[start]?.relation != .right {
      var row: [Int] = []
      var place: Int? = start
      while let here = place, row.count <= links.count {
        rowOf[here] = rows.count
        row.append(here)
        place = children[here][.right]
      }
      rows.append(row)
    }
    for index in links.indices { depths[index] = ancestors(of: index).count }
  }

  /// The symbols that the rows above a symbol hang on, the nearest first.
  private func ancestors(of symbol: Int) -> [Int] {
    var result: [Int] = []
    var place = symbol
    while result.count <= links.count, let start = rows[rowOf[place]].first,
      let parent = links[start]?.parent
    {
      result.append(parent)
      place = parent
    }
    return result
  }

  /// The input of the second network, in the order of ``RelationFeatures/input(_:classes:)``.
  ///
  /// - Parameters:
  ///   - pairs: The input of the first network.
  ///   - classes: K.
  package static func input(
    _ pairs: Perceptron.Input, _ symbols: PlacedSymbols, _ links: [SymbolLayout.Link?],
    classes: Int
  ) -> Perceptron.Input {
    let context = RelationContext(symbols, links)
    let count = links.count
    var input = Perceptron.Input()
    func append(_ row: Int, _ added: [Float], parent: Int?, child: Int) {
      let width = RelationFeatures.count
      let above = parent.flatMap { context.links[$0] }
      let kinds = FormulaRelation.allCases.count
      input.append(
        Array(pairs.dense[(row * width)..<((row + 1) * width)]) + added,
        [
          parent.map { symbols.labels[$0] } ?? classes, symbols.labels[child],
          (above?.relation.rawValue ?? kinds) * (classes + 1)
            + (above.map { symbols.labels[$0.parent] } ?? classes),
        ])
    }
    for child in 0..<count {
      append(child * count, context.first(child), parent: nil, child: child)
      for parent in 0..<count where parent != child {
        append(
          RelationFeatures.row(child: child, parent: parent, count: count),
          context.pair(parent, child), parent: parent, child: child)
      }
    }
    return input
  }

  /// The sizes of the class inputs.
  package static func classCounts(_ classes: Int) -> [Int] {
    [classes + 1, classes + 1, (FormulaRelation.allCases.count + 1) * (classes + 1)]
  }

  private func first(_ child: Int) -> [Float] {
    var result = [Float](repeating: 0, count: Self.added)
    result[0] = links[child] == nil ? 1 : 0
    result[1] = Float(min(depths[child], 4)) / 2
    result[2] = Float(min(rows[rowOf[child]].count, 6)) / 3
    return result
  }

  private func pair(_ parent: Int, _ child: Int) -> [Float] {
    let kinds = FormulaRelation.allCases
    var result: [Float] = []
    let link = links[child]
    result += kinds.map { link == SymbolLayout.Link(parent, $0) ? 1 : 0 }
    result += kinds.map { links[parent]?.relation == $0 ? 1 : 0 }
    result.append(links[parent] == nil ? 1 : 0)
    result += kinds.map { link?.relation == $0 ? 1 : 0 }
    result.append(link == nil ? 1 : 0)
    result.append(isBelow(child, parent) ? 1 : 0)
    result.append(isBelow(parent, child) ? 1 : 0)
    result.append(rowOf[parent] == rowOf[child] ? 1 : 0)
    let box = symbols.boxes[child]
    let middle = symbols.middles[child]
    result += fit(rowOf[parent], without: child, middle: middle, height: box.height)
    let above = rows[rowOf[parent]].first.flatMap { links[$0]?.parent }
    if let above {
      result += fit(rowOf[above], without: child, middle: middle, height: box.height)
    } else {
      result += [0, 0, 0]
    }
    // The parent beside the rest of the child's row.
    result += fit(
      rowOf[child], without: child, middle: symbols.middles[parent],
      height: symbols.boxes[parent].height)
    result.append(Float(min(depths[parent], 4)) / 2)
    result.append(Float(min(depths[child], 4)) / 2)
    result += kinds.map { kind in
      children[parent][kind].map { $0 == child ? 0 : 1 } ?? 0
    }
    return result
  }

  /// True if the first symbol hangs on the second one, directly or not.
  private func isBelow(_ symbol: Int, _ other: Int) -> Bool {
    var place = symbol
    var steps = 0
    while let parent = links[place]?.parent, steps < links.count {
      if parent == other { return true }
      place = parent
      steps += 1
    }
    return false
  }

  /// The fit of a symbol into a row: the tall symbols of the row, the place relative to their middle,
  /// and the height relative to theirs.
  private func fit(_ row: Int, without symbol: Int, middle: Double, height: Double) -> [Float] {
    var (count, middles, heights) = (0.0, 0.0, 0.0)
    for member in rows[row] where member != symbol && isTall[member] {
      count += 1
      middles += symbols.middles[member]
      heights += symbols.boxes[member].height
    }
    guard count > 0 else { return [0, 0, 0] }
    return [
      Float(min(count, 4)) / 2,
      RelationFeatures.squash(2 * (middle - middles / count) / symbols.unit),
      RelationFeatures.logRatio(height, heights / count, symbols.unit),
    ]
  }
}
