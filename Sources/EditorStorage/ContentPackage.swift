import Files
import Foundation
import GRDB
import InkEditor

/// The handling of a package that exists, or does not.
public enum PackageOpenMode: String, Hashable, Sendable, CaseIterable {
  /// Opens a package; there must be one.
  case existing
  /// Opens a package, or makes one.
  case create
  /// Makes a package; there must be none.
  case createNew
  /// Begins without parts. An existing package is replaced when the new one is saved.
  case truncate
  /// Opens a package for reading; others may have it open.
  case readOnly
}

/// The handling of unsaved work of a session that ended without saving.
public enum UnsavedWork: String, Hashable, Sendable, CaseIterable {
  /// Continues with it; see ``ContentPackage/isRecovered``.
  case recover
  /// Deletes it.
  case discard
}

/// A document in one file: parts with their ink, what was read in it, metadata and objects.
///
///     let package = try engine.openPackage(at: url, mode: .create)
///     let part = try package.makePart(type: "Text")
///     try editor.setPart(part)
///     // Every change is stored in a working copy within 200 ms.
///     try package.save()
///
/// The file at ``url`` changes only in ``save()``, as a whole. Until then, changes are in a working
/// copy, in the folder of the key `content-package.temp-folder` or next to the package. After a
/// crash, the next opening continues from there. Opening reads no ink again: text, candidates and
/// choices are stored. Thread-safe.
public final class ContentPackage: Sendable {
  /// The engine whose editors show the parts.
  public let engine: Engine
  /// True if the package was opened for reading.
  public let isReadOnly: Bool
  package let storage: PackageStorage
  private let parts = Guarded<[ContentPart]>([])

  init(
    engine: Engine, at url: URL, mode: PackageOpenMode, unsaved: UnsavedWork
  ) throws(PackageError) {
    self.engine = engine
    isReadOnly = mode == .readOnly
    storage = try PackageStorage(
      Self.location(url, engine), mode: mode, unsaved: unsaved)
    let loaded = try loadParts()
    parts.withLock { $0 = loaded }
    storage.package = self
  }

  fileprivate static func location(_ url: URL, _ engine: Engine) throws(PackageError)
    -> PackageLocation
  {
    guard url.isFileURL, !url.lastPathComponent.isEmpty else {
      throw .invalidArgument("package", expected: "the URL of a file", found: "another URL")
    }
    // The key is built in and takes every text.
    let folder = (try? engine.configuration.string("content-package.temp-folder")) ?? ""
    return PackageLocation(url, temporaryFolder: folder)
  }

  private func loadParts() throws(PackageError) -> [ContentPart] {
    let path = storage.file
    let (engine, storage) = (engine, storage)
    let found = try storage.read { try PartRecords.parts($0) }
    var result: [ContentPart] = []
    for part in found {
      guard let type = PartType(rawValue: part.type) else {
        throw .damaged(path: path, reason: "a part has an unknown type")
      }
      result.append(
        ContentPart(type: type, engine: engine, id: part.name, store: storage, isStored: true))
    }
    return result
  }

  // MARK: - Files

  /// The file of the package.
  public var url: URL { URL(fileURLWithPath: storage.file) }

  /// True if the package continues unsaved work of an earlier session.
  public var isRecovered: Bool { storage.isRecovered }

  /// The place of unsaved work that was found but does not belong to this package, because another
  /// program replaced the file, or because it cannot be opened. Nil if there was none.
  public var unsavedWorkSetAside: URL? { storage.setAside.map { URL(fileURLWithPath: $0) } }

  /// True if there are changes since the package was last saved.
  public var hasUnsavedChanges: Bool { storage.hasUnsavedWork }

  /// Saves the package: its file is replaced as a whole. O(size of the package).
  ///
  /// - Throws: ``PackageError``; the file is then as it was before.
  public func save() throws(PackageError) { try storage.save() }

  /// Saves the package to another file, which is the file of the package from then on. The previous
  /// file stays as it was last saved. An existing file is replaced.
  ///
  /// - Throws: ``PackageError``; nothing has changed then.
  public func save(as url: URL) throws(PackageError) {
    for part in parts.withLock({ $0 }) { part.settleGestures() }
    try storage.save(as: try Self.location(url, engine))
  }

