import Foundation

extension UnsavedWork {
  /// Opens unsaved work, or moves it aside if it does not belong to the saved package.
  ///
  /// - Parameters:
  ///   - location: The files of the package.
  ///   - savedRevision: The revision of the saved package; nil if there is none.
  ///   - isFresh: True if the package begins without parts: all unsaved work is moved aside.
  /// - Returns: The working copy, if its work is used, and where other work was moved.
  static func recover(
    at location: PackageLocation, savedRevision: String?, isFresh: Bool
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
}
