import Files
import Foundation

/// The file operations of a bundle, on POSIX calls. They do not follow links, and they write bytes
/// to the disk before the name, which Foundation does not guarantee.
package enum FileSystem {
  package typealias Reason = ModelFormatError.Reason

  /// The kind of file at a path.
  package enum Kind {
    case file
    case folder
    case other
  }

  /// The kind of file at a path, or nil if there is nothing.
  package static func kind(of path: String, followingLinks: Bool = false) -> Kind? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Opens a regular file that is not a link. `check` gets its length first.
  private static func withFile<Result>(
    _ path: String, check: (Int) throws(Reason) -> Void,
    _ body: (_ descriptor: Int32, _ length: Int) throws(Reason) -> Result
  ) throws(Reason) -> Result {
    // O_NONBLOCK, because opening a pipe would otherwise block.
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

  /// Reads a regular file that is not a link. `check` gets its length first.
  package static func contents(
    of path: String, check: (Int) throws(Reason) -> Void
  ) throws(Reason) -> Data {
    try withFile(path, check: check) { (descriptor, length) throws(Reason) in
      try contents(of: descriptor, length: length)
    }
  }

  /// Maps a regular file that is not a link. `check` gets its length first.
  package static func mapping(
    of path: String, check: (Int) throws(Reason) -> Void
  ) throws(Reason) -> MappedBytes {
    try withFile(path, check: check) { (descriptor, length) throws(Reason) in
      do throws(FileError) {
        return try MappedBytes(descriptor: descriptor, count: length, path: path)
      } catch {
        throw .system(operation: error.operation.rawValue, code: error.code)
      }
    }
  }

  private static func contents(of descriptor: Int32, length: Int) throws(Reason) -> Data {
    var bytes = Data(count: length)
    let (filled, code) = bytes.withUnsafeMutableBytes { Descriptor.readAll(descriptor, into: $0) }
    guard code == 0 else { throw .system(operation: "reading", code: code) }
    return filled == bytes.count ? bytes : bytes.prefix(filled)
  }

  /// Creates a file and returns once its bytes are on the disk.
  package static func write(
    _ bytes: Data, to path: String, mode: mode_t = 0o644
  ) throws(Reason) {
    try wrapped { () throws(FileError) in try AtomicFile.create(path, bytes, mode: mode) }
  }

  /// Writes a complete file or none, replacing a file of that name.
  package static func replace(_ path: String, with bytes: Data) throws(Reason) {
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).writing"
    try wrapped { () throws(FileError) in
      try AtomicFile.replace(path, with: bytes, temporary: temporary, folderSync: .required)
    }
  }

  /// Returns once the names in a folder are on the disk.
  package static func syncFolder(_ path: String) throws(Reason) {
    try wrapped { () throws(FileError) in try AtomicFile.sync(folder: path) }
  }

  /// Renames within one file system.
  package static func move(_ path: String, to target: String) throws(Reason) {
    do throws(FileError) {
      try AtomicFile.move(path, to: target)
    } catch {
      throw .system(operation: "renaming \(path) to \(target)", code: error.code)
    }
  }

  private static func wrapped(_ body: () throws(FileError) -> Void) throws(Reason) {
    do throws(FileError) {
      try body()
    } catch {
      // Closing completes the writing.
      let operation = error.operation == .closing ? .writing : error.operation
      throw .system(operation: "\(operation.rawValue) \(error.path)", code: error.code)
    }
  }

  /// Removes a folder and its contents; links are removed, not followed.
  package static func removeFolder(_ path: String) {
    // A failure leaves a hidden folder behind, which the next writer removes.
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func failure(_ operation: String) -> Reason {
    .system(operation: operation, code: errno)
  }
}
