import Foundation
import InkDatasets

/// Everything that is known of the inks of a wall. A value: copies do not change.
package struct WallState: Sendable {
  /// The inks as read.
  package let table: InkTable
  /// The labels as read and as decided.
  private(set) var labels: NameTable
  /// The present label of each ink.
  private(set) var labelOf: [Int32]
  /// The decisions by the index of their ink.
  package private(set) var decisionOf: [Int: LabelDecision] = [:]
  /// Decisions of the file about no ink of the wall.
  private(set) var unmatched = 0
  /// The readings of a model; nil if none has read the inks.
  private(set) var readings: WallReadings?
  /// The findings of the data doctor; nil if the data was not examined.
  private(set) var findings: WallFindings?
  /// A number that changes with each change.
  private(set) var revision = 1
  private let inkOf: [InkKey: Int32]

  package init(_ table: InkTable = InkTable()) {
    self.table = table
    labels = table.labels
    labelOf = table.labelOf
    inkOf = Dictionary(table.keys.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
  }

  /// Returns the present label of an ink.
  package func label(of ink: Int) -> String { labels[labelOf[ink]] ?? "" }

  /// Returns the ink of a key; nil if there is none.
  func ink(of key: InkKey) -> Int? { inkOf[key].map(Int.init) }

  /// Replaces all decisions. O(decisions), and O(n) for readings.
  package mutating func decide(_ decisions: [InkKey: LabelDecision]) {
    var new: [Int: LabelDecision] = [:]
    for (key, decision) in decisions {
      if let ink = ink(of: key) { new[ink] = decision }
    }
    unmatched = decisions.count - new.count
    for ink in Set(decisionOf.keys).union(new.keys) where decisionOf[ink] != new[ink] {
      if case .relabel(let label)? = new[ink] {
        labelOf[ink] = labels.number(of: label)
      } else {
        labelOf[ink] = table.labelOf[ink]
      }
      let label = label(of: ink)
      readings?.compare(ink, label: label)
    }
    decisionOf = new
    revision += 1
  }

  /// Stores the readings of a model, which compared them with the labels as they were then.
  package mutating func read(_ new: WallReadings) {
    var new = new
    for ink in decisionOf.keys { new.compare(ink, label: label(of: ink)) }
    readings = new
    revision += 1
  }

  /// Stores the findings of the data doctor.
  mutating func found(_ new: WallFindings) {
    findings = new
    revision += 1
  }
}
