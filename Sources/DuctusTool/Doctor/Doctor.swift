import ArgumentParser
import Foundation

/// `ductus doctor`: what machine this is, which BLAS computes, how fast, and what to fix.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the machine, the BLAS in use and its speed, and what to fix.",
    discussion: "Takes a few seconds. Exits with 0 also when there is something to fix.")

  @OptionGroup var output: JSONOutput

  func run() async throws {
    let report = DoctorReport.measured()
    try output.write(report, text: report.text())
  }
}
