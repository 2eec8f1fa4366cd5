import Foundation

/// An exclusive lock on a file, held while the object exists. It ends with the process, however it
/// ends, and also excludes other holders in this process.
package final class FileLock {
  /// The locked file, open for reading and writing.
  package let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // A child process shares the lock until it begins its program.
    _ = Descriptor.lock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Locks a file, which is created if it does not exist; waits for other holders.
  package static func wait(for path: String) throws(FileError) -> FileLock {
    while true {
      if let lock = try take(path, LOCK_EX) { return lock }
    }
  }

  /// Locks a file, which is created if it does not exist; nil if another holder has locked it.
  package static func attempt(_ path: String) throws(FileError) -> FileLock? {
    try take(path, LOCK_EX | LOCK_NB)
  }

  private static func take(_ path: String, _ operation: Int32) throws(FileError) -> FileLock? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw FileError(.opening, path, code: errno) }
    let lock = FileLock(descriptor)
    let code = Descriptor.lock(descriptor, operation)
    if code == EWOULDBLOCK { return nil }
    guard code == 0 else { throw FileError(.locking, path, code: code) }
    // The previous holder may have renamed or removed the file.
    var (held, named) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
      held.st_dev == named.st_dev
    else { return nil }
    return lock
  }
}
