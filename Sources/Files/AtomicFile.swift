import Foundation

/// Files that are there whole or not at all, whatever ends the program.
package enum AtomicFile {
  /// What to do where the folder of a new name cannot be synced.
  package enum FolderSync: Sendable {
    /// It is an error.
    case required
    /// It is no loss: the file is whole under either name, and not all file systems sync folders.
    case attempted
  }

  /// Replaces a file: writes a temporary beside it, syncs it, renames it, syncs the folder.
  ///
  /// - Parameters:
  ///   - temporary: The path of the temporary, in the same folder. It is removed after an error.
  ///   - folderSync: What to do where the folder cannot be synced.
  /// - Throws: ``FileError``; a file that stood at `path` is then unchanged, unless the folder could
  ///   not be synced.
  package static func replace(
    _ path: String, with bytes: Data, temporary: String, folderSync: FolderSync
  ) throws(FileError) {
    do throws(FileError) {
      try create(temporary, bytes)
      try move(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
    do throws(FileError) {
      try syncFolder(of: path)
    } catch {
      if folderSync == .required { throw error }
    }
  }

  /// Creates a file and returns when its bytes are on the disk.
  ///
  /// - Throws: ``FileError``, also where something stands at the path.
  package static func create(
    _ path: String, _ bytes: Data, mode: mode_t = 0o644
  ) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError(.creating, path, code: errno) }
    let code = bytes.withUnsafeBytes { raw -> Int32 in
      let code = Descriptor.writeAll(descriptor, raw)
      return code != 0 ? code : fsync(descriptor) == 0 ? 0 : errno
    }
    let closed = close(descriptor)
    guard code == 0 else { throw FileError(.writing, path, code: code) }
    guard closed == 0 else { throw FileError(.closing, path, code: errno) }
  }

  /// Renames within one file system.
  package static func move(_ path: String, to target: String) throws(FileError) {
    guard rename(path, target) == 0 else { throw FileError(.renaming, path, code: errno) }
  }

  /// Returns when the names in a file's folder are on the disk.
  package static func syncFolder(of path: String) throws(FileError) {
    try sync(folder: URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Returns when the names in a folder are on the disk.
  package static func sync(folder: String) throws(FileError) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { throw FileError(.opening, folder, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError(.syncing, folder, code: errno) }
  }
}
