import ArgumentParser
import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Recognition
import Training

/// `ductus train`.
struct Train: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Train a recognition model from labelled ink.", subcommands: [TrainGlyphs.self])
}

/// `ductus train glyphs`.
struct TrainGlyphs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "glyphs",
    abstract: "Train a model that reads one ink as one label.",
    discussion: """
      Writes the bundle M.ductus when training has finished; until then the state is in \
      M.ductus.training, from which --resume goes on. Ctrl-C saves first.

      Example:
        ductus train glyphs --data 'unipen:unipen?category=1a&splits=splits/unipen.tsv&split=train' \
      --output digits.ductus
      """)

  @Option(
    help: ArgumentHelp("Training data, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data"))
  var data: [String]

  @Option(
    help: ArgumentHelp(
      "Validation data, of other writers; default: the val part of --data.", valueName: "data"))
  var validation: [String] = []

  @Option(name: .shortAndLong, help: "The bundle to write, NAME.ductus.")
  var output: String

  @Option(help: "Sizes of the network: \(GlyphPreset.allNames).")
  var preset: GlyphPreset = .standard

  @Option(help: "Passes over the training data.")
  var epochs: Int?

  @Option(help: "Seed of everything random.")
  var seed: UInt64 = 1

  @Option(help: "Threads; the result does not depend on it.")
  var workers: Int = max(1, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "Peak learning rate.")
  var learningRate: Float?

  @Option(help: "Samples of one optimisation step.")
  var batchSize: Int?

  @Option(help: "0 keeps the classes as frequent as they are, 1 makes them equally frequent.")
  var balance: Float?

  @Option(help: "End after this many epochs without a better validation; 0: never.")
  var patience: Int?

  @Option(help: "The sequence encoding: points or curves.")
  var encoding: SequenceEncoding = .points

  @Flag(help: "Go on from the last checkpoint.")
  var resume = false

  @Flag(help: "Throw an unfinished run of the same name away and begin anew.")
  var restart = false

  func validate() throws {
    guard workers >= 1 else { throw ValidationError("--workers: expected 1 or more") }
    if let epochs, epochs < 1 { throw ValidationError("--epochs: expected 1 or more") }
    if let batchSize, batchSize < 4 { throw ValidationError("--batch-size: expected 4 or more") }
    if let learningRate, !(learningRate > 0) {
      throw ValidationError("--learning-rate: expected more than 0")
    }
    if let balance, !(0...1).contains(balance) {
      throw ValidationError("--balance: expected 0 to 1")
    }
    guard !(resume && restart) else { throw ValidationError("--resume and --restart exclude") }
  }

  /// What decides the outcome besides the data.
  private var trainingConfiguration: GlyphTrainingConfiguration {
    var result = preset.configuration
    result.seed = seed
    if let epochs { result.epochs = epochs }
    if let learningRate { result.peakRate = learningRate }
    if let batchSize { result.batchSize = batchSize }
    if let balance { result.balance = balance }
    if let patience { result.patience = patience }
    if encoding == .curves { result.pipeline = .curves }
    return result
  }

  func run() throws {
    let (trainingData, validationData) = try specifications()
    let bundleURL = URL(fileURLWithPath: output)
    let checkpoint = GlyphCheckpoint(
      folder: bundleURL.deletingLastPathComponent().appendingPathComponent(
        bundleURL.lastPathComponent + ".training"))
    if restart { try checkpoint.remove() }
    guard resume || !checkpoint.exists else {
      throw UnfinishedRun(path: checkpoint.folder.path)
    }
    let started = ContinuousClock.now
    let console = TrainingConsole(flag: Interruption.listen())
    console.say("reading data")
    let loaded = try GlyphTrainingData(training: trainingData, validation: validationData)
    let trainer = try GlyphTrainer(
      configuration: trainingConfiguration, training: loaded.training,
      validation: loaded.validation, workers: workers)
    if resume, checkpoint.exists { try checkpoint.restore(trainer, data: loaded) }
    console.introduce(trainer, loaded)
    let model = try trainer.train(observer: console) { try checkpoint.save($0, data: loaded) }
    let seconds = (ContinuousClock.now - started) / .seconds(1)
    let manifest = try TrainedManifest(
      name: bundleURL.deletingPathExtension().lastPathComponent, sources: trainingData,
      loaded: loaded, trainer: trainer, seconds: seconds
    ).manifest
    let bundle = try model.bundle(manifest).write(to: bundleURL)
    try checkpoint.remove()
    console.finish(trainer, bundle, path: output, seconds: seconds)
  }

  private func specifications() throws -> ([DataSpecification], [DataSpecification]) {
    let named = try data.map { try DataSpecification(parsing: $0) }
    guard validation.isEmpty else {
      return (
        named.map { $0.withDefaultSplit(.train) },
        try validation.map { try DataSpecification(parsing: $0).withDefaultSplit(.val) }
      )
    }
    // The same data's validation part; data without a split is split by its writers.
    return (
      named.map { $0.withSplit($0.split ?? .train) }, named.map { $0.withSplit(.val) }
    )
  }
}

/// A training folder stands where a new run would write.
struct UnfinishedRun: BadInputError, CustomStringConvertible {
  let path: String

  var description: String {
    "\(path): an unfinished run is here; go on with --resume or begin anew with --restart"
  }
}

/// The encodings that `--encoding` names.
enum SequenceEncoding: String, ExpressibleByArgument, CaseIterable {
  case points
  case curves
}

extension GlyphPreset: ExpressibleByArgument {
  static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
