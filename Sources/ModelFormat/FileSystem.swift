import Foundation

/// The file operations of a bundle, on POSIX calls: what Foundation hides is what matters here,
/// links not followed, and bytes on the disk before the name.
package enum FileSystem {
  package typealias Reason = ModelFormatError.Reason

  /// What stands at a path.
  package enum Kind {
    case file
    case folder
    case other
  }

  /// What stands at a path, or nil where there is nothing.
  package static func kind(of path: String, followingLinks: Bool = false) -> Kind? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Opens a regular file that is no link, after `check` has seen its length.
  private static func withFile<Result>(
    _ path: String, check: (Int) throws(Reason) -> Void,
    _ body: (_ descriptor: Int32, _ length: Int) throws(Reason) -> Result
  ) throws(Reason) -> Result {
    // O_NONBLOCK: a pipe in the place of a file must not hold the program.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: throw .missing
      case ELOOP: throw .notARegularFile
      default: throw failure("opening")
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("reading") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    try check(Int(status.st_size))
    return try body(descriptor, Int(status.st_size))
  }

  /// Reads a regular file that is no link, after `check` has seen its length.
  package static func contents(
    of path: String, check: (Int) throws(Reason) -> Void
  ) throws(Reason) -> Data {
    try withFile(path, check: check) { (descriptor, length) throws(Reason) in
      try contents(of: descriptor, length: length)
    }
  }

  /// Maps a regular file that is no link, after `check` has seen its length.
  package static func mapping(
    of path: String, check: (Int) throws(Reason) -> Void
  ) throws(Reason) -> MappedPart {
    try withFile(path, check: check) { (descriptor, length) throws(Reason) in
      guard length > 0 else { return MappedPart(UnsafeRawBufferPointer(start: nil, count: 0)) }
      guard let address = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0),
        address != MAP_FAILED
      else { throw failure("mapping") }
      return MappedPart(UnsafeRawBufferPointer(start: address, count: length))
    }
  }

  private static func contents(of descriptor: Int32, length: Int) throws(Reason) -> Data {
    var bytes = Data(count: length)
    var filled = 0
    let code = bytes.withUnsafeMutableBytes { raw -> Int32 in
      while filled < raw.count {
        let count = read(descriptor, raw.baseAddress.map { $0 + filled }, raw.count - filled)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        if count == 0 { break }
        filled += count
      }
      return 0
    }
    guard code == 0 else { throw .system(operation: "reading", code: code) }
    return filled == bytes.count ? bytes : bytes.prefix(filled)
  }

  /// Creates a file and returns when its bytes are on the disk.
  package static func write(
    _ bytes: Data, to path: String, mode: mode_t = 0o644
  ) throws(Reason) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure("creating \(path)") }
    let code = bytes.withUnsafeBytes { raw -> Int32 in
      var written = 0
      while written < raw.count {
        let count = Foundation.write(
          descriptor, raw.baseAddress.map { $0 + written }, raw.count - written)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return count < 0 ? errno : EIO }
        written += count
      }
      return fsync(descriptor) == 0 ? 0 : errno
    }
    let closed = close(descriptor)
    guard code == 0 else { throw .system(operation: "writing \(path)", code: code) }
    guard closed == 0 else { throw failure("writing \(path)") }
  }

  /// Writes a file that is there whole or not at all, replacing one of the name.
  package static func replace(_ path: String, with bytes: Data) throws(Reason) {
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).writing"
    do throws(Reason) {
      try write(bytes, to: temporary)
      try move(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
    try syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Returns when the names in a folder are on the disk.
  package static func syncFolder(_ path: String) throws(Reason) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { throw failure("opening \(path)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("syncing \(path)") }
  }

  /// Renames within one file system.
  package static func move(_ path: String, to target: String) throws(Reason) {
    guard rename(path, target) == 0 else { throw failure("renaming \(path) to \(target)") }
  }

  /// Removes a folder and all in it; links are removed, not followed.
  package static func removeFolder(_ path: String) {
    // A failure leaves a hidden folder behind, which the next writer removes.
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func failure(_ operation: String) -> Reason {
    .system(operation: operation, code: errno)
  }
}

/// A part of a bundle that is mapped into memory and not copied.
package final class MappedPart: @unchecked Sendable {
  // Unchecked because of the pointer: nobody writes to the bytes.

  /// The bytes; valid while the object lives.
  package let bytes: UnsafeRawBufferPointer

  /// Takes over a mapping.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The bytes without a copy, which keep the mapping.
  var data: Data {
    guard let address = bytes.baseAddress else { return Data() }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: address), count: bytes.count,
      deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }

  deinit {
    if let address = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: address), bytes.count)
    }
  }
}