  /// Stores all changes in the working copy now, and returns once they are on the disk. Autosave
  /// does it within 200 ms of each change.
  ///
  /// - Throws: ``PackageError``; the changes are kept and stored later.
  public func flush() throws(PackageError) { try storage.flush() }

  /// Stores all changes together with metadata of a part, and returns once they are on the disk.
  /// After a crash, there are both or neither.
  ///
  /// - Throws: ``PackageError``; the changes are kept and stored later, without the metadata.
  public func flush(metadata: Metadata, of part: ContentPart) throws(PackageError) {
    let number = try storage.number(of: part)
    let json = try metadata.json()
    try storage.flush(also: { try PackageRecords.setMetadata(json, of: number, $0) })
  }

  /// If true, changes are stored only by ``flush()``, ``flush(metadata:of:)`` and saving. The
  /// default is false.
  public var holdsAutosave: Bool {
    get { storage.changed.holdsAutosave }
    set { storage.changed.holdsAutosave = newValue }
  }

  /// Returns a small drawing of a part as SVG.
  ///
  /// - Throws: ``PackageError`` if the part cannot be loaded.
  public func thumbnail(of part: ContentPart) throws(PackageError) -> String {
    guard index(of: part) != nil else { throw .foreignPart }
    do throws(EditorError) {
      return try part.thumbnail()
    } catch {
      throw .damaged(path: storage.file, reason: error.description)
    }
  }

  /// Writes a copy with the unsaved work. For tests.
  package func exportCopy(to url: URL) throws(PackageError) { try storage.copy(to: url.path) }

  /// The error of the last autosave, or nil if it worked. Autosave goes on trying.
  public var autosaveFailure: PackageError? { storage.changed.failure }

  /// Sets a function that is called with the error when autosave begins to fail, and with nil when
  /// it works again, on a thread of the package.
  public func setAutosaveHandler(_ handler: (@Sendable (PackageError?) -> Void)?) {
    storage.changed.setFailureHandler(handler)
  }

  /// Drops all changes since the package was last saved. Its parts are opened again: handles of
  /// earlier ones are invalid.
  ///
  /// - Throws: ``PackageError/partInUse`` if an editor has a part, and other ``PackageError``.
  public func discardUnsavedChanges() throws(PackageError) {
    try invalidateParts()
    try storage.discard()
    let fresh = try loadParts()
    parts.withLock { $0 = fresh }
  }

  /// Closes the package, so that others can open it. Unsaved work is offered when it is opened
  /// again.
  ///
  /// - Throws: ``PackageError/partInUse`` if an editor has a part, and other ``PackageError``.
  public func close() throws(PackageError) {
    for part in parts.withLock({ $0 }) where part.isOnEditor { throw .partInUse }
    try storage.flush()
    try invalidateParts()
    try storage.close()
    parts.withLock { $0 = [] }
  }

  /// Closes the package without storing what is not stored yet.
  package func abandon() {
    for part in parts.withLock({ $0 }) { _ = part.invalidate() }
    storage.abandon()
  }

  private func invalidateParts() throws(PackageError) {
    let all = parts.withLock { $0 }
    guard !all.contains(where: \.isOnEditor) else { throw .partInUse }
    for part in all { _ = part.invalidate() }
  }

  // MARK: - Parts

  /// The number of parts.
  public var partCount: Int { parts.withLock { $0.count } }

  /// All parts, in order.
  public var allParts: [ContentPart] { parts.withLock { $0 } }

  /// Returns the part at an index, from 0.
  ///
  /// - Throws: ``PackageError/noSuchPart(index:count:)``.
  public func part(at index: Int) throws(PackageError) -> ContentPart {
    let all = allParts
    guard all.indices.contains(index) else {
      throw .noSuchPart(index: index, count: all.count)
    }
    return all[index]
  }

  /// Returns the index of a part, or nil if it is not in the package.
  public func index(of part: ContentPart) -> Int? { parts.withLock { $0.firstIndex(of: part) } }

  /// Makes an empty part at the end.
  ///
  /// - Parameter type: "Text", "Text Document", "Raw Content", "Diagram", "Drawing" or "Math".
  /// - Throws: ``PackageError/unsupportedType(found:supported:)`` and other ``PackageError``.
  public func makePart(type: String) throws(PackageError) -> ContentPart {
    guard let known = PartType(rawValue: type) else {
      throw .unsupportedType(found: type, supported: PartType.names)
    }
    return try insert(type: known, at: partCount, content: nil)
  }

