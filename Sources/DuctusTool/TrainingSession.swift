import ArgumentParser
import Foundation
import Training

/// Training with checkpoints beside the output, progress on the terminal, and Ctrl-C that saves first.
struct TrainingSession {
  let console: TrainingConsole
  private let options: TrainingOptions
  private let checkpoint: TrainingCheckpoint

  /// Begins a session, or goes on with one.
  ///
  /// - Throws: ``UnfinishedRun`` where one is there and nothing says what to do with it.
  init(_ options: TrainingOptions, measure: TrainingConsole.Measure) throws {
    self.options = options
    let output = URL(fileURLWithPath: options.output)
    checkpoint = TrainingCheckpoint(
      folder: output.deletingLastPathComponent().appendingPathComponent(
        output.lastPathComponent + ".training"))
    if options.restart { try checkpoint.remove() }
    guard options.resume || !checkpoint.exists else {
      throw UnfinishedRun(path: options.output + ".training")
    }
    console = TrainingConsole(flag: Interruption.listen(), measure: measure)
  }

  /// Trains, from the last checkpoint where that is asked for. Where the user stops it, says how to
  /// go on and ends with exit code 1.
  func train<Trainer: ResumableTrainer>(
    _ trainer: Trainer, data: DataIdentity
  ) throws -> Trainer.Model {
    if options.resume { try restore(trainer, data) }
    console.begin()
    defer { console.clear() }
    do {
      return try trainer.train(observer: console) { try checkpoint.save($0, data: data) }
    } catch TrainingError.interrupted(let epoch, let step) {
      var arguments = CommandLine.arguments.dropFirst().filter { $0 != "--restart" }
      if !options.resume { arguments.append("--resume") }
      console.say(
        "ductus: stopped in epoch \(epoch + 1), step \(step); saved in \(options.output).training; "
          + "go on with:\n  \(ShellQuoting.command(Array(arguments)))")
      throw ExitCode(Outcome.Code.failed)
    }
  }

  private func restore(_ trainer: some ResumableTrainer, _ data: DataIdentity) throws {
    guard checkpoint.exists else {
      console.say("no unfinished run: beginning anew")
      return
    }
    try checkpoint.restore(trainer, data: data)
    console.say("going on; epochs finished before: \(trainer.state.epochs)")
  }

  /// Forgets the checkpoint: what was trained is written.
  func end() throws { try checkpoint.remove() }
}

/// A training folder stands where a new run would write.
struct UnfinishedRun: BadInputError, CustomStringConvertible {
  let path: String

  var description: String {
    "\(path): an unfinished run is here; go on with --resume or begin anew with --restart"
  }
}
