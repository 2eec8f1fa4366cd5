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
      Writes the bundle M.ductus when training has finished, in place of an older one; until \
      then the state is in M.ductus.training, from which --resume goes on. Ctrl-C saves first.

      Without a split, writers are divided by the hash of their ids: 80 % train, 10 % \
      validation, and 10 % test, which training does not touch.

      Example:
        ductus train glyphs --output digits.ductus \\
          --data 'unipen:unipen?category=1a&splits=splits/unipen.tsv'
      """)

  @Option(
    help: ArgumentHelp("Training data, FORMAT:PATH[?key=value&...]; repeatable.", valueName: "data")
  )
  var data: [String]

  @Option(
    help: ArgumentHelp(
      "Validation data, of other writers; default: the val part of --data.", valueName: "data"))
  var validation: [String] = []

  @Option(name: .shortAndLong, help: "The bundle to write, NAME.ductus.")
  var output: String

  @Option(help: "Size of the network.")
  var preset: GlyphPreset = .standard

  @Option(help: "Passes over the training data; default: \(Self.defaults.epochs).")
  var epochs: Int?

  @Option(help: "Seed of everything random.")
  var seed: UInt64 = 1

  @Option(help: "Threads; the result does not depend on it.")
  var workers: Int = max(1, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "Peak learning rate; default: \(Self.defaults.peakRate).")
  var learningRate: Float?

  @Option(help: "Samples of one optimisation step; default: \(Self.defaults.batchSize).")
  var batchSize: Int?

  @Option(
    help: """
      0 keeps the classes as frequent as they are, 1 makes them equally frequent; default: \
      \(Self.defaults.balance).
      """)
  var balance: Float?

  @Option(
    help: """
      End after this many epochs without a better validation, 0: never; default: \
      \(Self.defaults.patience).
      """)
  var patience: Int?

  @Option(help: "How the pen path becomes a sequence.")
  var encoding: SequenceEncoding = .points

  @Flag(help: "Go on from the last checkpoint.")
  var resume = false

  @Flag(help: "Throw an unfinished run of the same name away and begin anew.")
  var restart = false

  /// The values of `train glyphs` without options.
  private static let defaults = GlyphPreset.standard.configuration

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
    guard !(resume && restart) else {
      throw ValidationError("--resume and --restart exclude each other")
    }
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
    try TrainingOutput.check(bundleURL, named: output)
    let checkpoint = TrainingCheckpoint(
      folder: bundleURL.deletingLastPathComponent().appendingPathComponent(
        bundleURL.lastPathComponent + ".training"))
    if restart { try checkpoint.remove() }
    guard resume || !checkpoint.exists else {
      throw UnfinishedRun(path: output + ".training")
    }
    let console = TrainingConsole(flag: Interruption.listen())
    console.say("reading data")
    let loaded = try GlyphTrainingData(training: trainingData, validation: validationData)
    let trainer = try GlyphTrainer(
      configuration: trainingConfiguration, training: loaded.training,
      validation: loaded.validation, workers: workers)
    console.introduce(trainer, loaded)
    if resume { try restore(trainer, checkpoint, loaded, console) }
    let model = try train(trainer, checkpoint, loaded, console)
    let manifest = try TrainedManifest(
      bundle: bundleURL, output: output, training: trainingData, validation: validationData,
      loaded: loaded, trainer: trainer
    ).manifest(model)
    let bundle = try model.bundle(manifest).write(to: bundleURL)
    try checkpoint.remove()
    console.finish(trainer, bundle, path: output)
  }

  private func restore(
    _ trainer: GlyphTrainer, _ checkpoint: TrainingCheckpoint, _ loaded: GlyphTrainingData,
    _ console: TrainingConsole
  ) throws {
    guard checkpoint.exists else {
      console.say("no unfinished run: beginning anew")
      return
    }
    try checkpoint.restore(trainer, data: loaded.identity)
    console.say("going on; epochs finished before: \(trainer.history.count)")
  }

  /// Trains; where the user stops it, says how to go on and ends with exit code 1.
  private func train(
    _ trainer: GlyphTrainer, _ checkpoint: TrainingCheckpoint, _ loaded: GlyphTrainingData,
    _ console: TrainingConsole
  ) throws -> GlyphModel {
    defer { console.clear() }
    do {
      return try trainer.train(observer: console) { try checkpoint.save($0, data: loaded.identity) }
    } catch TrainingError.interrupted(let epoch, let step) {
      var arguments = CommandLine.arguments.dropFirst().filter { $0 != "--restart" }
      if !resume { arguments.append("--resume") }
      console.say(
        "ductus: stopped in epoch \(epoch + 1), step \(step); saved in \(output).training; go on "
          + "with:\n  \(ShellQuoting.command(arguments))")
      throw ExitCode(Outcome.Code.failed)
    }
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

/// Where a bundle is to be written.
enum TrainingOutput {
  /// Makes the folder around the bundle, and refuses a place that cannot take it: before the work
  /// rather than after it.
  static func check(_ bundle: URL, named output: String) throws {
    let parent = bundle.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw UnusableOutput(
        path: output, problem: "the folder \(parent.path) cannot be made")
    }
    guard FileManager.default.isWritableFile(atPath: parent.path) else {
      throw UnusableOutput(path: output, problem: "the folder \(parent.path) cannot be written to")
    }
    let manifest = bundle.appendingPathComponent("manifest.json").path
    if FileManager.default.fileExists(atPath: bundle.path),
      !FileManager.default.fileExists(atPath: manifest)
    {
      throw UnusableOutput(path: output, problem: "something that is no model bundle is there")
    }
  }
}

/// `--output` names a place where no bundle can be written.
struct UnusableOutput: BadInputError, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "--output \(path): \(problem); choose another path" }
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

extension GlyphPreset: ExpressibleByArgument {}
