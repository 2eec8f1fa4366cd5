import InkDatasets
import ModelFormat

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
