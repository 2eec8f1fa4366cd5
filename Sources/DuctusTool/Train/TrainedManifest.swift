import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Training

/// What the manifest of a freshly trained model says of its origin and its worth.
struct TrainedManifest {
  let bundle: URL
  /// Of the training data.
  let origins: [DataOrigin]
  /// The model that training began with, whose data it knows too; nil where weights were fresh.
  let start: ModelManifest?
  let identity: DataIdentity
  let seed: UInt64
  let epochs: Int
  let samples: Int
  let writers: Int?
  let workers: Int
  let precision: TrainingPrecision
  let seconds: Double

  /// Describes a model; its labels, architecture and features are filled in when it is bundled.
  func manifest(_ kind: ModelManifest.Kind, metrics: [ModelManifest.Metric]) -> ModelManifest {
    ModelManifest(
      kind: kind, identifier: bundle.modelIdentifier, name: bundle.modelName, labels: [],
      data: dataSources, metrics: metrics, training: record, architecture: .null, features: .null)
  }

  private var dataSources: [ModelManifest.DataSource] {
    let own = origins.map {
      ModelManifest.DataSource(
        name: $0.name, licence: $0.licence, attribution: $0.attribution)
    }
    return own + (start?.data.filter { !own.contains($0) } ?? [])
  }

  private var record: TrainingRecord {
    TrainingRecord(
      command: TrainingSession.command,
      seed: seed, epochs: epochs, samples: samples, writers: writers,
      dataHash: identity.training, validationHash: identity.validation, commit: nil,
      blas: BLASLibrary.current.description, precision: precision.rawValue,
      threads: workers, durationSeconds: seconds,
      date: ISO8601DateFormatter().string(from: Date()))
  }
}

extension DataSpecification {
  /// The text that names this data with the part that is in use, which a command may have chosen, and
  /// without what says whose it is.
  var textWithSplit: String {
    let named = text(without: ["split", "split-by", "licence", "attribution"])
    let parts =
      (split.map { ["split=\($0.rawValue)"] } ?? [])
      + (splitUnit == .writer ? [] : ["split-by=\(splitUnit.rawValue)"])
    guard !parts.isEmpty else { return named }
    return "\(named)\(named.contains("?") ? "&" : "?")\(parts.joined(separator: "&"))"
  }
}
