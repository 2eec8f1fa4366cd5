import Files
import Foundation
import InkEditor
import Recognition

/// The pages of a project: their files, and the sessions of those that are open.
package actor Pages {
  /// A page in a list.
  package struct Entry: Encodable, Sendable {
    package var name: String
    /// The size of its file.
    var bytes: Int
    /// The time of its last change.
    var changed: Date
  }

  private let project: Project
  private let engine: Engine
  /// Seconds after which a page that nobody uses is closed.
  private let patience: Double
  private var sessions: [String: PageSession] = [:]
  /// Sessions whose files are still being closed.
  private var closing: [String: Task<Void, Never>] = [:]
  private var isWarm = false

  /// The folder of pages in the project.
  package static let folder = "pages"

  /// Makes the pages of a project.
  ///
  /// - Parameters:
  ///   - project: The project.
  ///   - engine: The engine that all pages share.
  ///   - patience: Seconds after which a page that nobody uses is closed.
  package init(project: Project, engine: Engine, patience: Double = 60) {
    self.project = project
    self.engine = engine
    self.patience = patience
  }

  /// Makes the engine of all pages.
  ///
  /// - Parameters:
  ///   - models: The models that read.
  ///   - defaultModel: The model that reads text first, if it reads lines.
  package static func engine(models: any ModelProvider, defaultModel: String) -> Engine {
    let isLine = models.models.contains { $0.identifier == defaultModel && $0.kind == .line }
    let engine = Engine(models: PageModels(models, automatic: isLine ? defaultModel : ""))
    if isLine {
      // The key is built in and takes every text.
      try? engine.configuration.set("raw-content.configuration.bundle", to: defaultModel)
    }
    return engine
  }

  // MARK: - Files

  /// Returns all pages, the one changed last first.
  ///
  /// - Throws: ``StudioError``.
  package func list() throws -> [Entry] {
    let folder = try project.folder(Self.folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { file -> Entry? in
      guard file.hasSuffix(PagePackage.suffix), !file.hasPrefix(".") else { return nil }
      let values = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(file).path)
      guard values?[.type] as? FileAttributeType == .typeRegular else { return nil }
      return Entry(
        name: String(file.dropLast(PagePackage.suffix.count)),
        bytes: values?[.size] as? Int ?? 0,
        changed: values?[.modificationDate] as? Date ?? .distantPast)
    }
    .sorted { ($1.changed, $0.name) < ($0.changed, $1.name) }
  }

  /// Makes a page.
  ///
  /// - Parameter name: The name; nil for `Page N` with the next free number.
  /// - Returns: The name.
  /// - Throws: ``StudioError``, of code `conflict` if the name is taken.
  package func create(_ name: String?) throws -> String {
    if let name {
      let name = try Self.checked(name)
      try check(isFree: name)
      try PagePackage.create(try file(of: name), engine: engine)
      return name
    }
    let taken = Set(try list().map(\.name))
    var number = 1
    while taken.contains("Page \(number)") { number += 1 }
    try PagePackage.create(try file(of: "Page \(number)"), engine: engine)
    return "Page \(number)"
  }

  /// Renames a page. Its clients are told the new name.
  ///
  /// - Throws: ``StudioError``, of code `conflict` if the name is taken.
  package func rename(_ name: String, to target: String) async throws -> String {
    let target = try Self.checked(target)
    let (old, new) = (try existingFile(of: name), try file(of: target))
    guard target != name else { return name }
    try check(isFree: target)
    await close(name, .renamed(target))
    // A link fails if the name is taken, but renaming would replace the other page.
    guard link(old.path, new.path) == 0 else {
      throw errno == EEXIST ? Self.taken : Self.failure(errno)
    }
    guard unlink(old.path) == 0 else { throw Self.failure(errno) }
    try? AtomicFile.syncFolder(of: new.path)
    return target
  }

  /// Deletes a page: moves its file to `.studio/trash` of the project.
  ///
  /// - Throws: ``StudioError``.
  package func delete(_ name: String) async throws {
    let old = try existingFile(of: name)
    await close(name, PageAnswer(.deleted))
    let trash = project.state.appendingPathComponent("trash", isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: trash, withIntermediateDirectories: true)
    } catch {
      throw StudioError(.unusableFile, "the folder .studio/trash cannot be made in the project")
    }
    let stamp = Int(Date().timeIntervalSince1970 * 1000)
    let target = trash.appendingPathComponent("\(stamp) \(old.lastPathComponent)")
    guard Foundation.rename(old.path, target.path) == 0 else { throw Self.failure(errno) }
    try? AtomicFile.syncFolder(of: old.path)
  }

  /// Returns the file of a page.
  ///
  /// - Throws: ``StudioError`` if there is no such page.
  private func existingFile(of name: String) throws(StudioError) -> URL {
    let file = try file(of: name)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw StudioError(.notFound, "expected the name of a page, found another", field: "name")
    }
    return file
  }

  private func check(isFree name: String) throws(StudioError) {
    guard !FileManager.default.fileExists(atPath: try file(of: name).path) else {
      throw Self.taken
    }
  }

  private func file(of name: String) throws(StudioError) -> URL {
    let name = try Self.checked(name)
    return try project.folder(Self.folder).appendingPathComponent(name + PagePackage.suffix)
  }

  private static func checked(_ name: String) throws(StudioError) -> String {
    try Project.name(name.precomposedStringWithCanonicalMapping)
  }

  private static let taken = StudioError(
    .conflict, "expected the name of no page, found a page; choose another name", field: "name")

  private static func failure(_ code: Int32) -> StudioError {
    StudioError(
      .unusableFile, "the page cannot be moved (\(String(cString: strerror(code))))")
  }

  // MARK: - Sessions

  /// Returns the session of a page, which is opened if it is not open.
  ///
  /// - Throws: ``StudioError`` if there is no such page.
  package func session(of name: String) async throws -> PageSession {
    while let task = closing[name] { await task.value }
    while let session = sessions[name] {
      if await session.isUsable { return session }
      // It failed to open, or the disk was full: perhaps it works now.
      if sessions[name] === session { await close(name, nil) }
    }
    let file = try existingFile(of: name)
    let engine = engine
    let session = PageSession(engine: engine) {
      try PagePackage(opening: file, name: name, engine: engine)
    }
    sessions[name] = session
    warm()
    return session
  }

  /// Runs a body with a page, which may be closed soon after.
  func with<Value: Sendable>(
    _ name: String, _ body: @Sendable (PageSession) async throws -> Value
  ) async throws -> Value {
    let session = try await session(of: name)
    defer { releaseLater(name) }
    return try await body(session)
  }

  /// Closes a page after a while if nobody uses it.
  func releaseLater(_ name: String) {
    guard let session = sessions[name] else { return }
    Task { [patience] in
      try? await Task.sleep(for: .seconds(patience))
      await self.release(name, session)
    }
  }

  private func release(_ name: String, _ session: PageSession) async {
    guard sessions[name] === session, await !session.isUsed, sessions[name] === session else {
      return
    }
    await close(name, nil)
  }

  private func close(_ name: String, _ farewell: PageAnswer?) async {
    if let session = sessions.removeValue(forKey: name) {
      let task = Task { await session.close(farewell) }
      closing[name] = task
      await task.value
      closing[name] = nil
    } else {
      while let task = closing[name] { await task.value }
    }
  }

  /// Opens the models before the first stroke.
  private func warm() {
    guard !isWarm else { return }
    isWarm = true
    let engine = engine
    Task.detached(priority: .utility) {
      let stroke = PageStroke(x: [0, 2, 4], y: [0, 3, 0])
      guard let document = try? PageDocument(engine: engine) else { return }
      _ = try? document.apply(PageCommand(id: "warm", action: .strokes([stroke])))
      _ = try? await document.editor.becomeIdle(timeout: 60)
    }
  }
}
