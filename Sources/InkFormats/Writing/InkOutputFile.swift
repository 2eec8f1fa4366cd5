import Files
import Foundation

/// A file that is written piece by piece and appears at its path when it is complete.
///
/// Until ``finish()`` the bytes go to a temporary file beside it, which is removed if the object is
/// released before. Links are followed, and stay. A device, a pipe or a socket takes the bytes as they
/// come. Not thread-safe.
final class InkOutputFile {
  /// A file that is not complete yet, and where it goes.
  private struct Partial {
    let temporaryPath: String
    let path: String
  }

  private static let bufferSize = 1 << 18

  let path: String
  /// nil where bytes go to a device, a pipe or a socket.
  private let partial: Partial?
  private var descriptor: Int32
  /// The bytes that were not written yet: append to them, then call ``flushIfFull()``.
  var buffer: [UInt8] = []

  /// The file that bytes go to until ``finish()``; nil for a device, a pipe or a socket.
  var temporaryPath: String? { partial?.temporaryPath }

  /// Opens a temporary file beside the path, or what is no file at the path.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`.
  init(path: String) throws(InkFormatError) {
    self.path = path
    do throws(FileError) {
      switch try OutputPath(path) {
      case .file(let target):
        let temporaryPath = "\(target).\(UInt64.random(in: .min ... .max)).partial"
        partial = Partial(temporaryPath: temporaryPath, path: target)
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      case .special:
        partial = nil
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
      }
    } catch {
      throw Self.failure(path, String(cString: strerror(error.code)))
    }
    guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
    buffer.reserveCapacity(2 * Self.bufferSize)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if let partial { unlink(partial.temporaryPath) }
  }

  /// Writes what waits where it is much.
  func flushIfFull() throws(InkFormatError) {
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is left, syncs the file and moves it to its path. Nothing can be written after.
  ///
  /// - Throws: ``InkFormatError`` of code `unwritableFile`; a file then holds what it held.
  func finish() throws(InkFormatError) {
    try flush()
    if let partial {
      guard fsync(descriptor) == 0 else { throw failure() }
      do throws(FileError) {
        try AtomicFile.move(partial.temporaryPath, to: partial.path)
      } catch {
        throw failure(String(cString: strerror(error.code)))
      }
    }
    close(descriptor)
    descriptor = -1
    // The rename itself lasts only when the folder is on disk.
    if let partial { try? AtomicFile.sync(folder: OutputPath.folder(of: partial.path)) }
  }

  private func flush() throws(InkFormatError) {
    guard descriptor >= 0 else { throw failure("a finished writer") }
    let code = buffer.withUnsafeBytes { Descriptor.writeAll(descriptor, $0) }
    guard code == 0 else { throw failure(String(cString: strerror(code))) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func failure(_ found: String? = nil) -> InkFormatError {
    Self.failure(path, found ?? String(cString: strerror(errno)))
  }

  private static func failure(_ path: String, _ found: String) -> InkFormatError {
    InkFormatError(
      .unwritableFile, at: SourceLocation(path: path), expected: "a writable file", found: found,
      advice: "check that the folder is there, its permissions and the space left")
  }
}
