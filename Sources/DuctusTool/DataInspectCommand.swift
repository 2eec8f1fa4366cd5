import ArgumentParser
import Foundation
import InkDatasets
import InkFormats

/// `ductus data inspect`: counts good and bad records and says what the data holds.
struct DataInspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Count good and bad records, and summarise classes, writers, points and rates.",
    discussion: """
      Goes on after a bad record, and prints the first 20 to standard error. Exits with 0 \
      whatever their number; with --strict it stops at the first and exits with 1.
      """)

  @Argument(help: ArgumentHelp("Data to inspect.", valueName: "data"))
  var data: [String]

  @Flag(help: "Stop at the first bad record.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Write the summary as JSON to a file, or to standard output with '-'.", valueName: "file|-"))
  var json: String?

  /// What is reported of one argument.
  private struct Report: Encodable {
    var data: String
    var hash: String
    var summary: DatasetSummary
  }

  func run() async throws {
    let specifications = try data.map { try DataSpecification(parsing: $0) }
    var reports: [Report] = []
    for specification in specifications {
      let report = try inspect(specification)
      reports.append(report)
      guard json != "-" else { continue }
      print("\(report.data)\n\(report.summary)\nsha256    \(report.hash)")
    }
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let encoded = try encoder.encode(["data": reports])
    if json == "-" {
      print(String(decoding: encoded, as: UTF8.self))
    } else {
      try encoded.write(to: URL(fileURLWithPath: json), options: .atomic)
    }
  }

  private func inspect(_ specification: DataSpecification) throws -> Report {
    var summary = DatasetSummary()
    var hasher = DataHasher()
    var failures = FailurePrinter()
    for element in try specification.withDefaultSplit(.all).records() {
      summary.add(element)
      switch element {
      case .success(let record): hasher.update(with: record.labeled)
      case .failure(let error):
        failures.add(error)
        if strict { throw ExitCode(Outcome.Code.failed) }
      }
    }
    failures.finish()
    return Report(data: specification.text, hash: hasher.finalize(), summary: summary)
  }
}
