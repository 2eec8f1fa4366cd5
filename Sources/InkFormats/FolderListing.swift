import Foundation

/// The files anywhere below a folder, links to folders followed.
///
/// Datasets are put together of links where disks are small. Each folder is read once, so that links in
/// circles end; one that is there and linked too has the files of its own path.
package struct FolderListing {
  /// The files as paths relative to the folder, in no order.
  package private(set) var files: [String] = []
  /// A folder that could not be listed, if any.
  package private(set) var unlisted: String?

  /// What tells folders apart, by whatever path they are reached.
  private struct Identity: Hashable {
    var device: dev_t
    var number: ino_t
  }

  private let folder: String
  private var seen: Set<Identity> = []
  /// Folders and links to folders that were found and not read yet, relative.
  private var folders: [String] = [""]
  private var links: [String] = []

  /// Lists a folder. O(files).
  package init(of folder: String) {
    self.folder = folder
    while let next = takeNext() { read(next) }
  }

  /// Folders before links to them.
  private mutating func takeNext() -> String? {
    if let next = folders.popLast() { return next }
    guard let first = links.indices.min(by: { links[$0] < links[$1] }) else { return nil }
    return links.remove(at: first)
  }

  private mutating func read(_ place: String) {
    let path = ByteFile.join(folder, place)
    var status = stat()
    guard stat(path, &status) == 0,
      let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    else {
      unlisted = unlisted ?? path
      return
    }
    guard seen.insert(Identity(device: status.st_dev, number: status.st_ino)).inserted else {
      return
    }
    for name in names {
      let inner = place.isEmpty ? name : place + "/" + name
      let innerPath = ByteFile.join(folder, inner)
      var status = stat()
      guard lstat(innerPath, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: folders.append(inner)
      case S_IFLNK where ByteFile.isFolder(innerPath): links.append(inner)
      default: files.append(inner)
      }
    }
  }
}
