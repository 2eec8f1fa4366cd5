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
