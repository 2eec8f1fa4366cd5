import ArgumentParser
import Foundation
import InkDatasets
import Training

/// The common options of `ductus train`.
package struct TrainingOptions: ParsableArguments {
  package init() {}

  @Option(
    name: .shortAndLong,
    help: "The model to write: NAME.ductus, or NAME.ngram or NAME.safetensors for language models.")
  var output: String

  @Option(help: "Passes over the training data; default: the preset's.")
  var epochs: Int?

  @Option(help: "Random seed.")
  var seed: UInt64 = Self.defaultSeed

  @Option(help: "Threads. The result does not depend on it.")
  var workers: Int = Self.defaultWorkers

  @Option(help: "Peak learning rate; default: the preset's.")
  var learningRate: Float?

  @Option(help: "Samples of one optimisation step; default: the preset's.")
  var batchSize: Int?

  @Option(
    help: """
      The epoch whose weights are kept: the best on the validation data (by the mean accuracy with \
      and without writing areas, if it has areas), or the last, for validation data of another \
      kind.
      """)
  var keep: KeptEpoch = Self.defaultKeep

  @Option(
    help: """
      The precision of matrix products: single, or mixed on processors with AMX or AVX-512 BF16; \
      default: the faster one. The result depends on it.
      """)
  var precision: TrainingPrecision = .fastest

  @Option(
    help: ArgumentHelp(
      """
      Change a value of the preset, such as layers.dropout=0.2; repeatable. An unknown name lists \
      all names.
      """, valueName: "key=value"))
  var set: [ConfigurationChange] = []

  @Flag(help: "Continue from the last checkpoint.")
  var resume = false

  @Flag(help: "Discard an unfinished run of the same name and start again.")
  var restart = false

  @Option(
    help: ArgumentHelp(
      """
      Write files for TensorBoard into this folder: losses, errors, learning rate, speed, settings, \
      and after every epoch the worst validation errors with pictures of their ink.
      """, valueName: "dir"))
  var tensorboard: String?

  @Flag(help: "With --tensorboard: also the distributions of all weights, after every epoch.")
  var tensorboardHistograms = false

  @Flag(
    name: .customLong("no-log"),
    help: "Leave this training out of the log that 'ductus runs' shows.")
  var isUnlogged = false

  private static let defaultSeed: UInt64 = 1
  private static let defaultWorkers = RankedRun.processors
  private static let defaultKeep = KeptEpoch.best

  /// The options, except `--output`, that differ from their defaults, by name.
  var givenForTraining: [String] {
    [
      ("--epochs", epochs != nil), ("--seed", seed != Self.defaultSeed),
      ("--workers", workers != Self.defaultWorkers), ("--learning-rate", learningRate != nil),
      ("--batch-size", batchSize != nil), ("--keep", keep != Self.defaultKeep),
      ("--precision", precision != .fastest), ("--set", !set.isEmpty), ("--resume", resume),
      ("--restart", restart), ("--no-log", isUnlogged), ("--tensorboard", tensorboard != nil),
      ("--tensorboard-histograms", tensorboardHistograms),
    ].filter(\.1).map(\.0)
  }

  package func validate() throws {
    try Self.check(workers: workers)
    if let epochs, epochs < 1 { throw ValidationError("--epochs: expected 1 or more") }
    if let batchSize, batchSize < 4 { throw ValidationError("--batch-size: expected 4 or more") }
    if let learningRate, !(learningRate > 0) {
      throw ValidationError("--learning-rate: expected more than 0")
    }
    guard tensorboard != nil || !tensorboardHistograms else {
      throw ValidationError("--tensorboard-histograms needs --tensorboard")
    }
    guard !(resume && restart) else {
      throw ValidationError("--resume and --restart exclude each other")
    }
  }

  /// Checks that the number of threads is realistic.
  ///
  /// - Throws: `ValidationError`.
  static func check(workers: Int) throws {
    guard (1...mostWorkers).contains(workers) else {
      throw ValidationError("--workers: expected 1 to \(mostWorkers)")
    }
  }

  private static let mostWorkers = 256

  /// Applies these options to a configuration, and checks it before any data is read.
  ///
  /// - Throws: ``ToolError`` or `TrainingError`.
  func applied<Configuration: TrainingConfiguration>(
    to configuration: Configuration
  ) throws -> Configuration {
    var result = configuration
    result.seed = seed
    result.precision = precision
    result.keptEpoch = keep
    if let epochs { result.epochs = epochs }
    if let learningRate { result.peakRate = learningRate }
    if let batchSize { result.batchSize = batchSize }
    result = try ConfigurationChange.apply(set, to: result)
    // The number of classes is not known before the data is read; two is the minimum.
    try result.check(classes: 2)
    return result
  }
}

/// The option of `ductus train glyphs` and `lines` for programs that show training.
package struct WatchOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Keep the progress in a JSON file for other programs: losses, rate, remaining time, and after \
      every epoch the worst validation errors with their ink. Only you can read it.
      """, valueName: "file"))
  var watch: String?
}

extension TrainingPrecision: ExpressibleByArgument {}
extension KeptEpoch: ExpressibleByArgument {}

/// `ductus train`.
package struct Train: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Train a recognition model on ink, or a language model on text.",
    discussion: """
      Example:
        ductus train glyphs --data ink:mine.jsonl --output mine.ductus
      """,
    subcommands: [TrainGlyphs.self, TrainLines.self, TrainFormulas.self, TrainLanguage.self])
}
