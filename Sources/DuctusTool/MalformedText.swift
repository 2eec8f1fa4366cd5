/// How many records could not be read, in words.
enum MalformedText {
  /// A record that cannot be read belongs to no part: all that are met count, whatever part is named.
  static func text(_ count: Int) -> String {
    "\(TerminalText.count(count, "record")) of the whole file could not be read"
  }
}
