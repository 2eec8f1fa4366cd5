import ArgumentParser
import Foundation

/// A file that an option names, or standard output for `-`.
struct OutputFile {
  let path: String
  /// The option, as it is written: `--json`.
  let option: String

  var isStandardOutput: Bool { path == "-" }

  /// Refuses a place that cannot take a file, before the work rather than after it.
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
        "\(path): expected a place that can be written to for \(option), found none: \(problem)")
    }
  }

  /// Writes a text; on standard output with a line's end.
  func write(_ text: String) throws {
    if isStandardOutput {
      print(text, terminator: text.last == "\n" ? "" : "\n")
    } else {
      // A device or a pipe is written to, not replaced.
      let options: Data.WritingOptions = OutputPlace.isSpecial(path) ? [] : .atomic
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: options)
    }
  }

  /// Writes a value as JSON, with sorted keys and times as ISO 8601 has them.
  func write(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    try write(String(decoding: encoder.encode(value), as: UTF8.self))
  }
}

/// Where files can be made.
enum OutputPlace {
  /// Makes a folder in it and removes that: permissions alone do not tell, neither of a file system
  /// that takes no files nor to the superuser.
  ///
  /// - Returns: Why nothing can be made in it, in the words of the system; nil where it can.
  static func problem(with folder: String) -> String? {
    let probe = "\(folder)/.ductus-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    guard mkdir(probe, 0o700) == 0 else { return String(cString: strerror(errno)) }
    rmdir(probe)
    return nil
  }

  /// Whether a device, a pipe or a socket is at a path, links followed.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }
}

/// Where a command writes its result as JSON, if anywhere: a file, or standard output for `-`, which
/// then holds nothing else.
struct JSONOutput: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the result as JSON to a file, or to standard output with '-'.", valueName: "file|-"))
  var json: String?

  private var file: OutputFile? { json.map { OutputFile(path: $0, option: "--json") } }

  /// Refuses a place that cannot take a file, before the work rather than after it.
  func validate() throws { try file?.check() }

  /// Whether JSON was asked for.
  var isAsked: Bool { json != nil }

  /// Whether text may be printed.
  var leavesStandardOutput: Bool { json != "-" }

  /// Prints the text, unless the JSON takes standard output, and writes the value as JSON where it was
  /// asked for, with sorted keys.
  func write(_ value: some Encodable, text: @autoclosure () -> String) throws {
    if leavesStandardOutput { print(text()) }
    try write(value)
  }

  /// Writes a value as JSON where it was asked for, with sorted keys.
  func write(_ value: some Encodable) throws { try file?.write(json: value) }
}
