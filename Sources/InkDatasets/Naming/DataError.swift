import Foundation

/// An error in the naming, selection or split of data.
public struct DataError: Error, Hashable, Sendable {
  /// The kind of defect.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The text is not of the form `FORMAT:PATH[?key=value&...]`.
    case malformedSpecification
    /// There is no such format.
    case unknownFormat
    /// There is no such key for this format.
    case unknownKey
    /// A key occurs twice.
    case repeatedKey
    /// An invalid value of a key.
    case invalidValue
    /// A fold or a split file is given without a part.
    case missingSplit
    /// A split file that does not follow its form.
    case malformedSplits
    /// A table of texts that does not follow its form.
    case malformedTexts
    /// A file of decisions that does not follow its form.
    case malformedDecisions
    /// A file of decisions that cannot be written.
    case unwritableDecisions
    /// A file of origins beside ink that is not what it should be.
    case malformedOrigins
    /// Files of this package are missing.
    case missingResources
  }

  /// The kind of defect.
  public let code: Code
  /// The specification, the split file with its line, or the file of origins.
  public let subject: String
  /// The expected value.
  public let expected: String
  /// The value found.
  public let found: String

  /// Makes an error.
  package init(_ code: Code, in subject: String, expected: String, found: String) {
    self.code = code
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension DataError: CustomStringConvertible {
  /// `SUBJECT: expected …, found …`.
  public var description: String {
    "\(subject): expected \(expected), found \(found)"
  }
}

extension DataError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
