import Foundation
import InkDatasets

/// A training that a page asks for.
package struct TrainingRequest: Decodable, Sendable {
  /// The decision about an unfinished training or a model of the same name.
  enum Existing: String, Decodable, Sendable {
    /// Refuse the request.
    case keep
    /// Replace the model; it stays until the new one is finished.
    case replace
    /// Continue the unfinished training.
    case resume
  }

  var data: [String]
  /// Validation data; empty to hold out a part of the data.
  var validation: [String]?
  var kind: TrainedKind
  var preset: TrainingPreset
  /// The name of the model.
  var name: String
  /// The line model to start from; nil for none.
  var from: String?
  /// The number of inks, as the plan counted them.
  var inks: Int?
  /// The number of epochs; nil for that of the preset.
  var epochs: Int?
  /// The seed; nil for the usual one.
  var seed: UInt64?
  var existing: Existing?
}

extension TrainingRequest {
  private static let mostEpochs = 10_000
  private static let mostInks = 1_000_000_000

  /// Checks the request and returns the job.
  ///
  /// - Parameter rates: Measured samples per second by `TrainingSettings.rateKey`.
  /// - Throws: ``StudioError`` or `DataError`.
  package func job(in context: StudioContext, rates: [String: Double]) throws -> JobRequest {
    let checked = JobArguments(context)
    let name = try JobArguments.modelName(self.name)
    let output = JobArguments.path(ofModel: name)
    _ = try context.project.folder("models")
    _ = try context.project.url(of: output)
    let data = try checked.data(self.data, field: "data")
    let validation =
      self.validation?.isEmpty ?? true
      ? [] : try checked.data(self.validation ?? [], field: "validation")
    guard from == nil || kind == .lines else {
      throw StudioError(
        .invalidValue, "only models of lines start from another model; leave it out",
        field: "from")
    }
    let start = try from.map { try checked.model($0, field: "from") }
    let settings = TrainingSettings(
      preset, kind, inks: try checkedInks(), isStarted: start != nil, rates: rates)
    var arguments = ["train", kind.rawValue]
    arguments += data.map { "--data=\($0)" } + validation.map { "--validation=\($0)" }
    arguments += ["--output=\(output)", "--preset=\(settings.network)"]
    arguments.append("--epochs=\(try checkedEpochs() ?? settings.epochs)")
    if let size = settings.batchSize { arguments.append("--batch-size=\(size)") }
    if let start { arguments.append("--from=\(start)") }
    if let seed { arguments.append("--seed=\(seed)") }
    arguments.append("--watch=\(Jobs.watchPlace)")
    try decide(output, in: context.project, &arguments)
    return JobRequest(kind: .train, title: name, arguments: arguments, output: output)
  }

  private func checkedInks() throws(StudioError) -> Int {
    let inks = inks ?? 5000
    guard (0...Self.mostInks).contains(inks) else {
      throw StudioError(.invalidValue, "expected 0 to \(Self.mostInks)", field: "inks")
    }
    return inks
  }

  private func checkedEpochs() throws(StudioError) -> Int? {
    guard let epochs else { return nil }
    guard (1...Self.mostEpochs).contains(epochs) else {
      throw StudioError(.invalidValue, "expected 1 to \(Self.mostEpochs)", field: "epochs")
    }
    return epochs
  }

  /// Refuses to replace a model or an unfinished training, unless the page says so.
  private func decide(
    _ output: String, in project: Project, _ arguments: inout [String]
  ) throws(StudioError) {
    func exists(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: project.root.appendingPathComponent(path).path)
    }
    let isUnfinished = exists(output + ".training")
    switch existing ?? .keep {
    case .keep:
      guard !isUnfinished else {
        throw StudioError(
          .conflict,
          "there is an unfinished training of this name; continue it, start again, or choose "
            + "another name", field: "name")
      }
      guard !exists(output) else {
        throw StudioError(
          .conflict, "there is a model of this name; replace it, or choose another name",
          field: "name")
      }
    case .replace: if isUnfinished { arguments.append("--restart") }
    case .resume: arguments.append("--resume")
    }
  }
}
