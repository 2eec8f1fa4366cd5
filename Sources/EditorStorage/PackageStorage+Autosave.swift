import Foundation
import GRDB
import InkEditor

extension PackageStorage {
  /// The milliseconds after a change until it is written: strokes that follow at once are written
  /// together.
  private static let delay = 40
  /// The milliseconds after a failed write until it is tried again.
  private static let retryDelay = 1000

  package func partDidChange(_ part: ContentPart) {
    if !isReadOnly, changed.add([part]) { autosaveLater(Self.delay) }
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
  /// - Parameters:
  ///   - isComplete: False to leave out marks that a crash may lose.
  ///   - also: Written in the same step.
  /// - Throws: ``PackageError``; the changes are kept and tried again.
  func flush(
    isComplete: Bool = true, also: ((Database) throws -> Void)? = nil
  ) throws(PackageError) {
    try synced { () throws(PackageError) in
      try lockedStore(isComplete: isComplete, also: also)
    }
  }

  func lockedStore(
    isComplete: Bool, also: ((Database) throws -> Void)? = nil
  ) throws(PackageError) {
    let parts = changed.take()
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
      changed.tell(nil)
    } catch {
      for part in parts { part.forgetTakenChanges() }
      if changed.add(parts) { autosaveLater(Self.retryDelay) }
      changed.tell(error)
      throw error
    }
  }
}