  /// Makes a part with content at the end.
  ///
  /// - Throws: ``PackageError``.
  package func makePart(
    type: PartType, content: PartContent
  ) throws(PackageError) -> ContentPart {
    try insert(type: type, at: partCount, content: PartValidation.changes(content))
  }

  private func insert(
    type: PartType, at index: Int, content: PartChanges?, metadata: String = "{}",
    objects: [PackageObject] = []
  ) throws(PackageError) -> ContentPart {
    let id = UUID().uuidString.lowercased()
    try storage.add(
      id, type: type, at: index, order: allParts, content: content, metadata: metadata,
      objects: objects)
    let part = ContentPart(type: type, engine: engine, id: id, store: storage, isStored: true)
    parts.withLock { $0.insert(part, at: min(index, $0.count)) }
    return part
  }

  /// Removes a part, its ink and its objects.
  ///
  /// - Throws: ``PackageError/foreignPart``, ``PackageError/partInUse`` if an editor has it, and
  ///   other ``PackageError``.
  public func remove(_ part: ContentPart) throws(PackageError) {
    guard index(of: part) != nil else { throw .foreignPart }
    guard !isReadOnly else { throw .readOnly(path: storage.file) }
    guard part.invalidate() else { throw .partInUse }
    do throws(PackageError) {
      try storage.remove(part)
    } catch {
      part.validate()
      throw error
    }
    parts.withLock { parts in parts.removeAll { $0 == part } }
  }

  /// Moves a part of the package to another index.
  ///
  /// - Throws: ``PackageError/foreignPart``, ``PackageError/noSuchPart(index:count:)`` and other
  ///   ``PackageError``.
  public func move(_ part: ContentPart, to index: Int) throws(PackageError) {
    var all = allParts
    guard let old = all.firstIndex(of: part) else { throw .foreignPart }
    guard all.indices.contains(index) else {
      throw .noSuchPart(index: index, count: all.count)
    }
    all.remove(at: old)
    all.insert(part, at: index)
    let order = all
    try storage.write { try PackageRecords.setOrder(order.map(\.id), $0) }
    parts.withLock { $0 = order }
  }

  /// Adds a copy of a part, with its readings, metadata and objects but without its history. The
  /// part may be of another package of the same engine.
  ///
  /// - Parameters:
  ///   - part: The part to copy.
  ///   - index: The index of the copy; nil for the end.
  /// - Throws: ``PackageError``.
  @discardableResult
  public func clone(_ part: ContentPart, at index: Int? = nil) throws(PackageError) -> ContentPart {
    let index = index ?? partCount
    guard (0...partCount).contains(index) else {
      throw .noSuchPart(index: index, count: partCount)
    }
    guard part.isValid else { throw .foreignPart }
    let content: PartChanges
    do throws(EditorError) {
      content = try part.wholeContent()
    } catch {
      throw .damaged(path: storage.file, reason: error.description)
    }
    let source = part.store as? PackageStorage
    let row = try source?.number(of: part)
    let extras = try source?.read { database in
      (
        try PackageRecords.metadata(of: row ?? 0, database),
        try PackageRecords.objects(of: row ?? 0, database)
      )
    }
    return try insert(
      type: part.type, at: index, content: content, metadata: extras?.0 ?? "{}",
      objects: extras?.1 ?? [])
  }

  /// Moves a part of another package here.
  ///
  /// - Throws: ``PackageError/partInUse`` if an editor has it, and other ``PackageError``. After an
  ///   error the part is where it was.
  @discardableResult
  public func take(
    _ part: ContentPart, from other: ContentPackage
  ) throws(PackageError) -> ContentPart {
    guard other !== self, other.index(of: part) != nil else { throw .foreignPart }
    guard !part.isOnEditor else { throw .partInUse }
    let copy = try clone(part)
    do throws(PackageError) {
      try other.remove(part)
    } catch {
      try? remove(copy)
      throw error
    }
    return copy
  }

