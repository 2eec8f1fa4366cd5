import Recognition

/// What was read of the lines of a page so far, as the text before the next one.
struct RunningText {
  private var text = ""
  private var page: String?

  /// The text before the next line, of which a recogniser uses the last characters: it ends in a
  /// space, or is empty at the beginning of a page.
  mutating func before(on page: String) -> String {
    if page != self.page { text = "" }
    self.page = page
    return text
  }

  /// Adds what was read of a line, if anything was.
  mutating func append(_ line: String?) {
    guard let line, !line.isEmpty else { return }
    text = (text + line).suffix(LineRecognizer.preContextLength) + " "
  }
}
