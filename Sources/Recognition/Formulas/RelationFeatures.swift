import Formulas
import Foundation
import InkCore

/// The numbers about a pair of symbols from which a small network scores their relations.
package struct RelationFeatures {
  /// D, the numbers of a pair.
  package static let count = 45
  /// K, the outputs: a score of each relation, and of being the first symbol.
  package static let outputs = FormulaRelation.allCases.count + 1
  /// The output for the first symbol of a formula.
  package static let rootOutput = FormulaRelation.allCases.count

  /// The rows of the network's input: for each symbol as a child, first the row for being the
  /// first symbol, then a row for each other symbol as the parent. O(symbols³).
  package static func input(_ symbols: PlacedSymbols, classes: Int) -> Perceptron.Input {
    var input = Perceptron.Input()
    let count = symbols.groups.count
    for child in 0..<count {
      input.append(
        first(child, symbols), [classes, symbols.labels[child]])
      for parent in 0..<count where parent != child {
        input.append(
          pair(parent, child, symbols), [symbols.labels[parent], symbols.labels[child]])
      }
    }
    return input
  }

  /// The row of a pair in ``input(_:classes:)``.
  package static func row(child: Int, parent: Int, count: Int) -> Int {
    child * count + 1 + (parent < child ? parent : parent - 1)
  }

  private static func first(_ child: Int, _ symbols: PlacedSymbols) -> [Float] {
    var result = [Float](repeating: 0, count: count)
    let box = symbols.boxes[child]
    result[0] = 1
    result[1] = squash((box.minX - symbols.frame.minX) / symbols.unit)
    result[2] = squash((box.midY - symbols.frame.midY) / symbols.unit)
    result[3] = logRatio(box.height, symbols.unit, symbols.unit)
    result[4] = logRatio(box.width, symbols.unit, symbols.unit)
    result[5] = symbols.barsAbove[child] == nil ? 0 : 1
    result[6] = symbols.barsBelow[child] == nil ? 0 : 1
    result[7] = symbols.roots[child] == nil ? 0 : 1
    result[8] = symbols.isLeftmost[child] ? 1 : 0
    let lefter = symbols.boxes.filter { $0.midX < box.midX }
    result[9] = Float(min(lefter.count, 8)) / 4
    result[10] = Float(min(lefter.filter { $0.gapY(to: box) <= 0 }.count, 8)) / 4
    result[11] = Float(min(symbols.boxes.filter { $0.minX < box.minX }.count, 8)) / 4
    result[12] = logRatio(box.width, symbols.frame.width, symbols.unit)
    return result
  }

  private static func pair(_ parent: Int, _ child: Int, _ symbols: PlacedSymbols) -> [Float] {
    let (p, c) = (symbols.boxes[parent], symbols.boxes[child])
    let unit = symbols.unit
    let tall = max(p.height, 0.25 * unit)
    var result: [Float] = [0]
    for value in [
      c.minX - p.maxX, c.minX - p.minX, c.maxX - p.maxX, c.midX - p.midX, c.minY - p.maxY,
      c.maxY - p.minY, c.minY - p.minY, c.maxY - p.maxY, c.midY - p.midY,
    ] {
      result.append(squash(value / unit))
    }
    for value in [c.midY - p.minY, c.maxY - p.minY, c.minY - p.minY] {
      result.append(squash(value / tall))
    }
    let body = symbols.middles[child] - symbols.middles[parent]
    result += [squash(2 * body / unit), squash(2 * body / tall)]
    result += [
      logRatio(c.height, p.height, unit), logRatio(c.width, p.width, unit),
      logRatio(p.height, unit, unit), logRatio(c.height, unit, unit),
      logRatio(p.width, unit, unit), logRatio(c.width, unit, unit),
    ]
    let overlapX = max(0, min(p.maxX, c.maxX) - max(p.minX, c.minX))
    let overlapY = max(0, min(p.maxY, c.maxY) - max(p.minY, c.minY))
    for (overlap, size) in [
      (overlapX, c.width), (overlapX, p.width), (overlapY, c.height), (overlapY, p.height),
    ] {
      result.append(Float(overlap / max(size, 0.02 * unit)))
    }
    result.append(p.contains(x: c.midX, y: c.midY) ? 1 : 0)
    result += surroundings(parent, child, symbols)
    result += neighbours(parent, child, symbols)
    return result
  }

  /// Bars and roots around both symbols.
  private static func surroundings(
    _ parent: Int, _ child: Int, _ symbols: PlacedSymbols
  ) -> [Float] {
    let flags = [
      symbols.barsAbove[child] == parent, symbols.barsBelow[child] == parent,
      symbols.roots[child] == parent, symbols.barsAbove[child] == symbols.barsAbove[parent],
      symbols.barsBelow[child] == symbols.barsBelow[parent],
      symbols.roots[child] == symbols.roots[parent], symbols.isLeftmost[child],
      symbols.isLeftmost[parent], symbols.barsAbove[parent] == child,
      symbols.barsBelow[parent] == child, symbols.roots[parent] == child,
    ]
    return flags.map { $0 ? 1 : 0 }
  }

  /// Symbols between and beside both, and the order of writing.
  private static func neighbours(
    _ parent: Int, _ child: Int, _ symbols: PlacedSymbols
  ) -> [Float] {
    let (p, c) = (symbols.boxes[parent], symbols.boxes[child])
    var besideChild = 0
    var besideParent = 0
    var between = 0
    var isNearestLeft = true
    var isNearestRight = true
    for other in symbols.boxes.indices where other != parent && other != child {
      let box = symbols.boxes[other]
      let isBetween = p.midX < box.midX && box.midX < c.midX
      if isBetween {
        if box.gapY(to: c) <= 0 { besideChild += 1 }
        if box.gapY(to: p) <= 0 { besideParent += 1 }
        if box.gapY(to: c) <= 0 || box.gapY(to: p) <= 0 { between += 1 }
        if symbols.hasSameSurroundings(other, child) { isNearestLeft = false }
        if symbols.hasSameSurroundings(other, parent) { isNearestRight = false }
      }
    }
    let order = Double(symbols.groups[child][0] - symbols.groups[parent][0])
    let isNext = symbols.groups[child][0] - 1 == symbols.groups[parent].last
    return [
      Float(min(besideChild, 4)) / 2, Float(min(besideParent, 4)) / 2,
      Float(min(between, 4)) / 2, isNearestLeft && p.midX < c.midX ? 1 : 0,
      isNearestRight && p.midX < c.midX ? 1 : 0, squash(order / 2), isNext ? 1 : 0,
      p.midX < c.midX ? 1 : 0,
    ]
  }

  /// Keeps small values and compresses large ones: -6 to 6.
  package static func squash(_ value: Double) -> Float { Float(value / (1 + abs(value) / 6)) }

  /// The logarithm of a ratio of lengths, which may be 0.
  package static func logRatio(_ first: Double, _ second: Double, _ unit: Double) -> Float {
    Float(log2((first + 0.03 * unit) / (second + 0.03 * unit)) / 2)
  }
}
