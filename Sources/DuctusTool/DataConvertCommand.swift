import ArgumentParser
import InkDatasets
import InkFormats

/// `ductus data convert`: writes data as labelled-ink JSON Lines.
struct DataConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write data as labelled-ink JSON Lines, which 'ink:FILE' names.",
    discussion: """
      Bad records are left out, counted, and the first 20 printed to standard error; with \
      --strict the first ends the command with exit code 1. The file appears when it is complete, and \
      beside it FILE.sources.json with licence and attribution where they are known: cards of models \
      that are trained on the file name them.
      """)

  @Option(help: ArgumentHelp("Data to convert; may be repeated.", valueName: "data"))
  var data: [String]

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Flag(help: "Stop at the first bad record and write nothing.")
  var strict = false

  func validate() throws {
    if data.isEmpty { throw ValidationError("Missing expected argument '--data <data>'") }
  }

  func run() async throws {
    let specifications = try data.map { try DataSpecification(parsing: $0) }
    let origins = try specifications.origins()
    let sources = try specifications.map { try $0.records() }
    do {
      try write(sources)
      try DataOrigin.write(origins, besideInk: output)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw OutputError(description: String(describing: error))
    }
  }

  private func write(_ sources: [DataRecords]) throws {
    let writer = try InkJSONLinesWriter(path: output)
    var failures = FailurePrinter()
    var count = 0
    for source in sources {
      for element in source {
        do throws(InkFormatError) {
          try writer.write(element.get().labeled)
          count += 1
        } catch {
          if error.code == .unwritableFile { throw error }
          failures.add(error)
          if strict { throw ExitCode(Outcome.Code.failed) }
        }
      }
    }
    try writer.finish()
    failures.finish()
    print("\(output): \(count) records written, \(failures.count) bad records left out")
  }
}
