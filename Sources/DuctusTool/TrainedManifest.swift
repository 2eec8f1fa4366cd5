import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Training

/// What the manifest of a freshly trained model says of its origin.
struct TrainedManifest {
  let name: String
  let sources: [DataSpecification]
  let loaded: GlyphTrainingData
  let trainer: GlyphTrainer
  let seconds: Double

  var manifest: ModelManifest {
    get throws {
      ModelManifest(
        kind: .glyph, identifier: identifier, name: name, labels: loaded.training.labels,
        data: dataSources, metrics: metrics, training: record, architecture: .null,
        features: .null)
    }
  }

  /// The name, with everything but ASCII letters, digits, `-`, `_` and `.` replaced.
  private var identifier: String {
    let kept = name.unicodeScalars.map { scalar -> Character in
      let isPlain =
        scalar.isASCII
        && (CharacterSet.alphanumerics.contains(scalar) || "-_.".unicodeScalars.contains(scalar))
      return isPlain ? Character(scalar) : "-"
    }
    let text = String(kept.prefix(128).drop { $0 == "." })
    return text.isEmpty ? "model" : text
  }

  private var dataSources: [ModelManifest.DataSource] {
    var seen: Set<String> = []
    return sources.compactMap { source in
      guard seen.insert(source.text).inserted else { return nil }
      let dataset = PublicDataset.all.first { dataset in
        source.format == .unipen && dataset.specification.hasPrefix("unipen:")
          || source.format == .quickdraw && dataset.specification.hasPrefix("quickdraw:")
      }
      return ModelManifest.DataSource(
        name: source.text, licence: dataset?.licence ?? "not stated",
        attribution: dataset?.citation ?? "not stated")
    }
  }

  private var metrics: [ModelManifest.Metric] {
    guard let best = trainer.bestRecord else { return [] }
    return [
      ModelManifest.Metric(
        name: "validation top-1", value: best.validationAccuracy, data: "validation part",
        dataHash: loaded.validationHash, command: command, seed: trainer.configuration.seed)
    ]
  }

  private var command: String { CommandLine.arguments.dropFirst().reduce("ductus") { "\($0) \($1)" } }

  private var record: TrainingRecord {
    TrainingRecord(
      command: command, seed: trainer.configuration.seed, epochs: trainer.history.count,
      samples: loaded.training.samples.count, writers: loaded.writers,
      dataHash: loaded.trainingHash, validationHash: loaded.validationHash, commit: nil,
      blas: "\(BLASLibrary.current)", threads: trainer.workers, durationSeconds: seconds,
      date: ISO8601DateFormatter().string(from: Date()))
  }
}
