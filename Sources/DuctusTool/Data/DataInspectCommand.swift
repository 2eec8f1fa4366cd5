import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import InkFormats
import Reports

/// `ductus data inspect`: counts good and bad records and summarises the content.
package struct DataInspectCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Count records, classes, writers, points and sampling rates.",
    discussion: """
      Continues after a bad record, and prints the first 20 to standard error. Exits with 0 \
      whatever their number; with --strict it stops at the first one and exits with 1.

      Example:
        ductus data inspect 'unipen:unipen?category=1a' --report check
      """)

  @Argument(help: ArgumentHelp("Data to inspect.", valueName: "data"))
  var data: [String] = []

  @Option(
    name: .customLong("data"),
    help: ArgumentHelp("Data to inspect, as other commands take it; repeatable.", valueName: "data")
  )
  var named: [String] = []

  @Flag(help: "Stop at the first bad record.")
  var strict = false

  @OptionGroup var output: JSONOutput

  @Option(
    help: ArgumentHelp(
      "Write the summary with inks of each class to an HTML page, DIR/index.html.",
      valueName: "dir"))
  var report: String?

  package func validate() throws {
    guard !(data + named).isEmpty else { throw ValidationError("expected data to inspect") }
  }

  /// The report on one argument.
  private struct Figures: Encodable {
    var data: String
    var hash: String
    var summary: DatasetSummary

    init(_ part: DatasetReport.Part) {
      data = part.inspection.specification.text
      hash = part.hash
      summary = part.inspection.summary
    }
  }

  package func run() async throws {
    let specifications = try (data + named).map { try DataSpecification(parsing: $0) }
    let folder = try report.map { try ReportFolder(preparing: $0) }
    var parts: [DatasetReport.Part] = []
    for specification in specifications {
      let part = try inspect(specification)
      parts.append(part)
      guard output.leavesStandardOutput else { continue }
      let summary = part.inspection.summary.text { TerminalText.label($0) }
      print("\(specification.text)\n\(summary)\nsha256    \(part.hash)")
    }
    try output.write(["data": parts.map(Figures.init)])
    guard let folder else { return }
    try folder.write(DatasetReport(parts).html())
    Outcome.writeToStandardError("report: \(folder.page)\n")
  }

  private func inspect(_ specification: DataSpecification) throws -> DatasetReport.Part {
    var inspection = DatasetInspection(specification)
    var hasher = DataHasher()
    var failures = FailurePrinter()
    let records = try specification.withDefaultSplit(.all).records(unlabelled: true)
    for element in records {
      inspection.add(element)
      switch element {
      case .success(let record):
        hasher.update(with: record.labeled)
        failures.warn(of: record)
      case .failure(let error):
        failures.add(error)
        if strict { throw ExitCode(Outcome.Code.failed) }
      }
    }
    failures.finish()
    records.tellMismatches()
    return DatasetReport.Part(inspection: inspection, hash: hasher.finalize())
  }
}
