import ArgumentParser
import Foundation
import InstalledModels
import LinearAlgebra
import Logging

/// The root command: finds and runs the subcommand, and converts errors to exit codes.
@main
package struct Ductus: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "ductus",
    abstract: "Read handwriting, and train, measure and ship models that read it.",
    discussion: """
      Data is named FORMAT:PATH[?key=value&...], for example 'ink:mine.jsonl?split=test'; \
      'ductus data --help' explains it. A model is a folder NAME.ductus, or the name of one that \
      is installed or ships: latin-lines, latin-characters, japanese-characters, formulas, \
      shapes, gestures, sketches, emoji.

      Examples:
        ductus quickstart
        ductus recognize ink.jsonl
        ductus train glyphs --data ink:mine.jsonl --output mine.ductus
        ductus evaluate --model mine.ductus --data 'ink:mine.jsonl?split=test' \\
          --report report

      Exit codes: 0 done, 1 failed, 2 wrong arguments or bad input.
      """,
    version: "0.1.0 (\(SourceRevision.current))",
    groupedSubcommands: [
      CommandGroup(
        name: "Reading",
        subcommands: [
          Recognize.self, ConvertCommand.self, NotesCommand.self, DocCommand.self, Serve.self,
          StudioCommand.self,
        ]),
      CommandGroup(
        name: "Training",
        subcommands: [
          Quickstart.self, Train.self, Tune.self, LanguageCommand.self, RunsCommand.self,
        ]),
      CommandGroup(name: "Measuring", subcommands: [Evaluate.self, Compare.self]),
      CommandGroup(name: "Data", subcommands: [DataCommand.self]),
      CommandGroup(name: "Shipping", subcommands: [ModelsCommand.self]),
      CommandGroup(name: "Machine", subcommands: [Doctor.self, BenchCommand.self]),
    ])

  /// Returns the command in the arguments.
  ///
  /// - Throws: ``UnknownWord`` if a command or an option is misspelt, else the parser's error.
  package static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let unknown = UnknownWord.command(in: arguments) { throw unknown }
    do {
      return try parseAsRoot(arguments)
    } catch  where exitCode(for: error) == .validationFailure {
      throw UnknownWord.option(in: arguments) ?? error
    }
  }

  /// Runs the command in the arguments and ends the process with its exit code.
  static func main() async {
    CoreTypeRestart.restartOnceIfNeeded()
    BLASLibrary.setThreadCount(1)
    Log.start()
    InstalledModels.findSharedParts()
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      ExitNote.write(Outcome.Code.done)
    } catch {
      let outcome = Outcome(of: error)
      outcome.print()
      ExitNote.write(outcome.exitCode)
      Foundation.exit(outcome.exitCode)
    }
  }
}

/// Logging of the tool, to standard error, so that standard output contains only results.
enum Log {
  /// The environment variable that names the lowest level written: `debug`, `info`, ...
  static let levelVariable = "DUCTUS_LOG"

  /// Sends all log messages to standard error. Call once, before any logger is made.
  static func start() {
    let named = ProcessInfo.processInfo.environment[levelVariable]?.lowercased()
    let level = named.flatMap { Logger.Level(rawValue: $0) } ?? .notice
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
  }
}
