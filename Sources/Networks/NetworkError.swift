import Foundation

/// An error in an architecture: it does not make a network.
public struct NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is wrong.
  package var what: String
  /// The expected value.
  package var expected: String
  /// The value found.
  package var found: String

  /// Makes an error.
  package init(what: String, expected: String, found: String) {
    self.what = what
    self.expected = expected
    self.found = found
  }

  /// The message: what is wrong, what was expected, what was found.
  public var description: String { "\(what): expected \(expected), found \(found)" }
}

extension NetworkError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
