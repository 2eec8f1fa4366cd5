import Recognition

/// The readings of the lines of a page so far, as pre-context of the next line.
package struct RunningText {
  package init() {}

  private var text = ""
  private var page: String?

  /// The text before the next line, whose last characters a recogniser uses. It ends in a space, or
  /// is empty at the beginning of a page.
  package mutating func before(on page: String) -> String {
    if page != self.page { text = "" }
    self.page = page
    return text
  }

  /// Appends the reading of a line, if there is one.
  package mutating func append(_ line: String?) {
    guard let line, !line.isEmpty else { return }
    text = (text + line).suffix(LineRecognizer.preContextLength) + " "
  }
}
