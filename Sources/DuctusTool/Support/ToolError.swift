/// An error of the tool itself: a text for the user, and its cause.
///
/// The texts are in extensions next to their commands.
package struct ToolError: Error, Equatable, CustomStringConvertible {
  /// The cause of an error, which determines the exit code.
  package enum Code {
    /// The caller gave an argument, a file or data that the command cannot use: exit code 2.
    case badInput
    /// The work itself failed: exit code 1.
    case failed
  }

  package let code: Code
  /// The message: the place, what was expected, what was found, and what to do.
  package let description: String

  /// An error caused by the caller.
  package static func badInput(_ description: String) -> ToolError {
    ToolError(code: .badInput, description: description)
  }

  /// A failure of the work.
  package static func failed(_ description: String) -> ToolError {
    ToolError(code: .failed, description: description)
  }
}

extension ToolError: BadInputError {
  package var isBadInput: Bool { code == .badInput }
}
