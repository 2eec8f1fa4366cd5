import Files
import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Recognition

/// The origin and the record of a freshly trained model, for its manifest.
///
///     let manifest = TrainedManifest(trainer, on: data).manifest(of: url, metrics: metrics)
///     _ = try model.bundle(manifest).write(to: url)
public struct TrainedManifest: Sendable {
  private let kind: ModelManifest.Kind
  private let sources: [ModelManifest.DataSource]
  private let record: TrainingRecord

  /// Describes a training that has ended.
  ///
  /// - Parameters:
  ///   - trainer: The trainer.
  ///   - data: Its data.
  ///   - start: The manifest of the model that training started from, whose data the new model also
  ///     knows; nil for fresh weights.
  ///   - command: The command that repeats the training; default: the command line of this process.
  public init<Task>(
    _ trainer: Trainer<Task>, on data: some TrainingData, from start: ModelManifest? = nil,
    command: String? = nil
  ) where Task.Model: BundledModel {
    kind = Task.Model.kind
    let own = data.origins.map {
      ModelManifest.DataSource(
        name: $0.name, licence: $0.licence, attribution: $0.attribution)
    }
    sources = own + (start?.data.filter { !own.contains($0) } ?? [])
    record = TrainingRecord(
      command: command ?? ShellQuoting.words(CommandLine.arguments),
      seed: trainer.configuration.seed, epochs: trainer.state.epochs,
      samples: data.trainingCount, writers: data.writers, dataHash: data.identity.training,
      validationHash: data.identity.validation, commit: nil, blas: BLASLibrary.current.description,
      precision: trainer.configuration.precision.rawValue, threads: trainer.task.workers,
      durationSeconds: trainer.seconds, date: ISO8601DateFormatter().string(from: Date()))
  }

  /// Makes the manifest. Labels, architecture and features are added when the model is bundled.
  ///
  /// - Parameters:
  ///   - bundle: The folder of the bundle, which gives the model its name.
  ///   - metrics: The figures on the validation data.
  public func manifest(
    of bundle: URL, metrics: [ModelManifest.Metric] = []
  ) -> ModelManifest {
    ModelManifest(
      kind: kind, identifier: bundle.modelIdentifier, name: bundle.modelName, labels: [],
      data: sources, metrics: metrics, training: record, architecture: .null, features: .null)
  }
}

extension ModelBundleWriter {
  /// Adds the language models and the character model of the bundle that training started from.
  ///
  /// - Throws: `ModelFormatError`.
  package mutating func addCompanions(of start: ModelBundle) throws {
    let roles = [
      ModelManifest.Part.languageRole, ModelManifest.Part.recurrentRole,
      ModelManifest.Part.characterRole,
    ]
    for part in start.manifest.parts where roles.contains(part.role) {
      try add(part: part.name, role: part.role, data: start.data(for: part.name))
    }
  }
}
