/// What is wrong with how data is named, selected or split.
public struct DataError: Error, Hashable, Sendable {
  /// The kind of defect.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The text is not of the form `FORMAT:PATH[?key=value&...]`.
    case malformedSpecification
    /// No such format.
    case unknownFormat
    /// No such key, or not for this format.
    case unknownKey
    /// A key stands twice.
    case repeatedKey
    /// A value that its key does not take.
    case invalidValue
    /// A fold or a split file is named, but not which part of it.
    case missingSplit
    /// A split file that does not follow its form.
    case malformedSplits
    /// A table of texts that does not follow its form.
    case malformedTexts
    /// A file of origins beside ink that is not what it should be.
    case malformedOrigins
    /// Files that come with this package are missing.
    case missingResources
  }

  /// The kind of defect.
  public let code: Code
  /// Where: the specification, the split file with its line, or the file of origins.
  public let subject: String
  /// What would be right.
  public let expected: String
  /// What stands there.
  public let found: String

  /// Makes an error.
  public init(_ code: Code, in subject: String, expected: String, found: String) {
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
