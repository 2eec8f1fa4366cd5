import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import InkFormats

/// `ductus data convert`: writes data as ink JSON Lines or in another format.
package struct DataConvertCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert ink to JSON Lines, InkML, UNIPEN or SVG.",
    discussion: """
      The suffix of FILE selects the format: .inkml for InkML, .dat or .unp for UNIPEN, .svg for \
      SVG, any other for JSON Lines, which 'ink:FILE' reads. The command says what UNIPEN and SVG \
      cannot hold. Ink without a label is written, too.

      Bad records are skipped and counted, and the first 20 are printed to standard error; with \
      --strict the first one ends the command with exit code 1. If no record is left, the command \
      exits with 2 and writes nothing. The file appears when it is complete. A device or a pipe \
      gets the records as they are read.

      Licence and attribution of the data go to FILE.sources.json, and from there into the card \
      of a model that is trained on the file.

      Examples:
        ductus data convert --data unipen:unipen --output unipen.jsonl
        ductus data doctor --data unipen:unipen --json odd.json --report odd
        ductus data convert --data unipen:unipen --without odd.json \\
          --output clean.jsonl
      """)

  @OptionGroup var labeled: LabeledDataOptions

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Leave out the suspect labels and duplicates that 'data doctor --json' found in the same data. "
        + "First remove the right labels from its suspectLabels.", valueName: "file"))
  var without: String?

  @Flag(help: "Stop at the first bad record and write nothing.")
  var strict = false

  package func validate() throws { try InkJSONLinesWriter.check(output: output) }

  package func run() async throws {
    let findings = try without.map { try FindingsFile(path: $0) }
    let specifications = try labeled.specifications()
    let origins = try specifications.origins()
    let sources = try specifications.map { try $0.records(unlabelled: true) }
    do {
      try write(sources, from: origins, without: findings)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw ToolError.failed(String(describing: error))
    }
  }

  private func write(
    _ sources: [DataRecords], from origins: [DataOrigin], without findings: FindingsFile?
  ) throws {
    let writer = try InkFileWriter(path: output)
    let interruption = writer.listenForInterruption()
    var failures = FailurePrinter()
    var hasher = DataHasher()
    var (index, count, odd) = (0, 0, 0)
    for source in sources {
      for element in source {
        defer { index += 1 }
        if interruption?.isRaised == true {
          throw ToolError.interrupted(output)
        }
        do throws(InkFormatError) {
          let record = try element.get()
          failures.warn(of: record)
          let labeled = record.labeled
          if let findings {
            hasher.update(with: labeled)
            if findings.leftOut.contains(index) {
              odd += 1
              continue
            }
          }
          try writer.write(labeled, penWidth: record.penWidth)
          count += 1
        } catch {
          if error.code == .unwritableFile { throw error }
          failures.add(error)
          if strict { throw ExitCode(Outcome.Code.failed) }
        }
      }
    }
    try findings?.check(dataHash: hasher.finalize())
    failures.finish()
    sources.forEach { $0.tellMismatches() }
    guard count > 0 else {
      throw ToolError.nothingToWrite(
        output, data: labeled.data, unit: "records", leftOut: failures.count + odd)
    }
    try writer.finish(output, from: origins)
    let oddOnes = findings == nil ? "" : ", \(odd) odd ones left out"
    writer.say(
      "\(output): \(count) records written, \(failures.count) bad records left out\(oddOnes)")
    let losses = InkLoss.allCases.compactMap { loss in
      writer.losses[loss].map { "\(loss.rawValue) (\(TerminalText.count($0, "record")))" }
    }
    guard !losses.isEmpty else { return }
    Outcome.writeToStandardError(
      "\(output): not held by \(writer.format.name): \(losses.joined(separator: ", "))\n")
  }
}

extension InkOutputFormat {
  /// The name for people.
  fileprivate var name: String {
    switch self {
    case .jsonLines: "JSON Lines"
    case .inkML: "InkML"
    case .unipen: "UNIPEN"
    case .svg: "SVG"
    }
  }
}
