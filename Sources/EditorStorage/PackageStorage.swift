import Foundation
import GRDB
import InkEditor

/// The files of an open package: reads the saved one, and writes changes to a working copy.
///
/// Parts keep it alive, so that ink is stored even if the app drops the package. Thread-safe.
package final class PackageStorage: PartStore, @unchecked Sendable {
  // Unchecked because the queue guards the files. Methods that begin with `locked` run on it.

  let queue = DispatchQueue(label: "ductus.package", qos: .userInitiated)
  let isReadOnly: Bool
  var location: PackageLocation
  var fileLock: PackageLock?
  /// The saved package; nil if there is none, or once there is a working copy.
  var saved: PackageDatabase?
  var working: PackageDatabase?
  /// The revision of the saved package; nil if it was never saved.
  var savedRevision: String?
  var revision: String?
  /// The base that the working copy names.
  private var writtenBase: String?
  var isClosed = false
  /// The number of each part's row.
  var rows: [String: Int64] = [:]

  /// The parts that autosave has still to write.
  let changed = ChangedParts()

  /// The package whose parts these are.
  weak var package: ContentPackage?

  /// A copy of unsaved work that does not belong to the saved package, and where it is now.
  let setAside: String?
  /// True if unsaved work of an earlier session was found and is used.
  let isRecovered: Bool

  /// Opens the files.
  ///
  /// - Parameters:
  ///   - location: The files.
  ///   - mode: What to do if there is a package, or none.
  ///   - unsaved: What to do with unsaved work of an earlier session.
  /// - Throws: ``PackageError``. A file that is refused was not changed.
  init(
    _ location: PackageLocation, mode: PackageOpenMode, unsaved: UnsavedWork
  ) throws(PackageError) {
    self.location = location
    isReadOnly = mode == .readOnly
    if isReadOnly {
      (setAside, isRecovered) = (nil, false)
      saved = try PackageDatabase(location.file, isWorking: false)
      try loadRevision()
      return
    }
    fileLock = try PackageLock(location)
    let hasWork = access(location.working, F_OK) == 0
    let exists = access(location.file, F_OK) == 0
    switch mode {
    case .existing, .readOnly:
      guard exists || hasWork && unsaved == .recover else { throw .notFound(path: location.file) }
    case .createNew:
      guard !exists else { throw .exists(path: location.file) }
    case .create, .truncate: break
    }
    // Opened before the unsaved work is touched: it may be refused.
    let saved = exists ? try PackageDatabase(location.file, isWorking: false) : nil
    let savedRevision = try saved?.read { try PackageDatabase.value(.revision, $0) } ?? nil
    location.removePartials()
    let found: (working: PackageDatabase?, setAside: String?)
    if unsaved == .discard {
      location.removeWorking()
      found = (nil, nil)
    } else {
      let isFresh = mode == .truncate || mode == .createNew
      found = UnsavedWork.recover(at: location, savedRevision: savedRevision, isFresh: isFresh)
    }
    (working, setAside) = (found.working, found.setAside)
    isRecovered = found.working != nil
    self.savedRevision = savedRevision
    // With `truncate`, the old package stays until the new one is saved.
    if found.working == nil, mode != .truncate { self.saved = saved } else { saved?.close() }
    if self.saved == nil, working == nil {
      try makeWorking()
      try lockedWrite { _ in }
    }
    try loadRevision()
  }

  deinit {
    // The parts were stored: each holds this object until then.
    finish()
  }

  /// Reads the revision and the parts.
  func loadRevision() throws(PackageError) {
    guard let database = working ?? saved else { return }
    let (revision, parts) = try database.read { database in
      (try PackageDatabase.value(.revision, database), try PartRecords.parts(database))
    }
    self.revision = revision
    if isReadOnly { savedRevision = revision }
    rows = Dictionary(parts.map { ($0.name, $0.row) }) { first, _ in first }
  }

  // MARK: - Reading

  var path: String { location.file }

  /// Runs a body on the queue.
  func synced<Value>(_ body: () throws(PackageError) -> Value) throws(PackageError) -> Value {
    try queue.sync { () -> Result<Value, PackageError> in
      do throws(PackageError) {
        guard !isClosed else { throw .closed }
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Reads from the package.
  ///
  /// - Throws: ``PackageError``.
  func read<Value>(_ body: (Database) throws -> Value) throws(PackageError) -> Value {
    try synced { () throws(PackageError) in try lockedRead(body) }
  }

  private func lockedRead<Value>(_ body: (Database) throws -> Value) throws(PackageError) -> Value {
    guard let database = working ?? saved else { throw .closed }
    do throws(PackageError) {
      return try database.read(body)
    } catch {
      if case .damaged(_, let reason) = error { throw .damaged(path: path, reason: reason) }
      throw error
    }
  }

  private func row(of part: ContentPart) throws(PackageError) -> Int64 {
    guard let row = rows[part.id], part.store === self else { throw .foreignPart }
    return row
  }

  package func outline(of part: ContentPart) throws -> [StoredBlock] {
    let row = try synced { () throws(PackageError) in try self.row(of: part) }
    let blocks = try read { try PartRecords.blocks(of: row, $0) }
    return blocks.isEmpty ? [StoredBlock(id: "0", type: part.type.rootType)] : blocks
  }

  package func content(of part: ContentPart) throws -> PartContent {
    let row = try synced { () throws(PackageError) in try self.row(of: part) }
    var content = try read { try PartRecords.content(of: row, $0) }
    if content.blocks.isEmpty { content.blocks = [StoredBlock(id: "0", type: part.type.rootType)] }
    return content
  }

  // MARK: - Writing

  /// Writes to the working copy, which is made first if there is none.
  ///
  /// - Throws: ``PackageError``; nothing has changed then.
  func write(_ body: (Database) throws -> Void) throws(PackageError) {
    try synced { () throws(PackageError) in try lockedWrite(body) }
  }

  func lockedWrite(_ body: (Database) throws -> Void) throws(PackageError) {
    guard !isReadOnly else { throw .readOnly(path: path) }
    try makeWorking()
    guard let working else { throw .closed }
    let base = savedRevision
    let isNew = base != writtenBase
    revision = try working.write { database in
      if let base, isNew { try PackageDatabase.setValue(base, for: .base, database) }
      try body(database)
    }
    writtenBase = base
  }

  func makeWorking() throws(PackageError) {
    guard working == nil else { return }
    let folder = URL(fileURLWithPath: location.working).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let partial = PackageLocation.partial(of: location.working)
    do throws(PackageError) {
      if saved == nil {
        try PackageDatabase.make(partial)
      } else {
        do {
          try FileManager.default.copyItem(atPath: path, toPath: partial)
        } catch {
          throw .unusable(path: location.working, reason: "the working copy cannot be written")
        }
      }
      // A log that an earlier working copy left belongs to no file.
      unlink(location.working + "-wal")
      unlink(location.working + "-shm")
      guard rename(partial, location.working) == 0 else {
        throw .unusable(path: location.working, reason: String(cString: strerror(errno)))
      }
      working = try PackageDatabase(location.working, isWorking: true)
      writtenBase = nil
      saved?.close()
      saved = nil
    } catch {
      unlink(partial)
      unlink(partial + "-journal")
      throw error
    }
  }

  /// Adds a part.
  ///
  /// - Parameter content: Its content; nil for none.
  /// - Throws: ``PackageError``.
  func add(
    _ id: String, type: PartType, at index: Int, order: [ContentPart], content: PartChanges?,
    metadata: String = "{}", objects: [PackageObject] = []
  ) throws(PackageError) {
    try synced { () throws(PackageError) in
      var added: Int64 = 0
      try lockedWrite { database in
        let row = try PartRecords.add(id, type: type, at: index, database)
        added = row
        if let content { try PartRecords.write(content, of: row, database) }
        try PackageRecords.setMetadata(metadata, of: row, database)
        for object in objects { try PackageRecords.put(object, of: row, database) }
        var ids = order.map(\.id)
        ids.insert(id, at: index)
        try PackageRecords.setOrder(ids, database)
      }
      rows[id] = added
    }
  }

  /// Removes a part.
  ///
  /// - Throws: ``PackageError``.
  func remove(_ part: ContentPart) throws(PackageError) {
    try synced { () throws(PackageError) in
      let row = try row(of: part)
      try lockedWrite { try PartRecords.remove(row, $0) }
      rows[part.id] = nil
      changed.remove(part)
    }
  }

  /// Returns the number of the row of a part, or 0 for the package itself.
  func number(of part: ContentPart?) throws(PackageError) -> Int64 {
    guard let part else { return 0 }
    return try synced { () throws(PackageError) in try row(of: part) }
  }

  /// Limits the pages of the working copy, as a full disk does. For tests.
  ///
  /// - Returns: The present number of pages.
  package func setPageLimit(_ pages: Int?) throws(PackageError) -> Int {
    try synced { () throws(PackageError) in
      try makeWorking()
      return try lockedRead { database in
        if let pages { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
        return try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      }
    }
  }

  /// Writes a copy of the package with its unsaved work to a file. For tests.
  func copy(to path: String) throws(PackageError) {
    try synced { () throws(PackageError) in try replace(path) }
  }
}
