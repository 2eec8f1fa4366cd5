import ArgumentParser
import Evaluation
import Foundation
import ModelFormat
import Recognition
import Training

/// `ductus train lines`.
struct TrainLines: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lines",
    abstract: "Train a model that reads one ink as a text: words and lines.",
    discussion: """
      The network learns from whole lines and their texts; no places of characters are needed \
      (connectionist temporal classification). Writes the bundle M.ductus when training has \
      finished; until then the state is in M.ductus.training, from which --resume goes on. Ctrl-C \
      saves first.

      Example:
        ductus train lines --output english.ductus \\
          --data 'iam-ondb:iam-ondb?split=train' --validation 'iam-ondb:iam-ondb?split=val1'
      """)

  @OptionGroup var options: TrainingOptions

  @Option(help: "Size of the network.")
  var preset: LinePreset = .base

  @Option(
    help: ArgumentHelp(
      "Begin with the weights of a line model of the same preset: what it learned of other data.",
      valueName: "model"))
  var from: String?

  /// What decides the outcome besides the data.
  private func trainingConfiguration(start: ModelBundle?) -> LineTrainingConfiguration {
    var result = preset.configuration
    result.start = start?.manifest.parts.first { $0.role == "network" }?.sha256
    result.seed = options.seed
    if let epochs = options.epochs { result.epochs = epochs }
    if let learningRate = options.learningRate { result.peakRate = learningRate }
    if let batchSize = options.batchSize { result.batchSize = batchSize }
    return result
  }

  func run() throws {
    let data = try options.specifications()
    let run = try TrainingRun(options)
    run.console.say("reading data")
    let start = try from.map { try ModelBundle.open(URL(fileURLWithPath: $0)) }
    let loaded = try LineTrainingData(training: data.training, validation: data.validation)
    let trainer = try LineTrainer(
      configuration: trainingConfiguration(start: start), training: loaded.training,
      validation: loaded.validation, workers: options.workers,
      from: try start.map { try LineModel(bundle: $0) })
    run.console.introduce(
      "training: \(loaded.training.samples.count) lines\(TrainingConsole.writers(loaded.writers)), "
        + "\(loaded.training.labels.count) symbols; "
        + "validation: \(loaded.validation.samples.count) lines", loaded.rejected)
    let model = try run.train(trainer, data: loaded.identity)
    let description = TrainedManifest(
      bundle: run.bundle, output: options.output, training: data.training,
      validation: data.validation, identity: loaded.identity, seed: options.seed,
      epochs: trainer.state.epochs, samples: loaded.training.samples.count,
      writers: loaded.writers, workers: trainer.workers, seconds: trainer.seconds)
    let evaluation = try LineEvaluation(
      LineRecognizer(model: model), on: data.validation, reading: .greedy)
    let metrics = description.metrics(
      [
        ("cer", evaluation.errors.characterErrorRate), ("wer", evaluation.errors.wordErrorRate),
      ], dataHash: evaluation.dataHash, options: ["--greedy"])
    let bundle = try run.finish(model.bundle(description.manifest(.line, metrics: metrics)))
    run.console.finish(
      bundle, path: options.output, seconds: trainer.seconds, bestEpoch: trainer.bestRecord?.epoch,
      figure: evaluation.errors.characterErrorRate.map {
        ("validation character error rate, greedy", $0)
      })
  }
}

extension LinePreset: ExpressibleByArgument {}
