import Files
import Foundation
import InkFormats

/// The properties that tell a file without reading it.
package struct NoteStat: Sendable {
  /// The path below the folder.
  package var path: String
  var size: Int64
  /// The time of the last change in nanoseconds since 1970.
  package var changed: Int64
  var inode: Int64
  /// The reason why the file cannot even be opened.
  package var problem: String?

  /// Nil if the file is gone.
  package init?(_ path: String, in folder: String) {
    self.path = path
    var status = stat()
    let place = folder + "/" + path
    guard stat(place, &status) == 0 else {
      let reason = errno
      guard lstat(place, &status) == 0 else { return nil }
      problem =
        reason == ELOOP
        ? "expected a file, found a link that leads in a circle; remove it"
        : "expected a file, found a link to nothing; correct or remove it"
      (size, changed, inode) = (-1, 0, 0)
      return
    }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      changed =
        Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
    #else
      changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    #endif
    inode = Int64(truncatingIfNeeded: status.st_ino)
  }

  /// Gives another file the time of the last change of this one; returns false if the system refuses.
  package func setTime(of file: String) -> Bool {
    let second: Int64 = 1_000_000_000
    let time = timespec(tv_sec: Int(changed / second), tv_nsec: Int(changed % second))
    return utimensat(AT_FDCWD, file, [time, time], 0) == 0
  }

  /// Makes the properties of a file that cannot be opened.
  init(path: String, problem: String) {
    (self.path, self.problem) = (path, problem)
    (size, changed, inode) = (-1, 0, 0)
  }
}

/// The files of a folder that may hold notes.
package enum NoteFiles {
  /// The endings of files that may hold notes.
  private static let endings: Set<String> = [
    "xopp", "xoj", "rm", "rmdoc", "content", "rnote", "uim", "will", "sbn2", "sba", "bfly", "note",
    "inkml", "jiix", "svg", "svgz", "excalidraw", "tldr", "pdf", "isf",
  ]

  /// Returns the files below a folder that may hold notes, as ``notes(of:in:)`` does.
  package static func notes(in folder: String) -> [NoteStat] {
    notes(of: FolderListing(of: folder), in: folder)
  }

  /// Returns the files that may hold notes, sorted, and those that cannot be opened with the reason.
  /// The pages of a stored notebook are parts of it.
  static func notes(of listing: FolderListing, in folder: String) -> [NoteStat] {
    let files = StoredNotebooks.withoutPages(listing.files, in: folder).filter(mayHoldNotes)
    var stats = files.compactMap { NoteStat($0, in: folder) }
    for name in listing.misnamed where name.hasSuffix("/") || mayHoldNotes(name) {
      stats.append(
        NoteStat(
          path: name,
          problem: "expected a name in UTF-8, found other bytes; rename the "
            + (name.hasSuffix("/") ? "folder" : "file")))
    }
    return stats.sorted { $0.path < $1.path }
  }

  private static func mayHoldNotes(_ file: String) -> Bool {
    let name = file.split(separator: "/").last ?? ""
    guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }
}
