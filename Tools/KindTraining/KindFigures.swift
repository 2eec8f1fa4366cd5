import Foundation
import Layout

/// Counts of true and found kinds.
struct KindFigures {
  /// By true kind, then by found kind.
  private(set) var counts = [[Int]](
    repeating: [Int](repeating: 0, count: KindNetwork.K), count: KindNetwork.K)

  mutating func add(_ truth: StrokeKind, _ found: StrokeKind) {
    counts[truth.index][found.index] += 1
  }

  func recall(_ kind: StrokeKind) -> Double {
    let row = counts[kind.index]
    return Double(row[kind.index]) / Double(max(row.reduce(0, +), 1))
  }

  func precision(_ kind: StrokeKind) -> Double {
    let column = counts.map { $0[kind.index] }
    return Double(column[kind.index]) / Double(max(column.reduce(0, +), 1))
  }

  /// The share of strokes that are text in both, or in neither.
  var textAgreement: Double {
    var (same, all) = (0, 0)
    for (truth, row) in counts.enumerated() {
      for (found, count) in row.enumerated() {
        all += count
        if (truth == 0) == (found == 0) { same += count }
      }
    }
    return Double(same) / Double(max(all, 1))
  }

  func table() -> String {
    var lines = [
      "| Kind | Strokes | Recall | Precision | Mostly taken for |", "|---|---|---|---|---|",
    ]
    for kind in StrokeKind.allCases {
      let row = counts[kind.index]
      let all = row.reduce(0, +)
      guard all > 0 else { continue }
      let wrong = row.enumerated().filter { $0.offset != kind.index && $0.element > 0 }
        .sorted { $0.element > $1.element }.prefix(3)
        .map { "\(StrokeKind.allCases[$0.offset].rawValue) \($0.element)" }
      lines.append(
        String(
          format: "| %@ | %d | %.2f %% | %.2f %% | %@ |", kind.rawValue, all, 100 * recall(kind),
          100 * precision(kind), wrong.joined(separator: ", ")))
    }
    return lines.joined(separator: "\n")
  }
}
