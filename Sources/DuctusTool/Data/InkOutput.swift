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
  /// Refuses `-`: who writes it means standard output, and would get a file of that name.
  ///
  /// - Throws: `ValidationError`.
  static func check(output: String) throws {
    guard output != "-" else {
      throw ValidationError(
        "--output: expected a file, found -; to pipe the ink on, name /dev/stdout")
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

  /// Finishes, and writes beside a file where its ink comes from.
  func finish(_ path: String, from origins: [DataOrigin]) throws(InkFormatError) {
    try finish()
    if writesFile { try DataOrigin.write(origins, besideInk: path) }
  }

  /// Says what came of it: on standard error where the ink itself may have gone to standard output.
  func say(_ text: String) {
    if writesFile { print(text) } else { Outcome.writeToStandardError(text + "\n") }
  }
}

extension ToolError {
  /// No data is left to write: more likely the name or the selection of the data is wrong, and this
  /// is no reason to replace a file that was there.
  ///
  /// - Parameters:
  ///   - data: The names of the data.
  ///   - unit: What was to be written: records, characters.
  ///   - leftOut: The number of records that were left out.
  static func nothingToWrite(
    _ output: String, data: [String], unit: String, leftOut: Int
  ) -> ToolError {
    .badInput(
      "\(data.joined(separator: ", ")): expected \(unit) to write, found none"
        + (leftOut > 0 ? ", \(TerminalText.count(leftOut, "record")) left out" : "")
        + "; \(output) was not written")
  }

  /// The user stopped the command before it wrote its output.
  static func interrupted(_ output: String) -> ToolError {
    .failed("interrupted; \(output) was not written")
  }
}
