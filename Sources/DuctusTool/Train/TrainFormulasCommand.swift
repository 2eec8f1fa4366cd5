import ArgumentParser
import Files
import FormulaTraining
import Formulas
import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Recognition
import RunLog
import Training

/// `ductus train formulas`.
package struct TrainFormulas: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "formulas",
    abstract: "Train a model of mathematical formulas.",
    discussion: """
      The data are InkML files with one formula each: its LaTeX, a group of traces for each \
      symbol, and MathML that refers to the groups. Glyph models are trained on folds of the \
      writers and on all of them; what they read in ink that they have not seen trains the \
      networks for groups, relations and context. One of twelve writers is held out for tuning.

      M.ductus appears when training has finished. Until then, the finished parts and a checkpoint \
      are in M.ductus.training, and --resume continues from there. Ctrl-C stops; a small network that is \
      being trained then begins again.

      --from goes on from a model: its symbols stay known, and those of the data are added. With few \
      formulas the result is better than from nothing.

      Example:
        ductus train formulas --data 'inkml:crohme/train?unit=formula' --output formulas.ductus
        ductus train formulas --from formulas --data 'inkml:mine?unit=formula' \
          --epochs 4 --output mine.ductus
      """)

  @Option(
    help: ArgumentHelp(
      "Training data, inkml:PATH?unit=formula; repeatable.", valueName: "data"))
  var data: [String]

  @Option(name: .shortAndLong, help: "The model to write: NAME.ductus.")
  var output: String

  @Option(
    help: ArgumentHelp(
      "Start from a model of formulas: NAME.ductus, or the name of an installed or shipped one.",
      valueName: "model"))
  var from: String?

  @Option(help: "Passes over the symbols for the glyph model.")
  var epochs = FormulaModelTrainer.Configuration().epochs

  @Option(help: "Passes over the symbols for the glyph models of the folds.")
  var foldEpochs = FormulaModelTrainer.Configuration().foldEpochs

  @Option(
    help: ArgumentHelp(
      "Factor on the temperature of the candidates' probabilities; above 1 for composed data, which is "
        + "easier to read than what people write.", valueName: "number"))
  var temperatureFactor: Float = 1

  @Option(help: "Random seed.")
  var seed: UInt64 = 1

  @Option(help: "Threads. The result does not depend on it.")
  var workers = RankedRun.processors

  @Flag(help: "Continue from the last checkpoint.")
  var resume = false

  @Flag(help: "Discard an unfinished run of the same name and start again.")
  var restart = false

  @Flag(
    name: .customLong("no-log"),
    help: "Leave this training out of the log that 'ductus runs' shows.")
  var isUnlogged = false

  package func validate() throws {
    guard (1...1000).contains(epochs), (1...1000).contains(foldEpochs) else {
      throw ValidationError("--epochs, --fold-epochs: expected 1 to 1000")
    }
    guard (0.1...10).contains(temperatureFactor) else {
      throw ValidationError("--temperature-factor: expected 0.1 to 10")
    }
    try TrainingOptions.check(workers: workers)
    guard !resume || !restart else {
      throw ValidationError("--resume and --restart: leave one of them out")
    }
  }

  package func run() throws {
    let start = ContinuousClock.now
    let names = try data.map { try FormulaData(parsing: $0) }
    let bundle = URL(fileURLWithPath: output)
    try TrainingOutput.check(bundle, named: output)
    let lock = try OutputLock(of: output)
    defer { withExtendedLifetime(lock) {} }
    let folder = URL(fileURLWithPath: output + ".training")
    let exists = FileManager.default.fileExists(atPath: folder.path)
    guard !exists || resume || restart else {
      throw ToolError.unfinishedRun(output + ".training")
    }
    if exists && restart { try FileManager.default.removeItem(at: folder) }
    // Read before the long work, because it can fail.
    let origins = try names.flatMap { try $0.origins() }
    let opened = try from.map { try startModel($0) }
    let console = TrainingConsole(flag: Interruption.listen(), kind: .formulas)
    console.say("reading data")
    let records = try read(names, console)
    var configuration = FormulaModelTrainer.Configuration()
    configuration.seed = seed
    configuration.epochs = epochs
    configuration.foldEpochs = foldEpochs
    configuration.temperatureFactor = temperatureFactor
    let stages = try TrainingStages(
      folder, key: TrainingStages.key(records, configuration, start: opened?.model))
    let session = FormulaTrainingSession(console, stages, start: start)
    let trainer = FormulaModelTrainer(
      configuration, start: opened?.model, workers: workers, stages: stages, observer: session)
    if !isUnlogged {
      session.record(
        try RunRecord(
          .formulas, output: bundle, command: TrainingSession.command, settings: configuration,
          epochs: trainer.epochs, data: (data, []),
          hashes: (TrainingStages.dataHash(records), ""), workers: workers,
          blas: BLASLibrary.current.description, version: Ductus.configuration.version),
        isResumed: exists && resume)
    }
    do {
      let result = try trainer.train(on: records)
      console.clear()
      let manifest = manifest(
        of: bundle, result, records, origins, opened?.manifest, seconds: session.seconds)
      let written = try result.model.bundle(manifest).write(to: bundle)
      try stages.remove()
      session.finish(
        bytes: written.byteCount,
        figures: Dictionary(manifest.metrics.map { ($0.name, $0.value) }) { first, _ in first })
      print(
        "\(output): \(written.byteCount / 1000) kB, trained in "
          + "\(ProgressLine.clock(session.seconds)), held-out writers: "
          + "\(RateText.percent(result.figures.expressionRate)) of formulas, "
          + "\(RateText.percent(result.figures.symbolsRead)) of symbols")
    } catch {
      console.clear()
      session.end(with: error)
      guard case TrainingError.interrupted = error else { throw error }
      console.say(
        "ductus: stopped; saved in \(output).training; go on with:\n  " + Self.resumingCommand())
      throw ExitCode(Outcome.Code.failed)
    }
  }

  /// The command that continues this run.
  private static func resumingCommand() -> String {
    let given = Array(CommandLine.arguments.dropFirst()).filter {
      !["--restart", "--resume"].contains($0)
    }
    return ShellQuoting.command(given + ["--resume"])
  }

  /// Opens the model of `--from`.
  private func startModel(_ name: String) throws -> (model: FormulaModel, manifest: ModelManifest) {
    let opened = try ModelLibrary.local.open(name)
    guard case .formula(let model) = opened.content else { throw ToolError.notOfFormulas(name) }
    return (model, opened.bundle.manifest)
  }

  private func read(
    _ names: [FormulaData], _ console: TrainingConsole
  ) throws -> [LabeledFormula] {
    var records: [LabeledFormula] = []
    for name in names {
      let (found, errors) = try name.records()
      for error in errors { console.say("left out: \(error)") }
      records += found
    }
    let unusable = records.count { $0.layout == nil }
    let contradictory = records.count { $0.isContradictory }
    console.say(
      "\(records.count) formulas; left out: \(unusable) without groups or MathML, \(contradictory) "
        + "whose MathML contradicts their LaTeX")
    return records
  }

  private func manifest(
    of bundle: URL, _ result: FormulaModelTrainer.Result, _ records: [LabeledFormula],
    _ origins: [DataOrigin], _ start: ModelManifest?, seconds: Double
  ) -> ModelManifest {
    let command = TrainingSession.command
    let own = origins.map {
      ModelManifest.DataSource(name: $0.name, licence: $0.licence, attribution: $0.attribution)
    }
    let sources = own + (start?.data.filter { !own.contains($0) } ?? [])
    let metrics = [
      ("expressions", result.figures.expressionRate), ("symbols", result.figures.symbolsRead),
      ("relations", result.figures.relationsRight),
    ].map { name, value in
      ModelManifest.Metric(
        name: name, value: value, data: "held-out writers", command: command, seed: seed)
    }
    let record = TrainingRecord(
      command: command, seed: seed, epochs: epochs, samples: result.formulas,
      writers: result.writers, dataHash: TrainingStages.dataHash(records),
      blas: BLASLibrary.current.description, threads: workers, durationSeconds: seconds,
      date: ISO8601DateFormatter().string(from: Date()))
    return ModelManifest(
      kind: .formula, identifier: bundle.modelIdentifier, name: bundle.modelName, labels: [],
      data: sources, metrics: metrics, training: record, architecture: .null, features: .null)
  }
}
