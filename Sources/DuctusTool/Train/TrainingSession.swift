import ArgumentParser
import Files
import Foundation
import LinearAlgebra
import RunLog
import Training

/// Training with checkpoints next to the output, progress on the terminal, an entry in the log of
/// runs, and saving on Ctrl-C.
struct TrainingSession {
  /// The result of writing a model.
  struct Written {
    var bytes: Int
    /// The figures on the validation data, by their names in the manifest.
    var figures: [String: Double]
  }

  let console: TrainingConsole
  private let kind: RunKind
  private let options: TrainingOptions
  private let output: URL
  private let checkpoint: TrainingCheckpoint
  /// Nil in a rank that writes nothing.
  private let lock: OutputLock?
  private let ranks: RankedRun

  /// Begins or continues a session.
  ///
  /// - Parameters:
  ///   - watch: The file for the progress; nil for none.
  ///   - ranks: The processes that train together. Only rank 0 reads and writes files.
  /// - Throws: ``ToolError`` if there is an unfinished run and no option decides about it, or if
  ///   another process is training it.
  init(
    _ options: TrainingOptions, _ kind: RunKind, watch: String? = nil, ranks: RankedRun = .alone
  ) throws {
    self.ranks = ranks
    self.options = options
    self.kind = kind
    output = URL(fileURLWithPath: options.output)
    checkpoint = TrainingCheckpoint(
      folder: output.deletingLastPathComponent().appendingPathComponent(
        output.lastPathComponent + ".training"))
    console = TrainingConsole(
      flag: Interruption.listen(), kind: kind, isSilent: !ranks.isLeader)
    guard ranks.isLeader else {
      lock = nil
      return
    }
    lock = try OutputLock(of: options.output)
    if options.restart { try checkpoint.remove() }
    guard options.resume || !checkpoint.exists else {
      throw ToolError.unfinishedRun(options.output + ".training")
    }
    try console.watch(watch, isResumed: options.resume)
  }

  /// Trains, from the last checkpoint if requested, completes the model, and removes the
  /// checkpoint. If the user stops it, prints how to continue and ends with exit code 1.
  ///
  /// - Parameters:
  ///   - names: The training data and the validation data, as named on the command line.
  ///   - complete: Scores the model and writes it.
  func train<Task>(
    _ trainer: Trainer<Task>, data: DataIdentity,
    named names: (training: [String], validation: [String]),
    complete: (Task.Model) throws -> Written
  ) throws {
    guard ranks.isLeader else { return try follow(trainer) }
    let isResumed = try options.resume && restore(trainer, data)
    let recorder = try recorder(of: trainer, data, names, isResumed: isResumed)
    let events = try events(of: trainer)
    let shown: any TrainingObserver = events ?? console
    do {
      let observer: any TrainingObserver =
        recorder.map { RecordingObserver(shown, recording: $0) } ?? shown
      let model = try run(trainer, data, observer: observer)
      console.beginFinishing()
      let written = try complete(model)
      try checkpoint.remove()
      console.end(.finished)
      events?.finish(figures: written.figures)
      recorder?.finish(modelBytes: written.bytes, figures: written.figures)
    } catch {
      recorder?.end(with: error)
      console.end(with: error)
      guard case TrainingError.interrupted(let epoch, let step) = error else { throw error }
      explainResuming(epoch: epoch, step: step)
      throw ExitCode(Outcome.Code.failed)
    }
  }

  /// Trains in a rank that writes nothing.
  private func follow<Task>(_ trainer: Trainer<Task>) throws {
    do {
      try trainer.trainWeights(observer: console, save: nil)
    } catch TrainingError.interrupted {
      throw ExitCode(Outcome.Code.failed)
    }
  }

  private func run<Task>(
    _ trainer: Trainer<Task>, _ data: DataIdentity, observer: any TrainingObserver
  ) throws -> Task.Model {
    console.begin()
    defer { console.clear() }
    return try trainer.train(observer: observer) { try checkpoint.save($0, data: data) }
  }

  /// Makes a recorder for the log; nil if the run is not to be logged.
  private func recorder<Task>(
    of trainer: Trainer<Task>, _ data: DataIdentity,
    _ names: (training: [String], validation: [String]), isResumed: Bool
  ) throws -> RunRecorder? {
    guard !options.isUnlogged else { return nil }
    let run = try RunRecord(
      kind, output: output, command: Self.command, settings: trainer.configuration,
      epochs: trainer.configuration.epochs, data: names,
      hashes: (data.training, data.validation), workers: options.workers,
      blas: BLASLibrary.current.description, version: Ductus.configuration.version)
    return RunRecorder(
      run, isResumed: isResumed,
      progress: {
        RunRecorder.Progress(
          history: trainer.state.history.map(RunEpoch.Figures.init),
          keptEpoch: trainer.keptRecord?.epoch,
          seconds: trainer.seconds)
      }, in: { () throws(RunLogError) in try RunDatabase(at: RunDatabase.defaultFile) }
    ) { [console] error in
      console.say("warning: \(error), or train with --no-log; training continues")
    }
  }

  /// Makes the observer that writes files for TensorBoard; nil if none are asked for.
  private func events<Task>(of trainer: Trainer<Task>) throws -> EventObserver? {
    guard let folder = options.tensorboard else { return nil }
    let observer = try EventObserver(
      console, kind: kind, folder: folder, step: trainer.state.step,
      warn: { [console] in console.say($0) })
    if options.tensorboardHistograms {
      let (tensors, parameters) = (trainer.task.tensors, trainer.optimizer.parameters)
      observer.weights = {
        tensors.map { tensor in
          (
            tensor.name,
            Array(
              UnsafeBufferPointer(
                start: parameters.pointer + tensor.offset, count: tensor.count))
          )
        }
      }
    }
    observer.describe(
      command: Self.command, settings: try RunSettings.flattened(trainer.configuration))
    return observer
  }

  /// The command line, quoted for a shell.
  static var command: String { ShellQuoting.command(Array(CommandLine.arguments.dropFirst())) }

  private func explainResuming(epoch: Int, step: Int) {
    var arguments = CommandLine.arguments.dropFirst().filter { $0 != "--restart" }
    if !options.resume { arguments.append("--resume") }
    console.say(
      "ductus: stopped in epoch \(epoch + 1), step \(step); saved in \(options.output).training; "
        + "go on with:\n  \(ranks.launcher)\(ShellQuoting.command(Array(arguments)))")
  }

  /// Restores the trainer from the checkpoint; false if there is none.
  private func restore<Task>(_ trainer: Trainer<Task>, _ data: DataIdentity) throws -> Bool {
    guard checkpoint.exists else {
      console.say("no unfinished run: starting from the beginning")
      return false
    }
    try checkpoint.restore(trainer, data: data)
    console.say("continuing; finished epochs: \(trainer.state.epochs)")
    return true
  }
}

extension ToolError {
  /// The error if a new run would overwrite a training folder.
  static func unfinishedRun(_ path: String) -> ToolError {
    .badInput(
      "\(path): there is an unfinished run; continue with --resume or start again with --restart")
  }
}
