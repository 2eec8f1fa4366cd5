import Files
import Foundation
import RunLog

/// `/v1/runs`: the log of trainings, also of those that the studio did not start.
struct RunsSection: StudioSection {
  private let context: StudioContext

  init(_ context: StudioContext) { self.context = context }

  /// A run without its epochs.
  struct Run: Encodable {
    var id: Int64
    var state: RunRecord.State
    var kind: RunKind
    /// The name of the model.
    var name: String
    /// The path of the model in the project; nil for one outside of it.
    var output: String?
    var started: Date
    var seconds: Double
    var epochs: Int
    var finishedEpochs: Int
    /// The epoch whose weights are kept, from 0.
    var keptEpoch: Int?
    /// The main figure of that epoch.
    var figure: Double?
    var figureName: String
    var lessIsBetter: Bool
    /// The figures of the finished model by name.
    var figures: [String: Double]
    var modelBytes: Int?
    var data: [String]
    var failure: String?
    /// The figures of the epochs; nil in lists.
    var curve: [Point]?
  }

  /// The figures at the end of an epoch.
  struct Point: Encodable {
    /// From 1.
    var epoch: Int
    var trainingLoss: Double
    var validationLoss: Double
    /// The main figure on the validation data.
    var figure: Double
    var seconds: Double?
  }

  /// The answer with the last runs.
  struct List: Encodable {
    var runs: [Run]
    /// The reason why there are none, if the log cannot be read.
    var problem: String?
  }

  /// The differences between runs.
  struct Differences: Encodable {
    var ids: [Int64]
    var sharesTraining: Bool
    var sharesValidation: Bool
    var sharesKind: Bool
    var circumstances: [RunComparison.Setting]
    var settings: [RunComparison.Setting]
  }

  /// The most runs of a list and of a comparison.
  private static let (mostRuns, mostCompared) = (200, 6)

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/runs") { request in
        let count = try request.queryNumber("last", in: 1...Self.mostRuns) ?? 50
        return try await .json(list(last: count))
      },
      StudioRoute(.GET, "/v1/runs/curves") { request in
        let runs = try await runs(request.query["ids"] ?? "", atLeast: 1)
        return try .json(List(runs: runs.map { describe($0, withCurve: true) }))
      },
      StudioRoute(.GET, "/v1/runs/differences") { request in
        let comparison = RunComparison(try await runs(request.query["ids"] ?? "", atLeast: 2))
        return try .json(
          Differences(
            ids: comparison.runs.compactMap(\.run.id),
            sharesTraining: comparison.sharesTraining,
            sharesValidation: comparison.sharesValidation, sharesKind: comparison.sharesKind,
            circumstances: comparison.circumstances, settings: comparison.settings))
      },
    ]
  }

  private var file: URL { context.configuration.runLog ?? RunDatabase.defaultFile }

  /// Runs work on the log; nil if there is no log yet.
  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (RunDatabase) throws -> Value
  ) async throws -> Value? {
    let file = file
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try await WorkQueue.studio.value {
      try work(RunDatabase(at: file, isReadOnly: true, patience: 1))
    }
  }

  private func list(last count: Int) async throws -> List {
    do {
      let runs = try await read { try $0.runs(last: count) } ?? []
      return List(runs: runs.reversed().map { describe($0, withCurve: false) })
    } catch let error as RunLogError {
      // A log that is damaged or newer does not keep anybody from training.
      return List(runs: [], problem: "\(error)")
    }
  }

  private func runs(_ text: String, atLeast least: Int) async throws -> [LoggedRun] {
    let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
    guard (least...Self.mostCompared).contains(ids.count), Set(ids).count == ids.count,
      ids.allSatisfy({ $0 != nil && $0 ?? 0 > 0 })
    else {
      throw StudioError(
        .invalidValue,
        "expected \(least) to \(Self.mostCompared) different numbers of runs, with commas between",
        field: "ids")
    }
    let missing = StudioError(
      .notFound, "expected runs of the log, found at least one number without a run", field: "ids")
    do {
      let names = ids.compactMap { $0.map(String.init) }
      guard let found = try await read({ log in try names.map { try log.run($0) } }) else {
        throw missing
      }
      return found
    } catch RunLogError.noSuchRun {
      throw missing
    }
  }

  private func describe(_ logged: LoggedRun, withCurve: Bool) -> Run {
    let run = logged.run
    let url = URL(fileURLWithPath: run.output)
    let root = context.project.root.path + "/"
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/"
    var result = Run(
      id: run.id ?? 0, state: run.state, kind: run.kind,
      name: url.deletingPathExtension().lastPathComponent,
      output: folder.hasPrefix(root)
        ? folder.dropFirst(root.count) + url.lastPathComponent : nil,
      started: run.started, seconds: run.seconds, epochs: run.epochs,
      finishedEpochs: logged.epochs.count, keptEpoch: run.keptEpoch,
      figure: logged.figure.flatMap(Self.finite), figureName: run.kind.figureName,
      lessIsBetter: run.kind.lessIsBetter, figures: run.figures.filter { $0.value.isFinite },
      modelBytes: run.modelBytes, data: run.data, failure: run.failure)
    guard withCurve else { return result }
    result.curve = logged.epochs.compactMap { epoch in
      let figures = epoch.figures
      guard figures.trainingLoss.isFinite, figures.validationLoss.isFinite,
        figures.validationAccuracy.isFinite
      else { return nil }
      return Point(
        epoch: figures.epoch + 1, trainingLoss: figures.trainingLoss,
        validationLoss: figures.validationLoss, figure: run.kind.figure(of: figures),
        seconds: epoch.seconds)
    }
    return result
  }

  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}
