import Foundation

/// An error of intensity text: the field, the position in it, what was expected and what was found.
///
/// After an error, nothing has changed. Texts of users never appear in errors.
public struct IntensityTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  public enum Code: Hashable, Sendable {
    /// A range or index lies outside of the text.
    case outside
    /// A range or index lies inside of a surrogate pair.
    case insideSurrogatePair
    /// A number is NaN, infinite or out of its range.
    case invalidNumber
    /// An array has another length than the text.
    case wrongCount
    /// No scheme, key set or theme of this name is known.
    case unknownName
    /// A name is taken.
    case nameTaken
    /// JSON or an archive has another form.
    case malformed
    /// An archive is of a newer version.
    case newerVersion
    /// A URL cannot be read.
    case invalidURL
    /// A file or store cannot be read or written.
    case unreadable
  }

  /// The kind of problem.
  public let code: Code
  /// The field: a key of the JSON, or the argument of a call.
  public let field: String
  /// The position: a UTF-16 unit, the element of an array, or the byte of an archive; nil if the
  /// problem has none.
  public let position: Int?
  /// The expected value.
  public let expected: String
  /// The value that was found, never the text of a user.
  public let found: String

  /// Makes an error of its facts.
  package init(
    _ code: Code, _ field: String, at position: Int? = nil, expected: String, found: String
  ) {
    self.code = code
    self.field = field
    self.position = position
    self.expected = expected
    self.found = found
  }

  /// The message: what happened, where, and what is right.
  public var description: String {
    let place = position.map { " at \($0)" } ?? ""
    return "\(field)\(place): \(problem): expected \(expected), found \(found)"
  }

  private var problem: String {
    switch code {
    case .outside: "outside of the text"
    case .insideSurrogatePair: "inside of a surrogate pair"
    case .invalidNumber: "invalid number"
    case .wrongCount: "wrong count"
    case .unknownName: "unknown name"
    case .nameTaken: "the name is taken"
    case .malformed: "malformed"
    case .newerVersion: "newer version"
    case .invalidURL: "invalid URL"
    case .unreadable: "not readable"
    }
  }
}

extension IntensityTextError: LocalizedError {
  /// The message, for apps that show `localizedDescription`.
  public var errorDescription: String? { description }
}

extension IntensityTextError {
  /// Checks that a range lies in 0 ..< count.
  static func check(_ range: Range<Int>, count: Int, _ field: String) throws(IntensityTextError) {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw IntensityTextError(
        .outside, field, at: range.lowerBound < 0 ? range.lowerBound : range.upperBound,
        expected: "a range in 0 ..< \(count)", found: "\(range)")
    }
  }

  /// Checks that an intensity lies in 0 ... 100.
  static func check(
    intensity: Int, at position: Int? = nil, _ field: String = "intensity"
  ) throws(IntensityTextError) {
    guard (0...100).contains(intensity) else {
      throw IntensityTextError(
        .invalidNumber, field, at: position, expected: "an intensity of 0 ... 100",
        found: "\(intensity)")
    }
  }

  /// Checks that a number is finite.
  static func check(
    finite number: Double, at position: Int? = nil, _ field: String
  ) throws(IntensityTextError) {
    guard number.isFinite else {
      throw IntensityTextError(
        .invalidNumber, field, at: position, expected: "a finite number", found: "\(number)")
    }
  }
}
