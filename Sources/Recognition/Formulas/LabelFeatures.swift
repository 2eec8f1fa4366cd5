import Formulas
import Foundation
import InkCore

/// Corrects the classes of symbols by their size and by their neighbours in the structure: c and C,
/// x and ×, 1 and | differ by these alone.
package struct LabelFeatures {
  /// The numbers about sizes and places, in addition to the K scores of the classes.
  package static let sizes = 16
  /// C, the classes of neighbours in the structure.
  package static let neighbours = 5

  /// D, the numbers of a symbol.
  package static func count(_ classes: Int) -> Int { classes + sizes }

  /// Returns the input of the network: a row for each symbol.
  ///
  /// - Parameters:
  ///   - symbols: The symbols with their present classes.
  ///   - links: The structure.
  ///   - scores: The log-probabilities of each symbol's classes, K each.
  ///   - classes: K.
  package static func input(
    _ symbols: PlacedSymbols, _ links: [SymbolLayout.Link?], scores: [[Float]], classes: Int
  ) -> Perceptron.Input {
    var children = [[FormulaRelation: Int]](repeating: [:], count: links.count)
    for (index, link) in links.enumerated() {
      if let link { children[link.parent][link.relation] = index }
    }
    let rows = rowHeights(symbols, links, children)
    var input = Perceptron.Input()
    for index in links.indices {
      let link = links[index]
      let next = children[index][.right]
      let other = FormulaRelation.allCases.first { $0 != .right && children[index][$0] != nil }
      let before = link.flatMap { links[$0.parent]?.parent }
      let relations = FormulaRelation.allCases.count
      func label(_ symbol: Int?) -> Int { symbol.map { symbols.labels[$0] } ?? classes }
      input.append(
        scores[index].map { $0 / 5 } + sizes(index, symbols, link?.parent, next, rows[index]),
        [
          // A parent in each relation is a class of its own.
          (link?.relation.rawValue ?? relations) * (classes + 1) + label(link?.parent),
          label(next),
          (other?.rawValue ?? relations) * (classes + 1)
            + label(other.flatMap { children[index][$0] }),
          label(before), label(next.flatMap { children[$0][.right] }),
        ])
    }
    return input
  }

  /// The sizes of the class inputs.
  package static func classCounts(_ classes: Int) -> [Int] {
    let pairs = (FormulaRelation.allCases.count + 1) * (classes + 1)
    return [pairs, classes + 1, pairs, classes + 1, classes + 1]
  }

  /// The median height of the other symbols of each symbol's row.
  private static func rowHeights(
    _ symbols: PlacedSymbols, _ links: [SymbolLayout.Link?],
    _ children: [[FormulaRelation: Int]]
  ) -> [Double] {
    var result = [Double](repeating: symbols.unit, count: links.count)
    for start in links.indices where links[start]?.relation != .right {
      var row: [Int] = []
      var place: Int? = start
      while let here = place, row.count <= links.count {
        row.append(here)
        place = children[here][.right]
      }
      for index in row {
        let heights = row.filter { $0 != index }.map { symbols.boxes[$0].height }
          .filter { $0 > 0.3 * symbols.unit }.sorted()
        if !heights.isEmpty { result[index] = heights[heights.count / 2] }
      }
    }
    return result
  }

  private static func sizes(
    _ index: Int, _ symbols: PlacedSymbols, _ parent: Int?, _ next: Int?, _ rowHeight: Double
  ) -> [Float] {
    let box = symbols.boxes[index]
    let unit = symbols.unit
    var result = [
      RelationFeatures.logRatio(box.height, unit, unit),
      RelationFeatures.logRatio(box.width, unit, unit),
      RelationFeatures.logRatio(box.height, rowHeight, unit),
      RelationFeatures.logRatio(box.width, rowHeight, unit),
      RelationFeatures.logRatio(rowHeight, unit, unit),
      Float(min(symbols.groups[index].count, 4)) / 2,
    ]
    for other in [parent, next] {
      guard let other else {
        result += [0, 0, 0, 0, 0]
        continue
      }
      let neighbour = symbols.boxes[other]
      result += [
        1, RelationFeatures.logRatio(box.height, neighbour.height, unit),
        RelationFeatures.squash((box.midY - neighbour.midY) / unit),
        RelationFeatures.squash((box.maxY - neighbour.maxY) / unit),
        RelationFeatures.squash((box.minY - neighbour.minY) / unit),
      ]
    }
    return result
  }

  /// The corrected log-probabilities: those of the glyph model plus the network's outputs, as
  /// probabilities again.
  package static func corrected(_ scores: [[Float]], _ outputs: [Float]) -> [[Float]] {
    scores.enumerated().map { index, row in
      let classes = row.count
      let sums = row.indices.map { row[$0] + outputs[index * classes + $0] }
      let largest = sums.max() ?? 0
      let normalizer = largest + log(sums.reduce(0) { $0 + exp($1 - largest) })
      return sums.map { max($0 - normalizer, -20) }
    }
  }
}
