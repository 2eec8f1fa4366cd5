import Foundation

/// An error in a file of ink: where, what was expected, what was found, what to do.
///
/// Descriptions contain keywords, types, counts and lengths, never ink or the text of labels.
public struct InkFormatError: Error, Hashable, Sendable {
  /// The kind of defect.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A file or folder does not exist.
    case missingFile
    /// A file exists but cannot be read.
    case unreadableFile
    /// A file cannot be written.
    case unwritableFile
    /// An included file does not exist.
    case missingInclude
    /// A file includes itself, directly or through others, or includes nest too deeply.
    case includeCycle
    /// A path leads out of the dataset's folder.
    case pathOutsideFolder
    /// The text does not follow the format's grammar.
    case malformed
    /// The file ends inside a record.
    case truncated
    /// A value is of the wrong type.
    case wrongType
    /// A required key, attribute or element is absent.
    case missingKey
    /// The columns of a stroke have different lengths, or an ink has more or fewer kinds than strokes.
    case unequalLengths
    /// A coordinate is NaN, infinite or too large for a double.
    case nonFiniteNumber
    /// A range includes components or points that the file does not have, or runs backward.
    case rangeOutOfBounds
    /// A record has a label but no pen-down points.
    case emptyInk
    /// An ink has no entry in the file of texts.
    case missingTranscription
    /// Two files of a dataset give one ink different texts.
    case mismatchedTranscription
    /// The ink of a page has a different number of lines than its label.
    case unmatchedLines
    /// The bytes are not text in the format's encoding.
    case invalidEncoding
    /// A line is longer than a reader accepts.
    case lineTooLong
    /// A file, what it unpacks to or what it includes is larger than a reader accepts.
    case tooLarge
    /// Values nest more deeply than a reader accepts.
    case nestingTooDeep
    /// A construct of the format that is not supported.
    case unsupported
  }

  /// The kind of defect.
  public let code: Code
  /// The file and line of the defect.
  public let location: SourceLocation
  /// The requirement of the format.
  public let expected: String
  /// The content found, without ink or label text.
  public let found: String
  /// The advice for a correction.
  public let advice: String

  /// Makes an error.
  public init(
    _ code: Code, at location: SourceLocation, expected: String, found: String, advice: String
  ) {
    self.code = code
    self.location = location
    self.expected = expected
    self.found = found
    self.advice = advice
  }
}

extension InkFormatError: CustomStringConvertible {
  /// `PATH:LINE: expected …, found …; advice`.
  public var description: String {
    "\(location): expected \(expected), found \(found); \(advice)"
  }
}

extension InkFormatError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
