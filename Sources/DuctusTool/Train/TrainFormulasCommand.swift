import ArgumentParser
import FormulaTraining
import Formulas
import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
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

      M.ductus appears when training has finished. Until then, the finished glyph models are in \
      M.ductus.training, and --resume continues after them.

      Example:
        ductus train formulas --data 'inkml:crohme/train?unit=formula' --output formulas.ductus
      """)

  @Option(
    help: ArgumentHelp(
      "Training data, inkml:PATH?unit=formula; repeatable.", valueName: "data"))
  var data: [String]

  @Option(name: .shortAndLong, help: "The model to write: NAME.ductus.")
  var output: String

  @Option(help: "Passes over the symbols for the glyph model.")
  var epochs = FormulaModelTrainer.Configuration().epochs

  @Option(help: "Passes over the symbols for the glyph models of the folds.")
  var foldEpochs = FormulaModelTrainer.Configuration().foldEpochs

  @Option(help: "Random seed.")
  var seed: UInt64 = 1

  @Option(help: "Threads. The result does not depend on it.")
  var workers = RankedRun.processors

  @Flag(help: "Continue after the last finished glyph model.")
  var resume = false

  @Flag(help: "Discard an unfinished run of the same name and start again.")
  var restart = false

  package func validate() throws {
    guard (1...1000).contains(epochs), (1...1000).contains(foldEpochs) else {
      throw ValidationError("--epochs, --fold-epochs: expected 1 to 1000")
    }
    guard workers >= 1 else { throw ValidationError("--workers: expected 1 or more") }
    guard !resume || !restart else {
      throw ValidationError("--resume and --restart: leave one of them out")
    }
  }

  package func run() throws {
    let start = ContinuousClock.now
    let names = try data.map { try FormulaData(parsing: $0) }
    let bundle = URL(fileURLWithPath: output)
    try TrainingOutput.check(bundle, named: output)
    let folder = URL(fileURLWithPath: output + ".training")
    let exists = FileManager.default.fileExists(atPath: folder.path)
    guard !exists || resume || restart else {
      throw ToolError.badInput(
        "\(output).training: expected no unfinished run, found one; continue with --resume, or "
          + "discard it with --restart")
    }
    if exists && restart { try FileManager.default.removeItem(at: folder) }
    // Read before the long work, because it can fail.
    let origins = try names.flatMap { try $0.origins() }
    Self.say("reading data")
    let records = try read(names)
    var configuration = FormulaModelTrainer.Configuration()
    configuration.seed = seed
    configuration.epochs = epochs
    configuration.foldEpochs = foldEpochs
    let stages = try TrainingStages(
      folder, key: TrainingStages.key(records, configuration))
    let result = try FormulaModelTrainer(
      configuration, workers: workers, stages: stages, report: Self.say
    ).train(on: records)
    let seconds = (ContinuousClock.now - start).components.seconds
    let manifest = manifest(of: bundle, result, records, origins, seconds: Double(seconds))
    let written = try result.model.bundle(manifest).write(to: bundle)
    try stages.remove()
    Self.say(
      "\(output): \(written.byteCount / 1000) kB, trained in \(seconds / 60) min, "
        + "held-out writers: \(RateText.percent(result.figures.expressionRate)) of formulas, "
        + "\(RateText.percent(result.figures.symbolsRead)) of symbols")
  }

  private func read(_ names: [FormulaData]) throws -> [LabeledFormula] {
    var records: [LabeledFormula] = []
    for name in names {
      let (found, errors) = try name.records()
      for error in errors { Self.say("left out: \(error)") }
      records += found
    }
    let unusable = records.count { $0.layout == nil }
    let contradictory = records.count { $0.isContradictory }
    Self.say(
      "\(records.count) formulas; left out: \(unusable) without groups or MathML, \(contradictory) "
        + "whose MathML contradicts their LaTeX")
    return records
  }

  private func manifest(
    of bundle: URL, _ result: FormulaModelTrainer.Result, _ records: [LabeledFormula],
    _ origins: [DataOrigin], seconds: Double
  ) -> ModelManifest {
    let command = TrainingSession.command
    let sources = origins.map {
      ModelManifest.DataSource(name: $0.name, licence: $0.licence, attribution: $0.attribution)
    }
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

  /// Prints a line of progress.
  private static func say(_ text: String) {
    Outcome.writeToStandardError(text + "\n")
  }
}