  /// Returns the number of strokes of a part, without loading them.
  ///
  /// - Throws: ``PackageError``.
  public func strokeCount(of part: ContentPart) throws(PackageError) -> Int {
    let number = try storage.number(of: part)
    if !isReadOnly { try storage.flush() }
    return try storage.read { try PartRecords.count(.stroke, of: number, $0) }
  }

  // MARK: - Metadata

  /// Returns the metadata of a part, or of the package.
  ///
  /// - Throws: ``PackageError``.
  public func metadata(of part: ContentPart? = nil) throws(PackageError) -> Metadata {
    let number = try storage.number(of: part)
    let json = try storage.read { try PackageRecords.metadata(of: number, $0) }
    guard let metadata = Metadata(json: json) else {
      throw .damaged(path: storage.file, reason: "the metadata is malformed")
    }
    return metadata
  }

  /// Sets the metadata of a part, or of the package.
  ///
  /// - Throws: ``PackageError``.
  public func setMetadata(
    _ metadata: Metadata, of part: ContentPart? = nil
  ) throws(PackageError) {
    let number = try storage.number(of: part)
    let json = try metadata.json()
    try storage.write { try PackageRecords.setMetadata(json, of: number, $0) }
  }

  // MARK: - Objects

  /// Returns the names of the objects of a part, or of the package, sorted.
  ///
  /// - Throws: ``PackageError``.
  public func objectNames(of part: ContentPart? = nil) throws(PackageError) -> [String] {
    let number = try storage.number(of: part)
    return try storage.read { try PackageRecords.objectNames(of: number, $0) }
  }

  /// Returns an object of a part, or of the package.
  ///
  /// - Throws: ``PackageError/noSuchObject(name:)`` and other ``PackageError``.
  public func object(
    named name: String, of part: ContentPart? = nil
  ) throws(PackageError) -> PackageObject {
    let number = try storage.number(of: part)
    guard let object = try storage.read({ try PackageRecords.object(name, of: number, $0) }) else {
      throw .noSuchObject(name: name)
    }
    return object
  }

  /// Adds or replaces an object of a part, or of the package. The objects of a part are copied and
  /// removed with it.
  ///
  /// - Throws: ``PackageError``.
  public func put(_ object: PackageObject, into part: ContentPart? = nil) throws(PackageError) {
    guard !object.name.isEmpty, !object.type.isEmpty else {
      throw .invalidArgument("object", expected: "a name and a type", found: "an empty text")
    }
    let number = try storage.number(of: part)
    try storage.write { try PackageRecords.put(object, of: number, $0) }
  }

  /// Removes an object of a part, or of the package.
  ///
  /// - Throws: ``PackageError/noSuchObject(name:)`` and other ``PackageError``.
  public func removeObject(
    named name: String, of part: ContentPart? = nil
  ) throws(PackageError) {
    _ = try object(named: name, of: part)
    let number = try storage.number(of: part)
    try storage.write { try PackageRecords.removeObject(name, of: number, $0) }
  }
}

extension ContentPart {
  /// The package of the part; nil for a part in memory, or after the package was released.
  public var package: ContentPackage? { (store as? PackageStorage)?.package }
}

extension Engine {
  /// Returns true if there is unsaved work of a package: it is open, or its last session ended
  /// without saving.
  public func hasUnsavedWork(ofPackageAt url: URL) -> Bool {
    guard let location = try? ContentPackage.location(url, self) else { return false }
    return FileManager.default.fileExists(atPath: location.working)
  }

  /// Makes an empty package. Its file is there after the first save.
  ///
  /// - Throws: ``PackageError/exists(path:)`` if there is a file, and other ``PackageError``.
  public func createPackage(at url: URL) throws(PackageError) -> ContentPackage {
    try ContentPackage(engine: self, at: url, mode: .createNew, unsaved: .recover)
  }

  /// Opens a package.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - mode: What to do if there is a package, or none.
  ///   - unsaved: What to do with unsaved work of a session that ended without saving.
  /// - Throws: ``PackageError``. A file that is refused was not changed.
  public func openPackage(
    at url: URL, mode: PackageOpenMode = .existing, unsaved: UnsavedWork = .recover
  ) throws(PackageError) -> ContentPackage {
    try ContentPackage(engine: self, at: url, mode: mode, unsaved: unsaved)
  }
}
