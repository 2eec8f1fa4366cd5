import ArgumentParser
import Evaluation
import Recognition
import Training

/// `ductus train glyphs`.
package struct TrainGlyphs: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "glyphs",
    abstract: "Train a model of characters, symbols, shapes or gestures.",
    discussion: """
      Each ink gets one label. The bundle M.ductus appears when training has finished; until \
      then the state is in M.ductus.training, and --resume continues from it. Ctrl-C saves \
      first.

      Without a split, writers are sorted by the hash of their id and divided by their share of \
      the ink: 80 % train, 10 % validation, and 10 % test, which training does not read. Parts \
      change when the data does; splits=FILE keeps them.

      Examples:
        ductus train glyphs --data ink:mine.jsonl --output mine.ductus
        ductus train glyphs --data 'unipen:unipen?category=1a&splits=unipen' \\
          --output digits.ductus
      """)

  @OptionGroup var ink: TrainingDataOptions

  @OptionGroup var options: TrainingOptions

  @OptionGroup var watching: WatchOption

  @OptionGroup var ranks: RankOptions

  @Option(help: "Size of the network.")
  var preset: GlyphPreset = .standard

  @Option(
    help: """
      0 keeps the frequencies of the classes, 1 makes them equally frequent; default: \
      \(Self.defaults.balance).
      """)
  var balance: Float?

  @Option(
    help: """
      Stop after this many epochs without a better validation score, 0: never; default: \
      \(Self.defaults.patience).
      """)
  var patience: Int?

  @Option(help: "The encoding of the pen path.")
  var encoding: SequenceEncoding = .points

  /// The values of `train glyphs` without options.
  private static let defaults = GlyphPreset.standard.configuration

  package func validate() throws {
    if let balance, !(0...1).contains(balance) {
      throw ValidationError("--balance: expected 0 to 1")
    }
  }

  /// The settings that, together with the data, determine the result.
  ///
  /// - Throws: ``ToolError`` or `TrainingError`.
  private func trainingConfiguration() throws -> GlyphTrainingConfiguration {
    var result = preset.configuration
    if let balance { result.balance = balance }
    if let patience { result.patience = patience }
    if encoding == .curves { result.pipeline = .curves }
    return try options.applied(to: result)
  }

  package func run() throws {
    let configuration = try trainingConfiguration()
    try RankedRun.run(ranks) { try train(configuration, $0) }
  }

  private func train(_ configuration: GlyphTrainingConfiguration, _ ranked: RankedRun) throws {
    var run = try TrainingRun(options, ink, .glyphs, watch: watching.watch, ranked: ranked)
    let data = try run.read {
      try GlyphTrainingData(training: $0, validation: $1, indexing: DataIndexing())
    }
    let trainer = try GlyphTrainer(
      GlyphTask(
        configuration: configuration, training: data.training, validation: data.validation,
        workers: options.workers), ranks: ranked.ranks)
    let validation = run.validation
    try run.complete(trainer, on: data) { try ValidationFigures(of: $0, on: validation) }
  }
}

/// The encodings of `--encoding`.
package enum SequenceEncoding: String, ExpressibleByArgument, CaseIterable {
  case points
  case curves
}

extension GlyphPreset: ExpressibleByArgument {}
