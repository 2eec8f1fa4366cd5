import ArgumentParser
import Foundation
import LinearAlgebra
import Logging

/// The root command: finds the subcommand, runs it, and turns what went wrong into an exit code.
@main
struct Ductus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ductus",
    abstract: "Turn labelled pen strokes into recognition models.",
    version: "0.1.0 (\(SourceRevision.current))",
    subcommands: [
      Quickstart.self, Train.self, Tune.self, Evaluate.self, Compare.self, Recognize.self,
      DataCommand.self, LanguageCommand.self, ModelsCommand.self, RunsCommand.self,
      BenchCommand.self, Doctor.self, Serve.self,
    ])

  /// Runs the command named by the arguments and ends the process with its exit code.
  static func main() async {
    CoreTypeRestart.restartOnceIfNeeded()
    BLASLibrary.setThreadCount(1)
    Log.start()
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      let outcome = Outcome(of: error)
      outcome.print()
      Foundation.exit(outcome.exitCode)
    }
  }
}

/// Logging of the tool: to standard error, so that standard output holds only results.
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
