import Foundation
import InkCore
import InkFormats
import PretrainedModels
import Recognition

/// Reads a format that Ductus does not know, recognises its ink, and writes it as JSON Lines, which
/// `ductus train` and `ductus evaluate` take as `ink:FILE.jsonl`.
///
///     swift run OwnFormat [INPUT.txt OUTPUT.jsonl]
@main
struct OwnFormat {
  static let sample = """
    = 7
    10 10
    60 10
    40 50
    25 90
    = broken
    10 ten
    = L
    10 10
    10 90
    60 90
    = T
    10 10
    70 10

    40 10
    40 90
    """

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let path = arguments.first ?? "sample"
    let text = try arguments.first.map { try String(contentsOfFile: $0, encoding: .utf8) } ?? sample
    let output =
      arguments.dropFirst().first
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("own-format.jsonl").path

    let models = try PretrainedModels()
    let recognizer = DigitalInkRecognizer(model: "latin-characters", provider: models)
    let writer = try InkJSONLinesWriter(path: output)
    for record in PlainStrokesReader(path: path, text: text) {
      switch record {
      case .success(let record):
        let result = try recognizer.recognize(record.labeled.ink)
        print("\(record.location): reads \(result.candidates.first?.text ?? "nothing")")
        try writer.write(record.labeled)
      case .failure(let error):
        print(error)
      }
    }
    try writer.finish()

    // The file that was written reads as any other data.
    let written = try Array(InkReader(.jsonLines, path: output)).count
    print("\(written) inks in JSON Lines")
  }
}
