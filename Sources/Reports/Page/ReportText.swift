import Foundation
import InkCore

/// Formats numbers and labels for reports. Nothing here is escaped.
package enum ReportText {
  /// A rate of 0 … 1 in percent, without line breaks; a dash if not measured.
  package static func percent(_ value: Double?, digits: Int = 2) -> String {
    value.map { String(format: "%.\(digits)f\u{202F}%%", 100 * $0) } ?? "–"
  }

  /// A rate in percent for CSS; 0 if not measured.
  static func share(_ rate: Double?) -> String {
    guard let rate, rate.isFinite else { return "0" }
    return ChartFrame.number(100 * min(max(rate, 0), 1))
  }

  /// A difference of rates in percentage points, with its sign.
  package static func points(_ difference: Double) -> String {
    let text = String(format: "%.2f", 100 * difference.magnitude)
    return (text == "0.00" ? "±" : difference < 0 ? "−" : "+") + text
  }

  /// Milliseconds in the unit with the fewest digits; a dash for nil.
  package static func latency(_ milliseconds: Double?) -> String {
    guard let milliseconds else { return "–" }
    if milliseconds < 1 { return String(format: "%.0f\u{202F}µs", 1000 * milliseconds) }
    return String(format: milliseconds < 10 ? "%.2f\u{202F}ms" : "%.0f\u{202F}ms", milliseconds)
  }

  /// Bytes in kB or MB; a dash for nil.
  static func bytes(_ bytes: Int?) -> String {
    guard let bytes else { return "–" }
    return bytes < 1_000_000
      ? String(format: "%.0f\u{202F}kB", Double(bytes) / 1e3)
      : String(format: "%.1f\u{202F}MB", Double(bytes) / 1e6)
  }

  /// The value of `dir` for a text from right to left; nil for any other, which needs none.
  static func direction(of text: String) -> String? {
    ScriptTraits(of: text).direction == .rightToLeft ? "rtl" : nil
  }

  /// A visible form of a label: a sign if it is empty or a space, and the first characters if it is
  /// longer than `limit`.
  package static func label(_ label: String, limit: Int = 40) -> String {
    if label.isEmpty { return "(empty)" }
    if label.allSatisfy(\.isWhitespace) {
      return String(repeating: "␣", count: min(label.count, 8))
    }
    return label.count > limit ? label.prefix(limit - 1) + "…" : label
  }
}
