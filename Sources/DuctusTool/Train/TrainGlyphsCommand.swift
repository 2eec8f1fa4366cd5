import ArgumentParser
import Evaluation
import Recognition
import Training

/// `ductus train glyphs`.
struct TrainGlyphs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "glyphs",
    abstract: "Train a model that reads one ink as one label.",
    discussion: """
      Writes the bundle M.ductus when training has finished, in place of an older one; until \
      then the state is in M.ductus.training, from which --resume goes on. Ctrl-C saves first.

      Without a split, writers are taken in the order of the hashes of their ids, and divided by \
      their shares of the ink: 80 % train, 10 % validation, and 10 % test, which training does not \
      touch. Parts change when the data does; splits=FILE keeps them.

      Example:
        ductus train glyphs --output digits.ductus \\
          --data 'unipen:unipen?category=1a&splits=unipen'
      """)

  @OptionGroup var ink: TrainingDataOptions

  @OptionGroup var options: TrainingOptions

  @Option(help: "Size of the network.")
  var preset: GlyphPreset = .standard

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

  /// The values of `train glyphs` without options.
  private static let defaults = GlyphPreset.standard.configuration

  func validate() throws {
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

  func run() throws {
    let configuration = try trainingConfiguration()
    var run = try TrainingRun(options, ink, .glyphs)
    let data = try run.read(GlyphTrainingData.init)
    let trainer = try GlyphTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: options.workers)
    try run.complete(trainer, on: data) { model in
      let evaluation = try GlyphEvaluation(GlyphClassifier(model: model), on: run.validation)
      return ValidationFigures(
        metrics: [
          ("top1", evaluation.accuracy(at: 1)), ("top3", evaluation.accuracy(at: 3)),
          ("ece", evaluation.calibration.value),
        ], dataHash: evaluation.dataHash,
        headline: evaluation.accuracy(at: 1).map { ("validation top-1", $0) })
    }
  }
}

/// The encodings of `--encoding`.
enum SequenceEncoding: String, ExpressibleByArgument, CaseIterable {
  case points
  case curves
}

extension GlyphPreset: ExpressibleByArgument {}
