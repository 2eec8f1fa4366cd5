import Mustache

/// Text as HTML shows it.
///
/// Works on Unicode scalars: a quotation mark followed by a combining accent is one character of
/// Swift, and still ends an attribute.
struct HTMLEscaping: MustacheContentType {
  /// What templates name as their content type.
  static let name = "ESCAPED-HTML"

  func escapeText(_ text: String) -> String { Self.escape(text) }

  /// The text with everything that means something to HTML replaced, for content and for quoted
  /// attributes. Control characters become their pictures (U+2400 …), those that turn the
  /// direction of writing U+FFFD.
  static func escape(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{0}"..."\u{1F}":
        escaped.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
