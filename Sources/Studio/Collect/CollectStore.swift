import Files
import Foundation

/// The sessions of a project. An actor: requests of several pages change one file one at a time.
actor CollectStore {
  private let project: Project
  private var open: [String: CollectSession] = [:]
  /// The names of the open sessions, the one used last at the end.
  private var order: [String] = []

  /// The most sessions that are open at once, each with a locked file.
  static let mostOpen = 16
  /// The most sessions that are listed.
  static let mostListed = 500

  /// A session in the list.
  struct Summary: Encodable {
    var name: String
    var writer: String?
    var prompts: Int?
    var written: Int?
    var skipped: Int?
    /// The time of the last change, in seconds since 1970.
    var modified: Double
    /// The reason why the session cannot be used; nil if it can.
    var problem: String?
  }

  /// Makes a store. Nothing is read before the first request.
  init(_ project: Project) {
    self.project = project
  }

  /// Returns the sessions, the one changed last first.
  ///
  /// - Throws: ``StudioError``.
  /// - Complexity: O(bytes of all sessions).
  func list() throws(StudioError) -> [Summary] {
    let folder = try project.folder("collect")
    let suffix = ".session.json"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var result: [Summary] = []
    for file in names where file.hasSuffix(suffix) && !file.hasPrefix(".") {
      let name = String(file.dropLast(suffix.count))
      guard (try? Project.name(name)) == name else { continue }
      result.append(summary(name, folder))
    }
    return Array(
      result.sorted { ($0.modified, $0.name) > ($1.modified, $1.name) }
        .prefix(Self.mostListed))
  }

  private func summary(_ name: String, _ folder: URL) -> Summary {
    let file = folder.appendingPathComponent("\(name).session.json")
    let ink = folder.appendingPathComponent("\(name).jsonl")
    let modified =
      [file, ink].compactMap {
        (try? $0.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
      }.max()?.timeIntervalSince1970 ?? 0
    var summary = Summary(name: name, modified: modified)
    do throws(StudioError) {
      if let session = open[name] {
        try session.refresh()
        let state = session.state()
        (summary.writer, summary.prompts) = (state.writer, state.prompts)
        (summary.written, summary.skipped) = (state.written, state.skipped)
      } else {
        let plan = try CollectPlan(
          contentsOf: try project.url(of: CollectSession.planFile(name)),
          name: CollectSession.planFile(name))
        (summary.writer, summary.prompts) = (plan.writer, plan.prompts.count)
        summary.skipped = plan.skipped.count
        // One line per sample; a session that is opened is counted exactly.
        let bytes = (try? Data(contentsOf: ink)) ?? Data()
        summary.written = min(
          bytes.count { $0 == UInt8(ascii: "\n") }, plan.prompts.count)
      }
    } catch {
      summary.problem = error.message
    }
    return summary
  }

  /// Makes a session.
  ///
  /// - Throws: ``StudioError``.
  func create(_ name: String, _ plan: CollectPlan) throws(StudioError) -> CollectSession.State {
    let name = try Project.name(name)
    guard open[name] == nil else {
      throw StudioError(
        .conflict, "expected a new name, found a session of this name; choose another",
        field: "name")
    }
    let session = try session(name, creating: plan)
    return session.state()
  }

  /// Runs an action on a session, which is opened if it is not.
  ///
  /// - Throws: ``StudioError``, and the errors of the action.
  func with<Result: Sendable>(
    _ name: String, _ action: @Sendable (CollectSession) throws -> Result
  ) throws -> Result {
    let session = try session(try Project.name(name))
    try session.refresh()
    return try action(session)
  }

  private func session(
    _ name: String, creating plan: CollectPlan? = nil
  ) throws(StudioError) -> CollectSession {
    order.removeAll { $0 == name }
    if let session = open[name] {
      order.append(name)
      return session
    }
    // A link out of the project is refused.
    _ = try project.url(of: CollectSession.file(name))
    _ = try project.url(of: CollectSession.planFile(name))
    let session = try CollectSession(
      in: try project.folder("collect"), name: name, creating: plan)
    open[name] = session
    order.append(name)
    while order.count > Self.mostOpen { open[order.removeFirst()] = nil }
    return session
  }
}
