import ArgumentParser
import Foundation

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
