import Evaluation
import Foundation
import InkCore
import InkDatasets
import Recognition
import Training

/// Trains a model of digits from Swift, scores it on writers it has never seen, and saves it.
///
///     swift run -c release TrainFromSwift [NAME.ductus]
@main
struct TrainFromSwift {
  static func main() throws {
    // Any data of the command line; here ink of virtual writers, which needs no download.
    let digits = "starter:characters?labels=[0-9]&count=2000"
    let validation = [try DataSpecification(parsing: digits + "&split=val")]
    let data = try GlyphTrainingData(
      training: [DataSpecification(parsing: digits + "&split=train")], validation: validation)
    print("\(data.training.samples.count) inks of \(data.writers ?? 0) writers")

    var configuration = GlyphPreset.small.configuration
    configuration.epochs = 3
    configuration.batchSize = 32
    configuration.seed = 1
    let trainer = try GlyphTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: ProcessInfo.processInfo.activeProcessorCount)
    let model = try trainer.train(observer: Progress())

    // The test part: writers of neither training nor validation.
    let test = try DataSpecification(parsing: digits + "&split=test")
    let evaluation = try GlyphEvaluation(GlyphClassifier(model: model), on: [test])
    print("test top-1: " + percent(evaluation.accuracy(at: 1)))

    // A bundle holds weights, features, labels, calibration, where the data came from, the figures
    // on the validation data, and the record of the training: what 'ductus train' writes. A line
    // model is tuned first: try model.tune(on: validation).
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("digits.ductus")
    let bundle = CommandLine.arguments.dropFirst().first.map(URL.init(fileURLWithPath:)) ?? folder
    let figures = try ValidationFigures(of: model, on: validation)
    let manifest = TrainedManifest(trainer, on: data)
      .manifest(of: bundle, metrics: figures.metrics(of: bundle.path))
    _ = try model.bundle(manifest).write(to: bundle)
    let classifier = try GlyphClassifier(contentsOf: bundle)
    print("\(bundle.lastPathComponent) reads \((classifier.labels ?? []).joined(separator: " "))")
  }

  static func percent(_ rate: Double?) -> String {
    rate.map { String(format: "%.1f %%", 100 * $0) } ?? "not measured"
  }
}

/// Prints a line for each epoch. Training asks it after every step whether to stop.
final class Progress: TrainingObserver {
  let shouldStop = false

  func trainingDidStep(_ progress: TrainingProgress) {}

  func trainingDidFinishEpoch(_ record: EpochRecord) {
    let accuracy = String(format: "%.1f %%", 100 * record.validationAccuracy)
    print("epoch \(record.epoch + 1): validation top-1 \(accuracy)")
  }
}
