import Formulas
import InkCore

/// The groups of strokes that may be symbols.
package struct GroupHypotheses {
  /// The most strokes of a symbol. A function in letters has up to five.
  package static let mostStrokes = 5
  /// The largest gap between strokes that follow each other in a group, in typical strokes.
  private static let nearInTime = 0.9
  /// The largest gap between strokes of a group that do not follow each other.
  private static let nearInSpace = 0.35
  /// The most groups for each stroke that are not runs.
  private static let mostApart = 10

  /// Strokes, ascending.
  package private(set) var groups: [[Int]] = []
  /// The index of each group.
  package private(set) var indices: [[Int]: Int] = [:]

  /// Finds the groups of an ink. O(strokes²).
  package init(_ ink: FormulaInk) {
    let count = ink.strokes.count
    for first in 0..<count {
      addRuns(from: first, ink)
    }
    for first in 0..<count {
      addApart(from: first, ink)
    }
  }

  /// Adds a group if it is new.
  package mutating func add(_ group: [Int]) {
    guard indices[group] == nil else { return }
    indices[group] = groups.count
    groups.append(group)
  }

  private mutating func addRuns(from first: Int, _ ink: FormulaInk) {
    var group = [first]
    add(group)
    while group.count < Self.mostStrokes, let last = group.last, last + 1 < ink.strokes.count {
      let gap = group.map { ink.distance($0, last + 1) }.min() ?? 0
      guard gap <= Self.nearInTime * ink.unit else { return }
      group.append(last + 1)
      add(group)
    }
  }

  /// Adds groups with a late stroke: of two strokes, and of a run of two and a stroke.
  private mutating func addApart(from first: Int, _ ink: FormulaInk) {
    let count = ink.strokes.count
    guard first + 2 < count else { return }
    let limit = Self.nearInSpace * ink.unit
    let near = ((first + 2)..<count).filter { ink.distance(first, $0) <= limit }
      .sorted { (ink.pointDistance(first, $0), $0) < (ink.pointDistance(first, $1), $1) }
    for later in near.prefix(4) {
      add([first, later])
      if first > 0, ink.distance(first - 1, first) <= limit { add([first - 1, first, later]) }
      if later > first + 2, ink.distance(first, first + 1) <= limit {
        add([first, first + 1, later])
      }
      if later + 1 < count, ink.distance(later, later + 1) <= limit {
        add([first, later, later + 1])
      }
    }
  }
}
