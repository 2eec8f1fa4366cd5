import Foundation

/// Labels, writers and other texts that try to break out of their place in a page.
package enum HostileText {
  package static let all = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\"&<>", "</title><blink>",
    "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "{{title}}", "{{{style}}}", "</style><script>",
    "\u{0}\u{1B}[2J", "\u{202E}gnp.exe", "", " ", String(repeating: "long", count: 500),
  ]

  /// Strings that no page may contain, for any data.
  package static let forbidden = [
    "<script", "<img", "<blink", "onerror=alert(1)>", "\"\u{301}", "\u{0}", "\u{1B}", "\u{202E}",
  ]

  /// The forbidden strings in a page, searched scalar by scalar.
  package static func found(in page: String) -> [String] {
    let bytes = Data(page.utf8)
    return forbidden.filter { bytes.range(of: Data($0.utf8)) != nil }
  }
}
