import ArgumentParser
import Foundation
import InkDatasets
import InkFormats

/// A writer of ink whose file appears when it is complete.
protocol InkOutput: AnyObject {
  var writesFile: Bool { get }
  var temporaryPath: String? { get }
  func finish() throws(InkFormatError)
}

extension InkJSONLinesWriter: InkOutput {}
extension InkFileWriter: InkOutput {}

extension InkJSONLinesWriter {
  /// Refuses `-`, which users write for standard output, but which would create a file of that
  /// name.
  ///
  /// - Throws: `ValidationError`.
  static func check(output: String) throws {
    guard output != "-" else {
      throw ValidationError(
        "--output: expected a file, found -; to write to standard output, use /dev/stdout")
    }
  }
}

extension InkOutput {
  /// Listens for Ctrl-C and a polite kill, so that neither leaves a temporary file. What goes to a
  /// device or a pipe ends at once, and nil is the answer.
  func listenForInterruption() -> InterruptionFlag? {
    guard let temporaryPath else { return nil }
    return Interruption.listen { unlink(temporaryPath) }
  }

  /// Finishes the file, and writes its origins next to it.
  func finish(_ path: String, from origins: [DataOrigin]) throws(InkFormatError) {
    try finish()
    if writesFile { try DataOrigin.write(origins, besideInk: path) }
  }

  /// Prints the result: to standard error if standard output may contain the ink.
  func say(_ text: String) {
    if writesFile { print(text) } else { Outcome.writeToStandardError(text + "\n") }
  }
}

extension ToolError {
  /// The error if no data is left to write. Probably the name or the selection of the data is
  /// wrong, so an existing file is not replaced.
  ///
  /// - Parameters:
  ///   - data: The names of the data.
  ///   - unit: The unit of output: records, characters.
  ///   - leftOut: The number of records that were left out.
  static func nothingToWrite(
    _ output: String, data: [String], unit: String, leftOut: Int
  ) -> ToolError {
    .badInput(
      "\(data.joined(separator: ", ")): expected \(unit) to write, found none"
        + (leftOut > 0 ? ", \(TerminalText.count(leftOut, "record")) left out" : "")
        + "; \(output) was not written")
  }

  /// The error if the user stops the command before it writes its output.
  static func interrupted(_ output: String) -> ToolError {
    .failed("interrupted; \(output) was not written")
  }
}
