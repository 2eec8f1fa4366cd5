import Files
import Foundation

/// `/v1/studio/models`: models in detail, and the commands of `ductus models` as jobs.
struct ModelsSection: StudioSection {
  private let context: StudioContext
  private let jobs: Jobs
  private let keys: ModelKeys

  init(_ context: StudioContext, jobs: Jobs) {
    self.context = context
    self.jobs = jobs
    keys = ModelKeys(context.project)
  }

  /// The answer with all models and keys.
  struct List: Encodable {
    var models: [ModelList.Model]
    var keys: [ModelKeys.Key]
    /// The catalogues of the project.
    var catalogues: [String]
    /// Trainings that are not finished, by the name of their model.
    var unfinished: [String]
  }

  /// A public key of a publisher.
  struct NewKey: Decodable {
    var name: String
    var publicKey: String
  }

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/studio/models") { _ in
        try await .json(WorkQueue.studio.value { list() })
      },
      StudioRoute(.POST, "/v1/studio/models/actions") { request in
        let action: ModelAction = try request.decoded()
        return try .json(jobs.start(action.job(in: context)))
      },
      StudioRoute(.POST, "/v1/studio/keys") { request in
        let key: NewKey = try request.decoded()
        return try .json(keys.add(key.publicKey, named: key.name))
      },
      StudioRoute(.DELETE, "/v1/studio/models/:name") { request in
        try remove(request.parameter("name"))
        return .nothing
      },
    ]
  }

  private func list() -> List {
    let models = ModelList(context)
    return List(
      models: models.models(), keys: keys.list(), catalogues: names(in: "catalogues"),
      unfinished: names(in: "models").filter { $0.hasSuffix(".ductus.training") }.map {
        String($0.dropLast(".ductus.training".count))
      })
  }

  private func names(in folder: String) -> [String] {
    guard let url = try? context.project.url(of: folder),
      let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    else { return [] }
    return names.filter { (try? Project.name($0)) == $0 }.sorted()
  }

  /// Removes a model of the project with its unfinished training.
  private func remove(_ text: String) throws(StudioError) {
    let name = try JobArguments.modelName(text)
    let path = JobArguments.path(ofModel: name)
    let urls = [try context.project.url(of: path), try context.project.url(of: path + ".training")]
    let manager = FileManager.default
    guard urls.contains(where: { manager.fileExists(atPath: $0.path) }) else {
      throw StudioError(.notFound, "expected a model of the project, found none", field: "name")
    }
    guard !jobs.list().contains(where: { $0.isRunning && $0.output == path }) else {
      throw StudioError(.conflict, "a job is writing this model; stop it first", field: "name")
    }
    do {
      for url in urls where manager.fileExists(atPath: url.path) { try manager.removeItem(at: url) }
    } catch {
      throw StudioError(.unusableFile, "\(path): cannot be removed; check its permissions")
    }
  }
}
