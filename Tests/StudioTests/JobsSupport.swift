import Foundation
import InkDatasets
import ModelFormat
import Recognition
import Studio
import Testing

/// A project in a temporary folder, with a script that stands for `ductus`.
final class JobsProject {
  let root: URL
  let project: Project
  let tool: URL
  let context: StudioContext

  /// The script writes its arguments and its folder to files of the project. Its name for a model
  /// or a report decides what it does: `slow` runs until it is interrupted, `fail` exits with 3,
  /// `crash` kills itself, and all others end at once.
  private static let script = """
    #!/bin/sh
    printf '%s\\n' "$@" > arguments.txt
    pwd > folder.txt
    cat > input.txt
    case "$*" in
    *--resume*)
      rm -rf models/slow.ductus.training; mkdir -p models/slow.ductus
      echo '{}' > models/slow.ductus/manifest.json; echo resumed ;;
    *slow*)
      trap 'mkdir -p models/slow.ductus.training; echo saved; exit 1' INT
      echo started; echo $$ > number.txt
      while :; do sleep 0.05; done ;;
    *fail*) echo 'a problem' >&2; exit 3 ;;
    *crash*) kill -9 $$ ;;
    *) echo done ;;
    esac
    """

  init(models: [String] = [], allowed: [String] = []) throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-studio-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    tool = root.appendingPathComponent("tool.sh")
    try Data(Self.script.utf8).write(to: tool)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
    let folder = root.appendingPathComponent("project")
    project = try Project(at: folder)
    for name in models {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("models/\(name).ductus"),
        withIntermediateDirectories: true)
    }
    let names = models
    let provider = NamedModels(folder: folder.appendingPathComponent("models"), names: names)
    let configuration = StudioConfiguration(
      folder: folder, library: ModelLibrary([provider], defaultModel: "mine"), tool: tool,
      port: 0, data: allowed,
      runLog: root.appendingPathComponent("runs.sqlite"))
    context = StudioContext(
      configuration: configuration, project: project,
      data: ProjectData(project: project, allowed: allowed))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// New jobs of the project, as after a restart of the studio.
  func jobs(tool: URL? = nil) -> Jobs { Jobs(project: project, tool: tool ?? self.tool) }

  func path(_ name: String) -> String { project.root.appendingPathComponent(name).path }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The request for a job of this name.
  func request(_ name: String, kind: JobRecord.Kind = .train) -> JobRequest {
    JobRequest(
      kind: kind, title: name, arguments: ["train", "glyphs", "--output=models/\(name).ductus"],
      output: "models/\(name).ductus")
  }

  /// Waits until a condition holds.
  func wait(
    _ condition: () throws -> Bool, location: SourceLocation = #_sourceLocation
  ) throws {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if try condition() { return }
      usleep(10_000)
    }
    Issue.record("the condition did not hold within a minute", sourceLocation: location)
  }

  /// The job after its end.
  func ended(_ id: String, of jobs: Jobs) throws -> Job {
    try wait { try !jobs.job(id).job.isRunning }
    return try jobs.job(id).job
  }
}

/// Models that have names and folders, but cannot be opened.
struct NamedModels: ModelProvider {
  let folder: URL
  let names: [String]

  var models: [ModelDescription] {
    names.map {
      ModelDescription(
        identifier: $0, name: $0, kind: $0.hasPrefix("lines") ? .line : .glyph, version: 1,
        languages: [])
    }
  }

  func bundleURL(of identifier: String) -> URL? {
    names.contains(identifier) ? folder.appendingPathComponent("\(identifier).ductus") : nil
  }
}

/// The code of the error that some work throws.
func code(_ work: () throws -> Void) -> StudioError.Code? {
  do {
    try work()
    return nil
  } catch {
    return StudioError.of(error).code
  }
}
