import Evaluation
import Foundation

/// Formats texts of data for a terminal, without control characters.
package enum TerminalText {
  /// A label or a name: control characters as `\\u{1B}`, visible blanks at its ends, cut to a
  /// length.
  package static func label(_ text: String, limit: Int = 60) -> String {
    if text.isEmpty { return "(empty)" }
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate:
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    if text.unicodeScalars.count > limit { shown += "…" }
    return shown.first == " " || shown.last == " " ? "\"\(shown)\"" : shown
  }

  /// A spelling: like a label, plus the code points that are not ASCII.
  package static func spelling(_ text: String) -> String {
    let points = text.unicodeScalars.prefix(8).filter { !$0.isASCII }
      .map { String(format: "U+%04X", $0.value) }
    return label(text) + (points.isEmpty ? "" : " (\(points.joined(separator: " ")))")
  }

  /// A number with its noun.
  package static func count(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(value) \(value == 1 ? noun : plural ?? noun + "s")"
  }
}

/// Formats rates of an evaluation for a terminal.
package enum RateText {
  /// A rate in percent; a dash if it was not measured.
  static func percent(_ value: Double?) -> String {
    value.map { String(format: "%.2f %%", 100 * $0) } ?? "–"
  }

  /// A rate with its confidence interval, if it has one.
  static func percent(
    _ value: Double?, _ interval: EvaluationSummary.Interval?, of summary: EvaluationSummary
  ) -> String {
    guard let interval else {
      return percent(value)
        + (value.flatMap { _ in summary.missingInterval }.map { " (\($0))" } ?? "")
    }
    return percent(value) + " (95 % interval over \(summary.clusterText): "
      + "\(percent(interval.lower)) to \(percent(interval.upper)))"
  }
}

/// The number of records that could not be read, as text.
enum MalformedText {
  /// Unreadable records belong to no part: all of them count, for any selected part.
  static func text(_ count: Int) -> String {
    "\(TerminalText.count(count, "record")) of the whole file could not be read"
  }
}

/// Formats rows of cells as columns.
package enum TextTable {
  /// The lines. Columns have the width of their widest cell and are separated by two blanks; lines
  /// have no trailing blanks.
  ///
  /// - Parameters:
  ///   - rows: Rows with equal numbers of cells.
  ///   - right: The columns that are aligned to the right.
  package static func lines(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    guard let columns = rows.first?.indices else { return [] }
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = columns.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return right.contains(column) ? blanks + row[column] : row[column] + blanks
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
