import Foundation

/// Writes commands so that they can be pasted into a shell.
enum ShellQuoting {
  /// `ductus` with these arguments.
  static func command(_ arguments: [String]) -> String {
    (["ductus"] + arguments.map(quoted)).joined(separator: " ")
  }

  /// The argument as it is where a POSIX shell leaves it alone, else in single quotes.
  static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy { byte in
        (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x30 && byte <= 0x39
          || "-_./:=,+@%".utf8.contains(byte)
      }
    return isPlain ? argument : "'\(argument.replacingOccurrences(of: "'", with: #"'\''"#))'"
  }
}
