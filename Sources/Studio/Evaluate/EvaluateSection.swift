import Files
import Foundation
import InkDatasets
import ModelFormat

/// `/v1/evaluations`: evaluations as jobs, their reports, and confusion matrices.
struct EvaluateSection: StudioSection {
  private let context: StudioContext
  private let jobs: Jobs
  private let store: EvaluationStore
  private let confusions = Confusions()

  init(_ context: StudioContext, jobs: Jobs) {
    self.context = context
    self.jobs = jobs
    store = EvaluationStore(context.project)
  }

  /// The answer with all reports.
  struct List: Encodable {
    var evaluations: [EvaluationStore.Entry]
  }

  /// The answer with the jobs that were started.
  struct Started: Encodable {
    var jobs: [Job]
    /// The reason why some were not started.
    var problem: String?
  }

  /// The model and the data of a confusion matrix.
  struct ConfusionRequest: Decodable {
    var model: String
    var data: [String]
  }

  /// The inks behind a cell.
  struct Inks: Encodable {
    var count: Int
    var inks: [PredictionSet.ShownInk]
  }

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/evaluations") { _ in
        try await .json(List(evaluations: WorkQueue.studio.value { store.list() }))
      },
      StudioRoute(.POST, "/v1/evaluations") { request in
        let wanted: EvaluationRequest = try request.decoded()
        return try .json(start(wanted.jobs(in: context)))
      },
      StudioRoute(.DELETE, "/v1/evaluations/:name") { request in
        try store.remove(request.parameter("name"))
        return .nothing
      },
      StudioRoute(.POST, "/v1/evaluations/confusion") { request in
        try await begin(request.decoded())
      },
      StudioRoute(.GET, "/v1/evaluations/confusion/:id") { request in
        try await .json(
          confusions.state(
            request.parameter("id"),
            size: request.queryNumber("size", in: 1...PredictionSet.mostLabels) ?? 30))
      },
      StudioRoute(.GET, "/v1/evaluations/confusion/:id/inks") { request in
        let pair = PredictionSet.Pair(
          label: request.query["label"] ?? "", answer: request.query["answer"] ?? "")
        let found = try await confusions.inks(
          request.parameter("id"), of: pair,
          from: request.queryNumber("from", in: 0...PredictionSet.mostRecords) ?? 0)
        return try .json(Inks(count: found.count, inks: found.inks))
      },
    ]
  }

  /// Starts jobs; if not all can be started, the answer says so.
  private func start(_ requests: [JobRequest]) throws -> Started {
    var started: [Job] = []
    for request in requests {
      do {
        started.append(try jobs.start(request))
      } catch {
        guard !started.isEmpty else { throw error }
        return Started(jobs: started, problem: "\(request.title): \(error.message)")
      }
    }
    return Started(jobs: started)
  }

  private func begin(_ request: ConfusionRequest) async throws -> StudioAnswer {
    let checked = JobArguments(context)
    let paths = try checked.data(request.data, field: "data")
    let path = try checked.model(request.model, field: "model")
    let texts = request.data.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    let data = try texts.map { try context.data.specification($0) }
    let bundle = context.configuration.library.bundleURL(of: request.model)
    let manifest = bundle?.appendingPathComponent("manifest.json").path ?? ""
    let files = data.map { DataSpecification.locate($0.path) }
    let key = Confusions.Key(
      model: request.model, bundle: "\(manifest) \(Self.version(of: manifest))", data: texts,
      files: files.map(Self.version))
    let change = ([manifest] + files).map(Self.time).max() ?? .distantPast
    let id = await confusions.begin(
      key, isOfLines: checked.kind(ofModel: request.model) == .line, data: data
    ) { progress in
      let known = { store.answers(model: path, data: paths, since: change) }
      if let known = known() { return known }
      try await evaluate(request, model: path, data: paths, progress)
      guard let made = known() else {
        throw StudioError(
          .conflict, "the model or the data changed during the evaluation; try again")
      }
      return made
    }
    return try await .json(confusions.state(id, size: 1))
  }

  /// Evaluates a model in a job, or waits for the job that does so already.
  private func evaluate(
    _ request: ConfusionRequest, model: String, data: [String], _ progress: ProgressCount
  ) async throws {
    let arguments = ["evaluate", "--model=\(model)"] + data.map { "--data=\($0)" }
    var job: Job
    if let running = jobs.list().first(where: {
      $0.isRunning && $0.arguments.starts(with: arguments)
        && $0.arguments.contains { $0.hasPrefix("--predictions=") }
    }) {
      job = running
    } else {
      let wanted = EvaluationRequest(models: [request.model], data: request.data)
      guard let new = try start(wanted.jobs(in: context)).jobs.first else { return }
      job = new
    }
    while job.isRunning, !progress.isCancelled {
      try await Task.sleep(for: .milliseconds(200))
      job = try jobs.job(job.id).job
    }
    guard job.state == .finished || progress.isCancelled else {
      throw StudioError(
        .failed, "the evaluation did not finish; the list of jobs shows what it said")
    }
  }

  /// The size and the time of a file or folder.
  private static func version(of path: String) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return "\(attributes?[.size] as? Int ?? 0) \(time(of: path).timeIntervalSince1970)"
  }

  private static func time(of path: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }
}
