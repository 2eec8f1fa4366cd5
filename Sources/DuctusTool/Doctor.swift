import ArgumentParser
import Foundation

/// `ductus doctor`: what machine this is, which BLAS computes, how fast, and what to fix.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the machine, the BLAS in use and its speed, and what to fix.",
    discussion: "Takes a few seconds. Exits with 0 also when there is something to fix.")

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the report as JSON to a file, or to standard output with '-'.", valueName: "file|-"))
  var json: String?

  func run() async throws {
    let report = DoctorReport.measured()
    guard let json else { return print(report.text()) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(report)
    if json == "-" {
      print(String(decoding: data, as: UTF8.self))
    } else {
      try data.write(to: URL(fileURLWithPath: json), options: .atomic)
      print(report.text())
    }
  }
}
