import ArgumentParser
import Files
import Foundation

/// A file in an option, or standard output for `-`.
package struct OutputFile {
  let path: String
  /// The name of the option, such as `--json`.
  let option: String

  var isStandardOutput: Bool { path == "-" }

  /// Checks, before any work, that the place can take a file.
  ///
  /// - Throws: `ValidationError`.
  func check() throws {
    guard !isStandardOutput, !OutputPlace.isSpecial(path) else { return }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ValidationError("\(path): expected a file for \(option), found a folder")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if let problem = OutputPlace.problem(with: folder) {
      throw ValidationError(
        "\(path): cannot be written for \(option): \(problem)")
    }
  }

  /// Writes a text; on standard output followed by a line break.
  func write(_ text: String) throws {
    if isStandardOutput {
      print(text, terminator: text.last == "\n" ? "" : "\n")
    } else {
      try Self.write(Data(text.utf8), to: path)
    }
  }

  /// Writes a file, whole or not at all.
  ///
  /// - Throws: ``ToolError`` with the reason of the system.
  static func write(_ bytes: Data, to path: String) throws(ToolError) {
    do throws(FileError) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw .failed(
        "\(path): cannot be written: \(String(cString: strerror(error.code))); choose another path")
    }
  }

  /// Writes a value as JSON, with sorted keys and dates in ISO 8601.
  func write(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    try write(String(decoding: encoder.encode(value), as: UTF8.self))
  }
}

/// Checks of places for files.
enum OutputPlace {
  /// Creates and removes a folder in it. Permissions alone do not show whether a file system is
  /// read-only, and do not apply to the superuser.
  ///
  /// - Returns: The system's reason why nothing can be created in it; nil if it can.
  static func problem(with folder: String) -> String? {
    let probe = "\(folder)/.ductus-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    guard mkdir(probe, 0o700) == 0 else { return String(cString: strerror(errno)) }
    rmdir(probe)
    return nil
  }

  /// Returns whether there is a device, a pipe or a socket at a path, following links.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }
}

/// The destination of a command's JSON result, if requested: a file, or standard output for `-`,
/// which then contains nothing else.
package struct JSONOutput: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Write the result as JSON to a file, or to standard output with '-'.", valueName: "file|-"))
  var json: String?

  private var file: OutputFile? { json.map { OutputFile(path: $0, option: "--json") } }

  /// Checks, before any work, that the place can take a file.
  package func validate() throws { try file?.check() }

  /// True if JSON was requested.
  var isAsked: Bool { json != nil }

  /// True if text may be printed to standard output.
  var leavesStandardOutput: Bool { json != "-" }

  /// Prints the text, unless the JSON uses standard output, and writes the value as JSON if
  /// requested, with sorted keys.
  func write(_ value: some Encodable, text: @autoclosure () -> String) throws {
    if leavesStandardOutput { print(text()) }
    try write(value)
  }

  /// Writes a value as JSON if requested, with sorted keys.
  func write(_ value: some Encodable) throws { try file?.write(json: value) }

  /// Writes a text that is JSON already, if requested.
  func write(json text: String) throws { try file?.write(text) }
}
