import ArgumentParser
import Evaluation
import Foundation
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

      What 'ductus data doctor' found is left out with --without; take out of its suspectLabels \
      those whose labels are right:
        ductus data doctor --data unipen:unipen --json odd.json --report odd
        ductus data convert --data unipen:unipen --without odd.json --output clean.jsonl
      """)

  @Option(help: ArgumentHelp("Data to convert; may be repeated.", valueName: "data"))
  var data: [String]

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Leave out suspect labels and inks that are there twice, by the JSON of 'data doctor' on the "
        + "same data.", valueName: "file"))
  var without: String?

  @Flag(help: "Stop at the first bad record and write nothing.")
  var strict = false

  func validate() throws {
    if data.isEmpty { throw ValidationError("Missing expected argument '--data <data>'") }
  }

  func run() async throws {
    let findings = try without.map { try FindingsFile(path: $0) }
    let specifications = try data.map { try DataSpecification(parsing: $0) }
    let origins = try specifications.origins()
    let sources = try specifications.map { try $0.records() }
    do {
      try write(sources, without: findings)
      try DataOrigin.write(origins, besideInk: output)
    } catch let error as InkFormatError where error.code == .unwritableFile {
      throw OutputError(description: String(describing: error))
    }
  }

  private func write(_ sources: [DataRecords], without findings: FindingsFile?) throws {
    let writer = try InkJSONLinesWriter(path: output)
    var failures = FailurePrinter()
    var hasher = DataHasher()
    var (index, count) = (0, 0)
    for source in sources {
      for element in source {
        defer { index += 1 }
        do throws(InkFormatError) {
          let labeled = try element.get().labeled
          if let findings {
            hasher.update(with: labeled)
            if findings.leftOut.contains(index) { continue }
          }
          try writer.write(labeled)
          count += 1
        } catch {
          if error.code == .unwritableFile { throw error }
          failures.add(error)
          if strict { throw ExitCode(Outcome.Code.failed) }
        }
      }
    }
    try findings?.check(dataHash: hasher.finalize())
    try writer.finish()
    failures.finish()
    let odd = findings.map { ", \($0.leftOut.count) odd ones left out" } ?? ""
    print("\(output): \(count) records written, \(failures.count) bad records left out\(odd)")
  }
}

/// What `ductus data doctor --json` found in data.
private struct FindingsFile {
  let path: String
  let findings: DataFindings
  /// The records that are not to be learned from.
  let leftOut: Set<Int>

  /// - Throws: ``UnusableFindings``.
  init(path: String) throws(UnusableFindings) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UnusableFindings(path: path, found: "no file that can be read")
    }
    guard let findings = try? JSONDecoder().decode(DataFindings.self, from: data) else {
      throw UnusableFindings(path: path, found: "\(data.count) bytes of something else")
    }
    self.findings = findings
    leftOut = Set(findings.suspectLabels.map(\.index) + findings.duplicates.map(\.index))
  }

  /// Refuses data that is not what was examined: its records have other indices.
  func check(dataHash: String) throws(UnusableFindings) {
    guard dataHash == findings.dataHash else {
      throw UnusableFindings(
        path: path, found: "those of other data, \(findings.data.joined(separator: ", "))")
    }
  }
}

/// `--without` names no findings, or those of other data.
struct UnusableFindings: BadInputError, CustomStringConvertible {
  let path: String
  let found: String

  var description: String {
    "\(path): expected what 'ductus data doctor --json' found in the same data, found \(found)"
  }
}
