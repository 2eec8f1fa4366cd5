import Foundation

/// Labels, writers and other texts that try to leave the place where a page puts them.
package enum HostileText {
  package static let all = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\"&<>", "</title><blink>",
    "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "{{title}}", "{{{style}}}", "</style><script>",
    "\u{0}\u{1B}[2J", "\u{202E}gnp.exe", "", " ", String(repeating: "long", count: 500),
  ]

  /// Pieces that no page may hold, whatever its data.
  package static let forbidden = [
    "<script", "<img", "<blink", "onerror=alert(1)>", "\"\u{301}", "\u{0}", "\u{1B}", "\u{202E}",
  ]

  /// The forbidden pieces that a page holds, looked for scalar by scalar.
  package static func found(in page: String) -> [String] {
    let bytes = Data(page.utf8)
    return forbidden.filter { bytes.range(of: Data($0.utf8)) != nil }
  }
}
