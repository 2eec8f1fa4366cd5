import Files
import Foundation
import GRDB
import InkEditor

/// The files of an open package: reads the saved one, and writes changes to a working copy.
///
/// Parts keep it alive, so that ink is stored even if the app drops the package. Thread-safe.
final class PackageStorage: PartStore, @unchecked Sendable {
  // Unchecked because the queue guards the files, and the lock the parts that have changed.

  /// The milliseconds after a change until it is written: strokes that follow at once are written
  /// together.
  private static let delay = 40
  /// The milliseconds after a failed write until it is tried again.
  private static let retryDelay = 1000

  private let queue = DispatchQueue(label: "ductus.package", qos: .userInitiated)
  private let isReadOnly: Bool
  private var location: PackageLocation
  private var fileLock: PackageLock?
  /// The saved package; nil if there is none, or once there is a working copy.
  private var saved: PackageDatabase?
  private var working: PackageDatabase?
  /// The revision of the saved package; nil if it was never saved.
  private var savedRevision: String?
  private var revision: String?
  /// The base that the working copy names.
  private var writtenBase: String?
  private var isClosed = false
  /// The number of each part's row.
  private var rows: [String: Int64] = [:]

  private let lock = NSLock()
  private var changed: [ObjectIdentifier: ContentPart] = [:]
  private var isScheduled = false
  /// True if changes are stored only by ``flush(isComplete:also:)``.
  private var isHeld = false
  private var failureValue: PackageError?
  private var handler: (@Sendable (PackageError?) -> Void)?

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
      found = Self.recover(location, savedRevision: savedRevision, isFresh: isFresh)
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

  /// Opens unsaved work, or moves it aside if it does not belong to the saved package.
  ///
  /// - Parameter isFresh: True if the package begins without parts: all unsaved work is moved aside.
  private static func recover(
    _ location: PackageLocation, savedRevision: String?, isFresh: Bool
  ) -> (working: PackageDatabase?, setAside: String?) {
    guard access(location.working, F_OK) == 0 else {
      location.removeWorking()
      return (nil, nil)
    }
    do throws(PackageError) {
      let working = try PackageDatabase(location.working, isWorking: true)
      let (revision, base, parts) = try working.read { database in
        (
          try PackageDatabase.value(.revision, database),
          try PackageDatabase.value(.base, database), try PartRecords.parts(database)
        )
      }
      if revision == savedRevision || parts.isEmpty && savedRevision == nil {
        // It was saved, or never changed.
        working.close()
        location.removeWorking()
        return (nil, nil)
      }
      if !isFresh, base == savedRevision || savedRevision == nil { return (working, nil) }
      // The saved package was replaced by another program in the meantime: keep both.
      let target = location.placeAside()
      try working.copy(to: target)
      working.close()
      location.removeWorking()
      return (nil, target)
    } catch {
      return (nil, location.setWorkingAside())
    }
  }

  /// Reads the revision and the parts.
  private func loadRevision() throws(PackageError) {
    guard let database = working ?? saved else { return }
    let (revision, parts) = try database.read { database in
      (try PackageDatabase.value(.revision, database), try PartRecords.parts(database))
    }
    self.revision = revision
    if isReadOnly { savedRevision = revision }
    rows = Dictionary(parts.map { ($0.name, $0.row) }) { first, _ in first }
  }

  // MARK: - Reading

  private var path: String { location.file }

