import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import RunLog
import Training

/// One run of `ductus train glyphs` or `lines`, from the options to the bundle.
struct TrainingRun {
  let options: TrainingOptions
  private let ink: TrainingDataOptions
  /// The training data with the selected part.
  private(set) var training: [DataSpecification]
  /// The validation data with the selected part.
  private(set) var validation: [DataSpecification]
  /// The test part that is left of the data, if this run splits it.
  private var test: TestPart?
  /// The origins of the training data.
  private let origins: [DataOrigin]
  private let session: TrainingSession
  private let bundle: URL

  private var console: TrainingConsole { session.console }

  /// Prepares a run, and prints that data is read next.
  ///
  /// - Parameter watch: The file for the progress; nil for none.
  /// - Throws: `DataError` or ``ToolError``.
  init(
    _ options: TrainingOptions, _ ink: TrainingDataOptions, _ kind: RunKind, watch: String? = nil
  ) throws {
    self.options = options
    self.ink = ink
    let pool = DataPool()
    let named = try ink.specifications()
    training = named.training.map { $0.kept(in: pool) }
    validation = named.validation.map { $0.kept(in: pool) }
    origins = try training.origins()
    bundle = URL(fileURLWithPath: options.output)
    try TrainingOutput.check(bundle, named: options.output)
    session = try TrainingSession(options, kind, watch: watch)
    console.say("reading data")
  }

