import Evaluation
import Foundation
import InkDatasets
import LinearAlgebra
import ModelFormat
import Recognition
import Training

/// What the manifest of a freshly trained model says of its origin and its worth.
struct TrainedManifest {
  let bundle: URL
  let output: String
  let training: [DataSpecification]
  let validation: [DataSpecification]
  let loaded: GlyphTrainingData
  let trainer: GlyphTrainer

  /// Measures the model on its validation data and describes it.
  func manifest(_ model: GlyphModel) throws -> ModelManifest {
    ModelManifest(
      kind: .glyph, identifier: identifier, name: name, labels: model.labels, data: dataSources,
      metrics: try metrics(model), training: record, architecture: .null, features: .null)
  }

  private var name: String { bundle.deletingPathExtension().lastPathComponent }

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
    return training.compactMap { source in
      guard seen.insert(source.text).inserted else { return nil }
      let dataset = PublicDataset.all.first { dataset in
        source.format == .unipen && dataset.specification.hasPrefix("unipen:")
          || source.format == .iamOnDB && dataset.specification.hasPrefix("iam-ondb:")
          || source.format == .quickdraw && dataset.specification.hasPrefix("quickdraw:")
      }
      return ModelManifest.DataSource(
        name: dataset.map { "\($0.name) (\(source.text))" } ?? source.text,
        licence: dataset?.licence ?? "not stated",
        attribution: dataset?.citation ?? "not stated")
    }
  }

  /// Figures of the model as it is saved, on the validation data.
  private func metrics(_ model: GlyphModel) throws -> [ModelManifest.Metric] {
    let evaluation = try GlyphEvaluation(GlyphClassifier(model: model), on: validation)
    let names = validation.map(\.textWithSplit)
    let arguments = ["evaluate", "--model", output] + names.flatMap { ["--data", $0] }
    let figures = [
      ("top1", evaluation.accuracy(at: 1)), ("top3", evaluation.accuracy(at: 3)),
      ("ece", evaluation.calibration.value),
    ]
    return figures.compactMap { name, value in
      value.map {
        ModelManifest.Metric(
          name: name, value: $0, data: names.joined(separator: ", "),
          dataHash: evaluation.dataHash, command: ShellQuoting.command(arguments))
      }
    }
  }

  private var record: TrainingRecord {
    TrainingRecord(
      command: ShellQuoting.command(Array(CommandLine.arguments.dropFirst())),
      seed: trainer.configuration.seed, epochs: trainer.history.count,
      samples: loaded.training.samples.count, writers: loaded.writers,
      dataHash: loaded.identity.training, validationHash: loaded.identity.validation, commit: nil,
      blas: BLASLibrary.current.description, threads: trainer.workers,
      durationSeconds: trainer.seconds,
      date: ISO8601DateFormatter().string(from: Date()))
  }
}

extension DataSpecification {
  /// The text that names this data with the part that is in use, which a command may have chosen.
  var textWithSplit: String {
    guard let split else { return text }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let items = halves.count == 2 ? halves[1].split(separator: "&") : []
    let others = items.filter { !$0.hasPrefix("split=") }.map(String.init)
    return "\(halves[0])?" + (others + ["split=\(split.rawValue)"]).joined(separator: "&")
  }
}

/// Writes commands so that they can be pasted into a shell.
enum ShellQuoting {
  /// `ductus` with these arguments.
  static func command(_ arguments: [String]) -> String {
    (["ductus"] + arguments.map(quoted)).joined(separator: " ")
  }

  /// The argument as it is where a POSIX shell leaves it alone, else in single quotes.
  static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy { byte in
        (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x30 && byte <= 0x39
          || "-_./:=,+@%".utf8.contains(byte)
      }
    return isPlain ? argument : "'\(argument.replacingOccurrences(of: "'", with: #"'\''"#))'"
  }
}
