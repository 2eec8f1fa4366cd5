/// An error of the tool itself: a text for the user, and who caused it.
///
/// The texts are in extensions beside the commands that they belong to.
struct ToolError: Error, Equatable, CustomStringConvertible {
  /// Who caused an error; it decides the exit code.
  enum Code {
    /// The caller gave an argument, a file or data that the command cannot use: exit code 2.
    case badInput
    /// The work itself failed: exit code 1.
    case failed
  }

  let code: Code
  /// The place, what was expected, what was found, and what to do next.
  let description: String

  /// An error that the caller caused.
  static func badInput(_ description: String) -> ToolError {
    ToolError(code: .badInput, description: description)
  }

  /// A failure of the work.
  static func failed(_ description: String) -> ToolError {
    ToolError(code: .failed, description: description)
  }
}

extension ToolError: BadInputError {
  var isBadInput: Bool { code == .badInput }
}
