import ArgumentParser
import Foundation

/// Where a command writes its result as JSON, if anywhere: a file, or standard output for `-`, which
/// then holds nothing else.
struct JSONOutput: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the result as JSON to a file, or to standard output with '-'.", valueName: "file|-"))
  var json: String?

  /// Refuses a place that cannot take a file, before the work rather than after it.
  func validate() throws {
    guard let json, json != "-", !OutputPlace.isSpecial(json) else { return }
    var isFolder: ObjCBool = false
    let manager = FileManager.default
    if manager.fileExists(atPath: json, isDirectory: &isFolder), isFolder.boolValue {
      throw ValidationError("\(json): expected a file for --json, found a folder")
    }
    let folder = URL(fileURLWithPath: json).deletingLastPathComponent().path
    if let problem = OutputPlace.problem(with: folder) {
      throw ValidationError(
        "\(json): expected a place that can be written to for --json, found none: \(problem)")
    }
  }

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
  func write(_ value: some Encodable) throws {
    guard isAsked else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let data = try encoder.encode(value)
    try write(data)
  }

  /// Writes a text where JSON was asked for.
  func write(text: String) throws { try write(Data(text.utf8)) }

  private func write(_ data: Data) throws {
    guard let json else { return }
    if json == "-" {
      let text = String(decoding: data, as: UTF8.self)
      print(text, terminator: text.last == "\n" ? "" : "\n")
    } else {
      // A device or a pipe is written to, not replaced.
      let options: Data.WritingOptions = OutputPlace.isSpecial(json) ? [] : .atomic
      try data.write(to: URL(fileURLWithPath: json), options: options)
    }
  }
}
