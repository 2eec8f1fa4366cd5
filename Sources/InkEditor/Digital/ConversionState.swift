/// What ink can be converted to.
public enum ConversionState: String, Hashable, Sendable, CaseIterable {
  /// Typed text and exact shapes at the place and in the size of the ink.
  case publish = "digital publish"
  /// The same for further writing: all lines of plain text have one size, and stand on the guides if
  /// the page has any.
  case edit = "digital edit"
}
