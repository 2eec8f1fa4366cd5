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
