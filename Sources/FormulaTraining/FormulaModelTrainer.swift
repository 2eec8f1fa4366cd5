import Formulas
import Foundation
import InkCore
import ModelFormat
import Recognition
import Training

/// Trains a formula model from labelled formulas: glyph models on folds of the writers, the small
/// networks on what these models read in ink that they have not seen, and a glyph model on all ink.
///
/// Some writers are held out of the folds. On their ink the weights of the score are tuned, with a
/// glyph model that was trained on other ink.
package struct FormulaModelTrainer: Sendable {
  /// The settings.
  package struct Configuration: Sendable, Codable, Hashable {
    /// The random seed.
    package var seed: UInt64 = 1
    /// The passes of the glyph model of the result.
    package var epochs = 12
    /// The passes of the glyph model of each fold.
    package var foldEpochs = 5
    /// The folds of the writers.
    package var folds = 3
    /// One of so many writers is held out for tuning.
    package var heldOut = 12
    /// The factor on the temperature that fits the held-out writers, above 0. Above 1 for data that is
    /// easier than the ink that will be read, such as composed formulas: then probabilities of candidates
    /// are nearer to each other.
    package var temperatureFactor: Float = 1

    /// Makes the default settings.
    package init() {}
  }

  /// A trained model with its figures on the held-out writers.
  package struct Result: Sendable {
    /// The model.
    package let model: FormulaModel
    /// The figures of the networks on held-out writers, with the glyph model of a fold.
    package let figures: FormulaFigures
    /// The formulas that were used.
    package let formulas: Int
    /// Their writers.
    package let writers: Int
  }

  private let configuration: Configuration
  private let workers: Int
  private let start: FormulaModel?
  private let stages: TrainingStages?
  private let observer: (any FormulaTrainingObserver)?
  /// The peak learning rate of glyph models that go on from others.
  private static let startRate: Float = 2e-3

  /// Makes a trainer.
  ///
  /// - Parameters:
  ///   - start: A model to go on from: its symbols stay known. Nil for fresh weights.
  ///   - workers: The threads; the result does not depend on it.
  ///   - stages: Keeps what is finished, so that a run can go on; nil for none.
  ///   - observer: Gets the progress, and can stop the training.
  package init(
    _ configuration: Configuration = Configuration(), start: FormulaModel? = nil, workers: Int,
    stages: TrainingStages? = nil, observer: (any FormulaTrainingObserver)? = nil
  ) {
    self.configuration = configuration
    self.start = start
    self.workers = workers
    self.stages = stages
    self.observer = observer
  }

  /// The passes of all glyph models.
  package var epochs: Int {
    configuration.folds * configuration.foldEpochs + configuration.epochs
  }

  /// Trains a model.
  ///
  /// - Throws: `FormulaError.noFormulas(found:)`, `TrainingError`, or the error of a file. After
  ///   `TrainingError.interrupted(epoch:step:)` the stages hold what was done.
  package func train(on records: [LabeledFormula]) throws -> Result {
    let usable = records.filter { $0.layout != nil && !$0.isContradictory }
    let held = usable.filter { $0.part(of: configuration.heldOut) == 0 }
    let rest = usable.filter { $0.part(of: configuration.heldOut) != 0 }
    let labels = Set(usable.flatMap { $0.symbols.map(\.label) })
      .union([SymbolSamples.none] + (start?.symbols.labels ?? []))
    guard !held.isEmpty, !rest.isEmpty else { throw FormulaError.noFormulas(found: records.count) }
    let count = configuration.folds
    var folds: [FormulaTrainer.Fold] = []
    for index in 0..<count {
      let others = rest.filter { $0.part(of: count) != index }
      let symbols = try glyphs(
        "fold-\(index + 1)", on: others, held, labels: labels.sorted(),
        epochs: configuration.foldEpochs, before: index * configuration.foldEpochs)
      folds.append(
        FormulaTrainer.Fold(
          symbols: symbols, formulas: rest.filter { $0.part(of: count) == index }))
    }
    let symbols = try glyphs(
      "symbols", on: records, held, labels: labels.sorted(), epochs: configuration.epochs,
      before: count * configuration.foldEpochs)
    var settings = FormulaTrainer.Configuration()
    settings.seed = configuration.seed
    var model = try FormulaTrainer(
      symbols: folds[0].symbols, settings, start: start, workers: workers, stages: stages,
      observer: observer
    ).train(on: folds)
    try FormulaTuner.tune(&model, on: held, workers: workers)
    model.weights.temperature *= configuration.temperatureFactor
    let figures = FormulaEvaluation(
      try FormulaReader(model), on: held, workers: workers
    ).figures
    model.symbols = symbols
    return Result(
      model: model, figures: figures, formulas: usable.count,
      writers: Set(usable.compactMap(\.writer)).count)
  }

  /// Trains a glyph model, or takes it from a run before.
  ///
  /// - Parameter before: The passes of the glyph models before.
  private func glyphs(
    _ name: String, on records: [LabeledFormula], _ validation: [LabeledFormula],
    labels: [String], epochs: Int, before: Int
  ) throws -> GlyphModel {
    if let known = try stages?.model(name) {
      observer?.note("\(name): from the run before")
      return known
    }
    let training = try set(records, labels)
    observer?.stageDidBegin(name, samples: training.samples.count)
    var configuration = GlyphPreset.standard.configuration
    configuration.optimization.epochs = epochs
    configuration.optimization.seed = self.configuration.seed
    configuration.optimization.keptEpoch = .last
    configuration.augmentation.areaDrop = 0.1
    if start != nil { configuration.optimization.peakRate = Self.startRate }
    let trainer = try GlyphTrainer(
      configuration: configuration, training: training, validation: try set(validation, labels),
      start: start?.symbols, workers: workers)
    let watcher = StageObserver(observer, stages, first: before)
    guard let stages else { return try trainer.train(observer: watcher) }
    let checkpoint = stages.checkpoint(name)
    // The key of the stages says what they were made from.
    let identity = DataIdentity(training: name, validation: name)
    if checkpoint.exists { try checkpoint.restore(trainer, data: identity) }
    let model = try trainer.train(observer: watcher) { try checkpoint.save($0, data: identity) }
    try stages.save(model, name)
    try checkpoint.remove()
    return model
  }

  private func set(_ records: [LabeledFormula], _ labels: [String]) throws -> GlyphTrainingSet {
    var set = GlyphTrainingSet(labels: labels)
    for sample in SymbolSamples.samples(of: records, seed: configuration.seed) {
      try set.append(sample)
    }
    return set
  }
}
