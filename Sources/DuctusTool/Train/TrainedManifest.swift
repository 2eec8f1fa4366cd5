import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Training

/// The origin and figures of a freshly trained model for its manifest.
struct TrainedManifest {
  let bundle: URL
  /// The origins of the training data.
  let origins: [DataOrigin]
  /// The model that training started from, whose data it also knows; nil for fresh weights.
  let start: ModelManifest?
  let identity: DataIdentity
  let seed: UInt64
  let epochs: Int
  let samples: Int
  let writers: Int?
  let workers: Int
  let precision: TrainingPrecision
  let seconds: Double

  /// Makes the manifest of a model. Labels, architecture and features are added when it is bundled.
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
  /// The name of this data with the selected part, which a command may have chosen, and without
  /// licence and attribution.
  var textWithSplit: String {
    let named = text(without: ["split", "split-by", "licence", "attribution"])
    let parts =
      (split.map { ["split=\($0.rawValue)"] } ?? [])
      + (splitUnit == .writer ? [] : ["split-by=\(splitUnit.rawValue)"])
    guard !parts.isEmpty else { return named }
    return "\(named)\(named.contains("?") ? "&" : "?")\(parts.joined(separator: "&"))"
  }
}
