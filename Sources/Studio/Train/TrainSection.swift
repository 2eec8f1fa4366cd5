import Files
import Foundation
import InkDatasets

/// `POST /v1/jobs/train` and what it needs: trainings as processes of their own.
struct TrainSection: StudioSection {
  private let context: StudioContext
  private let jobs: Jobs

  init(_ context: StudioContext, jobs: Jobs) {
    self.context = context
    self.jobs = jobs
  }

  /// The data of a plan.
  struct PlanRequest: Decodable {
    var data: [String]
    var validation: [String]?
    var kind: TrainedKind?
    var from: String?
  }

  var routes: [StudioRoute] {
    [
      StudioRoute(.POST, "/v1/jobs/train") { request in
        let wanted: TrainingRequest = try request.decoded()
        return try .json(jobs.start(wanted.job(in: context, rates: rates(wanted.kind))))
      },
      StudioRoute(.POST, "/v1/studio/train/plan") { request in
        try await plan(request.decoded())
      },
    ]
  }

  private func plan(_ request: PlanRequest) async throws -> StudioAnswer {
    _ = try JobArguments(context).data(request.data, field: "data")
    let data = try request.data.map {
      try context.data.specification($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    let plan = try await WorkQueue.studio.value {
      try TrainingPlan(
        data, hasValidation: !(request.validation?.isEmpty ?? true), kind: request.kind,
        isStarted: request.from != nil, rates: rates)
    }
    return try .json(plan)
  }

  /// The part of the progress that is used here.
  private struct Watched: Decodable {
    var samplesPerSecond: Double?
    var step: Int
  }

  /// Steps after which a measured rate holds.
  private static let enoughSteps = 50

  /// Samples per second of the last trainings of a kind on this machine, by
  /// ``TrainingSettings/rateKey(network:batchSize:)``.
  private func rates(_ kind: TrainedKind) -> [String: Double] {
    var rates: [String: Double] = [:]
    for job in jobs.list().prefix(20) where job.kind == .train {
      func value(of option: String) -> String? {
        job.arguments.first { $0.hasPrefix("\(option)=") }.map {
          String($0.dropFirst(option.count + 1))
        }
      }
      guard job.arguments.dropFirst().first == kind.rawValue, let network = value(of: "--preset")
      else { continue }
      let key = TrainingSettings.rateKey(network: network, batchSize: value(of: "--batch-size"))
      guard rates[key] == nil, let folder = try? jobs.job(job.id).folder,
        let bytes = try? Data(contentsOf: folder.watch),
        let watched = try? JSONDecoder().decode(Watched.self, from: bytes),
        let rate = watched.samplesPerSecond, rate > 0, watched.step >= Self.enoughSteps
      else { continue }
      rates[key] = rate
    }
    return rates
  }
}
