import Mustache

/// Escapes text for HTML.
///
/// Works on Unicode scalars: a quotation mark followed by a combining accent is one Swift character
/// but still ends an attribute.
package struct HTMLEscaping: MustacheContentType {
  /// The content type in templates.
  static let name = "ESCAPED-HTML"

  package func escapeText(_ text: String) -> String { Self.escape(text) }

  /// Replaces every character with a meaning in HTML content or quoted attributes. A line break
  /// becomes an arrow and a line break. Other control characters become their pictures (U+2400 …);
  /// characters that change the writing direction become U+FFFD.
  package static func escape(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n": escaped += "\u{21B5}\n"
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
