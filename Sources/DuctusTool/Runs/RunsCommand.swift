import ArgumentParser
import Foundation
import RunLog

/// `ductus runs`.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Look at the trainings of this machine: settings, progress, figures.",
    discussion: """
      Every 'ductus train' is logged with its settings, the hash of its data and the figures of its \
      epochs; no ink and no text is. The log is a SQLite file, $DUCTUS_RUNS or runs.sqlite in the \
      user's folder for data. A run goes by its number, by the path of its model, or as 'last'.
      """,
    subcommands: [
      RunsListCommand.self, RunsShowCommand.self, RunsCompareCommand.self, RunsExportCommand.self,
    ])
}

/// Opens the log for reading, without creating or changing it.
enum LoggedRuns {
  /// Nil if there is no log.
  static func log() throws -> RunDatabase? {
    let file = RunDatabase.defaultFile
    let isThere = FileManager.default.fileExists(atPath: file.path)
    return isThere ? try RunDatabase(at: file, isReadOnly: true) : nil
  }

  /// The runs with these names.
  static func named(_ names: [String]) throws -> [LoggedRun] {
    guard let log = try log() else {
      throw RunLogError.noSuchRun(names.first ?? "last", path: RunDatabase.defaultFile.path)
    }
    return try names.map { try log.run($0) }
  }
}

/// `ductus runs list`.
struct RunsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the trainings, the last one at the end.")

  @Option(help: "How many of the last runs are listed.")
  var last = 20

  @OptionGroup var output: JSONOutput

  func validate() throws {
    guard last > 0 else { throw ValidationError("--last: expected 1 or more") }
  }

  func run() throws {
    let log = try LoggedRuns.log()
    let runs = try log?.runs(last: last) ?? []
    let count = try log?.count() ?? 0
    try output.write(runs, text: Self.text(runs, of: count))
  }

  private static func text(_ runs: [LoggedRun], of count: Int) -> String {
    guard !runs.isEmpty else {
      return "no run is logged in \(RunDatabase.defaultFile.path): 'ductus train' writes them there"
    }
    let older = count - runs.count
    return
      (RunText.list(runs)
      + (older > 0 ? ["\(TerminalText.count(older, "older run")): --last \(count)"] : []))
      .joined(separator: "\n")
  }
}

/// `ductus runs show`.
struct RunsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one training: its command, settings and epochs.",
    discussion: """
      Example:
        ductus runs show last
      """)

  @Argument(help: ArgumentHelp("A number, the path of a model, or 'last'.", valueName: "run"))
  var name = "last"

  @OptionGroup var output: JSONOutput

  func run() throws {
    let runs = try LoggedRuns.named([name])
    for run in runs { try output.write(run, text: RunText(run).page) }
  }
}

/// `ductus runs compare`.
struct RunsCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare trainings: the settings that differ, and the figures epoch by epoch.",
    discussion: """
      Figures are of validation data while training; 'ductus compare' reads ink with both models.

      Example:
        ductus runs compare 3 last
      """)

  @Argument(help: ArgumentHelp("Two or more runs.", valueName: "run"))
  var names: [String]

  @OptionGroup var output: JSONOutput

  func validate() throws {
    guard names.count > 1 else { throw ValidationError("expected two or more runs") }
  }

  func run() throws {
    let comparison = RunComparison(try LoggedRuns.named(names))
    try output.write(comparison, text: RunComparisonText(comparison).text)
  }
}

/// `ductus runs export`.
struct RunsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write trainings for other programs: all there is as JSON, or epochs as CSV.",
    discussion: """
      Epochs count from 0, and rates are 0 to 1. The figure of an epoch of the CSV is its top-1 accuracy
      of glyphs, its character error rate of lines and its bits per character of language.

      Example:
        ductus runs export last --format csv --output epochs.csv
      """)

  /// The output format of runs.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json
    case csv
  }

  @Argument(help: ArgumentHelp("The runs; without any, all of them.", valueName: "run"))
  var names: [String] = []

  @Option(help: "json: runs with settings and epochs; csv: a line for each epoch.")
  var format = Format.json

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or '-' for standard output.", valueName: "file|-"))
  var output = "-"

  private var file: OutputFile { OutputFile(path: output, option: "--output") }

  func validate() throws { try file.check() }

  func run() throws {
    let runs = try names.isEmpty ? LoggedRuns.log()?.runs() ?? [] : LoggedRuns.named(names)
    switch format {
    case .json: try file.write(json: runs)
    case .csv: try file.write(RunText.csv(runs))
    }
  }
}
