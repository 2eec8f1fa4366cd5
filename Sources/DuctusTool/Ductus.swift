import ArgumentParser
import Foundation
import LinearAlgebra

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
      BenchCommand.self, Doctor.self,
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
