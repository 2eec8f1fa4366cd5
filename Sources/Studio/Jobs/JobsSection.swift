import Foundation

/// `/v1/jobs`: the processes of the project.
struct JobsSection: StudioSection {
  private let jobs: Jobs

  init(_ jobs: Jobs) { self.jobs = jobs }

  /// The answer with all jobs.
  struct List: Encodable {
    var jobs: [Job]
    var mostRunning = Jobs.mostRunning
  }

  /// A part of the output of a job.
  struct Output: Encodable {
    var text: String
    /// The place of the next part.
    var next: Int
  }

  /// The most bytes of the progress of a training.
  private static let mostWatchBytes = 4 << 20

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/jobs") { _ in try .json(List(jobs: jobs.list())) },
      StudioRoute(.GET, "/v1/jobs/:id") { try .json(jobs.job($0.parameter("id")).job) },
      StudioRoute(.GET, "/v1/jobs/:id/output") { request in
        let folder = try jobs.job(request.parameter("id")).folder
        return try .json(Self.output(folder, from: request.queryNumber("from")))
      },
      StudioRoute(.GET, "/v1/jobs/:id/watch") { request in
        try Self.watch(jobs.job(request.parameter("id")).folder)
      },
      StudioRoute(.POST, "/v1/jobs/:id/stop") { try .json(jobs.stop($0.parameter("id"))) },
      StudioRoute(.POST, "/v1/jobs/:id/resume") { try .json(jobs.resume($0.parameter("id"))) },
      StudioRoute(.DELETE, "/v1/jobs/:id") { request in
        try jobs.remove(request.parameter("id"))
        return .nothing
      },
    ]
  }

  private static func output(_ folder: JobFolder, from offset: Int?) -> Output {
    let (bytes, next) = folder.outputText(from: offset)
    return Output(text: String(decoding: bytes, as: UTF8.self), next: next)
  }

  /// The progress as the process wrote it: JSON, or nothing if there is none yet.
  private static func watch(_ folder: JobFolder) throws(StudioError) -> StudioAnswer {
    let size = try? FileManager.default.attributesOfItem(atPath: folder.watch.path)[.size] as? Int
    guard let size, let bytes = try? Data(contentsOf: folder.watch) else { return .nothing }
    guard size <= mostWatchBytes, bytes.count <= mostWatchBytes else {
      throw StudioError(.tooLarge, "the progress of this job is too large to show")
    }
    return .bytes(bytes, type: "application/json")
  }
}
