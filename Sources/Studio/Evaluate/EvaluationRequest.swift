import Evaluation
import Foundation
import InkDatasets
import ModelFormat

/// Evaluations that a page asks for: one job for each model, or one that compares two.
package struct EvaluationRequest: Decodable, Sendable {
  var models: [String]
  var data: [String]
  /// The name of the report; nil for one made of the names of models and the time.
  var name: String?
  /// True to score disturbed ink too.
  var robustness: Bool?
  /// True to compare two models on each ink, in one job.
  var compares: Bool?
}

extension EvaluationRequest {
  /// Checks the request, makes the folders of the reports, and returns the jobs.
  ///
  /// - Throws: ``StudioError`` or `DataError`.
  package func jobs(in context: StudioContext, now: Date = Date()) throws -> [JobRequest] {
    let checked = JobArguments(context)
    let data = try checked.data(self.data, field: "data").map { "--data=\($0)" }
    guard (1...Jobs.mostRunning).contains(models.count), Set(models).count == models.count else {
      throw StudioError(
        .invalidValue, "expected 1 to \(Jobs.mostRunning) different models", field: "models")
    }
    let paths = try models.map { try checked.model($0, field: "models") }
    if compares ?? false { try checkComparison(checked) }
    let name = try self.name.flatMap { $0.isEmpty ? nil : $0 }.map { try Project.name($0) }
    if compares ?? false {
      let folder = try Self.folder(
        name ?? "\(models.joined(separator: " and ")) \(Self.stamp(now))", context.project)
      return [
        JobRequest(
          kind: .compare, title: models.joined(separator: " / "),
          arguments: ["compare"] + paths + data
            + ["--report=\(folder)", "--json=\(folder)/\(EvaluationStore.comparisonName)"],
          output: folder)
      ]
    }
    return try zip(models, paths).map { model, path in
      let title = models.count == 1 ? name : name.map { "\($0) \(model)" }
      let folder = try Self.folder(title ?? "\(model) \(Self.stamp(now))", context.project)
      var arguments = ["evaluate", "--model=\(path)"] + data
      arguments += ["--report=\(folder)", "--json=\(folder)/\(EvaluationStore.summaryName)"]
      arguments.append("--predictions=\(folder)/\(EvaluationStore.answersName)")
      if robustness ?? false { arguments.append("--robustness") }
      return JobRequest(kind: .evaluate, title: model, arguments: arguments, output: folder)
    }
  }

  private func checkComparison(_ checked: JobArguments) throws(StudioError) {
    guard models.count == 2 else {
      throw StudioError(.invalidValue, "expected two models to compare", field: "models")
    }
    guard checked.kind(ofModel: models[0]) == checked.kind(ofModel: models[1]) else {
      throw StudioError(
        .invalidValue,
        "expected two models of the same kind; characters and lines have different figures",
        field: "models")
    }
    guard !(robustness ?? false) else {
      throw StudioError(
        .invalidValue, "a comparison does not score disturbed ink; evaluate each model",
        field: "robustness")
    }
  }

  /// Makes the folder of a report.
  private static func folder(_ name: String, _ project: Project) throws -> String {
    let path = "reports/\(try Project.name(name))"
    _ = try project.folder(path)
    return path
  }

  /// A time as part of a name: `2026-05-04 13.20.11`.
  private static func stamp(_ time: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH.mm.ss"
    return formatter.string(from: time)
  }
}
