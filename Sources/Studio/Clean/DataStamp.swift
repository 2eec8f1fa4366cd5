import Foundation
import InkDatasets

/// Sizes and times of the files of some data. Another stamp means that the data changed.
struct DataStamp: Hashable, Sendable {
  private var entries: [String: FileStamp] = [:]
  /// The most files of a folder that are looked at.
  private static let mostFiles = 50_000

  /// Looks at the files of data. O(files).
  init(of data: DataSpecification) {
    var files = [data.texts, data.splits, data.starter.words].compactMap { $0 }
    if data.format != .starter { files.append(data.path) }
    for file in files.map({ DataSpecification.locate($0) }) {
      guard let stamp = FileStamp(of: file) else { continue }
      entries[file] = stamp
      guard stamp.isFolder else { continue }
      let walk = FileManager.default.enumerator(atPath: file)
      while entries.count < Self.mostFiles, let name = walk?.nextObject() as? String {
        entries[file + "/" + name] = FileStamp(of: file + "/" + name)
      }
    }
  }
}

/// The identity, size and time of one file.
struct FileStamp: Hashable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int
  let isFolder: Bool

  /// Looks at a file; nil if there is none.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    #if os(Linux)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #endif
  }
}