  /// Runs a body on the queue.
  private func synced<Value>(_ body: () throws(PackageError) -> Value) throws(PackageError) -> Value
  {
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

  func outline(of part: ContentPart) throws -> [StoredBlock] {
    let row = try synced { () throws(PackageError) in try self.row(of: part) }
    let blocks = try read { try PartRecords.blocks(of: row, $0) }
    return blocks.isEmpty ? [StoredBlock(id: "0", type: part.type.rootType)] : blocks
  }

  func content(of part: ContentPart) throws -> PartContent {
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

  private func lockedWrite(_ body: (Database) throws -> Void) throws(PackageError) {
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

  private func makeWorking() throws(PackageError) {
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
      lock.withLock { changed[ObjectIdentifier(part)] = nil }
    }
  }

  /// Returns the number of the row of a part, or 0 for the package itself.
  func number(of part: ContentPart?) throws(PackageError) -> Int64 {
    guard let part else { return 0 }
    return try synced { () throws(PackageError) in try row(of: part) }
  }

  // MARK: - Autosave

  func partDidChange(_ part: ContentPart) {
    guard !isReadOnly else { return }
    let isDue = lock.withLock { () -> Bool in
      changed[ObjectIdentifier(part)] = part
      guard !isHeld else { return false }
      defer { isScheduled = true }
      return !isScheduled
    }
    if isDue { autosaveLater(Self.delay) }
  }

  /// True if changes are stored only when the app asks for it.
  var holdsAutosave: Bool {
    get { lock.withLock { isHeld } }
    set { lock.withLock { isHeld = newValue } }
  }

  private func autosaveLater(_ milliseconds: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      do throws(PackageError) {
        try self.lockedStore(isComplete: false)
      } catch {
        // Tried again, and told by the failure.
      }
    }
  }

  /// Writes the changes of all parts to the working copy, and returns once they are on the disk.
  ///
  /// - Throws: ``PackageError``; the changes are kept and tried again.
  ///
  /// - Parameters:
  ///   - isComplete: False to leave out marks that a crash may lose.
  ///   - also: Written in the same step.
  func flush(
    isComplete: Bool = true, also: ((Database) throws -> Void)? = nil
  ) throws(PackageError) {
    try synced { () throws(PackageError) in
      try lockedStore(isComplete: isComplete, also: also)
    }
  }

  private func lockedStore(
    isComplete: Bool, also: ((Database) throws -> Void)? = nil
  ) throws(PackageError) {
    let parts = lock.withLock { () -> [ContentPart] in
      isScheduled = false
      defer { changed = [:] }
      return Array(changed.values)
    }
    guard !parts.isEmpty || also != nil, !isClosed else { return }
    do throws(PackageError) {
      var writes: [(row: Int64, changes: PartChanges)] = []
      for part in parts {
        guard let row = rows[part.id] else { continue }
        let changes: PartChanges
        do throws(EditorError) {
          changes = try part.takeChanges(isComplete: isComplete)
        } catch {
          throw .damaged(path: path, reason: error.description)
        }
        if !changes.isEmpty { writes.append((row, changes)) }
      }
      if !writes.isEmpty || also != nil {
        try lockedWrite { database in
          for (row, changes) in writes { try PartRecords.write(changes, of: row, database) }
          try also?(database)
        }
      }
      tell(nil)
    } catch {
      for part in parts { part.forgetTakenChanges() }
      let isDue = lock.withLock { () -> Bool in
        for part in parts { changed[ObjectIdentifier(part)] = part }
        guard !isHeld else { return false }
        defer { isScheduled = true }
        return !isScheduled
      }
      if isDue { autosaveLater(Self.retryDelay) }
      tell(error)
      throw error
    }
  }

  private func tell(_ failure: PackageError?) {
    let handler = lock.withLock { () -> (@Sendable (PackageError?) -> Void)? in
      guard failureValue != failure else { return nil }
      failureValue = failure
      return self.handler
    }
    handler?(failure)
  }

  /// The error of the last autosave, or nil if it worked.
  var failure: PackageError? { lock.withLock { failureValue } }

  /// Sets what is called when autosave begins to fail, and with nil when it works again.
  func setFailureHandler(_ handler: (@Sendable (PackageError?) -> Void)?) {
    lock.withLock { self.handler = handler }
  }

  /// Limits the pages of the working copy, as a full disk does. For tests.
  ///
  /// - Returns: The present number of pages.
  func setPageLimit(_ pages: Int?) throws(PackageError) -> Int {
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

  /// The package whose parts these are.
  weak var package: ContentPackage?

  // MARK: - Saving

  /// True if there are changes that were not saved.
  var hasUnsavedWork: Bool {
    if lock.withLock({ !changed.isEmpty }) { return true }
    return queue.sync { lockedHasUnsavedWork }
  }

  private var lockedHasUnsavedWork: Bool { working != nil && revision != savedRevision }

  /// The path of the saved package.
  var file: String { queue.sync { location.file } }

  /// Saves the package: its file is replaced as a whole.
  ///
  /// - Throws: ``PackageError``; the file is then as it was before.
  func save() throws(PackageError) {
    guard !isReadOnly else { throw .readOnly(path: path) }
    try synced { () throws(PackageError) in
      try lockedStore(isComplete: true)
      guard lockedHasUnsavedWork else { return }
      try replace(location.file)
      savedRevision = revision
    }
  }

  /// Writes all of the package to a file, which becomes its file.
  ///
  /// - Throws: ``PackageError``; nothing has changed then.
  func save(as target: PackageLocation) throws(PackageError) {
    try synced { () throws(PackageError) in
      guard target.file != location.file else {
        throw .invalidArgument("path", expected: "another file", found: "that of the package")
      }
      let newLock = try PackageLock(target)
      if !isReadOnly { try lockedStore(isComplete: true) }
      try replace(target.file)
      let database = try PackageDatabase(target.file, isWorking: false)
      working?.close()
      if working != nil { location.removeWorking() }
      saved?.close()
      (working, saved, fileLock, location) = (nil, database, newLock, target)
      savedRevision = revision
    }
  }

  private func replace(_ target: String) throws(PackageError) {
    guard let database = working ?? saved else { throw .closed }
    let partial = PackageLocation.partial(of: target)
    do throws(PackageError) {
      try database.copy(to: partial)
      do throws(FileError) {
        try AtomicFile.sync(file: partial)
        try AtomicFile.move(partial, to: target)
      } catch {
        throw .unusable(path: target, reason: String(cString: strerror(error.code)))
      }
    } catch {
      unlink(partial)
      unlink(partial + "-journal")
      if case .damaged(_, let reason) = error { throw .damaged(path: path, reason: reason) }
      throw error
    }
    // Not all file systems sync folders; the file is complete under either name.
    try? AtomicFile.syncFolder(of: target)
  }

  /// Drops the unsaved work and returns to the saved package.
  ///
  /// - Throws: ``PackageError``.
  func discard() throws(PackageError) {
    try synced { () throws(PackageError) in
      guard !isReadOnly else { return }
      lock.withLock { changed = [:] }
      guard working != nil else { return }
      let exists = access(location.file, F_OK) == 0
      let saved = exists ? try PackageDatabase(location.file, isWorking: false) : nil
      working?.close()
      location.removeWorking()
      (working, self.saved) = (nil, saved)
      if saved == nil { try makeWorking() }
      try loadRevision()
      savedRevision = saved == nil ? nil : revision
    }
  }

  /// Ends the use of the files. Unsaved work stays and is offered when the package is opened again.
  ///
  /// - Throws: ``PackageError`` if the last changes cannot be written.
  func close() throws(PackageError) {
    try synced { () throws(PackageError) in
      if !isReadOnly { try lockedStore(isComplete: true) }
      finish()
    }
  }

  /// Ends the use of the files without storing what is not stored yet.
  func abandon() {
    queue.sync {
      lock.withLock { changed = [:] }
      finish()
    }
  }

  private func finish() {
    guard !isClosed else { return }
    isClosed = true
    let isSaved = !lockedHasUnsavedWork
    saved?.close()
    working?.close()
    if working != nil, isSaved { location.removeWorking() }
    (saved, working) = (nil, nil)
    fileLock = nil
  }
}
