import Files
import Foundation

/// The files anywhere below a folder, including linked folders.
///
/// On small disks, datasets may consist of links. Each folder is read once, so that cycles of links
/// end. A folder that is also linked is listed under its own path.
package struct FolderListing {
  /// The files as paths relative to the folder, in any order.
  package private(set) var files: [String] = []
  /// A folder that could not be listed, if any.
  package private(set) var unlisted: String?
  /// Files and folders whose names are no UTF-8, so that no path leads to them, with their other bytes
  /// replaced. Those of folders end in a slash.
  package private(set) var misnamed: [String] = []

  /// The identity of a folder, independent of its path.
  private struct Identity: Hashable {
    var device: dev_t
    var number: ino_t
  }

  private let folder: String
  private var seen: Set<Identity> = []
  /// Folders and links to folders that have not been read yet, as relative paths.
  private var folders: [String] = [""]
  private var links: [String] = []

  /// Lists a folder. O(files).
  package init(of folder: String) {
    self.folder = folder
    while let next = takeNext() { read(next) }
  }

  /// Returns the next folder; links to folders come after all folders.
  private mutating func takeNext() -> String? {
    if let next = folders.popLast() { return next }
    guard let first = links.indices.min(by: { links[$0] < links[$1] }) else { return nil }
    return links.remove(at: first)
  }

  private mutating func read(_ place: String) {
    let path = ByteFile.join(folder, place)
    var status = stat()
    guard stat(path, &status) == 0, let entries = Self.entries(of: path) else {
      unlisted = unlisted ?? path
      return
    }
    guard seen.insert(Identity(device: status.st_dev, number: status.st_ino)).inserted else {
      return
    }
    for entry in entries {
      let inner = place.isEmpty ? entry.name : place + "/" + entry.name
      guard entry.isText else {
        misnamed.append(entry.kind == Int(DT_DIR) ? inner + "/" : inner)
        continue
      }
      // Most file systems name the kind of each entry, which saves a call for each.
      switch entry.kind {
      case Int(DT_DIR): folders.append(inner)
      case Int(DT_REG): files.append(inner)
      default: readUnknown(inner)
      }
    }
  }

  /// Reads an entry that may be a link, or whose kind the file system does not name.
  private mutating func readUnknown(_ inner: String) {
    let path = ByteFile.join(folder, inner)
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    // A link to nothing is listed, so that reading it is an error.
    if isLink, stat(path, &status) != 0 {
      files.append(inner)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR where isLink: links.append(inner)
    case S_IFDIR: folders.append(inner)
    case S_IFREG: files.append(inner)
    // Pipes, sockets and devices: reading them might never end.
    default: break
    }
  }

  /// Returns the names in a folder in any order, with their kinds in `readdir`.
  ///
  /// - Returns: nil if it cannot be listed.
  private static func entries(of path: String) -> [(name: String, isText: Bool, kind: Int)]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var entries: [(name: String, isText: Bool, kind: Int)] = []
    errno = 0
    while let entry = readdir(folder) {
      let kind = Int(entry.pointee.d_type)
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        Array(bytes.prefix { $0 != 0 })
      }
      guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
      entries.append((String(decoding: name, as: UTF8.self), UTF8Check.isValid(name), kind))
      errno = 0
    }
    return errno == 0 ? entries : nil
  }
}
