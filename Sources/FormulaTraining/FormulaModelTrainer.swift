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
  private let stages: TrainingStages?
  private let report: @Sendable (String) -> Void

  /// Makes a trainer.
  ///
  /// - Parameters:
  ///   - workers: The threads; the result does not depend on it.
  ///   - stages: Keeps the glyph models that are finished, so that a run can go on; nil for none.
  ///   - report: Gets a line about each stage and pass.
  package init(
    _ configuration: Configuration = Configuration(), workers: Int, stages: TrainingStages? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.workers = workers
    self.stages = stages
    self.report = report
  }

  /// Trains a model.
  ///
  /// - Throws: `FormulaError.noFormulas(found:)`, `TrainingError`, or the error of a file.
  package func train(on records: [LabeledFormula]) throws -> Result {
    let usable = records.filter { $0.layout != nil && !$0.isContradictory }
    let held = usable.filter { $0.part(of: configuration.heldOut) == 0 }
    let rest = usable.filter { $0.part(of: configuration.heldOut) != 0 }
    let labels = Set(usable.flatMap { $0.symbols.map(\.label) }).union([SymbolSamples.none])
    guard !held.isEmpty, !rest.isEmpty else { throw FormulaError.noFormulas(found: records.count) }
    let count = configuration.folds
    var folds: [FormulaTrainer.Fold] = []
    for index in 0..<count {
      let others = rest.filter { $0.part(of: count) != index }
      let symbols = try glyphs(
        "fold-\(index + 1)", on: others, held, labels: labels.sorted(),
        epochs: configuration.foldEpochs)
      folds.append(
        FormulaTrainer.Fold(
          symbols: symbols, formulas: rest.filter { $0.part(of: count) == index }))
    }
    let symbols = try glyphs(
      "symbols", on: records, held, labels: labels.sorted(), epochs: configuration.epochs)
    var settings = FormulaTrainer.Configuration()
    settings.seed = configuration.seed
    var model = try FormulaTrainer(
      symbols: folds[0].symbols, settings, workers: workers, report: report
    ).train(on: folds)
    try FormulaTuner.tune(&model, on: held, workers: workers)
    let figures = FormulaEvaluation(
      try FormulaReader(model), on: held, workers: workers
    ).figures
    model.symbols = symbols
    return Result(
      model: model, figures: figures, formulas: usable.count,
      writers: Set(usable.compactMap(\.writer)).count)
  }

  /// Trains a glyph model, or takes it from a run before.
  private func glyphs(
    _ name: String, on records: [LabeledFormula], _ validation: [LabeledFormula],
    labels: [String], epochs: Int
  ) throws -> GlyphModel {
    if let known = try stages?.model(name) {
      report("\(name): from the run before")
      return known
    }
    let training = try set(records, labels)
    report("\(name): \(training.samples.count) groups of strokes")
    let start = ContinuousClock.now
    var configuration = GlyphPreset.standard.configuration
    configuration.optimization.epochs = epochs
    configuration.optimization.seed = self.configuration.seed
    configuration.optimization.keptEpoch = .last
    configuration.augmentation.areaDrop = 0.1
    let model = try GlyphTrainer(
      configuration: configuration, training: training, validation: try set(validation, labels),
      workers: workers
    ).train(observer: StageObserver(name, report))
    try stages?.save(model, name)
    report("\(name): trained in \((ContinuousClock.now - start).components.seconds) s")
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

/// Reports the passes of a glyph model.
private final class StageObserver: TrainingObserver {
  private let name: String
  private let report: @Sendable (String) -> Void

  init(_ name: String, _ report: @escaping @Sendable (String) -> Void) {
    self.name = name
    self.report = report
  }

  func trainingDidStep(_ progress: TrainingProgress) {}

  func trainingDidFinishEpoch(_ record: EpochRecord) {
    report(
      "\(name), pass \(record.epoch + 1): "
        + "validation top-1 \((record.validationAccuracy * 10000).rounded() / 100) %")
  }

  var shouldStop: Bool { false }
}
