import Foundation

/// Formats commands so that they can be pasted into a shell.
package enum ShellQuoting {
  /// `ductus` with these arguments.
  package static func command(_ arguments: [String]) -> String {
    words(["ductus"] + arguments)
  }

  /// A program with its arguments.
  package static func words(_ words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  /// The argument, quoted if a POSIX shell would change it: in single quotes, or in dollar
  /// quotes (POSIX.1-2024, 2.2.4) where it has control characters.
  package static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy { byte in
        (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x30 && byte <= 0x39
          || "-_./:=,+@%".utf8.contains(byte)
      }
    if isPlain { return argument }
    if argument.unicodeScalars.contains(where: isControl) { return escaped(argument) }
    return "'\(argument.replacingOccurrences(of: "'", with: #"'\''"#))'"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator]
      .contains(scalar.properties.generalCategory)
  }

  /// Converts control characters, quotes and backslashes to octal escapes.
  private static func escaped(_ argument: String) -> String {
    let body = argument.unicodeScalars.map { scalar in
      guard isControl(scalar) || scalar == "'" || scalar == "\\" else { return String(scalar) }
      return String(scalar).utf8.map { String(format: "\\%03o", $0) }.joined()
    }
    return "$'\(body.joined())'"
  }
}
