import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import RunLog
import Training

/// One run of `ductus train glyphs` or `lines`, from the options to the bundle.
package struct TrainingRun {
  let options: TrainingOptions
  /// The training data, as named on the command line.
  private let names: [String]
  private let chosen: ChosenTrainingData
  /// The training data with the selected part.
  private(set) var training: [DataSpecification]
  /// The validation data with the selected part.
  private(set) var validation: [DataSpecification]
  /// The test part that is left of the data, if this run splits it.
  private var test: TestPart?
  private let session: TrainingSession
  private let ranked: RankedRun
  private let bundle: URL

  private var console: TrainingConsole { session.console }

  /// Prepares a run, and prints that data is read next.
  ///
  /// - Parameters:
  ///   - watch: The file for the progress; nil for none.
  ///   - ranked: The processes that train together.
  /// - Throws: `DataError` or ``ToolError``.
  init(
    _ options: TrainingOptions, _ ink: TrainingDataOptions, _ kind: RunKind, watch: String? = nil,
    ranked: RankedRun = .alone
  ) throws {
    self.options = options
    self.ranked = ranked
    names = ink.data
    chosen = try ink.parsed()
    let pool = DataPool()
    training = chosen.training.map { $0.kept(in: pool) }
    validation = chosen.validation.map { $0.kept(in: pool) }
    bundle = URL(fileURLWithPath: options.output)
    if ranked.isLeader { try TrainingOutput.check(bundle, named: options.output) }
    session = try TrainingSession(options, kind, watch: watch, ranks: ranked)
    console.say("reading data")
  }

  /// Reads the data. If it has too few writers to hold some out, single inks are held out instead,
  /// and the user is informed. Writers of the test part stay there, so that scoring on the test
  /// part is on unseen ink.
  mutating func read<Data: TrainingData>(
    _ read: (_ training: [DataSpecification], _ validation: [DataSpecification]) throws -> Data
  ) throws -> Data {
    let data = try read(training, validation)
    if chosen.leavesTest { test = try TestPart(of: training) }
    guard data.trainingCount + data.validationCount > 0,
      data.trainingCount == 0 || data.validationCount == 0, chosen.maySplitInks
    else {
      if chosen.dividesWriters, let text = Self.unnamed(data.unnamed, writers: data.writers) {
        console.say(text)
      }
      return data
    }
    let unit: SplitUnit = (test?.inks ?? 0) > 0 ? .mixed : .ink
    for index in training.indices { training[index].splitUnit = unit }
    for index in validation.indices { validation[index].splitUnit = unit }
    if unit == .ink { test = try TestPart(of: training) }
    console.say(
      unit == .ink
        ? "too few writers to hold some out: splitting by ink (split-by=ink), a tenth each for "
          + "validation and test, so results do not generalise "
          + "to new writers"
        : "too few writers to hold some out for validation too: a tenth of the other inks is "
          + "validation data (split-by=mixed), so "
          + "validation results do not generalise to new writers")
    return try read(training, validation)
  }

  /// A warning for data without writer ids: the figures do not measure unseen writers.
  package static func unnamed(_ count: Int, writers: Int?) -> String? {
    guard count > 0 else { return nil }
    return writers == nil
      ? "no writer ids: splitting by ink, so results do not generalise "
        + "to new writers"
      : "\(TerminalText.count(count, "ink names", "inks name")) no writer: they are split by ink, "
        + "so their writers may be in training and validation"
  }

  /// Trains, finishes the model and scores it on the validation data, writes the bundle with its
  /// origins and figures, removes the checkpoint, and prints the result.
  ///
  /// - Parameters:
  ///   - start: The bundle that training started from.
  ///   - keepsCompanions: True to copy its language models and its character model to the new one.
  ///   - evaluate: Sets the values that training leaves open, and scores the model.
  func complete<Task>(
    _ trainer: Trainer<Task>, on data: some DescribedData, from start: ModelBundle? = nil,
    keepsCompanions: Bool = true,
    evaluate: (inout Task.Model) throws -> ValidationFigures
  ) throws where Task.Model: BundledModel {
    console.introduce("training: \(data.summary)", data.rejected)
    for note in data.notes(for: names) + data.indexes.compactMap(\.note) { console.say(note) }
    if let test, test.inks > 0 || chosen.dividesWriters { console.say(test.text) }
    if data.sharedWriters > 0, validation.allSatisfy({ $0.splitUnit == .writer }) {
      console.say(
        (data.sharedWriters == 1
          ? "1 validation writer is a training writer"
          : "\(data.sharedWriters) validation writers are training writers")
          + " too: unseen writers will be read worse than the figures show")
    }
    try ranked.compare(trainer.configuration, data.identity, console)
    let parts = (training.map(\.textWithSplit), validation.map(\.textWithSplit))
    try session.train(trainer, data: data.identity, named: parts) { model in
      var model = model
      let figures = try evaluate(&model)
      let metrics = figures.metrics(of: options.output)
      let manifest = TrainedManifest(
        trainer, on: data, from: start?.manifest, command: TrainingSession.command
      ).manifest(of: bundle, metrics: metrics)
      var writer = try model.bundle(manifest)
      if let start, keepsCompanions { try writer.addCompanions(of: start) }
      let written = try writer.write(to: bundle)
      console.finish(
        written, path: options.output, seconds: trainer.seconds,
        keeping: trainer.configuration.keptEpoch, record: trainer.keptRecord,
        epochs: trainer.state.epochs, figure: figures.headline)
      return TrainingSession.Written(
        bytes: written.byteCount,
        figures: Dictionary(metrics.map { ($0.name, $0.value) }) { first, _ in first })
    }
  }
}
