import Evaluation
import Foundation

/// Texts of data, so that a terminal shows them and does nothing else.
enum TerminalText {
  /// A label or a name: control characters as `\\u{1B}`, blanks at its ends visible, cut to a length.
  static func label(_ text: String, limit: Int = 60) -> String {
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

  /// A spelling: as a label, and the code points that are not ASCII.
  static func spelling(_ text: String) -> String {
    let points = text.unicodeScalars.prefix(8).filter { !$0.isASCII }
      .map { String(format: "U+%04X", $0.value) }
    return label(text) + (points.isEmpty ? "" : " (\(points.joined(separator: " ")))")
  }

  /// A number with its noun.
  static func count(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(value) \(value == 1 ? noun : plural ?? noun + "s")"
  }
}

/// Rates of an evaluation as a terminal shows them.
enum RateText {
  /// In percent; a dash for what was not measured.
  static func percent(_ value: Double?) -> String {
    value.map { String(format: "%.2f %%", 100 * $0) } ?? "–"
  }

  /// With the interval that it is known to, if any.
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

/// How many records could not be read, in words.
enum MalformedText {
  /// A record that cannot be read belongs to no part: all that are met count, whatever part is named.
  static func text(_ count: Int) -> String {
    "\(TerminalText.count(count, "record")) of the whole file could not be read"
  }
}

/// Rows of cells as lines, in columns.
enum TextTable {
  /// The lines. Columns are as wide as their widest cell, two blanks apart; lines end without
  /// blanks.
  ///
  /// - Parameters:
  ///   - rows: All of the same number of cells.
  ///   - right: The columns that are aligned to the right.
  static func lines(_ rows: [[String]], right: Set<Int> = []) -> [String] {
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