  /// Reads the data. If it has too few writers to hold some out, single inks are held out instead,
  /// and the user is informed. Writers of the test part stay there, so that scoring on the test
  /// part is on unseen ink.
  mutating func read<Data: TrainingData>(
    _ read: (_ training: [DataSpecification], _ validation: [DataSpecification]) throws -> Data
  ) throws -> Data {
    let data = try read(training, validation)
    if try ink.leavesTest { test = try TestPart(of: training) }
    guard data.trainingCount + data.validationCount > 0,
      data.trainingCount == 0 || data.validationCount == 0, try ink.maySplitInks
    else {
      if try ink.dividesWriters, let text = Self.unnamed(data.unnamed, writers: data.writers) {
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
  static func unnamed(_ count: Int, writers: Int?) -> String? {
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
  ///   - kept: The bundle that training started from; its parts of some roles are copied to the new
  ///     one.
  ///   - evaluate: Sets the values that training leaves open, and scores the model.
  func complete<Task>(
    _ trainer: Trainer<Task>, on data: some TrainingData,
    keeping kept: (bundle: ModelBundle, roles: [String])? = nil,
    evaluate: (inout Task.Model) throws -> ValidationFigures
  ) throws where Task.Model: BundledModel {
    console.introduce("training: \(data.summary)", data.rejected)
    if let test, try test.inks > 0 || ink.dividesWriters { console.say(test.text) }
    if data.sharedWriters > 0, validation.allSatisfy({ $0.splitUnit == .writer }) {
      console.say(
        (data.sharedWriters == 1
          ? "1 validation writer is a training writer"
          : "\(data.sharedWriters) validation writers are training writers")
          + " too: unseen writers will be read worse than the figures show")
    }
    let names = (training.map(\.textWithSplit), validation.map(\.textWithSplit))
    try session.train(trainer, data: data.identity, named: names) { model in
      var model = model
      let figures = try evaluate(&model)
      let origin = TrainedManifest(
        bundle: bundle, origins: origins, start: kept?.bundle.manifest, identity: data.identity,
        seed: options.seed, epochs: trainer.state.epochs, samples: data.trainingCount,
        writers: data.writers,
        workers: options.workers, precision: trainer.configuration.precision,
        seconds: trainer.seconds)
      let metrics = figures.manifest(of: options.output, on: validation)
      var writer = try model.bundle(origin.manifest(Task.Model.kind, metrics: metrics))
      if let kept {
        for part in kept.bundle.manifest.parts where kept.roles.contains(part.role) {
          try writer.add(part: part.name, role: part.role, data: kept.bundle.data(for: part.name))
        }
      }
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

/// The destination of a bundle.
enum TrainingOutput {
  /// Creates the parent folder of the bundle, and checks before any work that the bundle can be
  /// written.
  static func check(_ bundle: URL, named output: String) throws {
    let parent = bundle.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw ToolError.unusableOutput(
        output, "the folder \(parent.path) cannot be created")
    }
    if let problem = OutputPlace.problem(with: parent.path) {
      throw ToolError.unusableOutput(
        output, "the folder \(parent.path) cannot be written to: \(problem)")
    }
    let manifest = bundle.appendingPathComponent("manifest.json").path
    if FileManager.default.fileExists(atPath: bundle.path),
      !FileManager.default.fileExists(atPath: manifest)
    {
      throw ToolError.unusableOutput(
        output, "the path exists and is not a model bundle")
    }
  }
}

extension ToolError {
  /// The error for an `--output` where no model can be written.
  static func unusableOutput(_ path: String, _ problem: String) -> ToolError {
    .badInput("--output \(path): \(problem); choose another path")
  }
}

extension LineModel {
  /// Tunes the decoder of a new model and scores its greedy decoding: its confidences without a
  /// language model, and everything with the language model that the bundle keeps. Tune for other
  /// language models with `ductus tune decoder`.
  mutating func finish(
    with companions: LineCompanions? = nil, on validation: [DataSpecification]
  ) throws -> ValidationFigures {
    let lines = 300
    decoding = [:]
    let plain = try DecoderTuner(model: self, language: nil, data: validation, limit: lines)
    decoding[DecoderConfiguration.withoutModel] = try plain.tune().configuration
    if let companions, let key = companions.decodingKey {
      let tuner = try DecoderTuner(
        model: self, language: companions.language?.model, recurrent: companions.recurrent?.model,
        data: validation, limit: lines)
      decoding[key] = try tuner.tune().configuration
    }
    let evaluation = try LineEvaluation(
      LineRecognizer(model: self), on: validation, reading: .greedy, layout: .line)
    return ValidationFigures(
      metrics: [
        ("cer", evaluation.errors.characterErrorRate), ("wer", evaluation.errors.wordErrorRate),
      ], dataHash: evaluation.dataHash, options: ["--greedy"],
      headline: evaluation.errors.characterErrorRate.map {
        ("validation character error rate, greedy", $0)
      })
  }
}

/// The figures of a freshly trained model on its validation data.
struct ValidationFigures {
  /// The figures by their names in the manifest; nil if not measured.
  let metrics: [(name: String, value: Double?)]
  /// SHA-256 of the records that were read.
  let dataHash: String
  /// The options of `ductus evaluate`, in addition to model and data, that measure the same.
  var options: [String] = []
  /// The figure to show, 0 ... 1.
  let headline: (name: String, value: Double)?
}

extension ValidationFigures {
  /// The figures for the manifest of a model, with the command that measures them, without those
  /// that are nil.
  ///
  /// - Parameters:
  ///   - model: The bundle, as named on the command line.
  ///   - validation: The data that they were measured on.
  func manifest(
    of model: String, on validation: [DataSpecification]
  ) -> [ModelManifest.Metric] {
    let names = validation.map(\.textWithSplit)
    let arguments =
      ["evaluate", "--model", model] + options + names.flatMap { ["--data", $0] }
    return metrics.compactMap { name, value in
      value.map {
        ModelManifest.Metric(
          name: name, value: $0, data: names.joined(separator: ", "), dataHash: dataHash,
          command: ShellQuoting.command(arguments))
      }
    }
  }
}

/// The part of some data that training leaves for a test.
struct TestPart {
  /// The number of its inks.
  private(set) var inks = 0
  /// The number of its different writers. The same name in different data counts as different
  /// people.
  private(set) var writers = 0
  /// The data with this part.
  let data: [DataSpecification]

  /// Counts it: reads the data again, and keeps only the names of its writers.
  ///
  /// - Parameter data: The data, for any selected part.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  init(of data: [DataSpecification]) throws {
    self.data = data.map { $0.withSplit(.test) }
    for specification in self.data {
      var names: Set<String> = []
      for case .success(let record) in try specification.records() where !record.labeled.ink.isEmpty
      {
        inks += 1
        if let writer = record.labeled.writer { names.insert(writer) }
      }
      writers += names.count
    }
  }

  /// `left for test: 234 inks of 7 writers`, with the way to score them.
  var text: String {
    guard inks > 0 else {
      return "no test part: use fold=K/N, which holds out every N-th writer"
    }
    let people = writers > 0 ? " of \(TerminalText.count(writers, "writer"))" : ""
    let names = data.map { "--data \(ShellQuoting.quoted($0.textWithSplit))" }
    return "left for test: \(TerminalText.count(inks, "ink"))\(people); 'ductus evaluate' scores "
      + "them with \(names.joined(separator: " "))"
  }
}
