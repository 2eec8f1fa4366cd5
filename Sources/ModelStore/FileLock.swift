import Foundation
import ModelFormat

/// An exclusive lock on a file, held while the object lives. It ends with the process, however that
/// ends, and excludes other holders in this process, too.
package final class FileLock {
  /// The locked file, open for reading and writing.
  let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Locks a file, which is made where it is not there; waits for others.
  static func wait(for path: String) throws(ModelStoreError) -> FileLock {
    while true {
      if let lock = try take(path, LOCK_EX) { return lock }
    }
  }

  /// Locks a file, which is made where it is not there; nil where another holds it.
  package static func attempt(_ path: String) throws(ModelStoreError) -> FileLock? {
    try take(path, LOCK_EX | LOCK_NB)
  }

  private static func take(_ path: String, _ operation: Int32) throws(ModelStoreError) -> FileLock?
  {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else {
      throw ModelStoreError.failure("opening", path)
    }
    let lock = FileLock(descriptor)
    while flock(descriptor, operation) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return nil }
      throw ModelStoreError.failure("locking", path)
    }
    // The holder before may have renamed or removed the file.
    var (held, named) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino,
      held.st_dev == named.st_dev
    else { return nil }
    return lock
  }
}

extension ModelStoreError {
  /// The error of `errno`: too little space, or an operation that was refused.
  static func failure(_ operation: String, _ path: String, code: Int32 = errno) -> ModelStoreError {
    code == ENOSPC || code == EDQUOT
      ? .noSpace(needed: 0, available: nil)
      : .storage(path: path, operation: operation, code: code)
  }

  /// The error of a file operation on a path.
  init(_ reason: ModelFormatError.Reason, path: String) {
    if case .system(let operation, let code) = reason {
      self = .failure(operation, path, code: code)
    } else {
      self = .damaged(ModelFormatError(reason, path: path))
    }
  }
}
