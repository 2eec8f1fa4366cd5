import Foundation

/// Writes complete files or none, even if the program is killed.
package enum AtomicFile {
  /// The handling of a folder that cannot be synced.
  package enum FolderSync: Sendable {
    /// Throws an error.
    case required
    /// Ignores it: the file is complete under either name, and not all file systems sync folders.
    case attempted
  }

  /// Replaces a file: writes a temporary file next to it, syncs and renames it, and syncs the
  /// folder.
  ///
  /// - Parameters:
  ///   - temporary: The path of the temporary file, in the same folder. It is removed after an
  ///     error.
  ///   - folderSync: The handling of a folder that cannot be synced.
  /// - Throws: ``FileError``; an existing file at `path` is then unchanged, unless the folder could
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

  /// Creates a file and returns once its bytes are on the disk.
  ///
  /// - Throws: ``FileError``, also if there is something at the path.
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

  /// Returns once the bytes of a file are on the disk.
  package static func sync(file: String) throws(FileError) {
    let descriptor = open(file, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(.opening, file, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError(.syncing, file, code: errno) }
  }

  /// Returns once the names in a file's folder are on the disk.
  package static func syncFolder(of path: String) throws(FileError) {
    try sync(folder: URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Returns once the names in a folder are on the disk.
  package static func sync(folder: String) throws(FileError) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { throw FileError(.opening, folder, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError(.syncing, folder, code: errno) }
  }
}
