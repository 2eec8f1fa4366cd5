import Foundation

// Apps show `error.localizedDescription`: it says what the error's own text says.

extension InkError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension InkFormatError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { "\(self)" }
}

extension TextConstraintError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension LanguageModelError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension ModelFormatError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension RecognitionError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension ModelError: LocalizedError {
  /// What `localizedDescription` says.
  public var errorDescription: String? { description }
}
