import ArgumentParser
import Foundation

/// An error that is caused by the caller, through an argument or a file: exit code 2.
///
/// Library errors conform through extensions in this module. All other errors are failures of the
/// work: exit code 1.
package protocol BadInputError: Error {
  /// True if this case of the error is caused by the caller; true by default.
  var isBadInput: Bool { get }
}

extension BadInputError {
  package var isBadInput: Bool { true }
}

/// The result of a command that threw: its exit code and its output.
package struct Outcome: Equatable {
  /// The exit codes of the command line.
  package enum Code {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let badInput: Int32 = 2
  }

  package var exitCode: Int32
  /// The text for standard output: the requested help or version.
  package var output: String?
  /// The text for standard error, one line, without the leading `ductus: error:`.
  package var message: String?

  package init(of error: any Error) {
    let parserCode = Ductus.exitCode(for: error)
    if let code = error as? ExitCode {
      // The command has already printed its message.
      exitCode = code == .validationFailure ? Code.badInput : code.rawValue
    } else if parserCode == .success {
      exitCode = Code.done
      output = Ductus.fullMessage(for: error)
    } else if parserCode == .validationFailure {
      exitCode = Code.badInput
      message = Self.oneLine(Ductus.message(for: error)) + Self.helpHint
    } else {
      exitCode = Self.isBadInput(error) ? Code.badInput : Code.failed
      message = Self.oneLine(Self.text(of: error))
    }
  }

  private static let helpHint = " (see ductus help)"

  private static func isBadInput(_ error: any Error) -> Bool {
    if let error = error as? any BadInputError { return error.isBadInput }
    guard let error = error as? CocoaError else { return false }
    return [.fileNoSuchFile, .fileReadNoSuchFile, .fileReadNoPermission].contains(error.code)
  }

  private static func text(of error: any Error) -> String {
    if let error = error as? CocoaError {
      // Its description omits the file on some platforms.
      guard let path = error.filePath ?? error.url?.path else { return error.localizedDescription }
      return "\(path): \(error.localizedDescription)"
    }
    if let text = (error as? any LocalizedError)?.errorDescription { return text }
    return String(describing: error)
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Writes the output to standard output and the message to standard error.
  func print() {
    if let output, !output.isEmpty { Swift.print(output) }
    if let message { Self.writeToStandardError("ductus: error: \(message)\n") }
  }

  /// Writes a text to standard error, unbuffered. Failures are ignored.
  static func writeToStandardError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
