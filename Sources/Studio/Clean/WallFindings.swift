import DataDoctor
import Evaluation
import Foundation
import InkDatasets

/// The findings of the data doctor about the inks of a wall.
struct WallFindings: Sendable {
  /// A reason to look at an ink.
  struct Suspect: Sendable, Hashable {
    /// The kind of reason.
    enum Reason: String, Encodable, Sendable {
      case label, duplicate, empty, backward, large, small
    }
    var reason: Reason
    /// The probable label.
    var suggested: String?
    /// The certainty, 0 ... 1.
    var score: Double?
    /// The earlier ink that is equal.
    var earlier: Int?
  }

  /// The findings as a whole.
  struct Summary: Encodable, Sendable {
    struct Class: Encodable, Sendable {
      var label: String
      var samples: Int
      var writers: Int
    }
    var judge: String?
    var unjudged: String?
    var judged: Int
    var agreement: Double?
    var labels: Int
    var duplicates: Int
    var odd: Int
    var thin: [Class]
    var twins: [[String]]
  }

  /// The suspects by the index of their ink.
  private(set) var suspects: [Int: Suspect] = [:]
  /// The inks to look at, the most certain wrong label first.
  private(set) var order: [Int] = []
  let summary: Summary

  /// The most thin classes and spellings that are listed.
  private static let mostListed = 100

  /// - Parameters:
  ///   - findings: The findings, by the places of the examined inks.
  ///   - inks: The index on the wall of each examined ink.
  init(_ findings: DataFindings, inks: [Int]) {
    summary = Summary(
      judge: findings.judge, unjudged: findings.unjudged, judged: findings.judged,
      agreement: findings.agreement, labels: findings.suspectLabels.count,
      duplicates: findings.duplicates.count, odd: findings.oddInks.count,
      thin: findings.thinClasses.prefix(Self.mostListed).map {
        Summary.Class(label: $0.label, samples: $0.samples, writers: $0.writers)
      }, twins: Array(findings.labelTwins.prefix(Self.mostListed)))
    for each in findings.suspectLabels where inks.indices.contains(each.index) {
      add(
        Suspect(reason: .label, suggested: each.suggested, score: each.score), inks[each.index])
    }
    for each in findings.duplicates
    where inks.indices.contains(each.index) && inks.indices.contains(each.earlier) {
      add(Suspect(reason: .duplicate, earlier: inks[each.earlier]), inks[each.index])
    }
    for each in findings.oddInks where inks.indices.contains(each.index) {
      add(Suspect(reason: Self.reason(each.problem)), inks[each.index])
    }
  }

  private mutating func add(_ suspect: Suspect, _ ink: Int) {
    // The first reason is the strongest one.
    guard suspects.updateValue(suspects[ink] ?? suspect, forKey: ink) == nil else { return }
    order.append(ink)
  }

  private static func reason(_ problem: DataFindings.OddInk.Problem) -> Suspect.Reason {
    switch problem {
    case .empty: .empty
    case .timeRunsBackward: .backward
    case .large: .large
    case .small: .small
    }
  }
}
