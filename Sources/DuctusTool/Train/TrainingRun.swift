import ArgumentParser
import Evaluation
import Foundation
import InkDatasets
import ModelFormat
import Recognition
import RunLog
import Training

/// One run of `ductus train glyphs` or `lines`: from the options to the bundle.
struct TrainingRun {
  let options: TrainingOptions
  private let ink: TrainingDataOptions
  /// Training data with the part to use.
  private(set) var training: [DataSpecification]
  /// Validation data with the part to use.
  private(set) var validation: [DataSpecification]
  /// What of the data is left for a test, where this run divides it.
  private var test: TestPart?
  /// Where the training data comes from.
  private let origins: [DataOrigin]
  private let session: TrainingSession
  private let bundle: URL

  private var console: TrainingConsole { session.console }

  /// Prepares a run, and says that data is read next.
  ///
  /// - Throws: `DataError` or ``ToolError``.
  init(_ options: TrainingOptions, _ ink: TrainingDataOptions, _ kind: RunKind) throws {
    self.options = options
    self.ink = ink
    (training, validation) = try ink.specifications()
    origins = try training.origins()
    bundle = URL(fileURLWithPath: options.output)
    try TrainingOutput.check(bundle, named: options.output)
    session = try TrainingSession(options, kind)
    console.say("reading data")
  }

  /// Reads the data. Where it has too few writers to hold some of them out, single inks are held out
  /// in their place, and the user is told. Writers that are left for a test stay there: what scores
  /// the test part later finds no ink that was learned.
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
        ? "too few writers to hold some of them out: of the inks a tenth is held out in their place "
          + "for validation, and a tenth for test (split-by=ink), so that figures tell nothing of "
          + "other people's writing"
        : "too few writers to hold some of them out for validation too: a tenth of the inks of those "
          + "who are not left for test is held out in their place (split-by=mixed), so that "
          + "validation figures tell nothing of other people's writing")
    return try read(training, validation)
  }

  /// What figures are worth where ink that is parted by its writers names none; nil where all names one.
  static func unnamed(_ count: Int, writers: Int?) -> String? {
    guard count > 0 else { return nil }
    return writers == nil
      ? "no ink names a writer: single inks are held out, so that figures tell nothing of other "
        + "people's writing"
      : "\(TerminalText.count(count, "ink names", "inks name")) no writer: they are parted one by one, "
        + "and whoever wrote them may be learned and scored"
  }

  /// Trains, finishes the model and scores it on the validation data, writes the bundle with its
  /// origin and figures, forgets the checkpoint, and says what came of it.
  ///
  /// - Parameters:
  ///   - kept: The bundle that training began with, whose parts of some roles go into the new one.
  ///   - evaluate: Sets what training leaves open, and scores.
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
          + " too: other people's writing will be read worse than the figures say")
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

/// Where a bundle is to be written.
enum TrainingOutput {
  /// Makes the folder around the bundle, and refuses a place that cannot take it: before the work
  /// rather than after it.
  static func check(_ bundle: URL, named output: String) throws {
    let parent = bundle.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw ToolError.unusableOutput(
        output, "the folder \(parent.path) cannot be made")
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
        output, "something that is no model bundle is there")
    }
  }
}

extension ToolError {
  /// `--output` names a place where no model can be written.
  static func unusableOutput(_ path: String, _ problem: String) -> ToolError {
    .badInput("--output \(path): \(problem); choose another path")
  }
}

extension LineModel {
  /// Finds what the search is to use with a new model, and scores its greedy reading: its confidences
  /// without a language model, and all of it with the language model that the bundle keeps. Other
  /// language models are for `ductus tune decoder`.
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

/// What a freshly trained model is worth on its validation data.
struct ValidationFigures {
  /// By the names of the manifest; nil for what was not measured.
  let metrics: [(name: String, value: Double?)]
  /// SHA-256 of the records that were read.
  let dataHash: String
  /// What `ductus evaluate` takes besides model and data to measure the same.
  var options: [String] = []
  /// The figure to show, 0 ... 1.
  let headline: (name: String, value: Double)?
}

extension ValidationFigures {
  /// The figures for the manifest of a model, with the command that measures them; those that are nil
  /// are left out.
  ///
  /// - Parameters:
  ///   - model: The bundle as it was named.
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
  /// Inks of it.
  private(set) var inks = 0
  /// Different writers of them; one name in different data means different people.
  private(set) var writers = 0
  /// The data with this part.
  let data: [DataSpecification]

  /// Counts it: reads the data once more, and keeps the names of its writers only.
  ///
  /// - Parameter data: Whatever part is named.
  /// - Throws: `DataError` or `InkFormatError` where data cannot be opened.
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

  /// `left for test: 234 inks of 7 writers`, and how to score them.
  var text: String {
    guard inks > 0 else {
      return "no test part: use fold=K/N, which holds each N-th writer out for it"
    }
    let people = writers > 0 ? " of \(TerminalText.count(writers, "writer"))" : ""
    let names = data.map { "--data \(ShellQuoting.quoted($0.textWithSplit))" }
    return "left for test: \(TerminalText.count(inks, "ink"))\(people); 'ductus evaluate' scores "
      + "them with \(names.joined(separator: " "))"
  }
}
