import InkDatasets
import InkFormats

extension InkJSONLinesWriter {
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
