import ArgumentParser
import Evaluation
import Foundation
import InkFormats

/// The file for the answers of an evaluation, if requested.
package struct PredictionOutput: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Write the answer to each ink as a line of JSON: its index, label, candidates and language.",
      valueName: "file"))
  var predictions: String?

  /// Checks, before any work, that the place can take a file.
  package func validate() throws {
    guard let predictions else { return }
    guard predictions != "-" else {
      throw ValidationError(
        "--predictions: expected a file, found -; to write to standard output, use /dev/stdout")
    }
    try OutputFile(path: predictions, option: "--predictions").check()
  }

  /// True if no file is named.
  var isEmpty: Bool { predictions == nil }

  /// Opens the file; nil if there is none to write.
  func open() throws -> PredictionFile? {
    try predictions.map { try PredictionFile(path: $0) }
  }
}

/// A file of predictions that appears when it is complete. Ctrl-C and SIGTERM leave nothing of it.
final class PredictionFile {
  private let file: InkOutputFile
  private let interruption: InterruptionFlag?

  /// Opens the file.
  ///
  /// - Throws: `InkFormatError` of code `unwritableFile`.
  init(path: String) throws {
    let file = try InkOutputFile(path: path)
    self.file = file
    interruption = file.temporaryPath.map { path in Interruption.listen { unlink(path) } }
  }

  /// The path, as given.
  var path: String { file.path }

  /// Appends a line.
  ///
  /// - Throws: `InkFormatError` of code `unwritableFile`, or ``ToolError`` if the user stops the
  ///   command.
  func write(_ prediction: Prediction) throws {
    if interruption?.isRaised == true { throw ToolError.interrupted(file.path) }
    file.buffer.append(contentsOf: try prediction.line())
    try file.flushIfFull()
  }

  /// Writes the remaining lines; the file appears at its path.
  func finish() throws { try file.finish() }
}
