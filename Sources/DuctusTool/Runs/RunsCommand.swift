import ArgumentParser
import Foundation
import RunLog

/// `ductus runs`.
package struct RunsCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List and compare the trainings of this machine.",
    discussion: """
      Every 'ductus train' logs its settings, the hash of its data and the figures of its \
      epochs; it logs no ink and no text. The log is a SQLite file, $DUCTUS_RUNS or runs.sqlite \
      in the user's data folder. A run is named by its number, the path of its model, or 'last'. \
      Without a command, the runs are listed.

      Example:
        ductus runs compare 3 last
      """,
    subcommands: [
      RunsListCommand.self, RunsShowCommand.self, RunsCompareCommand.self, RunsExportCommand.self,
    ],
    defaultSubcommand: RunsListCommand.self)
}

/// Opens the log for reading, without creating or changing it.
package enum LoggedRuns {
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
package struct RunsListCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List trainings, the latest at the end.",
    discussion: """
      Example:
        ductus runs list --last 10
      """)

  @Option(help: "The number of runs to list.")
  var last = 20

  @OptionGroup var output: JSONOutput

  package func validate() throws {
    guard last > 0 else { throw ValidationError("--last: expected 1 or more") }
  }

  package func run() throws {
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
package struct RunsShowCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the command, settings and epochs of a training.",
    discussion: """
      Example:
        ductus runs show last
      """)

  @Argument(help: ArgumentHelp("A number, the path of a model, or 'last'.", valueName: "run"))
  var name = "last"

  @OptionGroup var output: JSONOutput

  package func run() throws {
    let runs = try LoggedRuns.named([name])
    for run in runs { try output.write(run, text: RunText(run).page) }
  }
}

/// `ductus runs compare`.
package struct RunsCompareCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare settings and figures of trainings.",
    discussion: """
      Lists the settings that differ and the figures of each epoch. Figures are of the \
      validation data during training; 'ductus compare' scores both models on the same ink.

      Example:
        ductus runs compare 3 last
      """)

  @Argument(help: ArgumentHelp("Two or more runs.", valueName: "run"))
  var names: [String]

  @OptionGroup var output: JSONOutput

  package func validate() throws {
    guard names.count > 1 else { throw ValidationError("expected two or more runs") }
  }

  package func run() throws {
    let comparison = RunComparison(try LoggedRuns.named(names))
    try output.write(comparison, text: RunComparisonText(comparison).text)
  }
}

/// `ductus runs export`.
package struct RunsExportCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export trainings as JSON, or their epochs as CSV or for TensorBoard.",
    discussion: """
      Epochs count from 0, and rates are 0 to 1. The figure of an epoch is top-1 accuracy for \
      glyphs, character error rate for lines and bits per character for language models. For \
      TensorBoard, each run becomes a folder of its own within the one of --output.

      Example:
        ductus runs export last --format csv --output epochs.csv
        ductus runs export --format tensorboard --output board
      """)

  /// The output format of runs.
  package enum Format: String, ExpressibleByArgument, CaseIterable {
    case json
    case csv
    case tensorboard
  }

  @Argument(help: ArgumentHelp("The runs; default: all.", valueName: "run"))
  var names: [String] = []

  @Option(
    help: """
      json: runs with settings and epochs; csv: a line for each epoch; tensorboard: a folder of event \
      files.
      """)
  var format = Format.json

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or '-' for standard output; for tensorboard a folder.",
      valueName: "file|-"))
  var output = "-"

  private var file: OutputFile { OutputFile(path: output, option: "--output") }

  package func validate() throws {
    guard format == .tensorboard else { return try file.check() }
    guard !file.isStandardOutput else {
      throw ValidationError("--format tensorboard writes a folder: name it with --output")
    }
  }

  package func run() throws {
    let runs = try names.isEmpty ? LoggedRuns.log()?.runs() ?? [] : LoggedRuns.named(names)
    switch format {
    case .json: try file.write(json: runs)
    case .csv: try file.write(RunText.csv(runs))
    case .tensorboard:
      for run in runs { try RunEvents(run).write(inFolder: output) }
      Outcome.writeToStandardError(
        "\(TerminalText.count(runs.count, "run")) in \(output): 'tensorboard --logdir' shows them\n"
      )
    }
  }
}
