import Files
import Foundation
import GRDB
import InkEditor

extension PackageStorage {
  /// True if there are changes that were not saved.
  var hasUnsavedWork: Bool {
    if !changed.isEmpty { return true }
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

  func replace(_ target: String) throws(PackageError) {
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
      changed.removeAll()
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
      changed.removeAll()
      finish()
    }
  }

  func finish() {
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
