import Formulas
import Foundation
import InkCore

/// Groups of strokes with the log-probabilities of their classes.
package struct ClassifiedGroups {
  /// Strokes of each group, ascending.
  package let groups: [[Int]]
  /// The index of each group.
  package let indices: [[Int]: Int]
  /// [N, K]
  package let logProbabilities: [Float]
  /// K, the classes with ``SymbolClassifier/none``.
  package let classes: Int
  private let noneIndex: Int
  /// The best class of each group other than ``SymbolClassifier/none``.
  package let bestClasses: [Int]

  package init(_ hypotheses: GroupHypotheses, _ ink: FormulaInk, _ classifier: SymbolClassifier) {
    groups = hypotheses.groups
    indices = hypotheses.indices
    classes = classifier.classes
    noneIndex = classifier.noneIndex
    logProbabilities = classifier.logProbabilities(of: hypotheses.groups, in: ink)
    var best: [Int] = []
    for group in groups.indices {
      var found = noneIndex == 0 ? 1 : 0
      for label in 0..<classes where label != noneIndex {
        if logProbabilities[group * classes + label] > logProbabilities[group * classes + found] {
          found = label
        }
      }
      best.append(found)
    }
    bestClasses = best
  }

  /// The log-probability that a group is not one symbol.
  package func none(_ group: Int) -> Float { logProbabilities[group * classes + noneIndex] }

  /// The log-probability of the best class.
  package func best(_ group: Int) -> Float {
    logProbabilities[group * classes + bestClasses[group]]
  }

  /// The log-probabilities of the classes, given that the group is a symbol; ``none`` gets -20.
  package func labelScores(_ group: Int) -> [Float] {
    SymbolClassifier.labelScores(
      logProbabilities[(group * classes)..<((group + 1) * classes)], noneIndex)
  }
}

/// The numbers about a group of strokes from which a small network scores whether it is a symbol.
package struct GroupFeatures {
  /// D, the numbers of a group.
  package static let count = 28

  /// Returns the input of the network: a row for each group. O(groups²) for groups that overlap.
  package static func input(_ groups: ClassifiedGroups, _ ink: FormulaInk) -> Perceptron.Input {
    var holders = [[Int]](repeating: [], count: ink.strokes.count)
    for (index, group) in groups.groups.enumerated() {
      for stroke in group { holders[stroke].append(index) }
    }
    var input = Perceptron.Input()
    for index in groups.groups.indices {
      let group = groups.groups[index]
      let larger = holders[group[0]].filter {
        groups.groups[$0].count > group.count && group.allSatisfy(groups.groups[$0].contains)
      }.max { groups.best($0) < groups.best($1) }
      let rival = group.flatMap { holders[$0] }.filter { $0 != index }
        .max { groups.best($0) < groups.best($1) }
      let row = numbers(index, groups, ink, larger: larger, rival: rival)
      input.append(
        row,
        [
          groups.bestClasses[index], larger.map { groups.bestClasses[$0] } ?? groups.classes,
          rival.map { groups.bestClasses[$0] } ?? groups.classes,
        ])
    }
    return input
  }

  private static func numbers(
    _ index: Int, _ groups: ClassifiedGroups, _ ink: FormulaInk, larger: Int?, rival: Int?
  ) -> [Float] {
    let group = groups.groups[index]
    let box = ink.box(of: group)
    let unit = ink.unit
    let row = groups.logProbabilities[(index * groups.classes)..<((index + 1) * groups.classes)]
    let best = groups.best(index)
    let second =
      row.enumerated().filter { $0.offset != groups.bestClasses[index] }
      .map(\.element).max() ?? -20
    var result: [Float] = [
      best / 5, groups.none(index) / 5, exp(best), exp(groups.none(index)), second / 5,
    ]
    for count in 1...4 { result.append(min(group.count, 4) == count ? 1 : 0) }
    let isRun = (group.last ?? 0) - group[0] == group.count - 1
    result.append(isRun ? 1 : 0)
    result.append(contentsOf: size(box, unit))
    // Gaps inside the group: in boxes and between points.
    var gaps: [Double] = []
    var pointGaps: [Double] = []
    for stroke in group.dropFirst() {
      let before = group.filter { $0 < stroke }
      gaps.append(before.map { ink.distance($0, stroke) }.min() ?? 0)
      pointGaps.append(before.map { ink.pointDistance($0, stroke) }.min() ?? 0)
    }
    result += [squeeze((gaps.max() ?? 0) / unit), squeeze((pointGaps.max() ?? 0) / unit)]
    result += [squeeze((pointGaps.min() ?? 0) / unit)]
    // Strokes outside the group.
    let others = ink.strokes.indices.filter { !group.contains($0) }
    let distances = others.map { ink.boxes[$0].largerGap(to: box) }
    result.append(squeeze((distances.min() ?? 4 * unit) / unit))
    let near = zip(others, distances).filter { $0.1 < 0.3 * unit }.map(\.0)
    let touching = near.flatMap { other in group.map { ink.pointDistance(other, $0) } }.min()
    result.append(squeeze((touching ?? 0.6 * unit) / unit))
    result.append(Float(min(near.count, 6)) / 6)
    result.append(gapInTime(group[0] - 1, box, ink))
    result.append(gapInTime((group.last ?? 0) + 1, box, ink))
    // Rivals: a larger group that holds this one, any group that shares a stroke, its parts.
    result.append((larger.map { groups.best($0) } ?? -20) / 5)
    result.append((larger.map { groups.none($0) } ?? 0) / 5)
    result.append((rival.map { groups.best($0) } ?? -20) / 5)
    let parts = group.compactMap { groups.indices[[$0]] }
    result.append(parts.reduce(0) { $0 + groups.best($1) } / Float(max(parts.count, 1)) / 5)
    result.append((parts.map { groups.best($0) }.min() ?? 0) / 5)
    result.append((parts.map { groups.none($0) }.max() ?? 0) / 5)
    let heights = group.map { ink.boxes[$0].height }
    result.append(squeeze(((heights.max() ?? 0) - (heights.min() ?? 0)) / unit))
    return result
  }

  private static func size(_ box: BoundingBox, _ unit: Double) -> [Float] {
    let width = Float(log2((box.width + 0.02 * unit) / unit))
    let height = Float(log2((box.height + 0.02 * unit) / unit))
    return [width / 3, height / 3, (width - height) / 4]
  }

  private static func squeeze(_ value: Double) -> Float { Float(min(value, 4) / 2) }

  private static func gapInTime(_ stroke: Int, _ box: BoundingBox, _ ink: FormulaInk) -> Float {
    guard ink.boxes.indices.contains(stroke) else { return 2 }
    return squeeze(ink.boxes[stroke].largerGap(to: box) / ink.unit)
  }
}
