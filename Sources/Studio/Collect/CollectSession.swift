import Files
import Foundation
import InkCore

/// A session: its prompts, its samples, and the lock that keeps other studios out.
///
/// Each change is on the disk when the method returns. Not thread-safe: ``CollectStore`` owns the
/// sessions.
package final class CollectSession {
  /// The name that the user chose.
  package let name: String
  private(set) var plan: CollectPlan
  private var log: CollectLog
  private let planURL: URL
  private let lock: FileLock
  /// The entry of the log by prompt.
  private var written: [Int: Int] = [:]
  private var fingerprints: [UInt64: Int] = [:]

  /// A prompt as the page shows it.
  package struct Prompt: Encodable {
    package var index: Int
    var label: String
    var show: String?
    /// The identifier of the sample; nil if there is none.
    package var sample: String?
    var isSkipped: Bool
  }

  /// The state of a session.
  package struct State: Encodable {
    var name: String
    var writer: String
    var options: CollectPlan.Options
    package var prompts: Int
    package var written: Int
    package var skipped: Int
    /// The samples in the file that belong to no prompt.
    var others: Int
    /// The file in the project.
    var file: String
    /// The first prompt to write; nil if all are written or skipped.
    package var next: Prompt?
  }

  /// The result of a sample that was stored.
  package struct Stored {
    package var warnings: [CollectWarning]
    /// True if the sample was stored by an earlier request with the same identifier.
    package var isRepeated: Bool
  }

  /// A reason why a sample is not stored: the prompt has another one.
  package struct Stale: Error {
    var message: String
  }

  /// The names of the files of a session.
  static func file(_ name: String) -> String { "collect/\(name).jsonl" }
  static func planFile(_ name: String) -> String { "collect/\(name).session.json" }

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - folder: The folder `collect` of the project.
  ///   - name: The name, checked by `Project.name(_:field:)`.
  ///   - plan: The plan of a new session; nil to open one.
  /// - Throws: ``StudioError``: `notFound`, `conflict` for a new session whose name is in use,
  ///   `busy` if another studio has it open, `unusableFile` for damaged files.
  package init(in folder: URL, name: String, creating plan: CollectPlan? = nil) throws(StudioError)
  {
    self.name = name
    planURL = folder.appendingPathComponent("\(name).session.json")
    let logURL = folder.appendingPathComponent("\(name).jsonl")
    let exists = FileManager.default.fileExists(atPath: planURL.path)
    guard plan != nil || exists else {
      throw StudioError(.notFound, "expected a session, found none of this name; make it first")
    }
    lock = try Self.lock(folder.appendingPathComponent(".\(name).lock").path, name: name)
    if let plan {
      let size = try? FileManager.default.attributesOfItem(atPath: logURL.path)[.size] as? Int
      guard !exists, (size ?? 0) == 0 else {
        throw StudioError(
          .conflict, "expected a new name, found a session or ink of this name; choose another",
          field: "name")
      }
      log = try CollectLog(logURL, name: Self.file(name))
      try plan.write(to: planURL, name: Self.planFile(name))
      self.plan = plan
    } else {
      self.plan = try CollectPlan(contentsOf: planURL, name: Self.planFile(name))
      log = try CollectLog(logURL, name: Self.file(name))
    }
    index()
  }

  private static func lock(_ path: String, name: String) throws(StudioError) -> FileLock {
    do throws(FileError) {
      if let lock = try FileLock.attempt(path) { return lock }
    } catch {
      throw StudioError(
        .unusableFile,
        "\(Self.planFile(name)): the session cannot be locked; allow writing in the folder")
    }
    throw StudioError(
      .busy, "expected a session that no other studio has open; close the other studio")
  }

  private func index() {
    written = [:]
    fingerprints = [:]
    for (index, entry) in log.entries.enumerated() {
      if let prompt = entry.prompt, plan.prompts.indices.contains(prompt) {
        written[prompt] = index
      }
      if let fingerprint = entry.fingerprint { fingerprints[fingerprint, default: 0] += 1 }
    }
  }

  /// Reads the samples again if another program changed their file.
  ///
  /// - Throws: ``StudioError``.
  func refresh() throws(StudioError) {
    if try log.refresh() { index() }
  }

  // MARK: - State

  /// Returns the state.
  ///
  /// - Parameter prompt: The next prompt is searched after this one, then from the first.
  /// - Complexity: O(prompts).
  package func state(after prompt: Int = -1) -> State {
    State(
      name: name, writer: plan.writer, options: plan.options, prompts: plan.prompts.count,
      written: written.count, skipped: plan.skipped.count,
      others: log.entries.count - written.count, file: Self.file(name),
      next: next(after: prompt).map { self.prompt($0) })
  }

  private func next(after prompt: Int) -> Int? {
    let skipped = Set(plan.skipped)
    let isOpen: (Int) -> Bool = { self.written[$0] == nil && !skipped.contains($0) }
    let start = min(max(prompt + 1, 0), plan.prompts.count)
    return (start..<plan.prompts.count).first(where: isOpen) ?? (0..<start).first(where: isOpen)
  }

  /// Returns the prompts of a range.
  package func prompts(_ range: Range<Int>) -> [Prompt] {
    range.clamped(to: plan.prompts.indices).map { prompt($0) }
  }

  /// Returns a prompt.
  package func prompt(_ index: Int) -> Prompt {
    Prompt(
      index: index, label: plan.prompts[index].label, show: plan.prompts[index].show,
      sample: sample(of: index), isSkipped: plan.skipped.contains(index))
  }

  private func sample(of prompt: Int) -> String? { written[prompt].flatMap { log.entries[$0].id } }

  /// Returns the number of a prompt of this session.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  func checked(_ prompt: Int) throws(StudioError) -> Int {
    guard plan.prompts.indices.contains(prompt) else {
      throw StudioError(
        .notFound, "expected a prompt below \(plan.prompts.count), found another", field: "prompt")
    }
    return prompt
  }

  /// Returns the lines of the last samples, the latest first.
  ///
  /// - Throws: ``StudioError``.
  func last(_ count: Int) throws(StudioError) -> [Data] {
    var lines: [Data] = []
    for index in log.entries.indices.reversed() where lines.count < count {
      if let prompt = log.entries[index].prompt, written[prompt] == index {
        lines.append(try log.line(at: index))
      }
    }
    return lines
  }

  /// Returns the line of a sample.
  ///
  /// - Throws: ``StudioError``.
  func line(of prompt: Int) throws(StudioError) -> Data {
    guard let index = written[try checked(prompt)] else {
      throw StudioError(.notFound, "expected a sample of this prompt, found none")
    }
    return try log.line(at: index)
  }

  // MARK: - Changes

  /// Stores a sample.
  ///
  /// A request with the identifier of a stored sample changes nothing. A sample replaces the one
  /// that it names.
  ///
  /// - Throws: ``Stale`` if the prompt has another sample than the request names, or if the sample
  ///   was deleted since; ``StudioError`` for an invalid sample or a file that cannot be written.
  @discardableResult
  package func put(_ sample: CollectSample, at prompt: Int) throws -> Stored {
    let prompt = try checked(prompt)
    let labeled = try sample.labeled(as: plan.prompts[prompt].label, by: plan.writer)
    var warnings = CollectChecks.warnings(of: labeled, surface: sample.surface)
    let fingerprint = CollectChecks.fingerprint(of: labeled.ink)
    let old = written[prompt]
    let isRepeated = self.sample(of: prompt) == sample.id
    // The sample itself, or the one that it replaces, is no duplicate.
    let own = old.flatMap { log.entries[$0].fingerprint } == fingerprint ? 1 : 0
    if let fingerprint, fingerprints[fingerprint, default: 0] > own {
      warnings.append(.duplicate)
    }
    if isRepeated { return Stored(warnings: warnings, isRepeated: true) }
    guard !plan.deleted.contains(sample.id) else {
      throw Stale(message: "expected a new sample, found one that was deleted")
    }
    guard !log.entries.contains(where: { $0.id == sample.id }) else {
      throw StudioError(
        .conflict, "expected an identifier of its own, found that of another sample", field: "id")
    }
    guard self.sample(of: prompt) == sample.replaces else {
      throw Stale(message: "expected the present sample of the prompt in replaces, found another")
    }
    let line = try CollectRecord(id: sample.id, prompt: prompt, labeled).line()
    let entry = CollectLog.Entry(
      id: sample.id, prompt: prompt, bytes: 0..<0, fingerprint: fingerprint)
    if let old {
      try log.replace(at: old, with: line, entry)
    } else {
      try log.append(line, entry)
    }
    index()
    if plan.skipped.contains(prompt) { try skip(prompt, false) }
    return Stored(warnings: warnings, isRepeated: false)
  }

  /// Deletes the sample of a prompt.
  ///
  /// - Parameter id: The identifier of the sample, so that no newer one is deleted.
  /// - Throws: ``Stale`` if the prompt has another sample, ``StudioError``. No error if there is
  ///   no sample: the request may be a repetition.
  package func delete(_ prompt: Int, id: String) throws {
    guard let index = written[try checked(prompt)] else { return }
    guard log.entries[index].id == id else {
      throw Stale(message: "expected the present sample of the prompt, found another")
    }
    var changed = plan
    changed.deleted = Array((plan.deleted + [id]).suffix(CollectPlan.mostDeleted))
    try store(changed)
    try log.replace(at: index, with: nil)
    self.index()
  }

  /// Marks a prompt as skipped, or as not skipped.
  ///
  /// - Throws: ``StudioError``.
  package func skip(_ prompt: Int, _ isSkipped: Bool) throws(StudioError) {
    let prompt = try checked(prompt)
    guard plan.skipped.contains(prompt) != isSkipped else { return }
    guard !isSkipped || written[prompt] == nil else {
      throw StudioError(
        .conflict, "expected a prompt without a sample, found one with a sample; delete it first")
    }
    var changed = plan
    if isSkipped {
      changed.skipped = (plan.skipped + [prompt]).sorted()
    } else {
      changed.skipped.removeAll { $0 == prompt }
    }
    try store(changed)
  }

  /// Changes the options and the pseudonym of later samples.
  ///
  /// - Throws: ``StudioError``.
  package func change(_ options: CollectPlan.Options?, writer: String?) throws(StudioError) {
    var changed = try CollectPlan(
      writer: writer ?? plan.writer, options: options ?? plan.options, prompts: plan.prompts)
    changed.skipped = plan.skipped
    changed.deleted = plan.deleted
    try store(changed)
  }

  private func store(_ changed: CollectPlan) throws(StudioError) {
    guard changed != plan else { return }
    try changed.write(to: planURL, name: Self.planFile(name))
    plan = changed
  }
}
