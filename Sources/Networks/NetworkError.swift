/// Why an architecture does not make a network.
public struct NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is wrong.
  public var what: String
  /// What it should be.
  public var expected: String
  /// What it is.
  public var found: String

  /// Makes an error.
  public init(what: String, expected: String, found: String) {
    self.what = what
    self.expected = expected
    self.found = found
  }

  /// What is wrong.
  public var description: String { "\(what): expected \(expected), found \(found)" }
}
